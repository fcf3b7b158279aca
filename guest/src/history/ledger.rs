//! Calls, together with their results, in the order in which they were made.

use super::verdict::Verdict;
use crate::list::Todo;
use crate::tools::Tool;
use std::collections::{BTreeMap, VecDeque};

/// Something that a reader found out from a history.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// So many assistant messages: requests to the model.
    Requests(u32),
    /// A reminder that this component wrote.
    Reminder,
    /// A carry-over message that this component wrote.
    CarryOver(Vec<Todo>),
    /// The history was compacted here.
    Compaction,
    /// A call of a todo tool.
    Call(Call),
}

/// A recorded call of a todo tool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// The name as recorded.
    pub name: String,
    /// Our tool of that meaning.
    pub tool: Tool,
    /// Its input, as our tool takes it.
    pub input: String,
    /// What the result says.
    pub outcome: Outcome,
    /// The number of the task that a create made, if its result names it.
    pub number: Option<u32>,
}

/// What a history says of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Its result says that it worked.
    Accepted,
    /// It reached the tool, which refused it.
    Refused,
    /// It never reached the tool, or has no result while others have one.
    Skipped,
    /// The history records no results at all.
    Unrecorded,
}

/// What a message says, one thing at a time.
#[derive(Clone, Debug)]
pub enum Fact {
    /// An assistant message: a request to the model.
    Request,
    /// A todo call, and the key that its result will have.
    Call(String, Call),
    /// The result of the todo call with this key.
    Result(String, Verdict),
    /// A result of any other call: the history records results.
    OtherResult,
    /// Anything else, already an event.
    Event(Event),
}

/// An event that is not yet handed out.
#[derive(Clone, Debug)]
struct Entry {
    event: Event,
    /// The call still waits for its result.
    waits: bool,
}

/// Events in order; a call without a result holds back what follows it.
#[derive(Clone, Debug, Default)]
pub struct Ledger {
    entries: VecDeque<Entry>,
    /// How many entries were handed out: the index of the first that was not.
    handed_out: usize,
    /// Indices of the calls that wait, by key, the oldest first. A key stays
    /// when its last call has a result: todo calls are few.
    waiting: BTreeMap<String, VecDeque<usize>>,
    records_results: bool,
    /// The index behind the last entry that [`Ledger::look`] saw.
    seen: usize,
    /// Whether one of those is no longer as it was seen.
    changed: bool,
}

impl Ledger {
    /// Whether a todo call with this key waits for its result.
    pub fn waits_for(&self, key: &str) -> bool {
        self.waiting
            .get(key)
            .is_some_and(|indices| !indices.is_empty())
    }

    /// Takes in the next fact.
    pub fn add(&mut self, fact: Fact) {
        match fact {
            Fact::Request => self.push(Event::Requests(1), false),
            Fact::Call(key, call) => {
                let index = self.handed_out + self.entries.len();
                self.waiting.entry(key).or_default().push_back(index);
                self.push(Event::Call(call), true);
            }
            Fact::Result(key, verdict) => {
                self.on_result();
                self.settle(&key, verdict);
            }
            Fact::OtherResult => self.on_result(),
            Fact::Event(event) => self.push(event, false),
        }
    }

    /// The first result is what tells calls without one apart.
    fn on_result(&mut self) {
        self.changed |= !self.records_results;
        self.records_results = true;
    }

    fn push(&mut self, event: Event, waits: bool) {
        let is_unseen = self.handed_out + self.entries.len() > self.seen;
        if let (Event::Requests(more), Some(last)) = (&event, self.entries.back_mut())
            && let Event::Requests(count) = &mut last.event
            && is_unseen
        {
            *count = count.saturating_add(*more);
            return;
        }
        self.entries.push_back(Entry { event, waits });
    }

    /// An id that a host uses again means its latest call; without ids the
    /// results come in the order of the calls.
    fn settle(&mut self, key: &str, verdict: Verdict) {
        let Some(indices) = self
            .waiting
            .get_mut(key)
            .filter(|indices| !indices.is_empty())
        else {
            return;
        };
        let index = if is_name(key) {
            indices.pop_front().unwrap_or_default()
        } else {
            indices.pop_back().unwrap_or_default()
        };
        let Some(entry) = self.entries.get_mut(index - self.handed_out) else {
            return;
        };
        entry.waits = false;
        self.changed |= index < self.seen;
        if let Event::Call(call) = &mut entry.event {
            (call.outcome, call.number) = match verdict {
                Verdict::Accepted(number) => (Outcome::Accepted, number),
                Verdict::Refused => (Outcome::Refused, None),
                Verdict::Denied => (Outcome::Skipped, None),
            };
        }
    }

    /// The next event, if nothing that is still to come can change it.
    pub fn next(&mut self) -> Option<Event> {
        if self.entries.front()?.waits {
            return None;
        }
        self.handed_out += 1;
        self.entries.pop_front().map(|entry| entry.event)
    }

    /// How many of the events that [`Ledger::next`] holds back were there when
    /// this was last asked, and are as they were.
    pub fn look(&mut self) -> usize {
        let same = match self.changed {
            true => 0,
            false => self.seen.saturating_sub(self.handed_out),
        };
        self.seen = self.handed_out + self.entries.len();
        self.changed = false;
        same
    }

    /// The events that [`Ledger::next`] holds back, without the first `skipped`,
    /// as they are if the history ends here.
    pub fn rest(&self, skipped: usize) -> impl Iterator<Item = Event> {
        let outcome = if self.records_results {
            Outcome::Skipped
        } else {
            Outcome::Unrecorded
        };
        let entries = self.entries.iter().skip(skipped).cloned();
        entries.map(move |mut entry| {
            if let (true, Event::Call(call)) = (entry.waits, &mut entry.event) {
                call.outcome = outcome;
            }
            entry.event
        })
    }

    /// The history ends here: nothing waits any longer.
    pub fn end(&mut self) {
        let rest: Vec<Event> = self.rest(0).collect();
        *self = Ledger::default();
        rest.into_iter().for_each(|event| self.push(event, false));
    }
}

/// The key of a call and its result that have no id: results match by name,
/// and within one request.
pub fn key_by_name(request: u32, name: &str) -> String {
    format!("\0{request} {name}")
}

fn is_name(key: &str) -> bool {
    key.starts_with('\0')
}
