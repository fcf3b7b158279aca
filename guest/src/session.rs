//! A session: the list, the counters, the policy, and what a host calls.

use crate::error::ToolError;
use crate::list::{Progress, Todo};
use crate::policy::Policy;

/// What a tool call that was carried out gives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolOutput {
    /// The tool result for the model.
    pub text: String,
    /// Whether the list is another than before.
    pub changed: bool,
    /// The list after the call.
    pub progress: Progress,
}

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

/// A tool for the request to the model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolDefinition {
    /// What the model calls.
    pub name: &'static str,
    /// What the model reads.
    pub description: &'static str,
    /// JSON Schema of the input, as text.
    pub input_schema: String,
}

/// What compaction needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
    /// Every item, for whoever writes the summary.
    pub context: String,
    /// The open items, as the first message of the compacted history.
    pub carry_over: Option<HistoryItem>,
}

/// What one `restore` read.
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

/// The counters that decide when a reminder is due.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Requests since the model last wrote.
    pub requests_since_write: u32,
    /// Requests since the last reminder.
    pub requests_since_reminder: Option<u32>,
}

/// One session.
#[derive(Clone, Debug, Default)]
pub struct Session {
    policy: Policy,
}

impl Session {
    /// Sets the policy.
    pub fn configure(&mut self, policy: Policy) -> Result<(), ToolError> {
        policy.check()?;
        self.policy = policy;
        Ok(())
    }

    /// The list as it stands.
    pub fn todos(&mut self) -> &[Todo] {
        &[]
    }
}
