//! Messages and flat items: what they say about requests, calls and results.

use super::Element;
use super::element::recognise;
use super::foreign;
use super::key::Key;
use super::ledger::{Call, Event, Fact, Outcome, key_by_name};
use super::reader::{Reader, Weight};
use super::spelling::{self, Kind};
use super::verdict::{has_result, verdict};
use crate::json::node::Nodes;
use crate::json::string::decode;
use memchr::memchr;
use std::borrow::Cow;
use std::collections::{BTreeMap, VecDeque};

/// Ids of the calls of one message; the places mean nothing here, and the type
/// is that of the reader's other tables.
type Ids = BTreeMap<String, VecDeque<usize>>;

/// Who a message speaks as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The model: a request.
    Assistant,
    /// The system or the user: texts, and in some shapes results.
    Speaker,
    /// A tool.
    Tool,
    /// Nobody that a history is about.
    Unknown,
}

/// Reads a message; `envelope` is the line around it. Returns whether its role
/// is known.
pub fn read(
    reader: &mut Reader,
    role: Role,
    message: Element<'_>,
    envelope: Option<Element<'_>>,
) -> bool {
    reader.in_run = false;
    match role {
        Role::Assistant => {
            reader.request(message.word(Key::Id));
            assistant(reader, message);
        }
        Role::Speaker => speaker(reader, message, envelope),
        Role::Tool => tool(reader, message, envelope),
        Role::Unknown => return false,
    }
    true
}

/// Reads a message that may stand in a list of flat items, where a run of items
/// of the model is one request.
pub fn read_plain(reader: &mut Reader, role: Role, message: Element<'_>, is_item: bool) -> bool {
    if role != Role::Assistant {
        hint(reader, message, role);
        return read(reader, role, message, None);
    }
    if is_item || is_item_by_parts(message) {
        reader.sign("openai-responses", Weight::Hint);
        run(reader, message.word(Key::Id));
    } else {
        hint(reader, message, role);
        if !reader.in_run {
            reader.request(message.word(Key::Id));
        }
        assistant(reader, message);
    }
    // Items that follow belong to the same request, however it began.
    reader.in_run = is_item || reader.in_run;
    true
}

/// What the plainest messages have to tell their shape by.
fn hint(reader: &mut Reader, message: Element<'_>, role: Role) {
    if message.get(Key::ToolCalls).is_some() || message.word(Key::ToolCallId).is_some() {
        reader.sign("openai-chat", Weight::Spelling);
    } else if let Some(parts) = message.get(Key::Parts) {
        let typed = parts.list().any(|part| part.get(Key::Type).is_some());
        reader.sign(if typed { "ai-sdk-ui" } else { "gemini" }, Weight::Hint);
    } else if let Some(content) = message.get(Key::Content) {
        let blocks = !content.list().is_empty() && role != Role::Tool;
        reader.sign(
            if blocks { "anthropic" } else { "openai-chat" },
            Weight::Hint,
        );
    }
}

/// A message object of the Responses API, and not of Anthropic's, which has the
/// same type.
pub fn is_item(message: Element<'_>) -> bool {
    let mut parts = message
        .get(Key::Content)
        .into_iter()
        .flat_map(Element::list);
    parts.all(|part| {
        matches!(
            part.word(Key::Type),
            Some("output_text" | "refusal" | "input_text")
        )
    })
}

fn is_item_by_parts(message: Element<'_>) -> bool {
    let Some(content) = message.get(Key::Content) else {
        return false;
    };
    !content.list().is_empty()
        && content
            .list()
            .all(|part| matches!(part.word(Key::Type), Some("output_text" | "refusal")))
}

/// An item of the model: the first of a run is a request.
fn run(reader: &mut Reader, id: Option<&str>) {
    if !reader.in_run {
        reader.request(id);
        reader.in_run = true;
    }
}

/// An item that is no message; returns whether its type is known.
pub fn flat_item(reader: &mut Reader, item: Element<'_>, word: &str) -> bool {
    match recognise(reader, item) {
        Kind::Call => {
            run(reader, None);
            reader.keep_flat_call(spelling::id(item));
            call(reader, item, &mut Ids::new());
        }
        Kind::Result => {
            reader.in_run = false;
            result(reader, item, None);
        }
        _ if word == "reasoning" || word.ends_with("_call") => {
            reader.sign("openai-responses", Weight::Hint);
            run(reader, None);
        }
        _ if word.ends_with("_output") => reader.in_run = false,
        _ if word == "compaction" => reader.add(Fact::Event(Event::Compaction)),
        _ => return false,
    }
    true
}

/// The items that a compaction put in place of older ones, which it repeats:
/// only what the file did not say before is new.
pub fn repeated_items(reader: &mut Reader, history: Element<'_>) {
    let is_new = reader.requests == 0;
    for item in history.list() {
        let kind = item.word(Key::Type).unwrap_or_default();
        let known =
            spelling::id(item).is_some_and(|id| reader.flat_calls.contains_key(id.as_ref()));
        if is_new || kind == "function_call" && !known {
            super::element::read(reader, item);
        } else if kind == "function_call_output" {
            result(reader, item, None);
        }
    }
}

