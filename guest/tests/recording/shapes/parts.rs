//! Shapes whose messages are lists of parts: the AI SDK in its generations,
//! Mastra, Gemini.

use super::super::play::{Done, Outcome, Recording, Turn};
use super::{Style, is_error, object, text_of};
use serde_json::{Value, json};

/// What was said before a request, with the content that the shape gives texts.
fn before(
    messages: &mut Vec<Value>,
    turn: &Turn,
    style: Style,
    message: impl Fn(&str, &str) -> Value,
) {
    if let Some(user) = &turn.user {
        messages.push(message("user", user));
    }
    if let Some(reminder) = &turn.reminder {
        messages.push(message(style.role(), reminder));
    }
}

pub fn ai_sdk(recording: &Recording, style: Style) -> Vec<Value> {
    let mut messages = Vec::new();
    for turn in &recording.turns {
        before(
            &mut messages,
            turn,
            style,
            |role, text| json!({"role": role, "content": style.text("text", text)}),
        );
        let mut content = vec![json!({"type": "text", "text": turn.said})];
        content.extend(turn.calls.iter().map(
            |call| json!({"type": "tool-call", "toolCallId": call.id, "toolName": call.name, "input": object(call)}),
        ));
        messages.push(json!({"role": "assistant", "content": content}));
        let results: Vec<Value> = style
            .answered(&turn.calls)
            .iter()
            .map(|call| {
                let output = match &call.outcome {
                    Outcome::Denied(reason) => json!({"type": "execution-denied", "reason": reason}),
                    _ if is_error(call, style) => json!({"type": "error-text", "value": text_of(call)}),
                    _ if style.blocks => {
                        json!({"type": "content", "value": [{"type": "text", "text": text_of(call)}]})
                    }
                    _ => json!({"type": "text", "value": text_of(call)}),
                };
                json!({"type": "tool-result", "toolCallId": call.id, "toolName": call.name, "output": output})
            })
            .collect();
        if !results.is_empty() {
            messages.push(json!({"role": "tool", "content": results}));
        }
    }
    messages
}

pub fn ai_sdk_4(recording: &Recording, style: Style) -> Vec<Value> {
    let mut messages = Vec::new();
    for turn in &recording.turns {
        before(
            &mut messages,
            turn,
            style,
            |role, text| json!({"role": role, "content": text}),
        );
        let mut content = vec![json!({"type": "text", "text": turn.said})];
        content.extend(turn.calls.iter().map(
            |call| json!({"type": "tool-call", "toolCallId": call.id, "toolName": call.name, "args": object(call)}),
        ));
        messages.push(json!({"role": "assistant", "content": content}));
        let results: Vec<Value> = style
            .answered(&turn.calls)
            .iter()
            .map(|call| {
                json!({"type": "tool-result", "toolCallId": call.id, "toolName": call.name,
                    "result": text_of(call), "isError": is_error(call, style)})
            })
            .collect();
        if !results.is_empty() {
            messages.push(json!({"role": "tool", "content": results}));
        }
    }
    messages
}

/// One message of the model for as long as nobody says anything.
fn grouped(
    recording: &Recording,
    message: impl Fn(&str, Vec<Value>) -> Value,
    parts: impl Fn(&Turn, bool) -> Vec<Value>,
    style: Style,
) -> Vec<Value> {
    let mut messages = Vec::new();
    let mut open: Vec<Value> = Vec::new();
    for turn in &recording.turns {
        let heard = turn.user.is_some() || turn.reminder.is_some();
        if heard && !open.is_empty() {
            messages.push(message("assistant", std::mem::take(&mut open)));
        }
        before(&mut messages, turn, style, |role, text| {
            message(role, vec![json!({"type": "text", "text": text})])
        });
        let first = open.is_empty();
        open.extend(parts(turn, first));
    }
    if !open.is_empty() {
        messages.push(message("assistant", open));
    }
    for (at, message) in messages.iter_mut().enumerate() {
        message["id"] = json!(format!("message-{at}"));
    }
    messages
}

