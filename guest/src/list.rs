//! The list: items, where they stand, and which ids are taken.

use serde::{Deserialize, Serialize};

/// Where an item stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Not begun.
    #[default]
    Pending,
    /// Being worked on.
    InProgress,
    /// Done.
    Completed,
}

impl Status {
    /// The word in JSON and in texts.
    pub fn word(self) -> &'static str {
        match self {
            Status::Pending => "pending",
            Status::InProgress => "in_progress",
            Status::Completed => "completed",
        }
    }

    /// Whether work is left.
    pub fn is_open(self) -> bool {
        self != Status::Completed
    }
}

/// One item. All texts are tidy (see [`crate::text`]).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Todo {
    /// Unique in the list, never blank, at most [`MAX_ID`] characters.
    pub id: String,
    /// One line, never blank, at most `max-content` characters.
    pub content: String,
    /// Where it stands.
    pub status: Status,
    /// The longer text of a task; one line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
}

/// Characters of an id.
pub const MAX_ID: usize = 64;

/// A list, counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Items not begun.
    pub pending: u32,
    /// Items being worked on.
    pub in_progress: u32,
    /// Items done.
    pub completed: u32,
}
