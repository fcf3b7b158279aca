//! A plain model of a session, written from the contract and without the
//! guest's code, against the guest over random sessions.
//!
//! `AGENT_TODO_SESSIONS` says how many sessions (100,000 unless it does), and
//! `AGENT_TODO_SECONDS` how long at most (20 unless it does).
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)]
#![allow(missing_docs)]

#[path = "../recording/mod.rs"]
mod recording;
mod reference;
mod words;

use agent_todo::{Policy, Session};
use recording::calls::{self, Call};
use recording::choices::Choices;
use recording::play::draw_policy;
use reference::{Answer, Reference};
use std::time::{Duration, Instant};

fn number(name: &str, usual: u64) -> u64 {
    std::env::var(name)
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(usual)
}

#[test]
fn random_sessions_go_as_the_reference_says() {
    let sessions = number("AGENT_TODO_SESSIONS", 100_000);
    let end = Instant::now() + Duration::from_secs(number("AGENT_TODO_SECONDS", 8));
    let mut tally = Tally::default();
    for seed in 0..sessions {
        // The clock is looked at rarely; at least one session is always played.
        if seed % 64 == 63 && Instant::now() > end {
            break;
        }
        play(&bytes(seed), &mut tally);
    }
    println!("{tally:?}");
    // What never happens is not tested: all of it has to.
    assert!(
        tally.accepted > 0 && tally.refused > 0 && tally.reminders > 0 && tally.notes > 0,
        "{tally:?}"
    );
}

/// What happened in all sessions.
#[derive(Debug, Default)]
struct Tally {
    sessions: u64,
    accepted: u64,
    refused: u64,
    reminders: u64,
    notes: u64,
}

/// The choices of a session, from its number (splitmix64).
fn bytes(seed: u64) -> Vec<u8> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mut next = move || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    };
    let length = 30 + next() % 170;
    (0..length).map(|_| next() as u8).collect()
}

fn play(bytes: &[u8], tally: &mut Tally) {
    let mut choices = Choices::new(bytes);
    let policy = draw_policy(&mut choices);
    let mut session = Session::default();
    session.configure(policy.clone()).unwrap();
    let mut reference = Reference::new(policy.clone());
    tally.sessions += 1;
    let mut calls: Vec<String> = Vec::new();
    while !choices.is_empty() {
        let reminder = session.pending_history_appends().map(|item| item.text);
        assert_eq!(
            reminder,
            reference.reminder(),
            "after {calls:#?}\n{policy:?}"
        );
        tally.reminders += u64::from(reminder.is_some());
        assert_eq!(session.pending_history_appends(), None);
        session.on_request();
        reference.on_request();
        for _ in 0..choices.below(4) {
            let known: Vec<String> = session.todos().iter().map(|todo| todo.id.clone()).collect();
            let call = calls::draw(&mut choices, &known);
            calls.push(format!("{} {}", call.name(), call.input()));
            check(&mut session, &mut reference, &call, tally, &calls, &policy);
        }
    }
}

fn check(
    session: &mut Session,
    reference: &mut Reference,
    call: &Call,
    tally: &mut Tally,
    calls: &[String],
    policy: &Policy,
) {
    let place = || format!("after {calls:#?}\n{policy:?}");
    let answer = session.call_tool(call.name(), &call.input());
    match (reference.call(call), answer) {
        (Answer::Unknown, answer) => {
            // An input that the reference does not read: only what holds for all.
            reference.follow(session.todos(), answer.is_ok());
        }
        (
            Answer::Accepted {
                text,
                changed,
                notes,
            },
            Ok(output),
        ) => {
            tally.accepted += 1;
            let (shown, noted) = split_notes(&output.text);
            assert_eq!(shown, text, "{}", place());
            assert_eq!(output.changed, changed, "{}", place());
            for note in &notes {
                assert!(
                    noted.iter().any(|line| note.is_in(line)),
                    "{note:?} in {noted:#?} {}",
                    place()
                );
            }
            assert_eq!(
                noted.len(),
                notes.len(),
                "{noted:#?} for {notes:?} {}",
                place()
            );
            tally.notes += notes.len() as u64;
            let progress = output.progress;
            let counted = (progress.pending, progress.in_progress, progress.completed);
            assert_eq!(counted, reference.progress(), "{}", place());
        }
        (Answer::Refused { code, names }, Err(error)) => {
            tally.refused += 1;
            assert_eq!(error.code.name(), code, "{} {}", error.message, place());
            for name in &names {
                assert!(
                    error.message.contains(name.as_str()),
                    "{name} in {} {}",
                    error.message,
                    place()
                );
            }
            assert!(error.message.starts_with("Error: "));
            assert!(
                error.message.ends_with(". The list is unchanged."),
                "{}",
                error.message
            );
        }
        (expected, found) => panic!("expected {expected:?}, found {found:?} {}", place()),
    }
    assert_eq!(session.todos(), reference.todos(), "{}", place());
    let counters = session.counters();
    assert_eq!(
        (
            counters.requests_since_write,
            counters.requests_since_reminder
        ),
        reference.counters(),
        "{}",
        place()
    );
}

/// The text without its notes, and the notes.
fn split_notes(text: &str) -> (String, Vec<&str>) {
    let mut lines: Vec<&str> = text.split('\n').collect();
    let first_note = lines
        .iter()
        .position(|line| line.starts_with("Note: "))
        .unwrap_or(lines.len());
    let notes = lines.split_off(first_note);
    (lines.join("\n"), notes)
}
