//! How hosts and frameworks write a session down: one small recorder for each
//! shape.

mod agents;
mod frameworks;
mod messages;
mod parts;

use super::play::{Done, Outcome, Recording};
use serde_json::{Value, json};

/// What a recorder may do one way or another.
#[derive(Clone, Copy, Debug, Default)]
pub struct Style {
    /// Results and texts as lists of blocks instead of strings.
    pub blocks: bool,
    /// Refusals carry the mark of an error.
    pub flag: bool,
    /// Reminders as user messages instead of system messages.
    pub as_user: bool,
    /// Results in another order than the calls.
    pub shuffled: bool,
    /// Inputs as text where the shape allows both.
    pub text_input: bool,
    /// Things around the session that are none of its business.
    pub noise: bool,
}

impl Style {
    pub fn from_bits(bits: u8) -> Style {
        let bit = |at: u8| bits >> at & 1 == 1;
        Style {
            blocks: bit(0),
            flag: bit(1),
            as_user: bit(2),
            shuffled: bit(3),
            text_input: bit(4),
            noise: bit(5),
        }
    }

    fn role(self) -> &'static str {
        if self.as_user { "user" } else { "system" }
    }

    /// A text, or a list with one text block of the given type.
    fn text(self, kind: &str, text: &str) -> Value {
        if self.blocks {
            json!([{"type": kind, "text": text}])
        } else {
            json!(text)
        }
    }

    /// The calls of a turn that have a result, in the order of their results.
    fn answered(self, calls: &[Done]) -> Vec<&Done> {
        let mut answered: Vec<&Done> = calls
            .iter()
            .filter(|call| call.outcome != Outcome::Stopped)
            .collect();
        if self.shuffled {
            answered.reverse();
        }
        answered
    }
}

/// A shape: its name in the report, and its recorder, which gives the elements
/// of the history.
pub struct Shape {
    pub format: &'static str,
    pub record: fn(&Recording, Style) -> Vec<Value>,
    /// Whether the host writes it as JSON Lines.
    pub lines: bool,
}

/// Every shape.
pub const SHAPES: [Shape; 19] = [
    Shape {
        format: "anthropic",
        record: messages::anthropic,
        lines: false,
    },
    Shape {
        format: "openai-chat",
        record: messages::openai_chat,
        lines: false,
    },
    Shape {
        format: "openai-chat",
        record: messages::ollama,
        lines: false,
    },
    Shape {
        format: "openai-responses",
        record: messages::openai_responses,
        lines: false,
    },
    Shape {
        format: "openai-agents-js",
        record: messages::openai_agents_js,
        lines: false,
    },
    Shape {
        format: "ai-sdk",
        record: parts::ai_sdk,
        lines: false,
    },
    Shape {
        format: "ai-sdk-4",
        record: parts::ai_sdk_4,
        lines: false,
    },
    Shape {
        format: "ai-sdk-4",
        record: parts::mastra,
        lines: false,
    },
    Shape {
        format: "ai-sdk-ui",
        record: parts::ai_sdk_ui,
        lines: false,
    },
    Shape {
        format: "gemini",
        record: parts::gemini,
        lines: false,
    },
    Shape {
        format: "gemini",
        record: parts::gemini_without_ids,
        lines: false,
    },
    Shape {
        format: "langchain",
        record: frameworks::langchain_dict,
        lines: false,
    },
    Shape {
        format: "langchain",
        record: frameworks::langchain_flat,
        lines: false,
    },
    Shape {
        format: "pydantic-ai",
        record: frameworks::pydantic_ai,
        lines: false,
    },
    Shape {
        format: "rig",
        record: frameworks::rig,
        lines: false,
    },
    Shape {
        format: "claude-code",
        record: agents::claude_code,
        lines: true,
    },
    Shape {
        format: "codex",
        record: agents::codex,
        lines: true,
    },
    Shape {
        format: "opencode",
        record: agents::opencode,
        lines: false,
    },
    Shape {
        format: "pi",
        record: agents::pi,
        lines: true,
    },
];

/// The text of a call's result, without the mark of an error.
fn text_of(call: &Done) -> &str {
    match &call.outcome {
        Outcome::Accepted(text) | Outcome::Refused(text) => text,
        Outcome::Denied(text) => text,
        Outcome::Stopped => "",
    }
}

/// The same where a shape has no mark of an error: a host's own failure is told
/// by its JSON, or by what its framework says.
fn unmarked_text_of(call: &Done, style: Style) -> String {
    match &call.outcome {
        Outcome::Denied(text) if style.flag => json!({"error": text}).to_string(),
        Outcome::Denied(_) => "Tool execution was not approved.".to_owned(),
        _ => text_of(call).to_owned(),
    }
}

fn is_error(call: &Done, style: Style) -> bool {
    match call.outcome {
        Outcome::Denied(_) => true,
        Outcome::Refused(_) => style.flag,
        Outcome::Accepted(_) | Outcome::Stopped => false,
    }
}

/// Stands for the input of a call as a JSON value, until [`text`] puts it in.
fn object(call: &Done) -> Value {
    json!(format!("@input {}@", call.id))
}

/// The input in the form that the style asks for.
fn either(call: &Done, style: Style) -> Value {
    if style.text_input {
        json!(call.input)
    } else {
        object(call)
    }
}

/// The texts of the elements, with the inputs as the model wrote them: a parsed
/// input is not always the same text again. What is no JSON is kept as a string.
pub fn texts(recording: &Recording, elements: &[Value]) -> Vec<String> {
    let calls = recording.turns.iter().flat_map(|turn| &turn.calls);
    let inputs: std::collections::BTreeMap<&str, String> = calls
        .map(|call| {
            let is_json = serde_json::from_str::<Value>(&call.input).is_ok()
                && !call.input.contains(['\n', '\r']);
            let text = if is_json {
                call.input.clone()
            } else {
                json!(call.input).to_string()
            };
            (call.id.as_str(), text)
        })
        .collect();
    elements
        .iter()
        .map(|element| put_in(&element.to_string(), &inputs))
        .collect()
}

fn put_in(element: &str, inputs: &std::collections::BTreeMap<&str, String>) -> String {
    let mut pieces = element.split("\"@input ");
    let mut text = pieces.next().unwrap().to_owned();
    for piece in pieces {
        let (id, after) = piece.split_once("@\"").unwrap();
        text.push_str(&inputs[id]);
        text.push_str(after);
    }
    text
}

/// A history text of these elements.
pub fn join(texts: &[String], lines: bool) -> String {
    if lines {
        texts.iter().map(|text| format!("{text}\n")).collect()
    } else {
        format!("[{}]", texts.join(","))
    }
}
