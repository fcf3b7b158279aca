//! A session may be cut off at any moment and goes on: the guest is stopped in
//! every call of the interface, at moments all over the call, and made anew
//! from saved state and from the history.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)]

mod guest;
mod limits;
mod script;

use agent_todo_host as host;
use guest::{Cost, Cut, Guest};
use host::{Limits, Plugin, Recovery};
use script::{Record, Step, make, policy, script};

/// Moments at which a call is cut off, for each way: first, last, and between.
const MOMENTS: u64 = 12;

/// The session before a step and after it, as the uninterrupted run had it.
struct Moment {
    step: Step,
    /// Saved state before the step.
    state: String,
    /// What the host had recorded when it made the call.
    record: Record,
    answer: String,
    after: String,
    cost: Cost,
}

/// Plays the script without a fault and keeps what it was at each step.
fn uninterrupted() -> Vec<Moment> {
    let mut guest = Guest::new();
    let mut record = Record::default();
    let mut moments = Vec::new();
    for step in script() {
        let state = save(&mut guest);
        record.before(&step);
        let called = record.clone();
        let (answer, cost) = make(&step, &state, &mut guest, Cut::Never).unwrap();
        record.after(&step, &answer);
        let after = save(&mut guest);
        moments.push(Moment {
            step,
            state,
            record: called,
            answer,
            after,
            cost,
        });
    }
    moments
}

fn save(guest: &mut Guest) -> String {
    make(&Step::SaveState, "", guest, Cut::Never).unwrap().0
}

/// A guest in the state of a saved line.
fn loaded(state: &str) -> Guest {
    let mut guest = Guest::new();
    make(&Step::LoadState, state, &mut guest, Cut::Never).unwrap();
    guest
}

/// The first moment, the last, and some between, of `count` in all.
fn spread(first: u64, count: u64) -> Vec<u64> {
    let step = (count / MOMENTS).max(1);
    let mut moments: Vec<u64> = (0..count)
        .step_by(usize::try_from(step).unwrap())
        .map(|at| first + at)
        .collect();
    if let Some(last) = count.checked_sub(1) {
        moments.push(first + last);
    }
    moments
}

fn cuts(cost: Cost) -> Vec<Cut> {
    let fuel = spread(0, cost.fuel).into_iter().map(Cut::Fuel);
    let epochs = spread(1, cost.epochs).into_iter().map(Cut::Epoch);
    let growths = (1..=cost.growths).flat_map(|at| [Cut::Growth(at), Cut::GrowthTrap(at)]);
    fuel.chain(epochs).chain(growths).collect()
}

fn host_policy() -> host::Policy {
    host::Policy {
        tool_set: Some(host::ToolSet::Both),
        remind_after: Some(1),
        remind_cooldown: Some(2),
        ..host::Policy::default()
    }
}

#[test]
fn a_call_that_is_cut_off_anywhere_is_made_again_as_if_nothing_had_been() {
    let mut count = 0;
    for moment in uninterrupted() {
        for cut in cuts(moment.cost) {
            let mut guest = loaded(&moment.state);
            let cost = guest_cost(&moment, cut, &mut guest);
            if let Some(cost) = cost {
                // The instance was another than in the first run and took less.
                assert!(
                    reached(cut, cost).is_none(),
                    "{cut:?} of {:?} did not stop it",
                    moment.step
                );
                continue;
            }
            count += 1;
            let dead = make(&Step::Counters, "", &mut guest, Cut::Never);
            assert!(dead.is_err(), "a store is closed by {cut:?}");
            drop(guest);
            let mut again = loaded(&moment.state);
            assert_eq!(save(&mut again), moment.state);
            let (answer, _) = make(&moment.step, &moment.state, &mut again, Cut::Never).unwrap();
            assert_eq!(answer, moment.answer, "{cut:?} of {:?}", moment.step);
            assert_eq!(save(&mut again), moment.after);
        }
    }
    assert!(count > 300, "only {count} calls were cut off");
}

/// Makes the call with the cut; `None` if it was cut off.
fn guest_cost(moment: &Moment, cut: Cut, guest: &mut Guest) -> Option<Cost> {
    make(&moment.step, &moment.state, guest, cut)
        .ok()
        .map(|(_, cost)| cost)
}

/// Whether a call that took `cost` came to the place of the cut.
fn reached(cut: Cut, cost: Cost) -> Option<()> {
    let reached = match cut {
        Cut::Never => false,
        Cut::Fuel(at) => cost.fuel > at,
        Cut::Epoch(at) => cost.epochs >= at,
        // An allocator that asks again for less may get by with a refusal.
        Cut::Growth(_) => false,
        Cut::GrowthTrap(at) => cost.growths >= at,
    };
    reached.then_some(())
}

