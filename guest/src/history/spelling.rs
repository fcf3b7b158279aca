//! How the hosts and frameworks write calls, results and texts: the tables
//! where a new shape is added.

use super::Element;
use super::key::Key;
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
const INNER: [Key; 5] = [
    Key::Function,
    Key::ToolInvocation,
    Key::FunctionCall,
    Key::FunctionResponse,
    Key::State,
];

/// Where the id of a call stands, in its call and in its result. The general
/// `id` comes last: several shapes give it to the part or message instead.
const ID_KEYS: [Key; 6] = [
    Key::CallId,
    Key::CallIdCamel,
    Key::ToolCallId,
    Key::ToolUseId,
    Key::Call,
    Key::Id,
];
const NAME_KEYS: [Key; 3] = [Key::ToolName, Key::Name, Key::Tool];
/// `invalid_arguments` is what the model wrote where `arguments` holds only the
/// part that could be parsed.
const INPUT_KEYS: [Key; 4] = [Key::InvalidArguments, Key::Input, Key::Arguments, Key::Args];
const OUTPUT_KEYS: [Key; 7] = [
    Key::Output,
    Key::Result,
    Key::Response,
    Key::ErrorText,
    Key::Error,
    Key::Content,
    Key::Value,
];

/// What a part or item is, and which format writes it so.
pub fn kind(part: Element<'_>) -> (Kind, &'static str) {
    let Some(word) = part.word(Key::Type).or_else(|| part.word(Key::PartKind)) else {
        return untyped(part);
    };
    if let Some((_, kind, format)) = KINDS.iter().find(|(known, ..)| *known == word) {
        return match *format {
            "ai-sdk" if part.has(Key::PartKind) => (*kind, "pydantic-ai"),
            "ai-sdk" if part.has(Key::Args) || part.has(Key::Result) => (*kind, "ai-sdk-4"),
            "openai-responses" if part.has(Key::CallIdCamel) => (*kind, "openai-agents-js"),
            format => (*kind, format),
        };
    }
    // `tool-NAME`; an approval has a call's id too, but no state.
    if word.starts_with("tool-") && part.has(Key::State) {
        return (Kind::Both, "ai-sdk-ui");
    }
    (Kind::Other, "")
}

/// Gemini's parts have no type.
fn untyped(part: Element<'_>) -> (Kind, &'static str) {
    if part.get(Key::FunctionCall).is_some() {
        (Kind::Call, "gemini")
    } else if part.get(Key::FunctionResponse).is_some() {
        (Kind::Result, "gemini")
    } else if part.get(Key::Text).is_some() {
        (Kind::Text, "")
    } else {
        (Kind::Other, "")
    }
}

/// The first of `keys` in a part or in the objects that hold its fields.
fn field<'a>(part: Element<'a>, keys: &[Key]) -> Option<Element<'a>> {
    let inner = || {
        INNER
            .iter()
            .filter_map(|key| part.get(*key))
            .find_map(|inner| inner.first_of(keys))
    };
    part.first_of(keys).or_else(inner)
}

/// The id that ties a call to its result; where it is an object, the id inside.
pub fn id<'a>(part: Element<'a>) -> Option<Cow<'a, str>> {
    let usable = |node: Element<'a>| {
        node.text()
            .or_else(|| node.first_of(&[Key::Provider, Key::Local])?.text())
    };
    let at = |node: Element<'a>| ID_KEYS.iter().find_map(|key| usable(node.get(*key)?));
    let inner = || INNER.iter().filter_map(|key| part.get(*key)).find_map(at);
    at(part).or_else(inner).filter(|id| !id.is_empty())
}

/// The name of the tool that is called.
pub fn name<'a>(part: Element<'a>) -> Option<Cow<'a, str>> {
    if let Some(node) = field(part, &NAME_KEYS) {
        return node.text();
    }
    part.word(Key::Type)?
        .strip_prefix("tool-")
        .map(Cow::Borrowed)
}

/// The input of a call as JSON text: the text itself where the shape keeps it
/// in a string.
pub fn input<'a>(part: Element<'a>) -> Cow<'a, str> {
    match field(part, &INPUT_KEYS) {
        None => Cow::Borrowed("{}"),
        Some(node) => node.text().unwrap_or(Cow::Borrowed(node.raw)),
    }
}

/// The JSON text of what a result holds.
pub fn output<'a>(part: Element<'a>) -> &'a str {
    field(part, &OUTPUT_KEYS).map_or("", |node| node.raw)
}

/// A word that says how a call or result stands, at the part or in its `state`
/// object.
pub fn state<'a>(part: Element<'a>) -> Option<&'a str> {
    let inner = part.get(Key::ToolInvocation).unwrap_or(part);
    inner
        .word(Key::State)
        .or_else(|| inner.get(Key::State)?.word(Key::Status))
}

#[cfg(test)]
#[path = "spelling_tests.rs"]
mod tests;
