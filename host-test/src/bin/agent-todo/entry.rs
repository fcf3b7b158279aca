//! What a replay finds out, one entry at a time, for whoever shows it.

use std::io;

use agent_todo_host::{CounterValues, HistoryItem, Policy, Snapshot, Todo};

/// Something that happened before, in or after a request. Requests count from 1.
pub enum Entry<'a> {
    /// The component handed out a reminder, before the request was sent.
    Reminder {
        request: u64,
        /// As they stood when the component decided.
        counters: CounterValues,
        /// The policy that it decided by.
        policy: &'a Policy,
        item: &'a HistoryItem,
    },
    /// The log holds a reminder of this component.
    RecordedReminder { request: u64 },
    /// The model called todo tools in its answer to the request.
    Calls {
        request: u64,
        calls: &'a [Replayed],
        before: &'a [Todo],
        after: &'a [Todo],
    },
    /// The log holds a carry-over message of this component.
    CarryOver {
        request: u64,
        todos: &'a [Todo],
        /// Whether the list was taken from it.
        adopted: bool,
    },
    /// The history was compacted here.
    Compaction {
        request: u64,
        /// What the component hands to a host at this point.
        snapshot: Option<&'a Snapshot>,
    },
}

/// A call of the log, replayed.
pub struct Replayed {
    /// The tool as the log names it.
    pub name: String,
    /// The tool of this component that took it.
    pub tool: &'static str,
    /// What became of it.
    pub outcome: Outcome,
    /// The result for the model; empty if the call never reached the component.
    pub text: String,
}

/// What became of a replayed call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Carried out; whether the list changed.
    Applied { changed: bool },
    /// Refused by the component now.
    Refused,
    /// Refused when it was recorded: counts as a use, changes nothing.
    RefusedThen,
    /// Denied, or without a result: never reached the tool.
    Skipped,
}

/// How a replay ended.
pub struct Summary<'a> {
    pub todos: &'a [Todo],
    pub counters: CounterValues,
    /// The shape of the log.
    pub format: &'static str,
    /// Whether the log ends in the middle of a line or element.
    pub torn: bool,
    pub totals: &'a Totals,
    pub added: Added,
}

/// What a replay counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    pub requests: u64,
    /// Calls of todo tools: applied, refused and skipped ones.
    pub calls: u64,
    pub applied: u64,
    /// Refused then or now.
    pub refused: u64,
    pub skipped: u64,
    /// Reminders that the component handed out.
    pub reminders: u64,
    /// Reminders of this component that the log holds.
    pub recorded_reminders: u64,
    pub compactions: u64,
    /// Bytes of all results.
    pub result_bytes: u64,
    /// Bytes of all reminders.
    pub reminder_bytes: u64,
}

/// Bytes that the plugin adds to every request. They stay the same, so that a
/// provider's prompt cache holds them.
#[derive(Clone, Copy, Debug)]
pub struct Added {
    /// Names, descriptions and schemas of the tools.
    pub definitions: u64,
    /// The paragraph of the system prompt.
    pub instructions: u64,
}

/// Shows a replay.
pub trait Show {
    /// Before the first entry: where the log comes from, and its shape.
    fn start(&mut self, source: &str, format: &str, policy: &Policy) -> io::Result<()>;
    /// The next entry.
    fn entry(&mut self, entry: &Entry<'_>) -> io::Result<()>;
    /// After the last entry.
    fn end(&mut self, summary: &Summary<'_>) -> io::Result<()>;
    /// What was shown so far leaves the process.
    fn flush(&mut self) -> io::Result<()>;
}
