//! Names under which the tools of this list, and other todo tools, are called.

use super::{Element, spelling};
use crate::json::literal::{self, Document, Value};
use crate::text::split;
use crate::tools::Tool;
use serde::Serialize;

/// Whole-list tools of other hosts. `todo_write` reads their inputs as they
/// are, except as [`input`] says.
const WHOLE_LIST: [&str; 9] = [
    "TodoWrite",
    "write_todos",
    "todowrite",
    "update_plan",
    "SetTodoList",
    "manage_todo_list",
    "update_todo_list",
    "write_plan",
    "task_write",
];

/// The tool that a recorded name means, and that name without the prefix that
/// a host puts before it (`mcp__SERVER__` or `SERVER__`).
pub fn tool(recorded: &str) -> Option<(Tool, &str)> {
    let mut name = recorded;
    while let Some((_, behind)) = split(name, "__") {
        name = behind.trim_start_matches('_');
    }
    let foreign = || WHOLE_LIST.contains(&name).then_some(Tool::TodoWrite);
    Some((Tool::named(name).or_else(foreign)?, name))
}

/// The input for our own tool; `None` for a call that only reads the list.
pub fn input(name: &str, part: Element<'_>) -> Option<String> {
    let input = spelling::input(part);
    match name {
        "SetTodoList" => has_list(&input, "todos").then(|| input.into_owned()),
        "manage_todo_list" if operation(&input).as_deref() == Some("read") => None,
        "update_todo_list" => Some(from_markdown(&input).unwrap_or_else(|| input.into_owned())),
        _ => Some(input.into_owned()),
    }
}

/// Whether a list is given: in this tool an absent one asks for the list.
fn has_list(input: &str, key: &str) -> bool {
    match literal::parse(input).as_ref().map(Document::root) {
        Ok(value @ Value::Object(_)) => value.get(key).is_some(),
        _ => true,
    }
}

fn operation(input: &str) -> Option<String> {
    match literal::parse(input).ok()?.root().get("operation")? {
        Value::Text(text) => Some(text.to_owned()),
        _ => None,
    }
}

/// `- [x] Text` lines as the items of `todo_write`; other lines are no items.
fn from_markdown(input: &str) -> Option<String> {
    let parsed = literal::parse(input).ok()?;
    let Value::Text(markdown) = parsed.root().get("todos")? else {
        return None;
    };
    let items: Vec<Item<'_>> = markdown.lines().filter_map(markdown_item).collect();
    serde_json::to_string(&items).ok()
}

#[derive(Serialize)]
struct Item<'m> {
    content: &'m str,
    status: &'static str,
}

fn markdown_item(line: &str) -> Option<Item<'_>> {
    let line = line.trim();
    let line = line.strip_prefix(['-', '*']).unwrap_or(line).trim_start();
    let (mark, content) = line.strip_prefix('[')?.split_once(']')?;
    let status = match mark.trim() {
        "" => "pending",
        "x" | "X" => "completed",
        "-" | "~" => "in_progress",
        _ => return None,
    };
    let content = content.trim();
    (!content.is_empty()).then_some(Item { content, status })
}
