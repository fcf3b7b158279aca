//! How a session behaves: the policy, its defaults and its ranges.

use crate::error::{ErrorCode, ToolError};
use serde::{Deserialize, Serialize};

/// Which tools the model may call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ToolSet {
    /// `todo_write`.
    #[default]
    Todo,
    /// `TaskCreate`, `TaskUpdate`, `TaskGet`, `TaskList`.
    Task,
    /// All five.
    Both,
}

impl ToolSet {
    /// The word in saved state.
    pub(crate) fn word(self) -> &'static str {
        match self {
            ToolSet::Todo => "todo",
            ToolSet::Task => "task",
            ToolSet::Both => "both",
        }
    }

    pub(crate) fn of_word(word: &str) -> Option<ToolSet> {
        let all = [ToolSet::Todo, ToolSet::Task, ToolSet::Both];
        all.into_iter().find(|tools| tools.word() == word)
    }

    /// Whether `todo_write` is on.
    pub fn has_todo(self) -> bool {
        self != ToolSet::Task
    }

    /// Whether the task tools are on.
    pub fn has_task(self) -> bool {
        self != ToolSet::Todo
    }
}

/// What happens when a call leaves more than one item in progress.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum InProgressLimit {
    /// Nothing.
    Allow,
    /// The answer carries a note.
    #[default]
    Note,
    /// The call is refused.
    Refuse,
}

impl InProgressLimit {
    /// The word in saved state.
    pub(crate) fn word(self) -> &'static str {
        match self {
            InProgressLimit::Allow => "allow",
            InProgressLimit::Note => "note",
            InProgressLimit::Refuse => "refuse",
        }
    }

    pub(crate) fn of_word(word: &str) -> Option<InProgressLimit> {
        let all = [
            InProgressLimit::Allow,
            InProgressLimit::Note,
            InProgressLimit::Refuse,
        ];
        all.into_iter().find(|limit| limit.word() == word)
    }
}

/// How a session behaves. The defaults are those of the WIT file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Policy {
    /// Which tools are on.
    pub tool_set: ToolSet,
    /// Whether reminders are handed out.
    pub remind: bool,
    /// Requests without a write before a reminder is due, 0 to 1,000,000.
    pub remind_after: u32,
    /// Requests between two reminders, 0 to 1,000,000.
    pub remind_cooldown: u32,
    /// One reminder, then none until the model writes.
    pub remind_once: bool,
    /// More than one item in progress.
    pub in_progress_limit: InProgressLimit,
    /// Items in the list, 1 to 1,000.
    pub max_todos: u32,
    /// Characters of a content or description, 1 to 10,000.
    pub max_content: u32,
    /// Bytes of a tool call's input, 1 KiB to 16 MiB.
    pub max_input: u32,
    /// Whether `restore` takes the list from a carry-over message.
    pub adopt_snapshot: bool,
}

impl Default for Policy {
    fn default() -> Policy {
        Policy {
            tool_set: ToolSet::Todo,
            remind: true,
            remind_after: 8,
            remind_cooldown: 8,
            remind_once: false,
            in_progress_limit: InProgressLimit::Note,
            max_todos: 100,
            max_content: 2_000,
            max_input: 1 << 20,
            adopt_snapshot: false,
        }
    }
}

impl Policy {
    /// The first field that is out of its range, if any, as a refusal.
    pub(crate) fn check(&self) -> Result<(), ToolError> {
        let ranges = [
            ("remind-after", self.remind_after, 0, 1_000_000),
            ("remind-cooldown", self.remind_cooldown, 0, 1_000_000),
            ("max-todos", self.max_todos, 1, 1_000),
            ("max-content", self.max_content, 1, 10_000),
            ("max-input", self.max_input, 1 << 10, 1 << 24),
        ];
        for (name, value, least, greatest) in ranges {
            if value < least || value > greatest {
                return Err(ToolError::new(
                    ErrorCode::InvalidPolicy,
                    &format!("{name} is {value}; legal: {least} to {greatest}"),
                    "The policy is unchanged.",
                ));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bound_of_the_policy_is_legal_and_one_beyond_is_not() {
        type Field = fn(&mut Policy) -> &mut u32;
        let fields: [(Field, u32, u32); 5] = [
            (|p| &mut p.remind_after, 0, 1_000_000),
            (|p| &mut p.remind_cooldown, 0, 1_000_000),
            (|p| &mut p.max_todos, 1, 1_000),
            (|p| &mut p.max_content, 1, 10_000),
            (|p| &mut p.max_input, 1_024, 16_777_216),
        ];
        for (field, least, greatest) in fields {
            let with = |value| {
                let mut policy = Policy::default();
                *field(&mut policy) = value;
                policy.check()
            };
            assert_eq!(with(least), Ok(()));
            assert_eq!(with(greatest), Ok(()));
            assert!(with(greatest + 1).is_err());
            if least > 0 {
                assert!(with(least - 1).is_err());
            }
        }
    }
}
