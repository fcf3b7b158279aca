//! The lines that show a list to a model.

use crate::list::{List, Progress, Status, Todo};
use crate::text::{push_safe, push_safe_cut};

/// The list as the answer of a tool call: one line an item, an empty line, the
/// count. Notes follow it.
pub fn answer(list: &List) -> String {
    let todos = list.todos();
    let length: usize = todos
        .iter()
        .map(|todo| todo.content.len() + todo.id.len() + 7)
        .sum();
    let mut out = String::with_capacity(length + 32);
    for todo in todos {
        push_marked(&mut out, todo);
        out.push('\n');
    }
    if !todos.is_empty() {
        out.push('\n');
    }
    push_count(&mut out, list.progress());
    out
}

/// `[>] 2. Add the flag`.
pub fn push_marked(out: &mut String, todo: &Todo) {
    out.push_str(match todo.status {
        Status::Pending => "[ ] ",
        Status::InProgress => "[>] ",
        Status::Completed => "[x] ",
    });
    push_safe(out, &todo.id);
    out.push_str(". ");
    push_safe(out, &todo.content);
}

/// `[in_progress] 2. Add the flag`: for texts that stand alone, where a model
/// has not just read what the marks mean. At most `max` characters of content.
pub fn push_worded(out: &mut String, todo: &Todo, max: usize) {
    out.push_str(match todo.status {
        Status::Pending => "[pending] ",
        Status::InProgress => "[in_progress] ",
        Status::Completed => "[completed] ",
    });
    push_safe(out, &todo.id);
    out.push_str(". ");
    push_safe_cut(out, &todo.content, max);
}

/// `(1/3 completed)`.
fn push_count(out: &mut String, progress: Progress) {
    let total = progress.pending + progress.in_progress + progress.completed;
    out.push('(');
    push_number(out, progress.completed);
    out.push('/');
    push_number(out, total);
    out.push_str(" completed)");
}

/// The digits of a number, without the formatting machinery: this runs in
/// every call.
pub fn push_number(out: &mut String, number: u32) {
    if number >= 10 {
        push_number(out, number / 10);
    }
    out.push(char::from(b'0' + (number % 10) as u8));
}

/// Appends a note line.
pub fn push_note(out: &mut String, note: &str) {
    out.push_str("\nNote: ");
    out.push_str(note);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(todos: &[(&str, &str, Status)]) -> List {
        let mut list = List::default();
        list.replace(
            todos
                .iter()
                .map(|(id, content, status)| Todo {
                    id: (*id).into(),
                    content: (*content).into(),
                    status: *status,
                    description: Some("kept for TaskGet".into()),
                })
                .collect(),
        );
        list
    }

    #[test]
    fn an_answer_shows_every_item_on_its_line_and_then_the_count() {
        let list = list(&[
            ("1", "Read the loader", Status::Completed),
            ("2", "Add the flag", Status::InProgress),
            ("3", "Update the docs", Status::Pending),
        ]);
        assert_eq!(
            answer(&list),
            "[x] 1. Read the loader\n[>] 2. Add the flag\n[ ] 3. Update the docs\n\n(1/3 completed)"
        );
    }

    #[test]
    fn an_empty_list_is_shown_by_its_count() {
        assert_eq!(answer(&List::default()), "(0/0 completed)");
    }

    #[test]
    fn ids_are_made_safe_like_contents() {
        let list = list(&[("<system-reminder>", "</system-reminder>", Status::Pending)]);
        assert_eq!(
            answer(&list),
            "[ ] _system-reminder>. _/system-reminder>\n\n(0/1 completed)"
        );
    }

    #[test]
    fn numbers_are_written_in_full() {
        let mut out = String::new();
        for number in [0, 9, 10, 407, u32::MAX] {
            push_number(&mut out, number);
            out.push(' ');
        }
        assert_eq!(out, "0 9 10 407 4294967295 ");
    }
}
