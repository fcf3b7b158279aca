//! The keys that history elements are read by.

use crate::json::node::Keep;

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
    Generated,
}

use Key::*;

/// What a key is called, and what is kept under it. Compared as bytes, which
/// become a decision over length and letters; texts would be compared one by
/// one.
pub fn name(key: &str) -> Option<(Key, Keep)> {
    let name = match key.as_bytes() {
        b"message" => Message,
        b"payload" => Payload,
        b"content" => Content,
        b"parts" => Parts,
        b"tool_calls" => ToolCalls,
        b"invalid_tool_calls" => InvalidToolCalls,
        b"additional_kwargs" => AdditionalKwargs,
        b"function" => Function,
        b"data" => Data,
        b"kwargs" => Kwargs,
        b"info" => Info,
        b"state" => State,
        b"toolInvocation" => ToolInvocation,
        b"toolInvocations" => ToolInvocations,
        b"functionCall" | b"function_call" => FunctionCall,
        b"functionResponse" | b"function_response" => FunctionResponse,
        b"call" => Call,
        b"id" => Id,
        b"replacement_history" => ReplacementHistory,
        b"type" => Type,
        b"part_kind" => PartKind,
        b"kind" => Kind,
        b"role" => Role,
        b"subtype" => Subtype,
        b"name" => Name,
        b"toolName" | b"tool_name" => ToolName,
        b"tool" => Tool,
        b"callID" | b"call_id" => CallId,
        b"callId" => CallIdCamel,
        b"toolCallId" | b"tool_call_id" => ToolCallId,
        b"tool_use_id" => ToolUseId,
        b"parent_tool_use_id" => ParentToolUseId,
        b"parentId" => ParentId,
        b"input" => Input,
        b"arguments" => Arguments,
        b"args" => Args,
        b"invalid_arguments" => InvalidArguments,
        b"output" => Output,
        b"result" => Result,
        b"response" => Response,
        b"errorText" => ErrorText,
        b"error" => Error,
        b"value" => Value,
        b"text" => Text,
        b"status" => Status,
        b"outcome" => Outcome,
        b"isError" | b"is_error" => IsError,
        b"isSidechain" => IsSidechain,
        b"isMeta" => IsMeta,
        b"isCompactSummary" => IsCompactSummary,
        b"lc" => Lc,
        b"toolUseResult" => ToolUseResult,
        b"provider" => Provider,
        b"generated" => Generated,
        _ => return None,
    };
    Some((name, name.keep()))
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
