//! A session: what a host calls, over the list, the counters and the policy.

use crate::error::{ErrorCode, ToolError};
use crate::history::OpenHistory;
use crate::list::Todo;
use crate::policy::Policy;
use crate::state::State;
use crate::text::{join, quoted};
use crate::tools::{self, Tool, ToolDefinition, ToolOutput};
use crate::{reminder, snapshot};

/// Who a history item speaks as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The system.
    System,
    /// The user.
    User,
}

/// One message for the host's history.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HistoryItem {
    /// Who it speaks as.
    pub role: Role,
    /// The whole message.
    pub text: String,
}

impl HistoryItem {
    fn system(text: String) -> HistoryItem {
        HistoryItem {
            role: Role::System,
            text,
        }
    }
}

/// What compaction needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
    /// Every item, for whoever writes the summary.
    pub context: String,
    /// The open items, as the first message of the compacted history.
    pub carry_over: Option<HistoryItem>,
}

/// What one [`Session::restore`] read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RestoreReport {
    /// The shape that was recognised.
    pub format: &'static str,
    /// Assistant messages.
    pub requests: u32,
    /// Todo calls applied.
    pub applied: u32,
    /// Todo calls refused, then or now.
    pub refused: u32,
    /// Todo calls denied or without a result.
    pub skipped: u32,
    /// Reminders of this component.
    pub reminders: u32,
}

/// The counters that decide when a reminder is due, in requests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Requests since the model last wrote.
    pub requests_since_write: u32,
    /// Requests since the last reminder; `None` before the first.
    pub requests_since_reminder: Option<u32>,
}

/// One session of one agent. `wit/agent-todo.wit` says what each function
/// promises.
#[derive(Clone, Debug, Default)]
pub struct Session {
    state: State,
    /// A history that may go on with the next call of [`Session::restore`];
    /// every other function ends it.
    history: Option<OpenHistory>,
}

impl Session {
    /// Sets the whole policy.
    pub fn configure(&mut self, policy: Policy) -> Result<(), ToolError> {
        self.history = None;
        policy.check()?;
        self.state.policy = policy;
        Ok(())
    }

    /// The paragraph for the system prompt.
    pub fn instructions(&mut self) -> &'static str {
        self.history = None;
        tools::instructions(self.state.policy.tool_set)
    }

    /// The tools that are on.
    pub fn tools(&mut self) -> Vec<ToolDefinition> {
        self.history = None;
        tools::definitions(&self.state.policy)
    }

    /// Runs a tool on its JSON input.
    pub fn call_tool(&mut self, name: &str, input: &str) -> Result<ToolOutput, ToolError> {
        self.history = None;
        let State {
            policy,
            list,
            clock,
        } = &mut self.state;
        let Some(tool) = Tool::named(name) else {
            return Err(unknown_tool(name, policy));
        };
        if tool.writes() {
            clock.on_write();
        }
        if !tool.is_on(policy.tool_set) {
            return Err(unknown_tool(name, policy));
        }
        if input.len() > policy.max_input as usize {
            return Err(too_large(input.len(), policy));
        }
        tools::run(tool, list, policy, input, None)
    }

    /// The same as `call_tool("todo_write", input)`.
    pub fn todo_write(&mut self, input: &str) -> Result<ToolOutput, ToolError> {
        self.call_tool(Tool::TodoWrite.name(), input)
    }

    /// The host sends one inference request to the model.
    pub fn on_request(&mut self) {
        self.history = None;
        self.state.clock.on_requests(1);
    }

    /// What the host appends to its history before the next request: nothing,
    /// or one reminder, which counts as delivered.
    pub fn pending_history_appends(&mut self) -> Option<HistoryItem> {
        self.history = None;
        let State {
            policy,
            list,
            clock,
        } = &mut self.state;
        if !clock.is_due(policy) {
            return None;
        }
        let text = reminder::text(list, policy.tool_set)?;
        clock.on_reminder();
        Some(HistoryItem::system(text))
    }

    /// For compaction; `None` for an empty list.
    pub fn compact_snapshot(&mut self) -> Option<Snapshot> {
        self.history = None;
        let State { policy, list, .. } = &self.state;
        let carry_over = snapshot::carry_over(list, policy).map(HistoryItem::system);
        Some(Snapshot {
            context: snapshot::context(list)?,
            carry_over,
        })
    }

    /// Rebuilds list and counters from a recorded history, or the next piece of
    /// one.
    pub fn restore(&mut self, history: &str) -> Result<RestoreReport, ToolError> {
        let open = self
            .history
            .get_or_insert_with(|| OpenHistory::new(self.state.clone()));
        open.read(history, &mut self.state)
    }

    /// Everything that the session holds, as one line.
    pub fn save_state(&mut self) -> String {
        self.history = None;
        self.state.save()
    }

    /// Takes back what [`Session::save_state`] wrote.
    pub fn load_state(&mut self, state: &str) -> Result<(), ToolError> {
        self.history = None;
        self.state = State::load(state)?;
        Ok(())
    }

    /// The list as it stands.
    pub fn todos(&mut self) -> &[Todo] {
        self.history = None;
        self.state.list.todos()
    }

    /// The counters.
    pub fn counters(&mut self) -> Counters {
        self.history = None;
        Counters {
            requests_since_write: self.state.clock.since_write,
            requests_since_reminder: self.state.clock.since_reminder,
        }
    }
}

/// How the message about a tool that is not there begins. `restore` reads it
/// back, because such a call counts as a use only under the names that write.
pub(crate) const UNKNOWN_TOOL: &str = "Error: unknown tool ";

#[cold]
fn unknown_tool(name: &str, policy: &Policy) -> ToolError {
    let legal = tools::definitions(policy);
    let legal = legal.iter().map(|tool| tool.name);
    let problem = format!(
        "unknown tool {}; legal: {}",
        quoted(name),
        join(legal, ", ")
    );
    ToolError::refused(ErrorCode::UnknownTool, &problem)
}

#[cold]
fn too_large(length: usize, policy: &Policy) -> ToolError {
    let problem = format!(
        "the input has {length} bytes; legal: at most {}",
        policy.max_input
    );
    ToolError::refused(ErrorCode::TooLarge, &problem)
}

#[cfg(test)]
#[path = "session_tests.rs"]
pub(crate) mod tests;
