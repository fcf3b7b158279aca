//! `todo_write`: the whole list in one call, all or nothing.

use crate::error::{ErrorCode, ToolError};
use crate::input::{self, Entry, Mark};
use crate::list::{List, Status, Todo};
use crate::places::Places;
use crate::policy::{InProgressLimit, Policy};
use crate::render::{self, push_note};
use crate::text::{are_same, join, push_safe_cut};
use std::borrow::Cow;

/// Characters of an item's content in a note.
const NOTE_CONTENT: usize = 120;

/// Replaces the list; gives the answer and whether the list is another.
pub fn write(list: &mut List, policy: &Policy, input: &str) -> Result<(String, bool), ToolError> {
    input::with_value(input, |value| {
        input::with_entries(value, policy, |entries| replace(list, policy, entries))
    })
}

fn replace(
    list: &mut List,
    policy: &Policy,
    entries: Vec<Entry<'_>>,
) -> Result<(String, bool), ToolError> {
    let mut notes = String::new();
    note_read(&entries, policy.max_content, &mut notes);
    let changed = if names_the_same_items(list, &entries) {
        check_in_progress(&entries, policy.in_progress_limit, &mut notes)?;
        list.set_statuses(entries.iter().filter_map(Entry::status))
    } else {
        let mut entries = merge_same_ids(entries, &mut notes);
        note_lost(list, &entries, &mut notes);
        entries.retain(|entry| entry.status().is_some());
        check_in_progress(&entries, policy.in_progress_limit, &mut notes)?;
        let todos = fill_ids(list, entries);
        let changed = list.todos() != todos;
        list.replace(todos);
        changed
    };
    let mut text = render::answer(list);
    text.push_str(&notes);
    Ok((text, changed))
}

/// Whether the entries are the items of the list, perhaps with other statuses:
/// the usual call, and one for which no text need be copied.
fn names_the_same_items(list: &List, entries: &[Entry<'_>]) -> bool {
    let same = |(todo, entry): (&Todo, &Entry<'_>)| {
        entry.id.as_deref().is_some_and(|id| are_same(id, &todo.id))
            && are_same(&entry.content, &todo.content)
            && entry.status().is_some()
    };
    list.todos().len() == entries.len() && list.todos().iter().zip(entries).all(same)
}

/// Applies the policy to the items in progress.
fn check_in_progress(
    entries: &[Entry<'_>],
    limit: InProgressLimit,
    notes: &mut String,
) -> Result<(), ToolError> {
    let running = |entry: &&Entry<'_>| entry.status() == Some(Status::InProgress);
    let running = entries.iter().filter(running);
    let names = || {
        let positions = running.clone().map(|entry| entry.position.to_string());
        format!("items {}", join(positions, ", "))
    };
    limit_in_progress(running.clone().count(), names, limit, notes)
}

impl Entry<'_> {
    /// The status in the new list; `None` if the entry is not to be in it.
    fn status(&self) -> Option<Status> {
        match self.mark {
            Mark::Status(status) => Some(status),
            Mark::Parked(_) => Some(Status::Pending),
            Mark::Dropped(_) => None,
        }
    }
}

/// Says what was understood otherwise than it was written.
fn note_read(entries: &[Entry<'_>], max_content: u32, notes: &mut String) {
    for entry in entries {
        let position = entry.position;
        if entry.was_cut {
            push_note(
                notes,
                &format!("item {position} was cut to {max_content} characters."),
            );
        }
        let what = match entry.mark {
            Mark::Status(_) => continue,
            Mark::Parked(word) => format!("is pending; {word} is not a status of this list."),
            Mark::Dropped(word) => format!("is {word} and was taken off the list."),
        };
        let item = named(entry.id.as_deref(), &entry.content);
        push_note(notes, &format!("item {position} ({item}) {what}"));
    }
}

/// Of entries with the same id the last one stands, in the place of the first.
fn merge_same_ids<'v>(entries: Vec<Entry<'v>>, notes: &mut String) -> Vec<Entry<'v>> {
    let ids = Places::new(entries.iter().map(|entry| entry.id.as_deref()));
    if ids.all_differ() {
        return entries;
    }
    let earlier: Vec<Option<usize>> = entries
        .iter()
        .map(|entry| ids.first(entry.id.as_deref()?))
        .collect();
    let mut merged: Vec<Option<Entry<'_>>> = Vec::with_capacity(entries.len());
    for (at, (entry, earlier)) in entries.into_iter().zip(earlier).enumerate() {
        match earlier
            .filter(|earlier| *earlier != at)
            .and_then(|earlier| merged.get_mut(earlier))
        {
            None => merged.push(Some(entry)),
            Some(place) => {
                let kept = named(entry.id.as_deref(), &entry.content);
                let gone = place
                    .as_ref()
                    .map_or(String::new(), |entry| named(None, &entry.content));
                push_note(
                    notes,
                    &format!("one id was sent twice: {kept} stands in place of {gone}."),
                );
                *place = Some(entry);
                merged.push(None);
            }
        }
    }
    merged.into_iter().flatten().collect()
}

