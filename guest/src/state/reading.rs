//! A state from text.
//!
//! Keys may stand in any order, since some databases keep JSON sorted. Each has
//! to be there, once, and no other: there is no state that this crate did not
//! write.

use super::{State, VERSION};
use crate::json::scanner::Scanner;
use crate::list::{self, List, Status, Todo};
use crate::policy::{InProgressLimit, Policy, ToolSet};
use crate::reminder::Clock;

/// Reads a whole text; `None` if it is no state of [`VERSION`].
pub fn state(text: &str) -> Option<State> {
    let json = &mut Scanner::new(text);
    let (mut version, mut state) = (None, None);
    json.object(&mut |key, json| match key {
        "agent_todo" => put(&mut version, number(json)),
        "state" => put(&mut state, parts(json)),
        _ => None,
    })?;
    state.filter(|_| version == Some(VERSION) && json.peek().is_none())
}

fn parts(json: &mut Scanner<'_>) -> Option<State> {
    let (mut settings, mut items, mut counters) = (None, None, None);
    json.object(&mut |key, json| match key {
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
    json.object(&mut |key, json| match key {
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
    json.object(&mut |key, json| match key {
        "todos" => put(&mut todos, array(json, todo)),
        "greatest" => put(&mut greatest, number(json)),
        "deleted" => put(&mut deleted, array(json, range)),
        _ => None,
    })?;
    Some(List::from_parts(todos?, greatest?, deleted?))
}

/// An item is an array, of its id, content, status and perhaps description.
fn todo(json: &mut Scanner<'_>) -> Option<Todo> {
    after(json, b'[')?;
    let id = json.owned().ok()?;
    after(json, b',')?;
    let content = json.owned().ok()?;
    after(json, b',')?;
    let status = Status::of_word(&json.string().ok()?)?;
    let description = match after(json, b',') {
        Some(()) => Some(json.owned().ok()?),
        None => None,
    };
    after(json, b']')?;
    Some(Todo {
        id,
        content,
        status,
        description,
    })
}

fn range(json: &mut Scanner<'_>) -> Option<(u32, u32)> {
    after(json, b'[')?;
    let from = number(json)?;
    after(json, b',')?;
    let to = number(json)?;
    after(json, b']')?;
    Some((from, to))
}

fn after(json: &mut Scanner<'_>, byte: u8) -> Option<()> {
    json.take(byte).then_some(())
}

fn clock(json: &mut Scanner<'_>) -> Option<Clock> {
    let (mut since_write, mut since_reminder, mut reminded) = (None, None, None);
    json.object(&mut |key, json| match key {
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

fn array<T>(json: &mut Scanner<'_>, element: fn(&mut Scanner<'_>) -> Option<T>) -> Option<Vec<T>> {
    let mut elements = Vec::new();
    json.array(&mut |json| {
        elements.push(element(json)?);
        Some(())
    })?;
    Some(elements)
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
