//! What only a recording knows, such as the number of a task: put into a live
//! session through `restore`, which takes a history's word for it.

use agent_todo::history::Call;
use agent_todo_host::{Plugin, Policy, Session, Status, Todo, ToolError};
use anyhow::Context;
use serde_json::{Value, json};

use crate::entry::{Outcome, Replayed};

/// The result that the log has for a create, if it names another number than
/// the live one does.
pub fn result(call: &Call, live: &Replayed) -> Option<String> {
    let number = call.number?;
    let named = live.text.strip_prefix("Task #")?;
    let (live_number, rest) = named.split_once(' ')?;
    let applied = matches!(live.outcome, Outcome::Applied { .. });
    let differs = live_number != number.to_string();
    (applied && differs).then(|| format!("Task #{number} {rest}"))
}

/// Takes a request back and puts its calls in with the results in `done`, which
/// give a created task its number. `saved` is the state before the request.
pub fn put_back(
    session: &mut Session,
    saved: &str,
    calls: &[Call],
    done: &[Replayed],
) -> anyhow::Result<()> {
    let mut uses = Vec::new();
    let mut results = Vec::new();
    for (at, (call, replayed)) in calls.iter().zip(done).enumerate() {
        if replayed.outcome == Outcome::Skipped {
            continue;
        }
        let id = at.to_string();
        let input: Value = serde_json::from_str(&call.input).unwrap_or_default();
        uses.push(json!({"type": "tool_use", "id": id, "name": replayed.tool, "input": input}));
        results.push(json!({"type": "tool_result", "tool_use_id": id, "content": replayed.text}));
    }
    let history = json!([
        {"role": "assistant", "content": uses},
        {"role": "user", "content": results},
    ]);
    accepted(session.load_state(saved)?)?;
    accepted(session.restore(&history.to_string())?)?;
    Ok(())
}

/// Makes the items of a carry-over message the list of a session that adopts
/// snapshots.
pub fn adopt(
    plugin: &Plugin,
    session: &mut Session,
    todos: &[agent_todo::Todo],
) -> anyhow::Result<()> {
    let history = json!([{"role": "system", "content": carry_over(plugin, todos)?}]);
    accepted(session.restore(&history.to_string())?)?;
    Ok(())
}

/// The message again, from a session that holds just these items.
fn carry_over(plugin: &Plugin, todos: &[agent_todo::Todo]) -> anyhow::Result<String> {
    let mut session = plugin.session(&Policy {
        max_todos: Some(1_000),
        max_content: Some(10_000),
        max_input: Some(16 << 20),
        ..Policy::default()
    })?;
    accepted(session.todo_write(&json!({ "todos": todos }).to_string())?)?;
    let message = session
        .compact_snapshot()?
        .and_then(|snapshot| snapshot.carry_over);
    Ok(message.context("a carry-over message without items")?.text)
}

/// An answer that was no refusal.
pub fn accepted<T>(answer: Result<T, ToolError>) -> anyhow::Result<T> {
    answer.map_err(|refusal| anyhow::Error::msg(refusal.message))
}

/// An item of the guest library as one of the component.
pub fn todo(todo: &agent_todo::Todo) -> Todo {
    Todo {
        id: todo.id.clone(),
        content: todo.content.clone(),
        status: match todo.status {
            agent_todo::Status::Pending => Status::Pending,
            agent_todo::Status::InProgress => Status::InProgress,
            agent_todo::Status::Completed => Status::Completed,
        },
        description: todo.description.clone(),
    }
}
