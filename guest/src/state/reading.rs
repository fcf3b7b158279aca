//! A state from text.
//!
//! Keys may stand in any order, since some databases keep JSON sorted. Each has
//! to be there, once, and no other: there is no state that this crate did not
//! write.

use super::{State, VERSION};
use crate::json::node::Scanner;
use crate::list::{self, List, Status, Todo};
use crate::policy::{InProgressLimit, Policy, ToolSet};
use crate::reminder::Clock;
use std::borrow::Cow;

/// What becomes of the value under a key.
type Field<'f> = dyn FnMut(&str, &mut Scanner<'_>) -> Option<()> + 'f;

/// Reads a whole text; `None` if it is no state of [`VERSION`].
pub fn state(text: &str) -> Option<State> {
    let json = &mut Scanner::new(text);
    let (mut version, mut state) = (None, None);
    object(json, &mut |key, json| match key {
        "agent_todo" => put(&mut version, number(json)),
        "state" => put(&mut state, parts(json)),
        _ => None,
    })?;
    state.filter(|_| version == Some(VERSION) && json.peek().is_none())
}

fn parts(json: &mut Scanner<'_>) -> Option<State> {
    let (mut settings, mut items, mut counters) = (None, None, None);
    object(json, &mut |key, json| match key {
        "policy" => put(&mut settings, policy(json)),
        "list" => put(&mut items, list(json)),
        "clock" => put(&mut counters, clock(json)),
        _ => None,
    })?;
    Some(State {
        policy: settings?,
        list: items?,
        clock: counters?,
    })
}

fn policy(json: &mut Scanner<'_>) -> Option<Policy> {
    let (mut tool_set, mut in_progress_limit) = (None, None);
    let (mut remind, mut remind_once, mut adopt_snapshot) = (None, None, None);
    let (mut remind_after, mut remind_cooldown) = (None, None);
    let (mut max_todos, mut max_content, mut max_input) = (None, None, None);
    object(json, &mut |key, json| match key {
        "tool_set" => put(&mut tool_set, ToolSet::of_word(&json.string().ok()?)),
        "remind" => put(&mut remind, flag(json)),
        "remind_after" => put(&mut remind_after, number(json)),
        "remind_cooldown" => put(&mut remind_cooldown, number(json)),
        "remind_once" => put(&mut remind_once, flag(json)),
        "in_progress_limit" => {
            let limit = InProgressLimit::of_word(&json.string().ok()?);
            put(&mut in_progress_limit, limit)
        }
        "max_todos" => put(&mut max_todos, number(json)),
        "max_content" => put(&mut max_content, number(json)),
        "max_input" => put(&mut max_input, number(json)),
        "adopt_snapshot" => put(&mut adopt_snapshot, flag(json)),
        _ => None,
    })?;
    Some(Policy {
        tool_set: tool_set?,
        remind: remind?,
        remind_after: remind_after?,
        remind_cooldown: remind_cooldown?,
        remind_once: remind_once?,
        in_progress_limit: in_progress_limit?,
        max_todos: max_todos?,
        max_content: max_content?,
        max_input: max_input?,
        adopt_snapshot: adopt_snapshot?,
    })
}

fn list(json: &mut Scanner<'_>) -> Option<List> {
    let (mut todos, mut greatest, mut deleted) = (None, None, None);
    object(json, &mut |key, json| match key {
        "todos" => put(&mut todos, array(json, todo)),
        "greatest" => put(&mut greatest, number(json)),
        "deleted" => put(&mut deleted, array(json, range)),
        _ => None,
    })?;
    Some(List::from_parts(todos?, greatest?, deleted?))
}

fn todo(json: &mut Scanner<'_>) -> Option<Todo> {
    let (mut id, mut content, mut status, mut description) = (None, None, None, None);
    object(json, &mut |key, json| match key {
        "id" => put(&mut id, text(json)),
        "content" => put(&mut content, text(json)),
        "status" => put(&mut status, Status::of_word(&json.string().ok()?)),
        "description" => put(&mut description, text(json)),
        _ => None,
    })?;
    Some(Todo {
        id: id?,
        content: content?,
        status: status?,
        description,
    })
}

fn range(json: &mut Scanner<'_>) -> Option<(u32, u32)> {
    match array(json, number)?.as_slice() {
        [from, to] => Some((*from, *to)),
        _ => None,
    }
}

fn clock(json: &mut Scanner<'_>) -> Option<Clock> {
    let (mut since_write, mut since_reminder, mut reminded) = (None, None, None);
    object(json, &mut |key, json| match key {
        "since_write" => put(&mut since_write, number(json)),
        "since_reminder" => match json.raw().ok()? {
            "null" => put(&mut since_reminder, Some(None)),
            raw => put(&mut since_reminder, digits(raw).map(Some)),
        },
        "reminded" => put(&mut reminded, flag(json)),
        _ => None,
    })?;
    Some(Clock {
        since_write: since_write?,
        since_reminder: since_reminder?,
        reminded: reminded?,
    })
}

/// Keeps a value; `None` if there is none, or one already.
fn put<T>(place: &mut Option<T>, value: Option<T>) -> Option<()> {
    if place.is_some() {
        return None;
    }
    *place = Some(value?);
    Some(())
}

fn object(json: &mut Scanner<'_>, field: &mut Field<'_>) -> Option<()> {
    if !json.take(b'{') {
        return None;
    }
    while !json.take(b'}') {
        field(json.key().ok()?, json)?;
        json.next_or(b'}').ok()?;
    }
    Some(())
}

fn array<T>(json: &mut Scanner<'_>, element: fn(&mut Scanner<'_>) -> Option<T>) -> Option<Vec<T>> {
    let mut elements = Vec::new();
    if !json.take(b'[') {
        return None;
    }
    while !json.take(b']') {
        elements.push(element(json)?);
        json.next_or(b']').ok()?;
    }
    Some(elements)
}

fn text(json: &mut Scanner<'_>) -> Option<String> {
    json.string().ok().map(Cow::into_owned)
}

fn flag(json: &mut Scanner<'_>) -> Option<bool> {
    match json.raw().ok()? {
        "true" => Some(true),
        "false" => Some(false),
        _ => None,
    }
}

fn number(json: &mut Scanner<'_>) -> Option<u32> {
    digits(json.raw().ok()?)
}

/// A number as [`super::writing`] writes it, without zeros before it.
fn digits(raw: &str) -> Option<u32> {
    if raw.starts_with('0') {
        return (raw == "0").then_some(0);
    }
    list::number(raw)
}
