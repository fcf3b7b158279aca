//! A session in which every function of the interface is called, and the host
//! that records it.

use serde_json::{Value, json};
use wasmtime::Store;

use crate::guest::{Cost, Cut, Exports, Guest, Meter, Policy, ToolSet};

/// A call of the interface.
#[derive(Clone, Debug)]
pub enum Step {
    Configure,
    Instructions,
    Tools,
    CallTool(&'static str, String),
    TodoWrite(String),
    /// A request; the answer to it will hold the calls that follow.
    OnRequest,
    PendingHistoryAppends,
    CompactSnapshot,
    Restore,
    SaveState,
    LoadState,
    Todos,
    Counters,
}

/// The policy of the session: reminders come soon.
pub fn policy() -> Policy {
    Policy {
        tool_set: Some(ToolSet::Both),
        remind: None,
        remind_after: Some(1),
        remind_cooldown: Some(2),
        remind_once: None,
        in_progress_limit: None,
        max_todos: None,
        max_content: None,
        max_input: None,
        adopt_snapshot: None,
    }
}

/// A session of four requests.
pub fn script() -> Vec<Step> {
    use Step::*;
    let list = |contents: &[&str]| {
        let todos: Vec<Value> = contents
            .iter()
            .map(|content| json!({"content": content, "status": "pending"}))
            .collect();
        json!({ "todos": todos }).to_string()
    };
    let long = "An item with many words. ".repeat(400);
    vec![
        Configure,
        Instructions,
        Tools,
        PendingHistoryAppends,
        OnRequest,
        TodoWrite(list(&["Read", "Write", "Test"])),
        CallTool(
            "TaskCreate",
            r#"{"subject":"Tell the team","description":"all of it"}"#.to_owned(),
        ),
        CallTool(
            "todo_write",
            r#"{"todos":[{"content":"x","status":"almost"}]}"#.to_owned(),
        ),
        PendingHistoryAppends,
        OnRequest,
        CallTool(
            "TaskUpdate",
            r#"{"taskId":"1","status":"deleted"}"#.to_owned(),
        ),
        CallTool("TaskGet", r#"{"taskId":"4"}"#.to_owned()),
        CallTool("TaskList", "{}".to_owned()),
        SaveState,
        LoadState,
        Todos,
        Counters,
        OnRequest,
        PendingHistoryAppends,
        OnRequest,
        CompactSnapshot,
        Restore,
        CallTool(
            "todo_write",
            list(&["Read", &long, "日本語 <system-reminder>", &long, &long]),
        ),
        CallTool("no_such_tool", "{}".to_owned()),
        PendingHistoryAppends,
    ]
}

/// What the host has of the session so far.
#[derive(Clone, Debug, Default)]
pub struct Record {
    pub messages: Vec<Value>,
    calls: usize,
}

impl Record {
    pub fn history(&self) -> String {
        json!(self.messages).to_string()
    }

    /// A call of the model: it stands in the last assistant message.
    fn call(&mut self, name: &str, input: &str) {
        self.calls += 1;
        let call = json!({"id": self.calls.to_string(), "type": "function", "function": {"name": name, "arguments": input}});
        let message = self
            .messages
            .iter_mut()
            .rev()
            .find(|message| message["role"] == "assistant")
            .unwrap();
        message["tool_calls"].as_array_mut().unwrap().push(call);
    }

    /// What the host records before a call of the interface.
    pub fn before(&mut self, step: &Step) {
        match step {
            Step::TodoWrite(input) => self.call("todo_write", input),
            Step::CallTool(name, input) => self.call(name, input),
            _ => {}
        }
    }

    /// What it records after one that returned.
    pub fn after(&mut self, step: &Step, answer: &str) {
        match step {
            Step::TodoWrite(_) | Step::CallTool(..) => {
                let id = self.calls.to_string();
                self.messages
                    .push(json!({"role": "tool", "tool_call_id": id, "content": answer}));
            }
            Step::PendingHistoryAppends if !answer.is_empty() => {
                self.messages
                    .push(json!({"role": "system", "content": answer}));
            }
            Step::OnRequest => {
                self.messages
                    .push(json!({"role": "assistant", "content": "", "tool_calls": []}));
                if self.messages.len() == 1 {
                    self.call("read_file", "{}");
                    self.messages
                        .push(json!({"role": "tool", "tool_call_id": "1", "content": "text"}));
                }
            }
            Step::Restore => self.messages.extend(earlier()),
            _ => {}
        }
    }
}

/// A piece of another history, which the session takes in on its way.
fn earlier() -> Vec<Value> {
    vec![
        json!({"role": "assistant", "content": "", "tool_calls": [{"id": "e", "type": "function", "function":
            {"name": "TodoWrite", "arguments": r#"{"todos":[{"content":"From before","status":"pending"}]}"#}}]}),
        json!({"role": "tool", "tool_call_id": "e", "content": "ok"}),
    ]
}

/// The same as a history text.
pub fn earlier_history() -> String {
    json!(earlier()).to_string()
}

/// Makes the call of a step; gives the text of the answer.
pub fn make(
    step: &Step,
    state: &str,
    guest: &mut Guest,
    cut: Cut,
) -> wasmtime::Result<(String, Cost)> {
    guest.call(cut, |exports: &Exports, store: &mut Store<Meter>| {
        let session = exports.agent_todo_session();
        Ok(match step {
            Step::Configure => format!("{:?}", session.call_configure(store, policy())?),
            Step::Instructions => session.call_instructions(store)?,
            Step::Tools => format!("{:?}", session.call_tools(store)?),
            Step::CallTool(name, input) => match session.call_call_tool(store, name, input)? {
                Ok(output) => output.text,
                Err(error) => error.message,
            },
            Step::TodoWrite(input) => match session.call_todo_write(store, input)? {
                Ok(output) => output.text,
                Err(error) => error.message,
            },
            Step::OnRequest => {
                session.call_on_request(store)?;
                String::new()
            }
            Step::PendingHistoryAppends => session
                .call_pending_history_appends(store)?
                .into_iter()
                .map(|item| item.text)
                .collect(),
            Step::CompactSnapshot => format!("{:?}", session.call_compact_snapshot(store)?),
            Step::Restore => format!("{:?}", session.call_restore(store, &earlier_history())?),
            Step::SaveState => session.call_save_state(store)?,
            Step::LoadState => format!("{:?}", session.call_load_state(store, state)?),
            Step::Todos => format!("{:?}", session.call_todos(store)?),
            Step::Counters => format!("{:?}", session.call_counters(store)?),
        })
    })
}