#[test]
fn a_dead_session_is_revived_from_saved_state_and_from_its_history_and_goes_on() {
    let plugin = Plugin::bundled(Limits::default()).unwrap();
    let moments = uninterrupted();
    for (at, moment) in moments.iter().enumerate() {
        if matches!(moment.step, Step::Configure) {
            continue;
        }
        let history = moment.record.history();
        for recovery in [Recovery::State(&moment.state), Recovery::History(&history)] {
            let mut revived = plugin.revive(&host_policy(), recovery).unwrap();
            // The call that died has no result in the history: it counts for nothing.
            assert_eq!(
                revived.save_state().unwrap(),
                moment.state,
                "{recovery:?} at {:?}",
                moment.step
            );
            finish(&moments[at..], &moment.state, &mut revived);
        }
    }
}

/// Plays the rest of the script and wants the answers of the uninterrupted run.
fn finish(rest: &[Moment], state: &str, session: &mut host::Session) {
    let mut guest = loaded(state);
    let last = &rest.last().unwrap().after;
    for moment in rest {
        let (answer, _) = make(&moment.step, &moment.state, &mut guest, Cut::Never).unwrap();
        assert_eq!(answer, moment.answer);
        play(&moment.step, &moment.state, &moment.answer, session);
    }
    assert_eq!(&session.save_state().unwrap(), last);
    assert_eq!(&save(&mut guest), last);
}

/// The step through the harness.
fn play(step: &Step, state: &str, expected: &str, session: &mut host::Session) {
    match step {
        Step::TodoWrite(input) => assert_text(session.todo_write(input).unwrap(), expected),
        Step::CallTool(name, input) => {
            assert_text(session.call_tool(name, input).unwrap(), expected)
        }
        Step::OnRequest => session.on_request().unwrap(),
        Step::PendingHistoryAppends => {
            let items = session.pending_history_appends().unwrap();
            let text: String = items.into_iter().map(|item| item.text).collect();
            assert_eq!(text, expected);
        }
        Step::LoadState => session.load_state(state).unwrap().unwrap(),
        Step::Restore => {
            session
                .restore(&script::earlier_history())
                .unwrap()
                .unwrap();
        }
        Step::Instructions => assert_eq!(session.instructions().unwrap(), expected),
        Step::SaveState => assert_eq!(session.save_state().unwrap(), expected),
        Step::CompactSnapshot => drop(session.compact_snapshot().unwrap()),
        Step::Todos => drop(session.todos().unwrap()),
        Step::Counters => drop(session.counters().unwrap()),
        Step::Tools => drop(session.tools().unwrap()),
        Step::Configure => session.configure(&host_policy()).unwrap().unwrap(),
    }
}

fn assert_text(answer: Result<host::ToolOutput, host::ToolError>, expected: &str) {
    let text = answer.map_or_else(|error| error.message, |output| output.text);
    assert_eq!(text, expected);
}

#[test]
fn a_session_that_dies_through_the_harness_says_of_what_and_is_revived_by_one_call() {
    let limits = Limits {
        fuel: Some(200_000),
        ..Limits::default()
    };
    let plugin = Plugin::bundled(limits).unwrap();
    let mut session = plugin.session(&host_policy()).unwrap();
    session.todo_write(r#"["Read"]"#).unwrap().unwrap();
    let saved = session.save_state().unwrap();
    let huge = format!("[\"{}\"]", "x".repeat(1_000_000));
    let death = session.todo_write(&huge).unwrap_err();
    assert!(
        matches!(
            &death,
            host::Error::Dead {
                cause: host::Cause::Fuel,
                ..
            }
        ),
        "{death}"
    );
    assert_eq!(session.on_request().unwrap_err(), death);
    let mut session = plugin
        .revive(&host_policy(), Recovery::State(&saved))
        .unwrap();
    assert_eq!(session.save_state().unwrap(), saved);
}

#[test]
fn the_policies_of_the_two_hosts_are_one() {
    let mut guest = Guest::new();
    make(&Step::Configure, "", &mut guest, Cut::Never).unwrap();
    assert_eq!(policy().remind_after, host_policy().remind_after);
    let plugin = Plugin::bundled(Limits::default()).unwrap();
    let mut session = plugin.session(&host_policy()).unwrap();
    assert_eq!(session.save_state().unwrap(), save(&mut guest));
}
