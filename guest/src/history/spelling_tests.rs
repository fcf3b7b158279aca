use super::*;
use crate::history::key::name;
use crate::json::node::Tree;
use crate::json::scanner::Scanner;

/// What a part is, and which format writes it so.
fn kind_of(part: &str) -> (Kind, &'static str) {
    let mut tree = Tree::default();
    Scanner::new(part).tree(name, &mut tree).unwrap();
    kind(tree.root())
}

#[test]
fn the_spelling_of_a_part_tells_its_kind_and_its_format() {
    for (part, expected) in [
        (r#"{"type":"tool_use"}"#, (Kind::Call, "anthropic")),
        (r#"{"type":"tool_result"}"#, (Kind::Result, "anthropic")),
        (
            r#"{"type":"function_call","call_id":"1"}"#,
            (Kind::Call, "openai-responses"),
        ),
        (
            r#"{"type":"function_call","callId":"1"}"#,
            (Kind::Call, "openai-agents-js"),
        ),
        (
            r#"{"type":"function_call_output"}"#,
            (Kind::Result, "openai-responses"),
        ),
        (
            r#"{"type":"function_call_result"}"#,
            (Kind::Result, "openai-agents-js"),
        ),
        (
            r#"{"type":"custom_tool_call"}"#,
            (Kind::Call, "openai-responses"),
        ),
        (
            r#"{"type":"custom_tool_call_output"}"#,
            (Kind::Result, "openai-responses"),
        ),
        (r#"{"type":"input_text"}"#, (Kind::Text, "openai-responses")),
        (
            r#"{"type":"output_text"}"#,
            (Kind::Text, "openai-responses"),
        ),
        (r#"{"type":"tool-call","input":{}}"#, (Kind::Call, "ai-sdk")),
        (
            r#"{"type":"tool-result","output":{}}"#,
            (Kind::Result, "ai-sdk"),
        ),
        (
            r#"{"type":"tool-error","error":""}"#,
            (Kind::Result, "ai-sdk"),
        ),
        (
            r#"{"type":"tool-call","args":{}}"#,
            (Kind::Call, "ai-sdk-4"),
        ),
        (
            r#"{"type":"tool-result","result":""}"#,
            (Kind::Result, "ai-sdk-4"),
        ),
        (r#"{"type":"tool-invocation"}"#, (Kind::Both, "ai-sdk-4")),
        (
            r#"{"type":"tool-todo_write","state":"input-available"}"#,
            (Kind::Both, "ai-sdk-ui"),
        ),
        (r#"{"type":"dynamic-tool"}"#, (Kind::Both, "ai-sdk-ui")),
        (
            r#"{"type":"steering-message"}"#,
            (Kind::Nested, "ai-sdk-ui"),
        ),
        (r#"{"functionCall":{}}"#, (Kind::Call, "gemini")),
        (r#"{"function_response":{}}"#, (Kind::Result, "gemini")),
        (r#"{"type":"toolCall"}"#, (Kind::Call, "pi")),
        (r#"{"type":"toolcall"}"#, (Kind::Call, "rig")),
        (r#"{"type":"toolresult"}"#, (Kind::Result, "rig")),
        (r#"{"type":"tool"}"#, (Kind::Both, "opencode")),
        (
            r#"{"part_kind":"tool-call","args":{}}"#,
            (Kind::Call, "pydantic-ai"),
        ),
        (
            r#"{"part_kind":"tool-return"}"#,
            (Kind::Result, "pydantic-ai"),
        ),
        (
            r#"{"part_kind":"retry-prompt"}"#,
            (Kind::Result, "pydantic-ai"),
        ),
        (
            r#"{"part_kind":"system-prompt"}"#,
            (Kind::Text, "pydantic-ai"),
        ),
        (
            r#"{"part_kind":"user-prompt"}"#,
            (Kind::Text, "pydantic-ai"),
        ),
    ] {
        assert_eq!(kind_of(part), expected, "{part}");
    }
}

#[test]
fn what_many_formats_write_or_none_that_is_known_tells_no_format() {
    for (part, kind) in [
        (r#"{"type":"text","text":"Hello."}"#, Kind::Text),
        (r#"{"text":"Hello."}"#, Kind::Text),
        (r#"{"type":"step-start"}"#, Kind::Step),
        (r#"{"type":"image"}"#, Kind::Other),
        (
            r#"{"type":"tool-approval-request","toolCallId":"1"}"#,
            Kind::Other,
        ),
        (r#"{"type":"reasoning","state":"done"}"#, Kind::Other),
        ("{}", Kind::Other),
    ] {
        assert_eq!(kind_of(part), (kind, ""), "{part}");
    }
}
