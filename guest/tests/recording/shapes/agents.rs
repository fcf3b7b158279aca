//! The logs of coding agents: Claude Code, Codex, OpenCode, pi.

use super::super::play::{Outcome, Recording};
use super::messages::model_items;
use super::{Style, is_error, object, text_of};
use serde_json::{Value, json};

const ASIDE: &str = r#"{"todos":[{"content":"not of this session"}]}"#;

/// One line for each block of a message, results between them, and lines of
/// sub-agents anywhere.
pub fn claude_code(recording: &Recording, style: Style) -> Vec<Value> {
    let mut lines = vec![json!({"type": "summary", "summary": "A session"})];
    let line = |kind: &str, message: Value| json!({"type": kind, "isSidechain": false, "uuid": "u", "parentUuid": null, "message": message});
    for (at, turn) in recording.turns.iter().enumerate() {
        if let Some(user) = &turn.user {
            lines.push(line(
                "user",
                json!({"role": "user", "content": style.text("text", user)}),
            ));
        }
        if let Some(reminder) = &turn.reminder {
            lines.push(line(
                "user",
                json!({"role": "user", "content": style.text("text", reminder)}),
            ));
        }
        let block = |block: Value| {
            line(
                "assistant",
                json!({"id": format!("msg_{at}"), "type": "message", "role": "assistant", "content": [block]}),
            )
        };
        lines.push(block(json!({"type": "text", "text": turn.said})));
        for call in &turn.calls {
            lines.push(block(json!({"type": "tool_use", "id": call.id, "name": call.name, "input": object(call)})));
            if style.noise {
                lines.push(json!({"type": "assistant", "isSidechain": true, "message": {"id": "msg_side", "role": "assistant",
                    "content": [{"type": "tool_use", "id": "side", "name": "todo_write", "input": ASIDE}]}}));
                lines.push(json!({"type": "progress", "data": {"message": {"type": "assistant", "message": {
                    "role": "assistant", "content": [{"type": "tool_use", "id": "p", "name": "todo_write", "input": ASIDE}]}}}}));
                lines.push(json!({"type": "system", "subtype": "compact_boundary", "content": "Conversation compacted"}));
            }
            if call.outcome != Outcome::Stopped {
                let mut result = json!({"type": "tool_result", "tool_use_id": call.id,
                    "content": style.text("text", text_of(call))});
                if is_error(call, style) {
                    result["is_error"] = json!(true);
                }
                lines.push(line("user", json!({"role": "user", "content": [result]})));
            }
        }
    }
    lines
}

/// Items of the Responses API in envelopes, and events that repeat them.
pub fn codex(recording: &Recording, style: Style) -> Vec<Value> {
    let mut lines = vec![json!({"timestamp": "t", "type": "session_meta", "payload": {"id": "s"}})];
    let item =
        |payload: Value| json!({"timestamp": "t", "type": "response_item", "payload": payload});
    for turn in &recording.turns {
        let said = |role: &str, text: &str| {
            item(
                json!({"type": "message", "role": role, "content": [{"type": "input_text", "text": text}]}),
            )
        };
        lines.extend(turn.user.iter().map(|user| said("user", user)));
        let role = if style.as_user { "user" } else { "developer" };
        lines.extend(turn.reminder.iter().map(|reminder| said(role, reminder)));
        lines.extend(model_items(turn, style).into_iter().map(item));
        for call in &turn.calls {
            lines.push(item(json!({"type": "function_call", "call_id": call.id, "name": call.name, "arguments": call.input})));
            if style.noise {
                lines.push(json!({"timestamp": "t", "type": "event_msg", "payload": {"type": "mcp_tool_call_begin",
                    "call_id": call.id, "invocation": {"tool": call.name, "arguments": {"todos": []}}}}));
            }
        }
        for call in style.answered(&turn.calls) {
            let text = match call.outcome {
                Outcome::Denied(_) => "user rejected MCP tool call",
                _ => text_of(call),
            };
            let output = match style.blocks {
                true => {
                    let blocks = json!([{"type": "text", "text": text}]);
                    format!("Wall time: 0.0010 seconds\nOutput:\n{blocks}")
                }
                false => text.to_owned(),
            };
            lines.push(item(
                json!({"type": "function_call_output", "call_id": call.id, "output": output}),
            ));
        }
    }
    lines
}

/// A tree of entries, with a branch that the user abandoned.
pub fn pi(recording: &Recording, style: Style) -> Vec<Value> {
    let mut entries = vec![json!({"type": "session", "version": 3, "id": "s", "timestamp": "t"})];
    let mut last: Option<String> = None;
    for turn in &recording.turns {
        let mut add = |kind: &str, field: &str, value: Value| {
            let id = format!("e{}", entries.len());
            entries.push(json!({"type": kind, "id": id, "parentId": last, field: value}));
            last = Some(id);
        };
        if let Some(user) = &turn.user {
            add(
                "message",
                "message",
                json!({"role": "user", "content": style.text("text", user)}),
            );
        }
        match &turn.reminder {
            Some(reminder) if style.as_user => add("custom_message", "content", json!(reminder)),
            Some(reminder) => add(
                "message",
                "message",
                json!({"role": "system", "content": reminder}),
            ),
            None => {}
        }
        let mut content = vec![json!({"type": "text", "text": turn.said})];
        content.extend(turn.calls.iter().map(
            |call| json!({"type": "toolCall", "id": call.id, "name": call.name, "arguments": object(call)}),
        ));
        add(
            "message",
            "message",
            json!({"role": "assistant", "content": content}),
        );
        for call in style.answered(&turn.calls) {
            add(
                "message",
                "message",
                json!({"role": "toolResult", "toolCallId": call.id, "toolName": call.name,
                "content": [{"type": "text", "text": text_of(call)}], "isError": is_error(call, style)}),
            );
        }
        if style.noise {
            let entry = json!({"type": "message", "id": format!("x{}", entries.len()), "parentId": last, "message":
                {"role": "assistant", "content": [{"type": "toolCall", "id": "x", "name": "todo_write", "arguments": ASIDE}]}});
            entries.push(entry);
        }
    }
    // The branch is the one that the last entry stands on.
    let id = format!("e{}", entries.len());
    entries.push(json!({"type": "label", "id": id, "parentId": last, "label": "here"}));
    entries
}

/// One message for each request, with parts that hold a call and its result.
pub fn opencode(recording: &Recording, style: Style) -> Vec<Value> {
    let message =
        |role: &str, parts: Value| json!({"info": {"id": "msg", "role": role}, "parts": parts});
    let mut messages = Vec::new();
    for turn in &recording.turns {
        let heard = turn.user.iter().chain(&turn.reminder);
        messages.extend(heard.map(|text| {
            message(
                "user",
                json!([{"type": "text", "text": text, "synthetic": style.noise}]),
            )
        }));
        let mut parts = vec![
            json!({"type": "step-start"}),
            json!({"type": "text", "text": turn.said}),
        ];
        for call in &turn.calls {
            let mut state = json!({"input": object(call)});
            let (status, key) = match &call.outcome {
                Outcome::Stopped => ("running", "title"),
                _ if is_error(call, style) => ("error", "error"),
                _ => ("completed", "output"),
            };
            state["status"] = json!(status);
            state[key] = json!(text_of(call));
            parts.push(
                json!({"type": "tool", "tool": call.name, "callID": call.id, "state": state}),
            );
        }
        parts.push(json!({"type": "step-finish", "reason": "tool-calls"}));
        messages.push(message("assistant", json!(parts)));
    }
    messages
}
