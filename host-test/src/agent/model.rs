//! What the loop asks of a model, and a model that follows a script.

use std::path::Path;

use serde::Deserialize;
use serde_json::Value;

use super::history::Head;
use super::item::{Item, Part, ToolCall};
use super::observer::Observer;
use crate::Error;

/// One inference request.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// System prompt and tools.
    pub head: &'a Head,
    /// The history.
    pub items: &'a [Item],
    /// Whether the model may call the tools. Compaction offers none.
    pub tools: bool,
}

impl Request<'_> {
    /// How many responses lie before this one, in this session and those that
    /// it came from.
    #[must_use]
    pub fn position(&self) -> usize {
        self.head.responses_before + responses(self.items)
    }
}

/// The responses of the model among items.
#[must_use]
pub fn responses(items: &[Item]) -> usize {
    items
        .iter()
        .filter(|item| item.role == super::item::Role::Assistant)
        .count()
}

/// One response.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Response {
    /// What the model said.
    pub text: String,
    /// The calls it made, in order: name and input as sent.
    pub calls: Vec<(String, String)>,
    /// Tokens of request and response together, if the endpoint says.
    pub tokens: Option<u64>,
    /// Whether the endpoint cut the response at its token limit.
    pub cut: bool,
}

impl Response {
    /// The response as an item. `position` makes the ids of its calls unique.
    #[must_use]
    pub fn into_item(self, position: usize) -> Item {
        let text = (!self.text.trim().is_empty()).then_some(Part::Text { text: self.text });
        let calls = self
            .calls
            .into_iter()
            .enumerate()
            .map(|(number, (name, input))| {
                let id = format!("call_{position}_{number}");
                Part::ToolUse(ToolCall {
                    id,
                    name,
                    input: ToolCall::input_from(&input),
                })
            });
        let content = text.into_iter().chain(calls).collect();
        Item {
            role: super::item::Role::Assistant,
            content,
            tokens: self.tokens,
            summary: false,
        }
    }
}

/// A model that can be asked.
pub trait Model {
    /// Sends a request and shows the answer's text as it comes.
    ///
    /// # Errors
    ///
    /// One line that says what the endpoint did, when no answer could be had.
    fn respond(
        &mut self,
        request: &Request<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Response, Error>;
}

/// A model that reads its answers from a file, for running without a network.
///
/// The file is one JSON object:
///
/// ```json
/// {
///   "responses": [
///     {"text": "I plan first.", "calls": [{"name": "todo_write", "input": {"todos": []}}]},
///     {"text": "Done.", "tokens": 1200}
///   ],
///   "summaries": ["What was done until the first compaction."]
/// }
/// ```
///
/// A response is chosen by its place in the session, not by the order of
/// asking: the same history is always given the same answer, also after a
/// stop. `text`, `calls` and `tokens` may each be left out; an `input` that is
/// a string is sent as it is, so a script can also send what is not JSON.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Script {
    responses: Vec<Scripted>,
    #[serde(default)]
    summaries: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Scripted {
    #[serde(default)]
    text: String,
    #[serde(default)]
    calls: Vec<ScriptedCall>,
    tokens: Option<u64>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ScriptedCall {
    name: String,
    input: Value,
}

impl Script {
    /// Reads a script from its file.
    ///
    /// # Errors
    ///
    /// When the file can't be read or is not a script.
    pub fn read(path: &Path) -> Result<Self, Error> {
        let fail = |what: String| Error::Agent(format!("the script {}: {what}", path.display()));
        let text = std::fs::read_to_string(path).map_err(|error| fail(error.to_string()))?;
        serde_json::from_str(&text).map_err(|error| fail(error.to_string()))
    }

    fn missing(what: &str, count: usize, number: usize) -> Error {
        Error::Agent(format!(
            "the script holds {count} {what}; this session asks for number {}",
            number + 1
        ))
    }
}

impl Model for Script {
    fn respond(
        &mut self,
        request: &Request<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Response, Error> {
        if !request.tools {
            let number = request.head.generation;
            let summary = self.summaries.get(number);
            let text = summary
                .ok_or_else(|| Self::missing("summaries", self.summaries.len(), number))?
                .clone();
            return Ok(Response {
                text,
                ..Response::default()
            });
        }
        let number = request.position();
        let scripted = self.responses.get(number);
        let scripted =
            scripted.ok_or_else(|| Self::missing("responses", self.responses.len(), number))?;
        observer.text(&scripted.text);
        let input = |call: &ScriptedCall| match &call.input {
            Value::String(text) => text.clone(),
            value => value.to_string(),
        };
        let calls = scripted
            .calls
            .iter()
            .map(|call| (call.name.clone(), input(call)))
            .collect();
        Ok(Response {
            text: scripted.text.clone(),
            calls,
            tokens: scripted.tokens,
            cut: false,
        })
    }
}
