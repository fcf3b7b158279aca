//! What a model sends, understood as items.
//!
//! The schema asks for one form; the handler accepts what models really send.
//! A refusal costs a round trip and can loop for ever, so only what would lose
//! or invent work is refused, with a message that says what is legal.

use crate::error::{ErrorCode, ToolError};
use crate::json::literal::{self, Fault, Value, Values};
use crate::list::{MAX_ID, Status};
use crate::policy::Policy;
use crate::text::{cut, first, is_blank, quoted, tidy};
use std::borrow::Cow;

/// Names of the list, the schema's own first.
const LIST_KEYS: [&str; 6] = ["todos", "plan", "items", "tasks", "todoList", "todo_list"];
/// Names of the content, the schema's own first.
const CONTENT_KEYS: [&str; 7] = [
    "content",
    "subject",
    "title",
    "step",
    "text",
    "task",
    "description",
];

const SHAPE: &str = r#"legal: {"todos":[{"id":"1","content":"…","status":"pending"}]}, or {"todos":[]} to clear the list"#;
const STATUSES: &str = "legal: pending, in_progress, completed";

/// What models write in place of the three words, in lower case with `_`
/// between words, and what becomes of it.
const SYNONYMS: [(&str, Mark); 26] = [
    ("pending", Mark::Status(Status::Pending)),
    ("todo", Mark::Status(Status::Pending)),
    ("to_do", Mark::Status(Status::Pending)),
    ("open", Mark::Status(Status::Pending)),
    ("not_started", Mark::Status(Status::Pending)),
    ("queued", Mark::Status(Status::Pending)),
    ("in_progress", Mark::Status(Status::InProgress)),
    ("inprogress", Mark::Status(Status::InProgress)),
    ("active", Mark::Status(Status::InProgress)),
    ("doing", Mark::Status(Status::InProgress)),
    ("running", Mark::Status(Status::InProgress)),
    ("started", Mark::Status(Status::InProgress)),
    ("current", Mark::Status(Status::InProgress)),
    ("completed", Mark::Status(Status::Completed)),
    ("done", Mark::Status(Status::Completed)),
    ("complete", Mark::Status(Status::Completed)),
    ("finished", Mark::Status(Status::Completed)),
    ("closed", Mark::Status(Status::Completed)),
    ("cancelled", Mark::Dropped("cancelled")),
    ("canceled", Mark::Dropped("canceled")),
    ("deleted", Mark::Dropped("deleted")),
    ("removed", Mark::Dropped("removed")),
    ("blocked", Mark::Parked("blocked")),
    ("failed", Mark::Parked("failed")),
    ("paused", Mark::Parked("paused")),
    ("on_hold", Mark::Parked("on_hold")),
];

/// What a status word asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// One of the three statuses.
    Status(Status),
    /// A state that no status stands for: pending, and the model is told.
    Parked(&'static str),
    /// The item goes, and the model is told.
    Dropped(&'static str),
}

/// One item as sent.
#[derive(Debug, PartialEq, Eq)]
pub struct Entry<'v> {
    /// Its place in the input, counted from 1.
    pub position: usize,
    /// The model's own id, tidy and never blank.
    pub id: Option<Cow<'v, str>>,
    /// Tidy and never blank.
    pub content: Cow<'v, str>,
    /// Whether the content was longer than the policy allows.
    pub was_cut: bool,
    /// What becomes of it.
    pub mark: Mark,
}

/// Parses the input of a tool and hands it to `read`. A JSON text inside a JSON
/// string is unwrapped once.
pub fn with_value<T>(
    input: &str,
    read: impl FnOnce(Value<'_>) -> Result<T, ToolError>,
) -> Result<T, ToolError> {
    let parsed = |text| literal::parse(text).map_err(|fault| not_json(text, fault));
    match parsed(input)?.root() {
        Value::Text(inner) => read(parsed(inner)?.root()),
        value => read(value),
    }
}

/// Hands the items of a `todo_write` input to `read`.
pub fn with_entries<T>(
    input: Value<'_>,
    policy: &Policy,
    read: impl FnOnce(Vec<Entry<'_>>) -> Result<T, ToolError>,
) -> Result<T, ToolError> {
    match list_of(input)? {
        (_, Value::List(items)) => read(read_all(items, policy)?),
        (key, Value::Text(text)) => match literal::parse(text) {
            Ok(inner) => match inner.root() {
                Value::List(items) => read(read_all(items, policy)?),
                other => Err(no_list(&format!(
                    "\"{key}\" is a string that holds {}",
                    other.kind()
                ))),
            },
            Err(fault) => Err(no_list(&format!(
                "\"{key}\" is a string that {}",
                describe(text, fault)
            ))),
        },
        (key, other) => Err(no_list(&format!("\"{key}\" is {}", other.kind()))),
    }
}

/// The value that should be the list, and the name it came under.
fn list_of(input: Value<'_>) -> Result<(&'static str, Value<'_>), ToolError> {
    match input {
        Value::List(_) => Ok(("", input)),
        Value::Object(_) => input
            .first_of(&LIST_KEYS)
            .ok_or_else(|| no_list("the input has no \"todos\"")),
        other => Err(no_list(&format!("the input is {}", other.kind()))),
    }
}

fn read_all<'v>(items: Values<'v>, policy: &Policy) -> Result<Vec<Entry<'v>>, ToolError> {
    let count = items.len();
    if count > policy.max_todos as usize {
        return Err(too_many(count, policy.max_todos));
    }
    let mut entries = Vec::with_capacity(count);
    for (at, (_, item)) in items.iter().enumerate() {
        entries.push(entry(at + 1, item, policy.max_content)?);
    }
    Ok(entries)
}

