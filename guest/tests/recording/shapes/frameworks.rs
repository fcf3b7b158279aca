//! LangChain, pydantic-ai and rig.

use super::super::play::{Done, Recording};
use super::{Style, either, is_error, object, text_of};
use serde_json::{Value, json};

/// The fields of LangChain's messages: type, and what stands under `data`.
fn langchain(recording: &Recording, style: Style) -> Vec<(&'static str, Value)> {
    let mut messages = Vec::new();
    for turn in &recording.turns {
        if let Some(user) = &turn.user {
            messages.push((
                "human",
                json!({"content": style.text("text", user), "id": "m-1"}),
            ));
        }
        if let Some(reminder) = &turn.reminder {
            let kind = if style.as_user { "human" } else { "system" };
            messages.push((kind, json!({"content": style.text("text", reminder)})));
        }
        let call = |call: &Done| json!({"name": call.name, "args": object(call), "id": call.id, "type": "tool_call"});
        let calls: Vec<Value> = turn.calls.iter().map(call).collect();
        let mut content = vec![json!({"type": "text", "text": turn.said})];
        if style.noise {
            // Anthropic's blocks stay in the content: each call stands twice.
            content.extend(turn.calls.iter().map(
                |call| json!({"type": "tool_use", "id": call.id, "name": call.name, "input": object(call)}),
            ));
        }
        messages.push((
            "ai",
            json!({"content": content, "tool_calls": calls, "invalid_tool_calls": []}),
        ));
        messages.extend(style.answered(&turn.calls).into_iter().map(|call| {
            let status = if is_error(call, style) { "error" } else { "success" };
            let content = style.text("text", text_of(call));
            ("tool", json!({"content": content, "tool_call_id": call.id, "name": call.name, "status": status}))
        }));
    }
    messages
}

pub fn langchain_dict(recording: &Recording, style: Style) -> Vec<Value> {
    let messages = langchain(recording, style).into_iter();
    if style.text_input {
        return messages.map(|(kind, data)| dumped(kind, data)).collect();
    }
    messages
        .map(|(kind, data)| json!({"type": kind, "data": data}))
        .collect()
}

fn dumped(kind: &str, mut data: Value) -> Value {
    let class = match kind {
        "human" => "HumanMessage",
        "system" => "SystemMessage",
        "ai" => "AIMessage",
        _ => "ToolMessage",
    };
    data["type"] = json!(kind);
    json!({"lc": 1, "type": "constructor", "id": ["langchain", "schema", "messages", class], "kwargs": data})
}

pub fn langchain_flat(recording: &Recording, style: Style) -> Vec<Value> {
    let flat = |(kind, mut data): (&str, Value)| {
        data["type"] = json!(kind);
        data
    };
    langchain(recording, style).into_iter().map(flat).collect()
}

pub fn pydantic_ai(recording: &Recording, style: Style) -> Vec<Value> {
    let mut messages = Vec::new();
    let mut request: Vec<Value> = Vec::new();
    for turn in &recording.turns {
        if let Some(user) = &turn.user {
            request.push(json!({"content": user, "part_kind": "user-prompt"}));
        }
        if let Some(reminder) = &turn.reminder {
            let kind = if style.as_user {
                "user-prompt"
            } else {
                "system-prompt"
            };
            request.push(json!({"content": reminder, "part_kind": kind}));
        }
        messages.push(json!({"parts": std::mem::take(&mut request), "kind": "request"}));
        let mut parts = vec![json!({"content": turn.said, "part_kind": "text"})];
        parts.extend(turn.calls.iter().map(|call| {
            json!({"tool_name": call.name, "args": either(call, style), "tool_call_id": call.id, "part_kind": "tool-call"})
        }));
        messages.push(json!({"parts": parts, "kind": "response"}));
        request.extend(style.answered(&turn.calls).into_iter().map(|call| {
            let outcome = if is_error(call, style) { "failed" } else { "success" };
            json!({"tool_name": call.name, "content": text_of(call), "tool_call_id": call.id, "outcome": outcome,
                "part_kind": "tool-return"})
        }));
    }
    if !request.is_empty() {
        messages.push(json!({"parts": request, "kind": "request"}));
    }
    messages
}

pub fn rig(recording: &Recording, style: Style) -> Vec<Value> {
    let mut messages = Vec::new();
    for turn in &recording.turns {
        let text = |text: &str| json!([{"type": "text", "text": text}]);
        if let Some(user) = &turn.user {
            messages.push(json!({"role": "user", "content": text(user)}));
        }
        if let Some(reminder) = &turn.reminder {
            messages.push(match style.as_user {
                true => json!({"role": "user", "content": text(reminder)}),
                false => json!({"role": "system", "content": reminder}),
            });
        }
        // The provider's id, or one that rig makes where a provider has none.
        let id = |id: &str| match style.noise {
            true => json!({"local": id}),
            false => json!({"provider": id}),
        };
        let mut content = vec![json!({"type": "text", "text": turn.said})];
        content.extend(turn.calls.iter().map(|call| {
            json!({"type": "toolcall", "id": id(&call.id),
                "function": {"name": call.name, "arguments": object(call)}})
        }));
        messages.push(json!({"role": "assistant", "content": content}));
        let results: Vec<Value> = style
            .answered(&turn.calls)
            .into_iter()
            .map(|call| {
                json!({"type": "toolresult", "call": id(&call.id), "name": call.name,
                    "content": text(text_of(call)), "is_error": is_error(call, style)})
            })
            .collect();
        if !results.is_empty() {
            messages.push(json!({"role": "user", "content": results}));
        }
    }
    messages
}
