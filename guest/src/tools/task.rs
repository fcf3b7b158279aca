//! The task tools: one task a call, over the same list.

use super::write::limit_in_progress;
use crate::error::{ErrorCode, ToolError};
use crate::input::{self, Mark};
use crate::json::literal::{Value, Values};
use crate::list::{List, Status, Todo};
use crate::policy::{InProgressLimit, Policy};
use crate::render::{push_marked, push_note};
use crate::text::{cut, is_blank, join, push_safe, quoted, tidy};

/// Names of a task's subject, the schema's own first.
const SUBJECT_KEYS: [&str; 6] = ["subject", "content", "title", "step", "text", "task"];
/// Names of a task's id, the schema's own first.
const ID_KEYS: [&str; 4] = ["taskId", "taskid", "task_id", "id"];
/// Fields of the trained tool family that this list has no room for. A model
/// that sets one must not believe that it was recorded; `activeForm` is a
/// display text and means nothing to it.
const IGNORED_KEYS: [&str; 4] = ["owner", "metadata", "addBlocks", "addBlockedBy"];

const TEXT: &str = "legal: a text that is not blank";

/// `TaskCreate`: appends a pending task.
pub fn create(
    list: &mut List,
    policy: &Policy,
    input: &str,
    recorded: Option<u32>,
) -> Result<(String, bool), ToolError> {
    with_object(input, |value| {
        let mut notes = String::new();
        let subject = subject(value, policy, &mut notes)?;
        let Some(subject) = subject else {
            return Err(field("subject", "nothing", TEXT));
        };
        let description = description(value, policy, &mut notes)?;
        let count = list.todos().len() + 1;
        if count > policy.max_todos as usize {
            return Err(input::too_many(count, policy.max_todos));
        }
        note_ignored(value, &mut notes);
        let text = safe(&subject);
        let number = list.create(recorded, subject, description.flatten());
        Ok((format!("Task #{number} created: {text}{notes}"), true))
    })
}

/// `TaskUpdate`: changes what is given, or deletes the task.
pub fn update(list: &mut List, policy: &Policy, input: &str) -> Result<(String, bool), ToolError> {
    with_object(input, |value| {
        let old = find(list, value)?.clone();
        let mut notes = String::new();
        let mut new = old.clone();
        if let Some(subject) = subject(value, policy, &mut notes)? {
            new.content = subject;
        }
        if let Some(description) = description(value, policy, &mut notes)? {
            new.description = description;
        }
        match status(value, &mut notes)? {
            Some(Mark::Dropped(_)) => return Ok((delete(list, &old), true)),
            Some(Mark::Parked(_)) => new.status = Status::Pending,
            Some(Mark::Status(status)) => new.status = status,
            None => {}
        }
        if new.status == Status::InProgress {
            let others = list.todos().iter().filter(|todo| todo.id != new.id);
            let running = others.filter(|todo| todo.status == Status::InProgress);
            let names = || {
                let ids = running.clone().map(|todo| safe(&todo.id));
                format!("tasks {}", join(ids.chain([safe(&new.id)]), ", "))
            };
            let limit = policy.in_progress_limit;
            // A task that runs already is not what makes it too many.
            if old.status != Status::InProgress || limit != InProgressLimit::Refuse {
                limit_in_progress(1 + running.clone().count(), names, limit, &mut notes)?;
            }
        }
        note_ignored(value, &mut notes);
        let changed = new != old;
        let mut text = String::from("Task #");
        push_safe(&mut text, &new.id);
        text.push_str(if changed {
            " updated: "
        } else {
            " is unchanged: "
        });
        push_marked(&mut text, &new);
        text.push_str(&notes);
        list.update(new);
        Ok((text, changed))
    })
}

fn delete(list: &mut List, task: &Todo) -> String {
    let mut text = String::from("Task #");
    push_safe(&mut text, &task.id);
    text.push_str(" deleted: ");
    push_safe(&mut text, &task.content);
    list.delete(&task.id);
    text
}

/// `TaskGet`: the task, and its description if it has one.
pub fn get(list: &List, input: &str) -> Result<String, ToolError> {
    with_object(input, |value| {
        let task = find(list, value)?;
        let mut text = String::new();
        push_marked(&mut text, task);
        if let Some(description) = &task.description {
            text.push_str("\nDescription: ");
            push_safe(&mut text, description);
        }
        Ok(text)
    })
}

