//! Applies a history's events to a session, through the same code as live
//! calls.

use super::ledger::{Call, Event, Outcome};
use super::reader::Reader;
use crate::error::ToolError;
use crate::list::{List, Todo};
use crate::places::Places;
use crate::policy::{InProgressLimit, Policy};
use crate::session::RestoreReport;
use crate::state::State;
use crate::tools;

/// A history of which more pieces may come.
#[derive(Clone, Debug)]
pub struct OpenHistory {
    reader: Reader,
    /// The session after the events that nothing can change any more.
    settled: State,
    /// What those events came to.
    settled_counts: Counts,
    /// The session, and the counts, after the events that are held back too: a
    /// call that never gets a result holds back all that follows it, and is not
    /// to make each later piece cost as much as all those before.
    ahead: Option<(State, Counts)>,
    /// What the reports so far have told.
    told: Counts,
}

#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    requests: u32,
    applied: u32,
    refused: u32,
    skipped: u32,
    reminders: u32,
}

impl OpenHistory {
    /// A history that adds to `state`.
    pub fn new(state: State) -> OpenHistory {
        OpenHistory {
            reader: Reader::default(),
            settled: state,
            settled_counts: Counts::default(),
            ahead: None,
            told: Counts::default(),
        }
    }

    /// Reads the next piece and makes `state` what it is if none follows.
    pub fn read(&mut self, text: &str, state: &mut State) -> Result<RestoreReport, ToolError> {
        self.reader.read(text)?;
        while let Some(event) = self.reader.next_event() {
            apply(&mut self.settled, event, &mut self.settled_counts);
        }
        let (rest, goes_on) = self.reader.rest();
        let ahead = self.ahead.take().filter(|_| goes_on);
        let (mut ahead, mut counts) =
            ahead.unwrap_or_else(|| (self.settled.clone(), self.settled_counts));
        let is_held = goes_on || !rest.is_empty();
        for event in rest {
            apply(&mut ahead, event, &mut counts);
        }
        if is_held {
            self.ahead = Some((ahead.clone(), counts));
        }
        *state = ahead;
        let told = std::mem::replace(&mut self.told, counts);
        Ok(RestoreReport {
            format: self.reader.format(),
            requests: counts.requests.saturating_sub(told.requests),
            applied: counts.applied.saturating_sub(told.applied),
            refused: counts.refused.saturating_sub(told.refused),
            skipped: counts.skipped.saturating_sub(told.skipped),
            reminders: counts.reminders.saturating_sub(told.reminders),
        })
    }
}

fn apply(state: &mut State, event: Event, counts: &mut Counts) {
    match event {
        Event::Requests(count) => {
            counts.requests = counts.requests.saturating_add(count);
            state.clock.on_requests(count);
        }
        Event::Reminder => {
            counts.reminders += 1;
            state.clock.on_reminder();
        }
        Event::CarryOver(todos) if state.policy.adopt_snapshot => adopt(&mut state.list, todos),
        Event::CarryOver(_) | Event::Compaction => {}
        Event::Call(call) => match run(state, &call) {
            Outcome::Skipped => counts.skipped += 1,
            Outcome::Refused => counts.refused += 1,
            Outcome::Accepted | Outcome::Unrecorded => counts.applied += 1,
        },
    }
}

/// Runs a recorded call; says what became of it.
fn run(state: &mut State, call: &Call) -> Outcome {
    if call.outcome == Outcome::Skipped {
        return Outcome::Skipped;
    }
    if call.tool.writes() {
        state.clock.on_write();
    }
    // A host may write an input down longer than the model sent it: with spaces,
    // with other escapes. So the size tells something only if nothing else does.
    let is_unrecorded = call.outcome == Outcome::Unrecorded;
    if call.outcome == Outcome::Refused
        || is_unrecorded && call.input.len() > state.policy.max_input as usize
    {
        return Outcome::Refused;
    }
    let accepted;
    let policy = match call.outcome {
        // What was accepted then is not refused by a limit of now.
        Outcome::Accepted => {
            accepted = without_limits(&state.policy);
            &accepted
        }
        _ => &state.policy,
    };
    match tools::run(call.tool, &mut state.list, policy, &call.input, call.number) {
        Ok(_) => Outcome::Accepted,
        Err(_) => Outcome::Refused,
    }
}

fn without_limits(policy: &Policy) -> Policy {
    Policy {
        max_todos: u32::MAX,
        in_progress_limit: InProgressLimit::Allow,
        ..policy.clone()
    }
}

/// Takes the list from a carry-over message. Two ids that differed only in
/// what a rendered text leaves out are told apart again by a free number.
fn adopt(list: &mut List, mut todos: Vec<Todo>) {
    let ids: Vec<String> = todos.iter().map(|todo| todo.id.clone()).collect();
    let places = Places::new(ids.iter().map(|id| Some(id.as_str())));
    let mut free = list
        .numbers()
        .map(|number| number.to_string())
        .filter(|number| places.first(number).is_none());
    for (at, todo) in todos.iter_mut().enumerate() {
        if places.first(&todo.id) != Some(at) {
            todo.id = free.next().unwrap_or_default();
        }
    }
    drop(free);
    list.replace(todos);
}
