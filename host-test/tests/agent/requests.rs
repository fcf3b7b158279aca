//! A request is its history, mapped to the form of the endpoint.

use std::path::Path;

use agent_todo_host::Policy;
use agent_todo_host::agent::endpoint::{chat, messages};
use agent_todo_host::agent::history::{Head, Tool};
use agent_todo_host::agent::item::{Item, Part, Role, ToolCall};
use agent_todo_host::agent::model::Request;
use serde_json::{Value, json};

const REMINDER: &str = "<system-reminder>\nopen\n</system-reminder>";

fn head() -> Head {
    let tool = Tool {
        name: "todo_write".into(),
        description: "The list.".into(),
        input_schema: json!({"type": "object"}),
    };
    Head::new(
        "s",
        Path::new("/"),
        "Be brief.".into(),
        vec![tool],
        Policy::default(),
    )
}

/// A prompt, two calls of which the second is not JSON, their results, a
/// reminder, an answer, a prompt.
fn items() -> Vec<Item> {
    let call = |id: &str, input: &str| ToolCall {
        id: id.into(),
        name: "todo_write".into(),
        input: ToolCall::input_from(input),
    };
    let (good, bad) = (
        call("call_0_0", r#"{"todos":[]}"#),
        call("call_0_1", r#"{"todos":[{"#),
    );
    let content = vec![
        Part::Text {
            text: "I plan.".into(),
        },
        Part::ToolUse(good.clone()),
        Part::ToolUse(bad.clone()),
    ];
    vec![
        Item::text(Role::User, "Go"),
        Item {
            role: Role::Assistant,
            content,
            tokens: Some(9),
            summary: false,
        },
        Item::result(&good, "(0/0 completed)".into(), false),
        Item::result(&bad, "Error: no list".into(), true),
        Item::text(Role::System, REMINDER),
        Item::text(Role::Assistant, "Done."),
        Item {
            content: Vec::new(),
            ..Item::text(Role::Assistant, "")
        },
        Item::text(Role::User, "More"),
    ]
}

fn chat_messages(system_messages: bool) -> Value {
    let (head, items) = (head(), items());
    let request = Request {
        head: &head,
        items: &items,
        tools: true,
    };
    chat::body("m", system_messages, &request)["messages"].clone()
}

#[test]
fn chat_completions_get_one_message_for_each_item() {
    let call = |id: &str, arguments: &str| json!({"id": id, "type": "function", "function": {"name": "todo_write", "arguments": arguments}});
    assert_eq!(
        chat_messages(true),
        json!([
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": "Go"},
            {"role": "assistant", "content": "I plan.", "tool_calls": [
                call("call_0_0", r#"{"todos":[]}"#), call("call_0_1", r#"{"todos":[{"#),
            ]},
            {"role": "tool", "tool_call_id": "call_0_0", "content": "(0/0 completed)"},
            {"role": "tool", "tool_call_id": "call_0_1", "content": "Error: no list"},
            {"role": "system", "content": REMINDER},
            {"role": "assistant", "content": "Done."},
            {"role": "assistant", "content": ""},
            {"role": "user", "content": "More"},
        ])
    );
}

#[test]
fn a_server_without_system_messages_in_a_history_gets_them_as_the_users() {
    let messages = chat_messages(false);
    assert_eq!(messages[5], json!({"role": "user", "content": REMINDER}));
    assert_eq!(messages[0]["role"], "system");
}

#[test]
fn messages_take_turns_and_a_reminder_is_a_block_of_the_users_turn() {
    let (head, items) = (head(), items());
    let body = messages::body(
        "m",
        10,
        &Request {
            head: &head,
            items: &items,
            tools: true,
        },
    );
    assert_eq!(
        body["messages"],
        json!([
            {"role": "user", "content": [{"type": "text", "text": "Go"}]},
            {"role": "assistant", "content": [
                {"type": "text", "text": "I plan."},
                {"type": "tool_use", "id": "call_0_0", "name": "todo_write", "input": {"todos": []}},
                {"type": "tool_use", "id": "call_0_1", "name": "todo_write", "input": {"input": "{\"todos\":[{"}},
            ]},
            {"role": "user", "content": [
                {"type": "tool_result", "tool_use_id": "call_0_0", "content": "(0/0 completed)", "is_error": false},
                {"type": "tool_result", "tool_use_id": "call_0_1", "content": "Error: no list", "is_error": true},
                {"type": "text", "text": REMINDER},
            ]},
            {"role": "assistant", "content": [{"type": "text", "text": "Done."}]},
            {"role": "user", "content": [{"type": "text", "text": "More"}]},
        ])
    );
    assert_eq!(body["system"], "Be brief.");
    assert_eq!(body["max_tokens"], 10);
}

#[test]
fn a_request_without_tools_names_none() {
    let (head, items) = (head(), items());
    let request = Request {
        head: &head,
        items: &items,
        tools: false,
    };
    assert_eq!(chat::body("m", true, &request).get("tools"), None);
    assert_eq!(messages::body("m", 10, &request).get("tools"), None);
}

#[test]
fn a_longer_history_begins_with_the_same_bytes() {
    let (head, items) = (head(), items());
    let text = |items: &[Item]| {
        chat::body(
            "m",
            true,
            &Request {
                head: &head,
                items,
                tools: true,
            },
        )["messages"]
            .to_string()
    };
    let long = text(&items);
    for end in 0..items.len() {
        let short = text(&items[..end]);
        assert!(long.starts_with(short.trim_end_matches(']')));
    }
}
