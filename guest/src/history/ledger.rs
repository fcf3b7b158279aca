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

/// What ties a call to its result.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Key {
    /// The id that the host gave it.
    Id(String),
    /// In shapes without ids: the name, within one request.
    Name(String),
}

/// What a message says, one thing at a time.
#[derive(Clone, Debug)]
pub enum Fact {
    /// An assistant message: a request to the model.
    Request,
    /// A todo call.
    Call(Key, Call),
    /// A result of the todo call with this key.
    Result(Key, Verdict),
    /// A result of any other call: the history records results.
    OtherResult,
    /// Anything else, already an event.
    Event(Event),
}

/// An event that is not yet handed out.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub event: Event,
    /// The call still waits for its result.
    pub waits: bool,
}

/// Events in order; a call without a result holds back what follows it.
#[derive(Clone, Debug, Default)]
pub struct Ledger {
    entries: VecDeque<Entry>,
    /// How many entries were handed out: the index of the first that was not.
    handed_out: u64,
    /// Calls that wait, by key; of one key the oldest first.
    waiting: BTreeMap<Key, VecDeque<u64>>,
    records_results: bool,
}

impl Ledger {
    /// Whether a todo call with this key waits for its result.
    pub fn waits_for(&self, key: &Key) -> bool {
        self.waiting.contains_key(key)
    }

    /// Takes in the next fact.
    pub fn add(&mut self, fact: Fact) {
        match fact {
            Fact::Request => {
                // A result without an id belongs to a call of its own request.
                self.waiting.retain(|key, _| matches!(key, Key::Id(_)));
                self.push(Event::Requests(1), false);
            }
            Fact::Call(key, call) => {
                let index = self.handed_out + self.entries.len() as u64;
                self.waiting.entry(key).or_default().push_back(index);
                self.push(Event::Call(call), true);
            }
            Fact::Result(key, verdict) => {
                self.records_results = true;
                self.settle(&key, verdict);
            }
            Fact::OtherResult => self.records_results = true,
            Fact::Event(event) => self.push(event, false),
        }
    }

    fn push(&mut self, event: Event, waits: bool) {
        if let (Event::Requests(more), Some(last)) = (&event, self.entries.back_mut())
            && let Event::Requests(count) = &mut last.event
        {
            *count = count.saturating_add(*more);
            return;
        }
        self.entries.push_back(Entry { event, waits });
    }

    fn settle(&mut self, key: &Key, verdict: Verdict) {
        let Some(indices) = self.waiting.get_mut(key) else {
            return;
        };
        // An id that a host uses again means its latest call.
        let index = match key {
            Key::Id(_) => indices.pop_back(),
            Key::Name(_) => indices.pop_front(),
        };
        if indices.is_empty() {
            self.waiting.remove(key);
        }
        let place = index.and_then(|index| usize::try_from(index - self.handed_out).ok());
        let Some(entry) = place.and_then(|place| self.entries.get_mut(place)) else {
            return;
        };
        entry.waits = false;
        if let Event::Call(call) = &mut entry.event {
            (call.outcome, call.number) = match verdict {
                Verdict::Accepted(number) => (Outcome::Accepted, number),
                Verdict::Refused => (Outcome::Refused, None),
                Verdict::Denied => (Outcome::Skipped, None),
            };
        }
    }

    /// The next event, if nothing that is still to come can change it.
    pub(super) fn next(&mut self) -> Option<Entry> {
        if self.entries.front()?.waits {
            return None;
        }
        self.handed_out += 1;
        self.entries.pop_front()
    }

    /// What a call without a result comes to, if the history ends here.
    pub fn outcome_without_result(&self) -> Outcome {
        if self.records_results {
            Outcome::Skipped
        } else {
            Outcome::Unrecorded
        }
    }

    /// The history ends here: nothing waits any longer.
    pub fn end(&mut self) {
        let outcome = self.outcome_without_result();
        for entry in self.entries.iter_mut().filter(|entry| entry.waits) {
            entry.waits = false;
            if let Event::Call(call) = &mut entry.event {
                call.outcome = outcome;
            }
        }
        self.waiting.clear();
    }
}
