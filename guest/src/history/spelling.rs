//! How the hosts and frameworks write calls, results and texts: the tables
//! where a new shape is added.

use crate::json::node::{Keep, Node};
use std::borrow::Cow;

/// What a part of a message, or an item of a flat list, is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A tool call.
    Call,
    /// The result of one.
    Result,
    /// A call that holds its own result.
    Both,
    /// Text that somebody said.
    Text,
    /// Parts that came in while the model worked, such as a steering message.
    Nested,
    /// The begin of a step: in some shapes one message holds many requests.
    Step,
    /// Something else.
    Other,
}

/// The word under `type` or `part_kind`, what it stands for, and the format
/// that writes it so (empty where many do).
const KINDS: [(&str, Kind, &str); 25] = [
    ("tool_use", Kind::Call, "anthropic"),
    ("tool_result", Kind::Result, "anthropic"),
    ("text", Kind::Text, ""),
    ("function_call", Kind::Call, "openai-responses"),
    ("custom_tool_call", Kind::Call, "openai-responses"),
    ("function_call_output", Kind::Result, "openai-responses"),
    ("custom_tool_call_output", Kind::Result, "openai-responses"),
    ("function_call_result", Kind::Result, "openai-agents-js"),
    ("input_text", Kind::Text, "openai-responses"),
    ("output_text", Kind::Text, "openai-responses"),
    ("tool-call", Kind::Call, "ai-sdk"),
    ("tool-result", Kind::Result, "ai-sdk"),
    ("tool-error", Kind::Result, "ai-sdk"),
    ("dynamic-tool", Kind::Both, "ai-sdk-ui"),
    ("step-start", Kind::Step, ""),
    ("steering-message", Kind::Nested, "ai-sdk-ui"),
    ("tool-invocation", Kind::Both, "ai-sdk-4"),
    ("toolCall", Kind::Call, "pi"),
    ("toolcall", Kind::Call, "rig"),
    ("toolresult", Kind::Result, "rig"),
    ("tool", Kind::Both, "opencode"),
    ("tool-return", Kind::Result, "pydantic-ai"),
    ("retry-prompt", Kind::Result, "pydantic-ai"),
    ("system-prompt", Kind::Text, "pydantic-ai"),
    ("user-prompt", Kind::Text, "pydantic-ai"),
];

/// Objects that hold the fields of a call or result one level deeper.
const INNER: [&str; 7] = [
    "function",
    "toolInvocation",
    "functionCall",
    "function_call",
    "functionResponse",
    "function_response",
    "state",
];

/// Where the id of a call stands, in its call and in its result. The general
/// `id` comes last: several shapes give it to the part or message instead.
const ID_KEYS: [&str; 8] = [
    "call_id",
    "callId",
    "callID",
    "toolCallId",
    "tool_call_id",
    "tool_use_id",
    "call",
    "id",
];
const NAME_KEYS: [&str; 4] = ["toolName", "tool_name", "name", "tool"];
/// `invalid_arguments` is what the model wrote where `arguments` holds only the
/// part that could be parsed.
const INPUT_KEYS: [&str; 4] = ["invalid_arguments", "input", "arguments", "args"];
const OUTPUT_KEYS: [&str; 7] = [
    "output",
    "result",
    "response",
    "errorText",
    "error",
    "content",
    "value",
];

/// Which keys of an element are kept, and which are entered.
pub fn keep(key: &str) -> Keep {
    match key {
        "message"
        | "payload"
        | "content"
        | "parts"
        | "tool_calls"
        | "invalid_tool_calls"
        | "additional_kwargs"
        | "function"
        | "data"
        | "kwargs"
        | "info"
        | "state"
        | "toolInvocation"
        | "toolInvocations"
        | "functionCall"
        | "function_call"
        | "functionResponse"
        | "function_response"
        | "call"
        | "id"
        | "replacement_history" => Keep::Enter,
        "type" | "part_kind" | "kind" | "role" | "subtype" | "name" | "toolName" | "tool_name"
        | "tool" | "call_id" | "callId" | "callID" | "toolCallId" | "tool_call_id"
        | "tool_use_id" | "parent_tool_use_id" | "parentId" | "input" | "arguments" | "args"
        | "invalid_arguments" | "output" | "result" | "response" | "errorText" | "error"
        | "value" | "text" | "status" | "outcome" | "is_error" | "isError" | "isSidechain"
        | "isMeta" | "isCompactSummary" | "lc" | "toolUseResult" | "provider" | "generated" => {
            Keep::Raw
        }
        _ => Keep::Skip,
    }
}

