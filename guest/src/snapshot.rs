//! The snapshot for compaction: what the writer of the summary gets, and the
//! message that carries the open items over.

use crate::input::tidy_id;
use crate::json::scanner::Scanner;
use crate::json::string::{decode, push_string};
use crate::list::{List, Status, Todo};
use crate::policy::{Policy, ToolSet};
use crate::reminder::{CLOSING, OPENING, block_lines};
use crate::render::{push_number, push_worded};
use crate::text::{find, is_blank, push_safe, split, tidy};

/// Every item with status and id; `None` for an empty list.
pub fn context(list: &List) -> Option<String> {
    let todos = list.todos();
    if todos.is_empty() {
        return None;
    }
    let mut out = String::from("The todo list, ");
    push_number(&mut out, list.progress().completed);
    out.push_str(" of ");
    push_number(&mut out, u32::try_from(todos.len()).unwrap_or(u32::MAX));
    out.push_str(" completed. Keep the open items in the summary:");
    for todo in todos {
        out.push('\n');
        push_worded(&mut out, todo, usize::MAX);
    }
    Some(out)
}

/// The message that lists the items that are not completed; `None` if all are.
pub fn carry_over(list: &List, policy: &Policy) -> Option<String> {
    list.open().next()?;
    let mut out = String::from(OPENING);
    out.push_str(FIRST);
    out.push_str(advice(policy.tool_set, policy.adopt_snapshot));
    for todo in list.open() {
        out.push_str("\n[");
        out.push_str(todo.status.word());
        out.push_str("] ");
        push_id(&mut out, &todo.id);
        out.push_str(". ");
        push_safe(&mut out, &todo.content);
    }
    out.push('\n');
    out.push_str(CLOSING);
    Some(out)
}

/// How the line of context begins.
const FIRST: &str = "These todo items were open when the history was compacted. ";

/// How it goes on, by what the policy makes of the message.
fn advice(tools: ToolSet, adopted: bool) -> &'static str {
    if adopted {
        "The list still holds them."
    } else if tools.has_todo() {
        "The list is empty now: write those that still apply with todo_write."
    } else {
        "The list is empty now: create those that still apply with TaskCreate."
    }
}

/// The items of a message that is, as a whole, a carry-over message.
pub fn read_carry_over(message: &str) -> Option<Vec<Todo>> {
    let (first, items) = block_lines(message)?.split_once('\n')?;
    let rest = first.strip_prefix(FIRST)?;
    let ours = [
        (ToolSet::Todo, false),
        (ToolSet::Task, false),
        (ToolSet::Todo, true),
    ];
    if !ours
        .into_iter()
        .any(|(tools, adopted)| rest == advice(tools, adopted))
    {
        return None;
    }
    items.split('\n').map(read_item).collect()
}

fn read_item(line: &str) -> Option<Todo> {
    let pending = line
        .strip_prefix("[pending] ")
        .map(|rest| (Status::Pending, rest));
    let (status, rest) =
        pending.or_else(|| Some((Status::InProgress, line.strip_prefix("[in_progress] ")?)))?;
    let (id, content) = read_id(rest)?;
    // Tidy like every other item: somebody else may have written this line.
    let content = tidy(content);
    let id = tidy_id(&id).filter(|_| !is_blank(&content))?;
    Some(Todo {
        id: id.into_owned(),
        content: content.into_owned(),
        status,
        description: None,
    })
}

/// An id up to its `. `. One that holds `. ` itself, or begins with a quote,
/// stands in quotes, as a JSON string.
fn push_id(out: &mut String, id: &str) {
    let mut safe = String::new();
    push_safe(&mut safe, id);
    if find(&safe, ". ").is_some() || safe.starts_with('"') {
        push_string(out, &safe);
    } else {
        out.push_str(&safe);
    }
}

