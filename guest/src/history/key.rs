//! The keys that history elements are read by.

use crate::json::node::Keep;
use crate::text::are_same;

/// A key that some shape keeps something under. Spellings of one meaning that
/// no shape tells apart have one name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // The text that each stands for is in the table below.
pub enum Key {
    Message,
    Payload,
    Content,
    Parts,
    ToolCalls,
    InvalidToolCalls,
    AdditionalKwargs,
    Function,
    Data,
    Kwargs,
    Info,
    State,
    ToolInvocation,
    ToolInvocations,
    FunctionCall,
    FunctionResponse,
    Call,
    Id,
    ReplacementHistory,
    Type,
    PartKind,
    Kind,
    Role,
    Subtype,
    Name,
    ToolName,
    Tool,
    CallId,
    CallIdCamel,
    ToolCallId,
    ToolUseId,
    ParentToolUseId,
    ParentId,
    Input,
    Arguments,
    Args,
    InvalidArguments,
    Output,
    Result,
    Response,
    ErrorText,
    Error,
    Value,
    Text,
    Status,
    Outcome,
    IsError,
    IsSidechain,
    IsMeta,
    IsCompactSummary,
    Lc,
    ToolUseResult,
    Provider,
    Local,
}

use Key::*;

/// The keys as they are written.
const NAMES: [(&str, Key); 60] = [
    ("message", Message),
    ("payload", Payload),
    ("content", Content),
    ("parts", Parts),
    ("tool_calls", ToolCalls),
    ("invalid_tool_calls", InvalidToolCalls),
    ("additional_kwargs", AdditionalKwargs),
    ("function", Function),
    ("data", Data),
    ("kwargs", Kwargs),
    ("info", Info),
    ("state", State),
    ("toolInvocation", ToolInvocation),
    ("toolInvocations", ToolInvocations),
    ("functionCall", FunctionCall),
    ("function_call", FunctionCall),
    ("functionResponse", FunctionResponse),
    ("function_response", FunctionResponse),
    ("call", Call),
    ("id", Id),
    ("replacement_history", ReplacementHistory),
    ("type", Type),
    ("part_kind", PartKind),
    ("kind", Kind),
    ("role", Role),
    ("subtype", Subtype),
    ("name", Name),
    ("toolName", ToolName),
    ("tool_name", ToolName),
    ("tool", Tool),
    ("callID", CallId),
    ("call_id", CallId),
    ("callId", CallIdCamel),
    ("toolCallId", ToolCallId),
    ("tool_call_id", ToolCallId),
    ("tool_use_id", ToolUseId),
    ("parent_tool_use_id", ParentToolUseId),
    ("parentId", ParentId),
    ("input", Input),
    ("arguments", Arguments),
    ("args", Args),
    ("invalid_arguments", InvalidArguments),
    ("output", Output),
    ("result", Result),
    ("response", Response),
    ("errorText", ErrorText),
    ("error", Error),
    ("value", Value),
    ("text", Text),
    ("status", Status),
    ("outcome", Outcome),
    ("isError", IsError),
    ("is_error", IsError),
    ("isSidechain", IsSidechain),
    ("isMeta", IsMeta),
    ("isCompactSummary", IsCompactSummary),
    ("lc", Lc),
    ("toolUseResult", ToolUseResult),
    ("provider", Provider),
    ("local", Local),
];

/// Places of [`NAMES`] by the hash of a key, each at the first free slot from
/// its own on; most slots are free. Every key of a log is looked up here, and
/// most of them are not in it.
const SLOTS: [u8; 256] = slots();
const FREE: u8 = u8::MAX;

#[allow(clippy::indexing_slicing)] // By the compiler, which stops at a fault.
const fn slots() -> [u8; 256] {
    let mut slots = [FREE; 256];
    let mut place = 0;
    while place < NAMES.len() {
        let mut slot = hash(NAMES[place].0.as_bytes());
        while slots[slot as usize] != FREE {
            slot = slot.wrapping_add(1);
        }
        slots[slot as usize] = place as u8;
        place += 1;
    }
    slots
}

/// Of the length and the outer letters, with factors under which no two of the
/// keys share a slot; a new key that does costs a comparison, and no more.
const fn hash(key: &[u8]) -> u8 {
    let (Some(first), Some(last)) = (key.first(), key.last()) else {
        return 0;
    };
    let ends = first.wrapping_add(last.wrapping_mul(27));
    ends.wrapping_add((key.len() as u8).wrapping_mul(7))
}

/// What a key is called, and what is kept under it.
pub fn name(key: &str) -> Option<(Key, Keep)> {
    let mut slot = hash(key.as_bytes());
    loop {
        let place = SLOTS.get(usize::from(slot)).copied().unwrap_or(FREE);
        // A free slot holds no place.
        let (name, meaning) = NAMES.get(usize::from(place))?;
        if are_same(name, key) {
            return Some((*meaning, meaning.keep()));
        }
        slot = slot.wrapping_add(1);
    }
}

impl Key {
    fn keep(self) -> Keep {
        match self {
            Id | Data | Info | Call | Parts | State | Kwargs | Message | Payload | Content
            | Function | ToolCalls | FunctionCall | ToolInvocation | ToolInvocations
            | FunctionResponse | AdditionalKwargs | InvalidToolCalls | ReplacementHistory => {
                Keep::Enter
            }
            _ => Keep::Raw,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_is_found_by_its_name_and_no_other() {
        for (text, key) in NAMES {
            assert_eq!(name(text), Some((key, key.keep())), "{text}");
            assert_eq!(name(&text.to_uppercase()), None);
            assert_eq!(name(&format!("{text}_")), None);
        }
        for other in ["", "uuid", "timestamp", "日本"] {
            assert_eq!(name(other), None);
        }
    }
}
