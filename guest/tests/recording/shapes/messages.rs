//! Providers' APIs: Anthropic Messages, OpenAI Chat Completions and Responses,
//! Ollama.

use super::super::play::{Done, Outcome, Recording};
use super::{Style, either, is_error, object, text_of, unmarked_text_of};
use serde_json::{Value, json};

pub fn anthropic(recording: &Recording, style: Style) -> Vec<Value> {
    let mut messages = Vec::new();
    let mut blocks: Vec<Value> = Vec::new();
    for turn in &recording.turns {
        if let Some(user) = &turn.user {
            blocks.push(json!({"type": "text", "text": user}));
        }
        if let Some(reminder) = &turn.reminder {
            if style.as_user && style.blocks {
                blocks.push(json!({"type": "text", "text": reminder}));
            } else {
                flush(&mut messages, &mut blocks);
                messages
                    .push(json!({"role": style.role(), "content": style.text("text", reminder)}));
            }
        }
        flush(&mut messages, &mut blocks);
        let mut content = vec![json!({"type": "text", "text": turn.said})];
        content.extend(turn.calls.iter().map(
            |call| json!({"type": "tool_use", "id": call.id, "name": call.name, "input": object(call)}),
        ));
        messages.push(json!({"role": "assistant", "content": content}));
        for call in style.answered(&turn.calls) {
            let mut block = json!({
                "type": "tool_result", "tool_use_id": call.id, "content": style.text("text", text_of(call)),
            });
            if is_error(call, style) {
                block["is_error"] = json!(true);
            }
            blocks.push(block);
        }
    }
    flush(&mut messages, &mut blocks);
    messages
}

fn flush(messages: &mut Vec<Value>, blocks: &mut Vec<Value>) {
    if !blocks.is_empty() {
        messages.push(json!({"role": "user", "content": std::mem::take(blocks)}));
    }
}

/// What was said before a request, in shapes with plain messages.
fn before(messages: &mut Vec<Value>, turn: &super::super::play::Turn, style: Style, kind: &str) {
    if let Some(user) = &turn.user {
        messages.push(json!({"role": "user", "content": style.text(kind, user)}));
    }
    if let Some(reminder) = &turn.reminder {
        messages.push(json!({"role": style.role(), "content": style.text(kind, reminder)}));
    }
}

pub fn openai_chat(recording: &Recording, style: Style) -> Vec<Value> {
    let mut messages = vec![json!({"role": "developer", "content": "You are a coding agent."})];
    for turn in &recording.turns {
        before(&mut messages, turn, style, "text");
        let call = |call: &Done| json!({"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.input}});
        let calls: Vec<Value> = turn.calls.iter().map(call).collect();
        let mut message = json!({"role": "assistant", "content": turn.said, "refusal": null});
        if !calls.is_empty() {
            message["tool_calls"] = json!(calls);
        }
        messages.push(message);
        messages.extend(style.answered(&turn.calls).iter().map(|call| {
            let content = style.text("text", &unmarked_text_of(call, style));
            json!({"role": "tool", "tool_call_id": call.id, "content": content})
        }));
    }
    messages
}

/// Calls and results have no ids: they match by name, in order.
pub fn ollama(recording: &Recording, style: Style) -> Vec<Value> {
    let mut messages = Vec::new();
    for turn in &recording.turns {
        before(
            &mut messages,
            turn,
            Style {
                blocks: false,
                ..style
            },
            "text",
        );
        let call =
            |call: &Done| json!({"function": {"name": call.name, "arguments": object(call)}});
        let calls: Vec<Value> = turn.calls.iter().map(call).collect();
        messages.push(json!({"role": "assistant", "content": turn.said, "tool_calls": calls}));
        let answered = turn
            .calls
            .iter()
            .filter(|call| call.outcome != Outcome::Stopped);
        messages.extend(answered.map(
            |call| json!({"role": "tool", "tool_name": call.name, "content": unmarked_text_of(call, style)}),
        ));
    }
    messages
}

pub fn openai_responses(recording: &Recording, style: Style) -> Vec<Value> {
    let mut items = Vec::new();
    for turn in &recording.turns {
        before(&mut items, turn, style, "input_text");
        items.extend(model_items(turn, style));
        items.extend(turn.calls.iter().map(|call| {
            json!({"type": "function_call", "call_id": call.id, "id": format!("fc_{}", call.id), "name": call.name,
                "arguments": call.input, "status": "completed"})
        }));
        items.extend(style.answered(&turn.calls).iter().map(|call| {
            let output = style.text("input_text", &unmarked_text_of(call, style));
            json!({"type": "function_call_output", "call_id": call.id, "output": output})
        }));
    }
    items
}

/// What the model gave beside its calls: something, if it made none.
pub fn model_items(turn: &super::super::play::Turn, style: Style) -> Vec<Value> {
    let mut items = Vec::new();
    if style.noise {
        items.push(json!({"type": "reasoning", "id": "rs_1", "summary": []}));
    }
    if !turn.said.is_empty() || turn.calls.is_empty() {
        let content = json!([{"type": "output_text", "text": turn.said, "annotations": []}]);
        items.push(match style.text_input {
            true => json!({"role": "assistant", "content": content}),
            false => json!({"type": "message", "role": "assistant", "content": content}),
        });
    }
    items
}

pub fn openai_agents_js(recording: &Recording, style: Style) -> Vec<Value> {
    let mut items = Vec::new();
    for turn in &recording.turns {
        before(&mut items, turn, style, "input_text");
        items.extend(model_items(turn, style));
        items.extend(turn.calls.iter().map(|call| {
            json!({"type": "function_call", "callId": call.id, "name": call.name, "arguments": call.input,
                "status": "completed"})
        }));
        items.extend(style.answered(&turn.calls).iter().map(|call| {
            let text = match call.outcome {
                Outcome::Denied(_) => "Tool execution was not approved.".to_owned(),
                _ => text_of(call).to_owned(),
            };
            let output = if style.blocks { json!({"type": "text", "text": text}) } else { json!(text) };
            json!({"type": "function_call_result", "callId": call.id, "name": call.name, "status": "completed",
                "output": output})
        }));
    }
    // An input may be an object here too, where a host stored it parsed.
    if style.text_input {
        return items;
    }
    let parsed: std::collections::BTreeMap<&str, Value> = recording
        .turns
        .iter()
        .flat_map(|turn| &turn.calls)
        .map(|call| (call.id.as_str(), either(call, style)))
        .collect();
    for item in &mut items {
        if item.get("arguments").is_some() {
            let id = item["callId"].as_str().unwrap_or_default().to_owned();
            item["arguments"] = parsed[id.as_str()].clone();
        }
    }
    items
}
