//! A replay for programs: JSON Lines, an object for each event.
//!
//! Every object has `event`; all but the first and the last have `request`,
//! which counts from 1.
//!
//! | `event` | other keys |
//! | --- | --- |
//! | `start` | `source`, `format` as far as it is known, `policy` |
//! | `reminder` | `requests_since_write`, `requests_since_reminder` (null before the first), `role`, `text` |
//! | `recorded_reminder` | the log holds a reminder of this component |
//! | `call` | `name` as recorded, `tool`, `outcome` (`applied`, `refused`, `refused_then`, `skipped`), `changed`, `text` |
//! | `list` | `todos`, after the calls of a request |
//! | `carry_over` | `todos`, `adopted` |
//! | `compaction` | `snapshot`: null, or `context` and `carry_over` |
//! | `end` | `todos`, `counters`, `format`, `torn`, what was counted, and `added_bytes` |

use std::io::{self, Write};

use agent_todo_host::{CounterValues, Policy, Role, Snapshot, Status, Todo};
use serde_json::{Value, json};

use crate::entry::{Entry, Outcome, Replayed, Show, Summary};
use crate::reasons::effective;

/// Writes a replay as JSON Lines.
pub struct Json<W> {
    out: W,
}

impl<W: Write> Json<W> {
    /// Writes to `out`.
    pub fn new(out: W) -> Json<W> {
        Json { out }
    }

    fn line(&mut self, value: &Value) -> io::Result<()> {
        writeln!(self.out, "{value}")
    }
}

impl<W: Write> Show for Json<W> {
    fn start(&mut self, source: &str, format: &str, policy: &Policy) -> io::Result<()> {
        self.line(&json!({
            "event": "start",
            "source": source,
            "format": format,
            "policy": policy_value(policy)?,
        }))
    }

    fn entry(&mut self, entry: &Entry<'_>) -> io::Result<()> {
        match entry {
            Entry::Reminder {
                request,
                counters,
                item,
                ..
            } => {
                let CounterValues {
                    requests_since_write,
                    requests_since_reminder,
                } = counters;
                self.line(&json!({
                    "event": "reminder",
                    "request": request,
                    "requests_since_write": requests_since_write,
                    "requests_since_reminder": requests_since_reminder,
                    "role": role(item.role),
                    "text": item.text,
                }))
            }
            Entry::RecordedReminder { request } => {
                self.line(&json!({"event": "recorded_reminder", "request": request}))
            }
            Entry::Calls {
                request,
                calls,
                after,
                ..
            } => {
                for call in *calls {
                    self.line(&call_value(*request, call))?;
                }
                self.line(&json!({"event": "list", "request": request, "todos": todos(after)}))
            }
            Entry::CarryOver {
                request,
                todos: items,
                adopted,
            } => self.line(&json!({
                "event": "carry_over",
                "request": request,
                "todos": todos(items),
                "adopted": adopted,
            })),
            Entry::Compaction { request, snapshot } => self.line(&json!({
                "event": "compaction",
                "request": request,
                "snapshot": snapshot.map(snapshot_value),
            })),
        }
    }

    fn end(&mut self, summary: &Summary<'_>) -> io::Result<()> {
        let totals = summary.totals;
        self.line(&json!({
            "event": "end",
            "todos": todos(summary.todos),
            "counters": {
                "requests_since_write": summary.counters.requests_since_write,
                "requests_since_reminder": summary.counters.requests_since_reminder,
            },
            "format": summary.format,
            "torn": summary.torn,
            "requests": totals.requests,
            "calls": totals.calls,
            "applied": totals.applied,
            "refused": totals.refused,
            "skipped": totals.skipped,
            "reminders": totals.reminders,
            "recorded_reminders": totals.recorded_reminders,
            "compactions": totals.compactions,
            "added_bytes": {
                "definitions": summary.added.definitions,
                "instructions": summary.added.instructions,
                "results": totals.result_bytes,
                "reminders": totals.reminder_bytes,
            },
        }))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// The policy with its defaults; `tool_set` is null while it follows the log.
fn policy_value(policy: &Policy) -> io::Result<Value> {
    let mut value = serde_json::to_value(effective(policy))?;
    if let (None, Some(set)) = (policy.tool_set, value.get_mut("tool_set")) {
        *set = Value::Null;
    }
    Ok(value)
}

fn call_value(request: u64, call: &Replayed) -> Value {
    let (outcome, changed) = match call.outcome {
        Outcome::Applied { changed } => ("applied", changed),
        Outcome::Refused => ("refused", false),
        Outcome::RefusedThen => ("refused_then", false),
        Outcome::Skipped => ("skipped", false),
    };
    json!({
        "event": "call",
        "request": request,
        "name": call.name,
        "tool": call.tool,
        "outcome": outcome,
        "changed": changed,
        "text": call.text,
    })
}

fn snapshot_value(snapshot: &Snapshot) -> Value {
    json!({
        "context": snapshot.context,
        "carry_over": snapshot.carry_over.as_ref().map(|item| {
            json!({"role": role(item.role), "text": item.text})
        }),
    })
}

fn todos(todos: &[Todo]) -> Value {
    todos.iter().map(todo).collect()
}

fn todo(todo: &Todo) -> Value {
    let mut value = json!({
        "id": todo.id,
        "content": todo.content,
        "status": word(todo.status),
    });
    if let (Some(description), Some(object)) = (&todo.description, value.as_object_mut()) {
        object.insert("description".to_owned(), description.as_str().into());
    }
    value
}

/// The word of a status in JSON and in texts.
pub fn word(status: Status) -> &'static str {
    match status {
        Status::Pending => "pending",
        Status::InProgress => "in_progress",
        Status::Completed => "completed",
    }
}

fn role(role: Role) -> &'static str {
    match role {
        Role::System => "system",
        Role::User => "user",
    }
}
