//! A state as text.

use super::{State, VERSION};
use crate::json::string::push_string;
use crate::list::{Status, Todo};
use crate::policy::Policy;
use crate::reminder::Clock;
use crate::render::push_number;

/// Bytes of a state without items, and of an item without its texts, at most in
/// an ordinary session: room that need not be asked for again.
const FRAME: usize = 448;
const ITEM: usize = 22;

/// A value that is no text of a user.
enum Value {
    Word(&'static str),
    Flag(bool),
    Number(u32),
    Null,
}

/// Writes a state as one line.
///
/// Without a serialiser in between, which would write each bracket and quote
/// for itself: a service saves a session after each turn.
pub fn text(state: &State) -> String {
    let State {
        policy,
        list,
        clock,
    } = state;
    let (todos, greatest, deleted) = list.parts();
    let texts = todos.iter().map(|todo| {
        let description = todo.description.as_ref().map_or(0, String::len);
        todo.id.len() + todo.content.len() + description + ITEM
    });
    let mut json = String::with_capacity(FRAME + texts.sum::<usize>());
    let out = &mut json;
    out.push_str(r#"{"agent_todo":"#);
    push_number(out, VERSION);
    out.push_str(r#","state":{"policy":{"#);
    push_policy(out, policy);
    out.push_str(r#"},"list":{"todos":["#);
    for (at, todo) in todos.iter().enumerate() {
        out.push_str(if at > 0 { "," } else { "" });
        push_todo(out, todo);
    }
    out.push_str("],");
    push_fields(out, &[("greatest", Value::Number(greatest))]);
    out.push_str(r#","deleted":["#);
    for (at, (from, to)) in deleted.iter().enumerate() {
        out.push_str(if at > 0 { ",[" } else { "[" });
        push_number(out, *from);
        out.push(',');
        push_number(out, *to);
        out.push(']');
    }
    out.push_str(r#"]},"clock":{"#);
    push_clock(out, clock);
    out.push_str("}}}");
    json
}

fn push_policy(out: &mut String, policy: &Policy) {
    let Policy {
        tool_set,
        remind,
        remind_after,
        remind_cooldown,
        remind_once,
        in_progress_limit,
        max_todos,
        max_content,
        max_input,
        adopt_snapshot,
    } = *policy;
    let fields = [
        ("tool_set", Value::Word(tool_set.word())),
        ("remind", Value::Flag(remind)),
        ("remind_after", Value::Number(remind_after)),
        ("remind_cooldown", Value::Number(remind_cooldown)),
        ("remind_once", Value::Flag(remind_once)),
        ("in_progress_limit", Value::Word(in_progress_limit.word())),
        ("max_todos", Value::Number(max_todos)),
        ("max_content", Value::Number(max_content)),
        ("max_input", Value::Number(max_input)),
        ("adopt_snapshot", Value::Flag(adopt_snapshot)),
    ];
    push_fields(out, &fields);
}

fn push_clock(out: &mut String, clock: &Clock) {
    let Clock {
        since_write,
        since_reminder,
        reminded,
    } = *clock;
    let fields = [
        ("since_write", Value::Number(since_write)),
        (
            "since_reminder",
            since_reminder.map_or(Value::Null, Value::Number),
        ),
        ("reminded", Value::Flag(reminded)),
    ];
    push_fields(out, &fields);
}

fn push_fields(out: &mut String, fields: &[(&str, Value)]) {
    for (at, (key, value)) in fields.iter().enumerate() {
        out.push_str(if at > 0 { ",\"" } else { "\"" });
        out.push_str(key);
        out.push_str("\":");
        match value {
            Value::Number(number) => push_number(out, *number),
            Value::Flag(true) => out.push_str("true"),
            Value::Flag(false) => out.push_str("false"),
            Value::Null => out.push_str("null"),
            Value::Word(word) => {
                out.push('"');
                out.push_str(word);
                out.push('"');
            }
        }
    }
}

/// Without keys: a service keeps a state for each of its sessions.
fn push_todo(out: &mut String, todo: &Todo) {
    out.push('[');
    push_string(out, &todo.id);
    out.push(',');
    push_string(out, &todo.content);
    // Spelt out, since texts of a known length are not copied by a call.
    out.push_str(match todo.status {
        Status::Pending => r#","pending""#,
        Status::InProgress => r#","in_progress""#,
        Status::Completed => r#","completed""#,
    });
    if let Some(description) = &todo.description {
        out.push(',');
        push_string(out, description);
    }
    out.push(']');
}