pub fn ai_sdk_ui(recording: &Recording, style: Style) -> Vec<Value> {
    let call = |call: &Done| {
        let mut part = json!({"toolCallId": call.id, "input": object(call)});
        if style.blocks {
            part["type"] = json!("dynamic-tool");
            part["toolName"] = json!(call.name);
        } else {
            part["type"] = json!(format!("tool-{}", call.name));
        }
        match &call.outcome {
            Outcome::Stopped => part["state"] = json!("input-available"),
            Outcome::Denied(_) => {
                part["state"] = json!("output-denied");
                part["approval"] = json!({"id": "a1", "approved": false});
            }
            Outcome::Refused(message) if style.flag => {
                part["state"] = json!("output-error");
                part["errorText"] = json!(message);
            }
            Outcome::Accepted(text) | Outcome::Refused(text) => {
                part["state"] = json!("output-available");
                part["output"] = json!(text);
            }
        }
        part
    };
    grouped(
        recording,
        |role, parts| json!({"role": role, "parts": parts}),
        |turn, _| {
            let mut parts = vec![
                json!({"type": "step-start"}),
                json!({"type": "text", "text": turn.said, "state": "done"}),
            ];
            parts.extend(turn.calls.iter().map(call));
            parts
        },
        style,
    )
}

/// Steps are parted here, not begun, and the calls stand in a message twice.
pub fn mastra(recording: &Recording, style: Style) -> Vec<Value> {
    let call = |call: &Done| {
        let mut invocation =
            json!({"toolCallId": call.id, "toolName": call.name, "args": object(call)});
        match &call.outcome {
            Outcome::Stopped => invocation["state"] = json!("call"),
            Outcome::Denied(reason) => {
                invocation["state"] = json!("output-error");
                invocation["errorText"] = json!(reason);
            }
            Outcome::Refused(message) if style.flag => {
                invocation["state"] = json!("output-error");
                invocation["errorText"] = json!(message);
            }
            Outcome::Accepted(text) | Outcome::Refused(text) => {
                invocation["state"] = json!("result");
                invocation["result"] = json!(text);
            }
        }
        json!({"type": "tool-invocation", "toolInvocation": invocation})
    };
    grouped(
        recording,
        |role, parts| {
            let mut content = json!({"format": 2, "parts": parts});
            if style.noise {
                let calls: Vec<&Value> = parts
                    .iter()
                    .filter_map(|part| part.get("toolInvocation"))
                    .collect();
                content["toolInvocations"] = json!(calls);
                content["content"] = parts[0].get("text").cloned().unwrap_or(json!(""));
            }
            json!({"role": role, "content": content})
        },
        |turn, first| {
            let mut parts = Vec::new();
            if !first {
                parts.push(json!({"type": "step-start"}));
            }
            parts.push(json!({"type": "text", "text": turn.said}));
            parts.extend(turn.calls.iter().map(call));
            parts
        },
        style,
    )
}

pub fn gemini(recording: &Recording, style: Style) -> Vec<Value> {
    contents(recording, style, true)
}

pub fn gemini_without_ids(recording: &Recording, style: Style) -> Vec<Value> {
    contents(
        recording,
        Style {
            shuffled: false,
            ..style
        },
        false,
    )
}

fn contents(recording: &Recording, style: Style, ids: bool) -> Vec<Value> {
    let mut contents = Vec::new();
    let (call_key, result_key) = if style.noise {
        ("function_call", "function_response")
    } else {
        ("functionCall", "functionResponse")
    };
    let with_id = |mut part: Value, call: &Done| {
        if ids {
            part["id"] = json!(call.id);
        }
        part
    };
    for turn in &recording.turns {
        let style = Style {
            as_user: true,
            ..style
        };
        before(
            &mut contents,
            turn,
            style,
            |role, text| json!({"role": role, "parts": [{"text": text}]}),
        );
        let mut parts = vec![json!({"text": turn.said})];
        parts.extend(turn.calls.iter().map(|call| {
            json!({call_key: with_id(json!({"name": call.name, "args": object(call)}), call), result_key: null})
        }));
        contents.push(json!({"role": "model", "parts": parts}));
        let results: Vec<Value> = style
            .answered(&turn.calls)
            .iter()
            .map(|call| {
                let key = match () {
                    () if is_error(call, style) => "error",
                    () if style.blocks => "result",
                    () => "output",
                };
                let response = json!({"name": call.name, "response": {key: text_of(call)}});
                json!({result_key: with_id(response, call), "text": null})
            })
            .collect();
        if !results.is_empty() {
            contents.push(json!({"role": "user", "parts": results}));
        }
    }
    contents
}
