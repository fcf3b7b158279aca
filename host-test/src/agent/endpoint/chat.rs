//! OpenAI-compatible Chat Completions.

use serde::Deserialize;
use serde_json::{Value, json};

use super::failure::{Failure, not_json};
use super::http::{Decoder, Endpoint};
use crate::Error;
use crate::agent::item::{Item, Part, Role, ToolCall};
use crate::agent::model::{Model, Request, Response};
use crate::agent::observer::Observer;

/// A model behind a Chat Completions endpoint.
pub struct Chat {
    /// Where it is.
    pub endpoint: Endpoint,
    /// Its name there.
    pub model: String,
    /// Whether it takes system messages inside a history. A server whose
    /// prompt template allows only one at the start gets them as the user's.
    pub system_messages: bool,
}

impl Model for Chat {
    fn respond(
        &mut self,
        request: &Request<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Response, Error> {
        let body = body(&self.model, self.system_messages, request);
        self.endpoint
            .ask::<Chunks>("/chat/completions", &body, observer)
    }
}

/// The body of a request: head and items, mapped, and nothing else.
#[must_use]
pub fn body(model: &str, system_messages: bool, request: &Request<'_>) -> Value {
    let system = json!({"role": "system", "content": request.head.system});
    let items = request
        .items
        .iter()
        .flat_map(|item| messages(item, system_messages));
    let mut body = json!({
        "model": model,
        "stream": true,
        "stream_options": {"include_usage": true},
        "messages": std::iter::once(system).chain(items).collect::<Vec<_>>(),
    });
    if let Some(fields) = body.as_object_mut().filter(|_| request.tools) {
        let tools = request.head.tools.iter().map(|tool| {
            json!({
                "type": "function",
                "function": {"name": tool.name, "description": tool.description, "parameters": tool.input_schema},
            })
        });
        fields.insert("tools".into(), tools.collect());
    }
    body
}

fn messages(item: &Item, system_messages: bool) -> Vec<Value> {
    let text = item.joined_text();
    match item.role {
        Role::System if system_messages => vec![json!({"role": "system", "content": text})],
        Role::System => vec![json!({"role": "user", "content": text})],
        Role::Assistant => vec![assistant(item, text)],
        Role::User => item.content.iter().map(user_part).collect(),
    }
}

fn assistant(item: &Item, text: String) -> Value {
    let calls: Vec<Value> = item.calls().map(function_call).collect();
    if calls.is_empty() {
        return json!({"role": "assistant", "content": text});
    }
    let content = if text.is_empty() {
        Value::Null
    } else {
        Value::String(text)
    };
    json!({"role": "assistant", "content": content, "tool_calls": calls})
}

fn function_call(call: &ToolCall) -> Value {
    json!({"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.input_text()}})
}

fn user_part(part: &Part) -> Value {
    match part {
        Part::ToolResult {
            tool_use_id,
            content,
            ..
        } => {
            json!({"role": "tool", "tool_call_id": tool_use_id, "content": content})
        }
        Part::Text { text } => json!({"role": "user", "content": text}),
        Part::ToolUse(call) => json!({"role": "user", "content": call.input_text()}),
    }
}

/// The chunks of an answer, put together.
#[derive(Default)]
pub struct Chunks {
    response: Response,
    calls: Vec<Call>,
    ended: bool,
}

#[derive(Default)]
struct Call {
    index: Option<u64>,
    id: String,
    name: String,
    arguments: String,
}

#[derive(Deserialize)]
struct Chunk {
    #[serde(default)]
    choices: Vec<Choice>,
    usage: Option<Usage>,
    error: Option<Value>,
}

#[derive(Deserialize)]
struct Choice {
    #[serde(alias = "message", default)]
    delta: Delta,
    finish_reason: Option<String>,
}

#[derive(Default, Deserialize)]
struct Delta {
    content: Option<String>,
    refusal: Option<String>,
    tool_calls: Option<Vec<CallDelta>>,
}

#[derive(Deserialize)]
struct CallDelta {
    index: Option<u64>,
    id: Option<String>,
    function: Option<FunctionDelta>,
}

#[derive(Default, Deserialize)]
struct FunctionDelta {
    name: Option<String>,
    arguments: Option<String>,
}

#[derive(Deserialize)]
struct Usage {
    total_tokens: Option<u64>,
}

impl Chunks {
    fn take(&mut self, chunk: Chunk, observer: &mut dyn Observer) -> Result<(), Failure> {
        if let Some(error) = chunk.error {
            let message = error
                .get("message")
                .and_then(Value::as_str)
                .map_or_else(|| error.to_string(), str::to_owned);
            return Err(Failure::passing(format!(
                "the endpoint broke off: {message}"
            )));
        }
        if let Some(tokens) = chunk.usage.and_then(|usage| usage.total_tokens) {
            self.response.tokens = Some(tokens);
        }
        let Some(choice) = chunk.choices.into_iter().next() else {
            return Ok(());
        };
        for text in choice.delta.content.into_iter().chain(choice.delta.refusal) {
            observer.text(&text);
            self.response.text.push_str(&text);
        }
        for delta in choice.delta.tool_calls.into_iter().flatten() {
            self.call(delta);
        }
        if let Some(reason) = choice.finish_reason {
            self.ended = true;
            self.response.cut = reason == "length";
        }
        Ok(())
    }

    /// Adds a piece to its call. Servers tell the calls of one answer apart by
    /// index, by id, or, when each comes whole, by neither.
    fn call(&mut self, delta: CallDelta) {
        let id = delta.id.unwrap_or_default();
        let function = delta.function.unwrap_or_default();
        let goes_on = |call: &Call| call.index == delta.index && (id.is_empty() || id == call.id);
        let whole = delta.index.is_none() && id.is_empty() && function.name.is_some();
        let at = self.calls.iter().rposition(goes_on).filter(|_| !whole);
        let at = at.unwrap_or_else(|| {
            self.calls.push(Call {
                index: delta.index,
                id: id.clone(),
                ..Call::default()
            });
            self.calls.len() - 1
        });
        if let Some(call) = self.calls.get_mut(at) {
            call.name.push_str(&function.name.unwrap_or_default());
            call.arguments
                .push_str(&function.arguments.unwrap_or_default());
        }
    }
}

impl Decoder for Chunks {
    fn event(&mut self, data: &str, observer: &mut dyn Observer) -> Result<bool, Failure> {
        if data == "[DONE]" {
            self.ended = true;
            return Ok(true);
        }
        self.take(
            serde_json::from_str(data).map_err(|_| not_json(data))?,
            observer,
        )?;
        Ok(false)
    }

    fn whole(&mut self, body: &str, observer: &mut dyn Observer) -> Result<(), Failure> {
        self.take(
            serde_json::from_str(body).map_err(|_| not_json(body))?,
            observer,
        )
    }

    fn response(mut self) -> Option<Response> {
        self.response.calls = self
            .calls
            .into_iter()
            .map(|call| (call.name, call.arguments))
            .collect();
        self.ended.then_some(self.response)
    }

    fn shown(&self) -> bool {
        !self.response.text.is_empty()
    }
}