/// Empty input, and null, is `{}`.
fn with_object<T>(
    input: &str,
    read: impl FnOnce(Value<'_>) -> Result<T, ToolError>,
) -> Result<T, ToolError> {
    let input = if is_blank(input) { "{}" } else { input };
    input::with_value(input, |value| match value {
        Value::Null => read(Value::Object(Values::default())),
        Value::Object(_) => read(value),
        other => Err(ToolError::refused(
            ErrorCode::InvalidInput,
            &format!("the input is {}; legal: an object", other.kind()),
        )),
    })
}

fn find<'l>(list: &'l List, value: Value<'_>) -> Result<&'l Todo, ToolError> {
    let (key, id) = value.first_of(&ID_KEYS).unwrap_or(("taskId", Value::Null));
    let text = id.scalar().unwrap_or_default();
    let Some(id) = input::tidy_id(text) else {
        return Err(field(key, &input::found(id), "legal: the id of a task"));
    };
    let numbered = id.strip_prefix('#').unwrap_or(&id);
    list.find(&id)
        .or_else(|| list.find(numbered))
        .ok_or_else(|| not_found(list, &id))
}

fn subject(
    value: Value<'_>,
    policy: &Policy,
    notes: &mut String,
) -> Result<Option<String>, ToolError> {
    let Some((key, value)) = value.first_of(&SUBJECT_KEYS) else {
        return Ok(None);
    };
    match text_of(value, policy) {
        Some((subject, was_cut)) if !is_blank(&subject) => {
            note_cut(key, was_cut, policy, notes);
            Ok(Some(subject))
        }
        _ => Err(field(key, &input::found(value), TEXT)),
    }
}

/// `Some(None)` for a blank description, which takes the old one away.
fn description(
    value: Value<'_>,
    policy: &Policy,
    notes: &mut String,
) -> Result<Option<Option<String>>, ToolError> {
    let Some(value) = value.get("description") else {
        return Ok(None);
    };
    match text_of(value, policy) {
        Some((text, was_cut)) => {
            note_cut("description", was_cut, policy, notes);
            Ok(Some(Some(text).filter(|text| !is_blank(text))))
        }
        None => Err(field("description", &input::found(value), "legal: a text")),
    }
}

/// A text or number, tidy and no longer than the policy allows.
fn text_of(value: Value<'_>, policy: &Policy) -> Option<(String, bool)> {
    let text = tidy(value.scalar()?);
    let short = cut(&text, policy.max_content as usize);
    Some((short.is_some(), short))
        .map(|(was_cut, short)| (short.unwrap_or_else(|| text.into_owned()), was_cut))
}

fn status(value: Value<'_>, notes: &mut String) -> Result<Option<Mark>, ToolError> {
    let Some(value) = value.get("status") else {
        return Ok(None);
    };
    let Some(mark) = input::mark(value) else {
        let legal = "legal: pending, in_progress, completed, deleted";
        return Err(field("status", &input::found(value), legal));
    };
    if let Mark::Parked(word) = mark {
        push_note(
            notes,
            &format!("the task is pending; {word} is not a status of this list."),
        );
    }
    Ok(Some(mark))
}

fn note_cut(key: &str, was_cut: bool, policy: &Policy, notes: &mut String) {
    if was_cut {
        push_note(
            notes,
            &format!("{key} was cut to {} characters.", policy.max_content),
        );
    }
}

fn note_ignored(value: Value<'_>, notes: &mut String) {
    let says_something = |value: Value<'_>| match value {
        Value::Text(text) => !is_blank(text),
        Value::List(values) => !values.is_empty(),
        Value::Object(entries) => !entries.is_empty(),
        _ => true,
    };
    let ignored: Vec<&str> = IGNORED_KEYS
        .into_iter()
        .filter(|key| value.get(key).is_some_and(says_something))
        .collect();
    if !ignored.is_empty() {
        push_note(
            notes,
            &format!(
                "not recorded, this list has no such field: {}.",
                join(ignored, ", ")
            ),
        );
    }
}

#[cold]
fn field(key: &str, found: &str, legal: &str) -> ToolError {
    ToolError::refused(
        ErrorCode::InvalidInput,
        &format!("\"{key}\": found {found}; {legal}"),
    )
}

#[cold]
fn not_found(list: &List, id: &str) -> ToolError {
    let ids = list.todos().iter().map(|todo| safe(&todo.id));
    let legal = match list.todos() {
        [] => "there are no tasks yet".to_owned(),
        _ => format!("legal: {}", join(ids, ", ")),
    };
    ToolError::refused(
        ErrorCode::NotFound,
        &format!("\"taskId\": found {}; {legal}", quoted(id)),
    )
}

/// An id or a subject as a text may show it.
fn safe(text: &str) -> String {
    let mut out = String::new();
    push_safe(&mut out, text);
    out
}
