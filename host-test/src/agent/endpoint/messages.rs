//! Anthropic's Messages.

use serde::Deserialize;
use serde_json::{Value, json};

use super::failure::{Failure, not_json};
use super::http::{Decoder, Endpoint};
use crate::Error;
use crate::agent::item::{Item, Part, Role};
use crate::agent::model::{Model, Request, Response};
use crate::agent::observer::Observer;

/// The version of the interface that this client speaks.
pub const VERSION: (&str, &str) = ("anthropic-version", "2023-06-01");

/// A model behind a Messages endpoint.
pub struct Messages {
    /// Where it is.
    pub endpoint: Endpoint,
    /// Its name there.
    pub model: String,
    /// The longest answer, in tokens.
    pub max_tokens: u32,
}

impl Model for Messages {
    fn respond(
        &mut self,
        request: &Request<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Response, Error> {
        let body = body(&self.model, self.max_tokens, request);
        self.endpoint.ask::<Stream>("/messages", &body, observer)
    }
}

/// The body of a request: head and items, mapped, and nothing else.
///
/// User and assistant take turns here, and a history has no system messages.
/// So results, reminders and prompts between two answers are the blocks of one
/// user message; a reminder stays a block of its own.
#[must_use]
pub fn body(model: &str, max_tokens: u32, request: &Request<'_>) -> Value {
    let mut turns: Vec<(&str, Vec<Value>)> = Vec::new();
    for item in request.items.iter().filter(|item| !item.content.is_empty()) {
        let role = if item.role == Role::Assistant {
            "assistant"
        } else {
            "user"
        };
        match turns.last_mut() {
            Some((last, blocks)) if *last == role => blocks.extend(blocks_of(item)),
            _ => turns.push((role, blocks_of(item))),
        }
    }
    let messages: Vec<Value> = turns
        .iter()
        .map(|(role, content)| json!({"role": role, "content": content}))
        .collect();
    let mut body = json!({
        "model": model,
        "max_tokens": max_tokens,
        "stream": true,
        "system": request.head.system,
        "messages": messages,
    });
    if let Some(fields) = body.as_object_mut().filter(|_| request.tools) {
        fields.insert("tools".into(), json!(request.head.tools));
    }
    body
}

fn blocks_of(item: &Item) -> Vec<Value> {
    item.content.iter().map(block).collect()
}

fn block(part: &Part) -> Value {
    match part {
        Part::Text { text } => json!({"type": "text", "text": text}),
        Part::ToolUse(call) => {
            // Only objects are taken: what was not JSON goes back under a name.
            let input = if call.input.is_object() {
                call.input.clone()
            } else {
                json!({"input": call.input})
            };
            json!({"type": "tool_use", "id": call.id, "name": call.name, "input": input})
        }
        Part::ToolResult {
            tool_use_id,
            content,
            is_error,
        } => {
            json!({"type": "tool_result", "tool_use_id": tool_use_id, "content": content, "is_error": is_error})
        }
    }
}

/// The events of an answer, put together.
#[derive(Default)]
pub struct Stream {
    response: Response,
    /// For each block that has begun, the place of its call among the calls.
    blocks: Vec<Option<usize>>,
    request_tokens: u64,
    ended: bool,
}

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Event {
    MessageStart {
        message: Start,
    },
    ContentBlockStart {
        content_block: Block,
    },
    ContentBlockDelta {
        index: usize,
        delta: Delta,
    },
    MessageDelta {
        delta: End,
        usage: Option<Usage>,
    },
    MessageStop,
    Error {
        error: Value,
    },
    #[serde(other)]
    Other,
}

#[derive(Deserialize)]
struct Start {
    usage: Option<Usage>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Usage {
    input_tokens: u64,
    cache_creation_input_tokens: Option<u64>,
    cache_read_input_tokens: Option<u64>,
    output_tokens: u64,
}

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Block {
    Text {
        text: String,
    },
    ToolUse {
        name: String,
        #[serde(default)]
        input: Value,
    },
    #[serde(other)]
    Other,
}

#[derive(Deserialize)]
#[serde(tag = "type")]
enum Delta {
    #[serde(rename = "text_delta")]
    Text { text: String },
    #[serde(rename = "input_json_delta")]
    Input { partial_json: String },
    #[serde(other)]
    Other,
}

#[derive(Deserialize)]
struct End {
    stop_reason: Option<String>,
}

#[derive(Deserialize)]
struct Whole {
    content: Vec<Block>,
    stop_reason: Option<String>,
    usage: Option<Usage>,
}

impl Stream {
    fn text(&mut self, text: &str, observer: &mut dyn Observer) {
        if !text.is_empty() {
            observer.text(text);
            self.response.text.push_str(text);
        }
    }