fn assistant(reader: &mut Reader, message: Element<'_>) {
    let mut ids = Ids::new();
    let parts = parts(message);
    let mut said_something = false;
    for part in parts {
        match recognise(reader, part) {
            // In some shapes a step begins each request of a message, in others
            // it parts them.
            Kind::Step if said_something => {
                reader.next_request();
                said_something = false;
                continue;
            }
            Kind::Step => continue,
            Kind::Call => call(reader, part, &mut ids),
            Kind::Both => both(reader, part, &mut ids),
            Kind::Result => result(reader, part, None),
            Kind::Nested => speaker(reader, part, None),
            Kind::Text | Kind::Other => {}
        }
        said_something = true;
    }
    let extra = message.get(Key::AdditionalKwargs);
    let lists = [
        message.get(Key::ToolCalls),
        message.get(Key::InvalidToolCalls),
        extra.and_then(|extra| extra.get(Key::ToolCalls)),
    ];
    for part in lists.into_iter().flatten().flat_map(Element::list) {
        call(reader, part, &mut ids);
    }
    let before_tools = || extra?.get(Key::FunctionCall);
    if let Some(inner) = message
        .get(Key::FunctionCall)
        .or_else(before_tools)
        .filter(|inner| inner.get(Key::Name).is_some())
    {
        call(reader, inner, &mut ids);
    }
    if parts.is_empty() {
        let stored = message
            .get(Key::ToolInvocations)
            .into_iter()
            .flat_map(Element::list);
        for part in stored {
            reader.sign("ai-sdk-4", Weight::Spelling);
            both(reader, part, &mut ids);
        }
    }
}

/// The parts of a message: under `parts`, under `content`, or under both.
fn parts(message: Element<'_>) -> Nodes<'_, Key> {
    let content = message.get(Key::Content);
    let places = [
        message.get(Key::Parts),
        content,
        content.and_then(|content| content.get(Key::Parts)),
    ];
    let mut lists = places.into_iter().flatten().map(Element::list);
    lists.find(|list| !list.is_empty()).unwrap_or_default()
}

fn speaker(reader: &mut Reader, message: Element<'_>, envelope: Option<Element<'_>>) {
    let parts = parts(message);
    for part in parts {
        match recognise(reader, part) {
            Kind::Result => result(reader, part, envelope),
            Kind::Text => text_part(reader, part),
            Kind::Nested => speaker(reader, part, None),
            Kind::Other => said(reader, part),
            Kind::Call | Kind::Both | Kind::Step => {}
        }
    }
    if let Some(content) = message.get(Key::Content).filter(|_| parts.is_empty()) {
        said(reader, content.get(Key::Content).unwrap_or(content));
    }
}

fn text_part(reader: &mut Reader, part: Element<'_>) {
    let Some(text) = part.first_of(&[Key::Text, Key::Content]) else {
        return;
    };
    said(reader, text);
    text.list()
        .for_each(|inner| said(reader, inner.get(Key::Text).unwrap_or(inner)));
}

/// Looks at a text only if it begins as a block does.
fn said(reader: &mut Reader, text: Element<'_>) {
    let Some(raw) = text.quoted() else {
        return;
    };
    // Before the name of a block stand white space and `<`, perhaps as escapes.
    let start = raw.get(..raw.floor_char_boundary(200)).unwrap_or_default();
    let hyphen = memchr(b'-', start.as_bytes()).unwrap_or_default();
    let (before, after) = start.split_at_checked(hyphen).unwrap_or_default();
    if before.ends_with("system") && after.starts_with("-reminder") {
        reader.said(&decode(raw));
    }
}

fn tool(reader: &mut Reader, message: Element<'_>, envelope: Option<Element<'_>>) {
    let mut found = false;
    for part in parts(message) {
        if recognise(reader, part) == Kind::Result {
            found = true;
            result(reader, part, envelope);
        }
    }
    if !found {
        // By its id, or else by the name of its tool.
        result(reader, message, envelope);
    }
}

/// A call; one id is one call, however often a message writes it.
fn call(reader: &mut Reader, part: Element<'_>, ids: &mut Ids) {
    let Some(recorded) = spelling::name(part) else {
        return;
    };
    let Some((tool, name)) = foreign::tool(&recorded) else {
        return;
    };
    let id = spelling::id(part);
    if let Some(id) = &id {
        if ids.contains_key(id.as_ref()) {
            return;
        }
        ids.entry(id.clone().into_owned()).or_default();
    }
    let key = id.map_or_else(|| key_by_name(reader.requests, &recorded), Cow::into_owned);
    if let Some(input) = foreign::input(name, part) {
        let outcome = Outcome::Unrecorded;
        let call = Call {
            name: recorded.clone().into_owned(),
            tool,
            input,
            outcome,
            number: None,
        };
        reader.add(Fact::Call(key, call));
    }
}

/// A part that holds a call and, once there is one, its result.
fn both(reader: &mut Reader, part: Element<'_>, ids: &mut Ids) {
    let known = ids.len();
    call(reader, part, ids);
    let repeated =
        ids.len() == known && spelling::id(part).is_some_and(|id| ids.contains_key(id.as_ref()));
    if has_result(part) && !repeated {
        result(reader, part, None);
    }
}

fn result(reader: &mut Reader, part: Element<'_>, envelope: Option<Element<'_>>) {
    let key = spelling::id(part).unwrap_or_else(|| {
        let name = spelling::name(part).unwrap_or_default();
        Cow::Owned(key_by_name(reader.requests, &name))
    });
    if reader.knows(&key) {
        let verdict = verdict(part, envelope);
        reader.add(Fact::Result(key.into_owned(), verdict));
    } else {
        reader.add(Fact::OtherResult);
    }
}
