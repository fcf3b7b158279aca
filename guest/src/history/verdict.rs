//! What a recorded result says about its call.

use super::key::Key;
use super::{Element, spelling};
use crate::json::literal::{self, Document, Value};
use crate::session::UNKNOWN_TOOL;
use crate::text::split;
use crate::tools::Tool;

/// What a recorded result says about its call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It worked; a create may name the number of its task.
    Accepted(Option<u32>),
    /// It reached the component and was refused: a use.
    Refused,
    /// It never reached a tool that counts: denied, failed, or another tool.
    Denied,
}

/// How every refusal begins.
const REFUSAL: &str = "Error: ";

/// How results begin that look like a success and are none: what a host or
/// framework leaves in place of a tool that threw, that nobody approved, or that
/// was stopped.
const FAILURES: [&str; 6] = [
    "An error occurred while running the tool",
    "Tool execution was not approved",
    "user rejected MCP tool call",
    "unsupported call: ",
    "Plan not updated: ",
    "<system>ERROR: ",
];

/// The whole text of a call that Codex stopped.
const ABORTED: &str = "aborted";

/// Whether a part that holds a call also holds its result.
pub fn has_result(part: Element<'_>) -> bool {
    matches!(
        spelling::state(part),
        Some(
            "output-available"
                | "output-error"
                | "output-denied"
                | "result"
                | "completed"
                | "error"
        )
    )
}

/// Reads a result. `envelope` is the line around it, where one host keeps the
/// number of a new task.
pub fn verdict(part: Element<'_>, envelope: Option<Element<'_>>) -> Verdict {
    let output = spelling::output(part);
    let parsed = literal::parse(output);
    let value = parsed.as_ref().map_or(Value::Null, Document::root);
    let text = text_of(value, 0);
    let text = text.trim_start();
    if text.starts_with(REFUSAL) {
        return if counts(text) {
            Verdict::Refused
        } else {
            Verdict::Denied
        };
    }
    if is_failed(part, value) || says_failed(text) {
        return Verdict::Denied;
    }
    let recorded = || {
        literal::parse(envelope?.get(Key::ToolUseResult)?.raw)
            .ok()
            .and_then(|value| task_id(value.root()))
    };
    Verdict::Accepted(
        task_number(text)
            .or_else(|| task_id(value))
            .or_else(recorded),
    )
}

fn says_failed(text: &str) -> bool {
    text == ABORTED || FAILURES.iter().any(|failure| text.starts_with(failure))
}

/// A call of a tool that is not there counts as a use only if its name is one
/// of those that write: as it did live.
fn counts(text: &str) -> bool {
    let Some(name) = text
        .strip_prefix(UNKNOWN_TOOL)
        .and_then(|rest| rest.strip_prefix('"'))
    else {
        return true;
    };
    let name = name.split('"').next().unwrap_or_default();
    Tool::named(name).is_some_and(Tool::writes)
}

/// Whether the result carries a mark of failure.
fn is_failed(part: Element<'_>, value: Value<'_>) -> bool {
    let output_type = match value.get("type") {
        Some(Value::Text(text)) => text,
        _ => "",
    };
    let inner = part.get(Key::ToolInvocation).unwrap_or(part);
    part.is_true(Key::IsError)
        || inner.is_true(Key::IsError)
        || matches!(part.word(Key::Type), Some("tool-error"))
        || matches!(part.word(Key::PartKind), Some("retry-prompt"))
        || part
            .word(Key::Outcome)
            .is_some_and(|outcome| outcome != "success")
        || matches!(
            part.word(Key::Status),
            Some("error" | "failed" | "incomplete" | "cancelled")
        )
        || matches!(
            spelling::state(part),
            Some("output-error" | "output-denied" | "error")
        )
        || matches!(
            output_type,
            "error-text" | "error-json" | "execution-denied"
        )
        || holds_error(value)
}

/// Whether a result that is an object, also as JSON in a string or in a block,
/// says that it is an error.
fn holds_error(value: Value<'_>) -> bool {
    match value {
        Value::Object(_) => {
            value.get("error").is_some() || value.get("isError") == Some(Value::Bool(true))
        }
        Value::Text(text) => match literal::parse(without_header(text)) {
            Ok(inner) => matches!(inner.root(), Value::Object(_)) && holds_error(inner.root()),
            Err(_) => false,
        },
        Value::List(blocks) => blocks
            .iter()
            .any(|(_, block)| block.get("text").is_some_and(holds_error)),
        _ => false,
    }
}

/// The first text in a result, whatever it is wrapped in: blocks, an object, or
/// JSON inside a string.
fn text_of(value: Value<'_>, depth: u32) -> String {
    const KEYS: [&str; 9] = [
        "text",
        "value",
        "output",
        "result",
        "content",
        "error",
        "errorText",
        "message",
        "reason",
    ];
    if depth > 6 {
        return String::new();
    }
    match value {
        Value::Text(text) => {
            let text = without_header(text);
            let is_json = text.trim_start().starts_with(['{', '[', '"']);
            match literal::parse(text) {
                Ok(inner) if is_json => text_of(inner.root(), depth + 1),
                _ => text.to_owned(),
            }
        }
        Value::List(values) => {
            let texts = values.iter().map(|(_, value)| text_of(value, depth + 1));
            texts
                .into_iter()
                .find(|text| !text.is_empty())
                .unwrap_or_default()
        }
        Value::Object(_) => {
            let texts = KEYS
                .iter()
                .filter_map(|key| value.get(key))
                .map(|value| text_of(value, depth + 1));
            texts
                .into_iter()
                .find(|text| !text.is_empty())
                .unwrap_or_default()
        }
        _ => String::new(),
    }
}

/// Codex puts a header of two lines before the output of an MCP tool.
fn without_header(text: &str) -> &str {
    let header = text.strip_prefix("Wall time: ");
    let output = header.and_then(|header| split(header, "\nOutput:\n"));
    output.map_or(text, |(_, output)| output)
}

/// The number in `Task #7 …`.
fn task_number(text: &str) -> Option<u32> {
    let (_, digits) = split(text, "ask #")?;
    let end = digits
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(digits.len());
    crate::list::number(digits.get(..end)?)
}

/// The number in `{"task":{"id":"7"}}`, also inside a string.
fn task_id(value: Value<'_>) -> Option<u32> {
    match value {
        Value::Text(text) if text.trim_start().starts_with('{') => {
            let parsed = literal::parse(text).ok()?;
            match parsed.root() {
                value @ Value::Object(_) => task_id(value),
                _ => None,
            }
        }
        Value::Object(_) => {
            let id = value.get("task").unwrap_or(value).get("id")?;
            crate::list::number(id.scalar()?)
        }
        _ => None,
    }
}