    fn begin(&mut self, block: Block, observer: &mut dyn Observer) {
        self.blocks.push(None);
        match block {
            Block::Text { text } => self.text(&text, observer),
            Block::ToolUse { name, input } => {
                // A streamed call begins with an empty object and is filled by deltas.
                let empty = input.as_object().is_none_or(serde_json::Map::is_empty);
                let input = if empty {
                    String::new()
                } else {
                    input.to_string()
                };
                if let Some(last) = self.blocks.last_mut() {
                    *last = Some(self.response.calls.len());
                }
                self.response.calls.push((name, input));
            }
            Block::Other => {}
        }
    }

    fn end(&mut self, reason: Option<&str>, usage: Option<Usage>) {
        self.response.cut = reason == Some("max_tokens");
        if let Some(usage) = usage {
            self.response.tokens = Some(self.request_tokens + usage.output_tokens);
        }
    }

    fn begin_message(&mut self, usage: Option<&Usage>) {
        self.request_tokens = usage.map_or(0, |usage| {
            usage.input_tokens
                + usage.cache_creation_input_tokens.unwrap_or(0)
                + usage.cache_read_input_tokens.unwrap_or(0)
        });
    }
}

impl Decoder for Stream {
    fn event(&mut self, data: &str, observer: &mut dyn Observer) -> Result<bool, Failure> {
        match serde_json::from_str(data).map_err(|_| not_json(data))? {
            Event::MessageStart { message } => self.begin_message(message.usage.as_ref()),
            Event::ContentBlockStart { content_block } => self.begin(content_block, observer),
            Event::ContentBlockDelta {
                delta: Delta::Text { text },
                ..
            } => self.text(&text, observer),
            Event::ContentBlockDelta {
                index,
                delta: Delta::Input { partial_json },
            } => {
                let call = self.blocks.get(index).copied().flatten();
                if let Some((_, input)) = call.and_then(|call| self.response.calls.get_mut(call)) {
                    input.push_str(&partial_json);
                }
            }
            Event::ContentBlockDelta { .. } | Event::Other => {}
            Event::MessageDelta { delta, usage } => self.end(delta.stop_reason.as_deref(), usage),
            Event::MessageStop => {
                self.ended = true;
                return Ok(true);
            }
            Event::Error { error } => {
                let message = error
                    .get("message")
                    .and_then(Value::as_str)
                    .unwrap_or_default();
                return Err(Failure::passing(format!(
                    "the endpoint broke off: {message}"
                )));
            }
        }
        Ok(false)
    }

    fn whole(&mut self, body: &str, observer: &mut dyn Observer) -> Result<(), Failure> {
        let whole: Whole = serde_json::from_str(body).map_err(|_| not_json(body))?;
        self.begin_message(whole.usage.as_ref());
        for block in whole.content {
            self.begin(block, observer);
        }
        self.end(whole.stop_reason.as_deref(), whole.usage);
        self.ended = true;
        Ok(())
    }

    fn response(self) -> Option<Response> {
        self.ended.then_some(self.response)
    }

    fn shown(&self) -> bool {
        !self.response.text.is_empty()
    }
}