/// What a part or item is, and which format writes it so.
pub fn kind(part: &Node<'_>) -> (Kind, &'static str) {
    let Some(word) = part.word("type").or_else(|| part.word("part_kind")) else {
        return untyped(part);
    };
    if let Some((_, kind, format)) = KINDS.iter().find(|(known, ..)| *known == word) {
        return match *format {
            "ai-sdk" if part.has("part_kind") => (*kind, "pydantic-ai"),
            "ai-sdk" if part.has("args") || part.has("result") => (*kind, "ai-sdk-4"),
            "openai-responses" if part.has("callId") => (*kind, "openai-agents-js"),
            format => (*kind, format),
        };
    }
    // `tool-NAME`; an approval has a call's id too, but no state.
    if word.starts_with("tool-") && part.has("state") {
        return (Kind::Both, "ai-sdk-ui");
    }
    (Kind::Other, "")
}

/// Gemini's parts have no type.
fn untyped(part: &Node<'_>) -> (Kind, &'static str) {
    if part.first_of(&["functionCall", "function_call"]).is_some() {
        (Kind::Call, "gemini")
    } else if part
        .first_of(&["functionResponse", "function_response"])
        .is_some()
    {
        (Kind::Result, "gemini")
    } else if part.get("text").is_some() {
        (Kind::Text, "")
    } else {
        (Kind::Other, "")
    }
}

/// The first of `keys` in a part or in the objects that hold its fields.
fn field<'n, 'a>(part: &'n Node<'a>, keys: &[&str]) -> Option<&'n Node<'a>> {
    let inner = || {
        INNER
            .iter()
            .filter_map(|key| part.get(key))
            .find_map(|inner| inner.first_of(keys))
    };
    part.first_of(keys).or_else(inner)
}

/// The id that ties a call to its result; where it is an object, the id inside.
pub fn id<'a>(part: &Node<'a>) -> Option<Cow<'a, str>> {
    let usable = |node: &Node<'a>| {
        node.text()
            .or_else(|| node.first_of(&["provider", "generated"])?.text())
    };
    let at = |node: &Node<'a>| ID_KEYS.iter().find_map(|key| usable(node.get(key)?));
    let inner = || INNER.iter().filter_map(|key| part.get(key)).find_map(at);
    at(part).or_else(inner).filter(|id| !id.is_empty())
}

/// The name of the tool that is called.
pub fn name<'a>(part: &Node<'a>) -> Option<Cow<'a, str>> {
    if let Some(node) = field(part, &NAME_KEYS) {
        return node.text();
    }
    part.word("type")?.strip_prefix("tool-").map(Cow::Borrowed)
}

/// The input of a call as JSON text: the text itself where the shape keeps it
/// in a string.
pub fn input<'a>(part: &Node<'a>) -> Cow<'a, str> {
    match field(part, &INPUT_KEYS) {
        None => Cow::Borrowed("{}"),
        Some(node) => node.text().unwrap_or(Cow::Borrowed(node.raw)),
    }
}

/// The JSON text of what a result holds.
pub fn output<'a>(part: &Node<'a>) -> &'a str {
    field(part, &OUTPUT_KEYS).map_or("", |node| node.raw)
}

/// A word that says how a call or result stands, at the part or in its `state`
/// object.
pub fn state<'a>(part: &Node<'a>) -> Option<&'a str> {
    let inner = part.get("toolInvocation").unwrap_or(part);
    inner
        .word("state")
        .or_else(|| inner.get("state")?.word("status"))
}
