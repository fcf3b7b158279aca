//! Elements in their envelopes: a line of a log, a stored message, an item.

use super::Element;
use super::key::Key;
use super::ledger::{Event, Fact};
use super::message::{self, Role};
use super::reader::{CODEX, Reader, Weight};
use super::spelling::{self, Kind};

/// Reads one element; returns whether it is of a known shape.
pub fn read(reader: &mut Reader, node: Element<'_>) -> bool {
    let kind = node.word(Key::Type).unwrap_or_default();
    if node.has(Key::ParentId) && node.has(Key::Id) && node.get(Key::Role).is_none() {
        return tree_entry(reader, node, kind);
    }
    if let Some(payload) = node
        .get(Key::Payload)
        .filter(|payload| payload.has_entries())
    {
        return codex_line(reader, kind, payload);
    }
    if let Some(inner) = node
        .get(Key::Message)
        .filter(|inner| inner.get(Key::Role).is_some())
    {
        return claude_line(reader, node, kind, inner);
    }
    if kind == "system" && node.get(Key::Subtype).is_some() {
        return claude_system_line(reader, node);
    }
    if let Some(info) = node
        .get(Key::Info)
        .filter(|info| info.get(Key::Role).is_some())
    {
        reader.sign("opencode", Weight::Envelope);
        return message::read(reader, role(info.word(Key::Role)), node, None);
    }
    if let (Some(kind), Some(_)) = (node.word(Key::Kind), node.get(Key::Parts)) {
        reader.sign("pydantic-ai", Weight::Envelope);
        let role = if kind == "response" {
            Role::Assistant
        } else {
            Role::Speaker
        };
        return matches!(kind, "request" | "response") && message::read(reader, role, node, None);
    }
    if let Some(inner) = node
        .get(Key::Data)
        .filter(|_| role(Some(kind)) != Role::Unknown)
    {
        reader.sign("langchain", Weight::Envelope);
        return message::read(reader, role(Some(kind)), inner, None);
    }
    if let Some(inner) = node
        .get(Key::Kwargs)
        .filter(|_| node.get(Key::Lc).is_some())
    {
        reader.sign("langchain", Weight::Envelope);
        let class = node
            .get(Key::Id)
            .and_then(|id| id.list().last())
            .and_then(Element::quoted);
        return message::read(reader, role(class), inner, None);
    }
    plain(reader, node, kind)
}

/// A message that is not wrapped, or an item of a flat list.
fn plain(reader: &mut Reader, node: Element<'_>, kind: &str) -> bool {
    if let Some(word) = node.word(Key::Role) {
        if word == "model" {
            reader.sign("gemini", Weight::Spelling);
        }
        let is_item = kind == "message" && message::is_item(node);
        return message::read_plain(reader, role(Some(word)), node, is_item);
    }
    if node.get(Key::Content).is_some() && role(Some(kind)) != Role::Unknown {
        reader.sign("langchain", Weight::Envelope);
        return message::read(reader, role(Some(kind)), node, None);
    }
    message::flat_item(reader, node, kind)
}

/// Who speaks, by the role or by the class or type of a message object.
const ROLES: [(&str, Role); 18] = [
    ("assistant", Role::Assistant),
    ("model", Role::Assistant),
    ("ai", Role::Assistant),
    ("AIMessage", Role::Assistant),
    ("AIMessageChunk", Role::Assistant),
    ("user", Role::Speaker),
    ("system", Role::Speaker),
    ("developer", Role::Speaker),
    ("human", Role::Speaker),
    ("HumanMessage", Role::Speaker),
    ("HumanMessageChunk", Role::Speaker),
    ("SystemMessage", Role::Speaker),
    ("SystemMessageChunk", Role::Speaker),
    ("tool", Role::Tool),
    ("toolResult", Role::Tool),
    ("function", Role::Tool),
    ("ToolMessage", Role::Tool),
    ("FunctionMessage", Role::Tool),
];

fn role(word: Option<&str>) -> Role {
    let word = word.unwrap_or_default();
    let known = ROLES.iter().find(|(role, _)| *role == word);
    known.map_or(Role::Unknown, |(_, role)| *role)
}

/// Claude Code writes a line for each block; lines of sub-agents, and lines that
/// the model saw in no turn of its own, are not this session's.
fn claude_line(reader: &mut Reader, node: Element<'_>, kind: &str, inner: Element<'_>) -> bool {
    if !matches!(kind, "assistant" | "user") {
        return true;
    }
    // Qwen Code writes the same lines around Gemini's messages.
    let gemini = inner.get(Key::Parts).is_some();
    let format = if gemini { "gemini" } else { "claude-code" };
    reader.sign(format, Weight::Envelope);
    let aside = node.is_true(Key::IsSidechain) || node.get(Key::ParentToolUseId).is_some();
    if aside || node.is_true(Key::IsMeta) || node.is_true(Key::IsCompactSummary) {
        return true;
    }
    message::read(reader, role(inner.word(Key::Role)), inner, Some(node))
}

fn claude_system_line(reader: &mut Reader, node: Element<'_>) -> bool {
    if node.word(Key::Subtype) == Some("compact_boundary") {
        reader.sign("claude-code", Weight::Envelope);
        reader.add(Fact::Event(Event::Compaction));
    }
    true
}

/// Codex wraps items of the Responses API; its `event_msg` lines repeat them.
fn codex_line(reader: &mut Reader, kind: &str, payload: Element<'_>) -> bool {
    match kind {
        "response_item" => {
            reader.sign(CODEX, Weight::Envelope);
            plain(reader, payload, payload.word(Key::Type).unwrap_or_default());
        }
        "compacted" => {
            reader.sign(CODEX, Weight::Envelope);
            reader.in_run = false;
            reader.add(Fact::Event(Event::Compaction));
            if let Some(history) = payload.get(Key::ReplacementHistory) {
                message::repeated_items(reader, history);
            }
            reader.in_run = false;
        }
        "session_meta" | "turn_context" | "world_state" | "event_msg" => {
            reader.sign(CODEX, Weight::Envelope);
        }
        _ => return false,
    }
    true
}

/// pi writes a tree of entries.
fn tree_entry(reader: &mut Reader, node: Element<'_>, kind: &str) -> bool {
    reader.sign("pi", Weight::Envelope);
    let Some(id) = node.word(Key::Id) else {
        return false;
    };
    reader.enter(id.to_owned(), node.word(Key::ParentId));
    match kind {
        "message" => {
            if let Some(inner) = node.get(Key::Message) {
                message::read(reader, role(inner.word(Key::Role)), inner, None);
            }
        }
        "custom_message" => {
            message::read(reader, Role::Speaker, node, None);
        }
        "compaction" => reader.add(Fact::Event(Event::Compaction)),
        _ => {}
    }
    true
}

/// Whether a part or item is a call or a result.
pub fn is_call_or_result(kind: Kind) -> bool {
    matches!(kind, Kind::Call | Kind::Result | Kind::Both)
}

/// The kind of a node, and a sign of its format.
pub fn recognise(reader: &mut Reader, node: Element<'_>) -> Kind {
    let (kind, format) = spelling::kind(node);
    let weight = if is_call_or_result(kind) {
        Weight::Spelling
    } else {
        Weight::Hint
    };
    reader.sign(format, weight);
    kind
}
