//! One item of a history: what a line of the file holds and what the model sees.
//!
//! The shape is that of Anthropic's Messages, because it marks a failed tool
//! call (`is_error`): a refusal by a hook must not look like a call that
//! worked when the history is read back. Keys of the host's own (`tokens`,
//! `summary`) stand beside it and reach no endpoint.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Who an item speaks as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// A reminder or a carry-over message of the plugin.
    System,
    /// The person, or the result of a tool call.
    User,
    /// The model.
    Assistant,
}

/// A part of an item.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Part {
    /// Text.
    Text {
        /// The text.
        text: String,
    },
    /// A call that the model made.
    ToolUse(ToolCall),
    /// What a call gave.
    ToolResult {
        /// The `id` of the call.
        tool_use_id: String,
        /// The text for the model.
        content: String,
        /// Whether the call failed or was refused.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        is_error: bool,
    },
}

/// A call of a tool.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToolCall {
    /// Unique in the session. The host gives it, because some servers number
    /// the calls of every response anew.
    pub id: String,
    /// The name that the model called.
    pub name: String,
    /// The input: an object, or a string that holds what the model sent if
    /// that was not JSON.
    pub input: Value,
}

impl ToolCall {
    /// The input of a call from the text that the model sent. Nothing at all
    /// is an empty object.
    #[must_use]
    pub fn input_from(text: &str) -> Value {
        if text.trim().is_empty() {
            return Value::Object(Map::new());
        }
        serde_json::from_str(text).unwrap_or_else(|_| Value::String(text.to_owned()))
    }

    /// The input as text: what the model sent, but for white space and the order
    /// of keys.
    #[must_use]
    pub fn input_text(&self) -> String {
        match &self.input {
            Value::String(text) => text.clone(),
            value => value.to_string(),
        }
    }
}

/// One line of a history file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Item {
    /// Who speaks.
    pub role: Role,
    /// What is said.
    pub content: Vec<Part>,
    /// Of an assistant's item: the tokens of its request and response, if the
    /// endpoint said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens: Option<u64>,
    /// Whether this is the summary that compaction left, and no prompt.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub summary: bool,
}

impl Item {
    /// An item of one text.
    #[must_use]
    pub fn text(role: Role, text: impl Into<String>) -> Self {
        let content = vec![Part::Text { text: text.into() }];
        Self {
            role,
            content,
            tokens: None,
            summary: false,
        }
    }

    /// The answer to a call.
    #[must_use]
    pub fn result(call: &ToolCall, content: String, is_error: bool) -> Self {
        let content = vec![Part::ToolResult {
            tool_use_id: call.id.clone(),
            content,
            is_error,
        }];
        Self {
            role: Role::User,
            content,
            tokens: None,
            summary: false,
        }
    }

    /// The calls in it, in order.
    pub fn calls(&self) -> impl Iterator<Item = &ToolCall> {
        self.content.iter().filter_map(|part| match part {
            Part::ToolUse(call) => Some(call),
            _ => None,
        })
    }

    /// Its texts, one after the other.
    #[must_use]
    pub fn joined_text(&self) -> String {
        let texts = self.content.iter().filter_map(|part| match part {
            Part::Text { text } => Some(text.as_str()),
            _ => None,
        });
        texts.collect::<Vec<_>>().join("\n\n")
    }

    /// Whether it is the answer to the call with this id.
    #[must_use]
    pub fn answers(&self, id: &str) -> bool {
        self.content
            .iter()
            .any(|part| matches!(part, Part::ToolResult { tool_use_id, .. } if tool_use_id == id))
    }
}

/// The calls of the last assistant's item that have no result yet.
///
/// They are what a host that was stopped still owes the model.
#[must_use]
pub fn unanswered(items: &[Item]) -> Vec<ToolCall> {
    let Some(last) = items.iter().rposition(|item| item.role == Role::Assistant) else {
        return Vec::new();
    };
    let (_, tail) = items.split_at(last);
    let calls = tail.iter().flat_map(Item::calls);
    calls
        .filter(|call| !tail.iter().any(|item| item.answers(&call.id)))
        .cloned()
        .collect()
}

/// Whether the model has to be asked: the last word is the person's, or a
/// result, and not the model's or a summary's.
#[must_use]
pub fn awaits_answer(items: &[Item]) -> bool {
    let last = items.iter().rfind(|item| item.role != Role::System);
    last.is_some_and(|item| item.role == Role::User && !item.summary)
}

/// The items without the calls that have no result.
///
/// `restore` reads this when a session goes on, so that a call that will be
/// made now is not taken for one that was made before.
#[must_use]
pub fn settled(items: &[Item]) -> Vec<Item> {
    let open = unanswered(items);
    let mut settled = items.to_vec();
    for item in &mut settled {
        item.content.retain(
            |part| !matches!(part, Part::ToolUse(call) if open.iter().any(|o| o.id == call.id)),
        );
    }
    settled
}