fn entry<'v>(position: usize, item: Value<'v>, max_content: u32) -> Result<Entry<'v>, ToolError> {
    let (id, content, mark) = match item {
        Value::Text(text) => (
            None,
            content_of(position, "content", item, text)?,
            Mark::Status(Status::Pending),
        ),
        Value::Object(_) => {
            let (key, value) = item
                .first_of(&CONTENT_KEYS)
                .unwrap_or(("content", Value::Null));
            let text = value.scalar().unwrap_or_default();
            let content = content_of(position, key, value, text)?;
            (id_of(position, item)?, content, mark_of(position, item)?)
        }
        other => return Err(bad_item(position, other)),
    };
    let short = cut(content.as_ref(), max_content as usize);
    Ok(Entry {
        position,
        id,
        was_cut: short.is_some(),
        content: short.map_or(content, Cow::Owned),
        mark,
    })
}

fn content_of<'t>(
    position: usize,
    key: &str,
    value: Value<'_>,
    text: &'t str,
) -> Result<Cow<'t, str>, ToolError> {
    if is_blank(text) {
        Err(bad_content(position, key, value))
    } else {
        Ok(tidy(text))
    }
}

/// A tidy id of at most 64 characters; `None` where it is to be filled in.
fn id_of(position: usize, item: Value<'_>) -> Result<Option<Cow<'_, str>>, ToolError> {
    let Some(id) = item.get("id") else {
        return Ok(None);
    };
    match id.scalar() {
        Some(text) => Ok(tidy_id(text)),
        None => Err(field(position, "id", id, "legal: a string or a number")),
    }
}

/// An id as the list holds it, or `None` if nothing of it can be seen.
pub fn tidy_id(text: &str) -> Option<Cow<'_, str>> {
    let id = match tidy(text) {
        Cow::Borrowed(id) => Cow::Borrowed(first(id, MAX_ID).trim_end()),
        Cow::Owned(id) => Cow::Owned(first(&id, MAX_ID).trim_end().to_owned()),
    };
    if is_blank(&id) { None } else { Some(id) }
}

fn mark_of(position: usize, item: Value<'_>) -> Result<Mark, ToolError> {
    match item.get("status") {
        None => Ok(Mark::Status(Status::Pending)),
        Some(value) => mark(value).ok_or_else(|| field(position, "status", value, STATUSES)),
    }
}

/// What a status word asks for; `None` for one that nobody knows.
pub fn mark(value: Value<'_>) -> Option<Mark> {
    let Value::Text(word) = value else {
        return None;
    };
    // The three words as the schema spells them need no normal form.
    match Status::of_word(word) {
        Some(status) => Some(Mark::Status(status)),
        None => synonym(word),
    }
}

fn synonym(word: &str) -> Option<Mark> {
    let normal: String = tidy(word)
        .chars()
        .take(32)
        .map(|c| {
            if c == ' ' || c == '-' {
                '_'
            } else {
                c.to_ascii_lowercase()
            }
        })
        .collect();
    let known = SYNONYMS.iter().find(|(word, _)| *word == normal);
    known.map(|(_, mark)| *mark)
}

#[cold]
fn not_json(text: &str, fault: Fault) -> ToolError {
    ToolError::refused(
        ErrorCode::InvalidInput,
        &format!("the input {}; {SHAPE}", describe(text, fault)),
    )
}

/// What is wrong with a text that is no value, and where.
pub fn describe(text: &str, fault: Fault) -> String {
    match fault {
        Fault::TooDeep => format!("is nested more than {} deep", literal::MAX_DEPTH),
        Fault::Syntax(_) if is_blank(text) => "is empty".to_owned(),
        Fault::Syntax(at) if at >= text.len() => "is JSON that breaks off".to_owned(),
        Fault::Syntax(at) => {
            let before = text.get(..at).unwrap_or_default().chars().count();
            let rest = text.get(at..).unwrap_or_default();
            format!(
                "is not JSON at character {}, {}",
                before + 1,
                quoted(first(rest, 20))
            )
        }
    }
}

#[cold]
fn no_list(found: &str) -> ToolError {
    ToolError::refused(ErrorCode::InvalidInput, &format!("{found}; {SHAPE}"))
}

/// More items than the policy allows.
#[cold]
pub fn too_many(found: usize, max: u32) -> ToolError {
    ToolError::refused(
        ErrorCode::TooMany,
        &format!("{found} items; legal: at most {max}"),
    )
}

#[cold]
fn bad_item(position: usize, item: Value<'_>) -> ToolError {
    let found = item.kind();
    let legal = r#"legal: an object such as {"id":"1","content":"…","status":"pending"}"#;
    ToolError::refused(
        ErrorCode::InvalidInput,
        &format!("item {position} is {found}; {legal}"),
    )
}

#[cold]
fn bad_content(position: usize, key: &str, value: Value<'_>) -> ToolError {
    field(position, key, value, "legal: a text that is not blank")
}

/// A field of an item that can't be understood.
#[cold]
fn field(position: usize, key: &str, value: Value<'_>, legal: &str) -> ToolError {
    let found = found(value);
    ToolError::refused(
        ErrorCode::InvalidInput,
        &format!("item {position}, \"{key}\": found {found}; {legal}"),
    )
}

/// A value as a message quotes it.
pub fn found(value: Value<'_>) -> String {
    match value {
        Value::Null => "nothing".to_owned(),
        Value::Text(text) if is_blank(text) => "a blank text".to_owned(),
        Value::Text(text) => quoted(text),
        Value::Number(number) => format!("the number {}", first(number, 20)),
        other => other.kind().to_owned(),
    }
}

#[cfg(test)]
#[path = "input_tests.rs"]
mod tests;