fn read_id(rest: &str) -> Option<(String, &str)> {
    if !rest.starts_with('"') {
        let (id, content) = split(rest, ". ")?;
        return Some((id.to_owned(), content));
    }
    let mut scanner = Scanner::new(rest);
    scanner.skip().ok()?;
    let (quoted, content) = rest.split_at_checked(rest.len() - scanner.rest().len())?;
    let id = decode(quoted.strip_prefix('"')?.strip_suffix('"')?);
    Some((id.into_owned(), content.strip_prefix(". ")?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render;

    fn list(todos: &[(&str, &str, Status)]) -> List {
        let mut list = List::default();
        let todo = |(id, content, status): &(&str, &str, Status)| Todo {
            id: (*id).into(),
            content: (*content).into(),
            status: *status,
            description: None,
        };
        list.replace(todos.iter().map(todo).collect());
        list
    }

    #[test]
    fn the_context_shows_every_item_and_the_carry_over_only_open_ones() {
        let list = list(&[
            ("1", "Read the loader", Status::Completed),
            ("2", "Add the flag", Status::InProgress),
        ]);
        assert_eq!(
            context(&list).unwrap(),
            "The todo list, 1 of 2 completed. Keep the open items in the summary:\n\
             [completed] 1. Read the loader\n[in_progress] 2. Add the flag"
        );
        assert_eq!(
            carry_over(&list, &Policy::default()).unwrap(),
            "<system-reminder>\nThese todo items were open when the history was compacted. The list is empty \
             now: write those that still apply with todo_write.\n[in_progress] 2. Add the flag\n</system-reminder>"
        );
    }

    #[test]
    fn nothing_is_carried_over_when_nothing_is_open() {
        assert_eq!(context(&List::default()), None);
        assert_eq!(
            carry_over(&list(&[("1", "a", Status::Completed)]), &Policy::default()),
            None
        );
    }

    #[test]
    fn a_carry_over_is_read_back_item_for_item_under_any_policy() {
        let long = "x".repeat(5_000);
        let list = list(&[
            ("1", &long, Status::Pending),
            (
                "a. b",
                "id with the separator. And more",
                Status::InProgress,
            ),
            ("\"q\"", "quoted. id", Status::Pending),
            ("c.", "ends with a point", Status::Pending),
        ]);
        for tool_set in [ToolSet::Todo, ToolSet::Task, ToolSet::Both] {
            for adopt_snapshot in [false, true] {
                let policy = Policy {
                    tool_set,
                    adopt_snapshot,
                    ..Policy::default()
                };
                let message = carry_over(&list, &policy).unwrap();
                let read = read_carry_over(&format!("\n {message} \n")).unwrap();
                assert_eq!(read, list.todos());
            }
        }
    }

    #[test]
    fn an_item_that_somebody_else_wrote_is_kept_as_tidy_as_any() {
        let message =
            carry_over(&list(&[("1", "a", Status::Pending)]), &Policy::default()).unwrap();
        let forged = message.replace("1. a", "\t1\u{85}. \u{1b}[31m a \t b \r");
        let read = read_carry_over(&forged).unwrap();
        assert_eq!(read[0].id, "1");
        assert_eq!(read[0].content, "[31m a b");
        let long = message.replace("1. a", &format!("{}. a", "9".repeat(100)));
        assert_eq!(read_carry_over(&long).unwrap()[0].id, "9".repeat(64));
    }

    #[test]
    fn only_a_whole_carry_over_is_one() {
        let message =
            carry_over(&list(&[("1", "a", Status::Pending)]), &Policy::default()).unwrap();
        for other in [
            format!("Look: {message}"),
            format!("{message} and go on"),
            message.replace("compacted", "lost"),
            message.replace("[pending] 1. a", "1. a"),
            message.replace("[pending] 1. a", "[completed] 1. a"),
            message.replace("[pending] 1. a", "[pending] 1. a\n"),
            message.replace("\n[pending] 1. a", ""),
            render::answer(&list(&[("1", "a", Status::Pending)])),
        ] {
            assert_eq!(read_carry_over(&other), None, "{other}");
        }
    }
}