/// Names the open items that the model sent neither by id nor by content: one
/// that sends only what it changed must learn at once that the rest is gone.
fn note_lost(list: &List, entries: &[Entry<'_>], notes: &mut String) {
    let sent_in_place = |(at, todo): (usize, &Todo)| {
        let entry = entries.get(at);
        let sent = entry.is_some_and(|entry| {
            entry.id.as_deref() == Some(todo.id.as_str()) || entry.content == todo.content
        });
        !sent && todo.status.is_open()
    };
    let mut missing = list
        .todos()
        .iter()
        .enumerate()
        .filter(|pair| sent_in_place(*pair))
        .peekable();
    if missing.peek().is_none() {
        return;
    }
    let ids = Places::new(entries.iter().map(|entry| entry.id.as_deref()));
    let contents = Places::new(entries.iter().map(|entry| Some(entry.content.as_ref())));
    let names: Vec<String> = missing
        .map(|(_, todo)| todo)
        .filter(|todo| ids.first(&todo.id).is_none() && contents.first(&todo.content).is_none())
        .map(|todo| named(Some(&todo.id), &todo.content))
        .collect();
    if !names.is_empty() {
        let names = join(names, "; ");
        push_note(
            notes,
            &format!(
                "no longer in the list, though not completed: {names}. A call replaces the whole list."
            ),
        );
    }
}

/// Applies the policy to a list with `running` items in progress, which `names`
/// tells apart.
pub fn limit_in_progress(
    running: usize,
    names: impl FnOnce() -> String,
    limit: InProgressLimit,
    notes: &mut String,
) -> Result<(), ToolError> {
    match limit {
        InProgressLimit::Refuse if running > 1 => Err(ToolError::refused(
            ErrorCode::InvalidInput,
            &format!(
                "{}, \"status\": found {running} items in_progress; legal: at most 1, send the others as pending or completed",
                names()
            ),
        )),
        InProgressLimit::Note if running > 1 => {
            push_note(
                notes,
                &format!("{running} items are in_progress; keep it to 1."),
            );
            Ok(())
        }
        _ => Ok(()),
    }
}

/// Makes items of entries: explicit ids first, then the ids that the same
/// contents have now, then free numbers, each in the order of the input.
fn fill_ids(list: &List, mut entries: Vec<Entry<'_>>) -> Vec<Todo> {
    if entries.iter().any(|entry| entry.id.is_none()) {
        fill_by_content(list, &mut entries);
        fill_by_number(list, &mut entries);
    }
    let described = list
        .todos()
        .iter()
        .map(|todo| todo.description.as_ref().map(|_| todo.id.as_str()));
    let described = Places::new(described);
    let todo = |entry: Entry<'_>| {
        let status = entry.status().unwrap_or_default();
        let id = entry.id.unwrap_or_default().into_owned();
        let old = described.first(&id).and_then(|at| list.todos().get(at));
        let description = old.and_then(|todo| todo.description.clone());
        Todo {
            id,
            content: entry.content.into_owned(),
            status,
            description,
        }
    };
    entries.into_iter().map(todo).collect()
}

/// The ids of entries, apart from the entries.
fn ids<'v>(entries: &[Entry<'v>]) -> Vec<Option<Cow<'v, str>>> {
    entries.iter().map(|entry| entry.id.clone()).collect()
}

/// Of several old items with one content the first that is free gives its id.
fn fill_by_content(list: &List, entries: &mut [Entry<'_>]) {
    let explicit = ids(entries);
    let explicit = Places::new(explicit.iter().map(|id| id.as_deref()));
    let free = list
        .todos()
        .iter()
        .map(|todo| match explicit.first(&todo.id) {
            None => Some(todo.content.as_str()),
            Some(_) => None,
        });
    let mut known = Places::new(free);
    for entry in entries.iter_mut().filter(|entry| entry.id.is_none()) {
        let old = known
            .take_first(&entry.content)
            .and_then(|at| list.todos().get(at));
        entry.id = old.map(|todo| Cow::Owned(todo.id.clone()));
    }
}

fn fill_by_number(list: &List, entries: &mut [Entry<'_>]) {
    let taken = ids(entries);
    let taken = Places::new(taken.iter().map(|id| id.as_deref()));
    let mut numbers = list
        .numbers()
        .map(|number| number.to_string())
        .filter(|number| taken.first(number).is_none());
    for entry in entries.iter_mut().filter(|entry| entry.id.is_none()) {
        entry.id = numbers.next().map(Cow::Owned);
    }
}

/// An item as a note names it.
pub fn named(id: Option<&str>, content: &str) -> String {
    let mut name = String::new();
    if let Some(id) = id {
        crate::text::push_safe(&mut name, id);
        name.push_str(". ");
    }
    push_safe_cut(&mut name, content, NOTE_CONTENT);
    name
}
