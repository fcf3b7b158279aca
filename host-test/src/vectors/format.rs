//! The files of vectors: themes, vectors, steps, expectations. Every unknown
//! key is an error, so that a typing mistake can't make a check that never
//! fails.

use super::text::Text;
use agent_todo::{InProgressLimit, ToolSet};
use serde::{Deserialize, Deserializer};
use serde_json::Value;

/// One file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Theme {
    /// What the vectors are about, in a word or two.
    pub theme: String,
    /// The same in a sentence.
    pub about: String,
    /// The vectors.
    pub vectors: Vec<Vector>,
}

/// A promise, and the calls that show whether it is kept.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Vector {
    /// The promise, as a sentence.
    pub name: String,
    /// What the session is configured with; not configured at all without it.
    pub policy: Option<PolicyFields>,
    /// The calls, in order.
    pub steps: Vec<Step>,
}

/// A policy as a vector writes it: what is absent keeps its default.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(
    missing_docs,
    reason = "the fields of the policy, documented in the WIT file"
)]
pub struct PolicyFields {
    pub tool_set: Option<ToolSet>,
    pub remind: Option<bool>,
    pub remind_after: Option<u32>,
    pub remind_cooldown: Option<u32>,
    pub remind_once: Option<bool>,
    pub in_progress_limit: Option<InProgressLimit>,
    pub max_todos: Option<u32>,
    pub max_content: Option<u32>,
    pub max_input: Option<u32>,
    pub adopt_snapshot: Option<bool>,
}

/// One call, and what is expected of it.
#[derive(Debug, Deserialize)]
#[serde(tag = "do", rename_all = "kebab-case", deny_unknown_fields)]
#[allow(
    missing_docs,
    reason = "the functions of the interface, documented in the WIT file"
)]
pub enum Step {
    Configure {
        policy: PolicyFields,
        expect: Expect,
    },
    Instructions {
        expect: Expect,
    },
    Tools {
        expect: Expect,
    },
    CallTool {
        name: String,
        input: Text,
        expect: Expect,
    },
    TodoWrite {
        input: Text,
        expect: Expect,
    },
    OnRequest {
        #[serde(default = "once")]
        times: u32,
        expect: Option<Expect>,
    },
    PendingHistoryAppends {
        expect: Expect,
    },
    CompactSnapshot {
        expect: Expect,
    },
    Restore {
        history: Text,
        expect: Expect,
    },
    /// Keeps the state as the saved text.
    SaveState {
        expect: Expect,
    },
    /// Loads `state`, or the saved text without it.
    LoadState {
        state: Option<Text>,
        expect: Expect,
    },
    /// Goes on in a new instance that was given the saved state of this one.
    SaveLoad {
        expect: Expect,
    },
    /// Goes on in a new instance with `policy`, or the vector's without it.
    NewSession {
        policy: Option<PolicyFields>,
        expect: Expect,
    },
    Todos {
        expect: Expect,
    },
    Counters {
        expect: Expect,
    },
}

fn once() -> u32 {
    1
}

/// What a step must give. What is absent is not looked at.
#[derive(Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Expect {
    /// The call succeeds; for calls that answer nothing else.
    pub ok: Option<bool>,
    /// The call is refused with this code. Without it every call must succeed.
    pub error: Option<String>,
    /// The exact text of the answer; of a refusal the message.
    pub text: Option<Text>,
    /// The saved text, byte for byte, is the answer's text again.
    pub same: Option<bool>,
    /// What the text begins with.
    pub starts_with: Option<Text>,
    /// Parts of the text.
    pub contains: Option<Vec<Text>>,
    /// What the text holds nowhere.
    pub not_contains: Option<Vec<Text>>,
    /// Characters (Unicode scalar values) of the text at most.
    pub max_chars: Option<usize>,
    /// UTF-8 bytes of the text at most.
    pub max_bytes: Option<usize>,
    /// The text is JSON.
    pub is_json: Option<bool>,
    /// Whether the call says that the list changed.
    pub changed: Option<bool>,
    /// `[pending, in progress, completed]`.
    pub progress: Option<[u32; 3]>,
    /// How many items are to be appended to the history.
    pub appends: Option<usize>,
    /// The role of the item to append, or of the carry-over message.
    pub role: Option<String>,
    /// Whether there is a snapshot.
    pub snapshot: Option<bool>,
    /// The text of the carry-over message, `null` for none.
    #[serde(default, deserialize_with = "present")]
    pub carry_over: Option<Option<Text>>,
    /// The tools, all of them, in order.
    pub tools: Option<Vec<ExpectTool>>,
    /// Fields of the report.
    pub report: Option<ExpectReport>,
    /// The list after the step, read with `todos`.
    pub list: Option<Vec<Row>>,
    /// The counters after the step, read with `counters`.
    pub counters: Option<ExpectCounters>,
}

/// An item: id, status, content, and the description if there is one.
pub type Row = Vec<Text>;

/// A tool definition.
#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExpectTool {
    /// Its name.
    pub name: String,
    /// What its schema says.
    #[serde(default)]
    pub schema: Vec<ExpectSchema>,
}

/// What stands at a place of a schema.
#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExpectSchema {
    /// The place, as a JSON Pointer.
    pub at: String,
    /// The value there.
    pub is: Option<Value>,
    /// The keys of the object there, sorted.
    pub keys: Option<Vec<String>>,
}

/// Fields of a report of `restore`.
#[derive(Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(
    missing_docs,
    reason = "the fields of the report, documented in the WIT file"
)]
pub struct ExpectReport {
    pub format: Option<String>,
    pub requests: Option<u32>,
    pub applied: Option<u32>,
    pub refused: Option<u32>,
    pub skipped: Option<u32>,
    pub reminders: Option<u32>,
}

/// The counters.
#[derive(Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExpectCounters {
    /// Requests since the last write.
    pub since_write: Option<u32>,
    /// Requests since the last reminder, `null` before the first.
    #[serde(default, deserialize_with = "present")]
    pub since_reminder: Option<Option<u32>>,
}

/// Tells `null` from a key that is not there.
fn present<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Option<T>>, D::Error> {
    Option::deserialize(deserializer).map(Some)
}
