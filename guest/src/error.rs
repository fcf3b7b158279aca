//! The one error of this crate: a refusal.

use std::fmt;

/// What a refused call gives: a kind for programs, a message for the model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolError {
    /// The kind of refusal.
    pub code: ErrorCode,
    /// Begins with `Error: `, says what was found, what is legal, and that
    /// nothing changed.
    pub message: String,
}

/// The kinds of refusal; the WIT file says when each occurs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorCode {
    /// The input of a tool call can't be understood, or would lose work.
    InvalidInput,
    /// More items than [`Policy::max_todos`](crate::Policy::max_todos).
    TooMany,
    /// Input longer than [`Policy::max_input`](crate::Policy::max_input).
    TooLarge,
    /// No task has this id.
    NotFound,
    /// No such tool, or one that is off.
    UnknownTool,
    /// A policy field out of its range.
    InvalidPolicy,
    /// Not a text that `save_state` wrote.
    InvalidState,
    /// Not a history.
    InvalidHistory,
}

impl ErrorCode {
    /// The name in the WIT file, such as `invalid-input`.
    pub fn name(self) -> &'static str {
        match self {
            ErrorCode::InvalidInput => "invalid-input",
            ErrorCode::TooMany => "too-many",
            ErrorCode::TooLarge => "too-large",
            ErrorCode::NotFound => "not-found",
            ErrorCode::UnknownTool => "unknown-tool",
            ErrorCode::InvalidPolicy => "invalid-policy",
            ErrorCode::InvalidState => "invalid-state",
            ErrorCode::InvalidHistory => "invalid-history",
        }
    }
}

impl ToolError {
    /// A refusal of `code`: `problem` is a sentence part without `Error: ` and
    /// without a final full stop.
    pub(crate) fn new(code: ErrorCode, problem: &str, consequence: &str) -> ToolError {
        ToolError {
            code,
            message: ["Error: ", problem, ". ", consequence].concat(),
        }
    }

    /// A refused tool call: the list stands as it was.
    #[cold]
    pub(crate) fn refused(code: ErrorCode, problem: &str) -> ToolError {
        ToolError::new(code, problem, "The list is unchanged.")
    }
}

impl fmt::Display for ToolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for ToolError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_reads_as_its_message() {
        let refusal = ToolError::refused(ErrorCode::TooMany, "2 items");
        assert_eq!(
            refusal.to_string(),
            "Error: 2 items. The list is unchanged."
        );
    }
}
