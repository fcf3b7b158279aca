//! Ceilings that do not depend on the machine: bytes and fuel. `cargo bench` shows
//! the measured values beside the goals.

#![allow(clippy::unwrap_used)]

use agent_todo_host::{COMPONENT, Limits, Plugin, Policy, Session};

/// What a ceiling may be missed by before a test fails.
const SLACK: f64 = 1.1;

fn assert_within(goal: u64, measured: u64) {
    assert!(
        measured as f64 <= goal as f64 * SLACK,
        "{measured} is more than {goal} and a tenth"
    );
}

fn metered() -> Session {
    let limits = Limits {
        fuel: Some(100_000_000),
        ..Limits::default()
    };
    let plugin = Plugin::bundled(limits).unwrap();
    plugin.session(&Policy::default()).unwrap()
}

/// A write of 20 items of 50 characters, of which `done` are completed.
fn write(session: &mut Session, done: usize) -> u64 {
    let items: Vec<String> = (1..=20)
        .map(|id| {
            let status = match id {
                id if id <= done => "completed",
                id if id == done + 1 => "in_progress",
                _ => "pending",
            };
            let content = format!("{id:03} read what the loader does, and say why it is so");
            let content = content.get(..50).unwrap();
            format!(r#"{{"id":"{id}","content":"{content}","status":"{status}"}}"#)
        })
        .collect();
    let input = format!(r#"{{"todos":[{}]}}"#, items.join(","));
    session.todo_write(&input).unwrap().unwrap();
    session.fuel_used().unwrap()
}

#[test]
fn the_component_has_at_most_180_kilobytes_and_72_compressed() {
    // The format's frame is 18 bytes.
    let compressed = miniz_oxide::deflate::compress_to_vec(COMPONENT, 10).len() + 18;
    assert!(COMPONENT.len() <= 180_000, "{} bytes", COMPONENT.len());
    assert!(compressed <= 72_000, "{compressed} bytes");
}

#[test]
fn a_write_of_20_items_takes_at_most_150_000_units_of_fuel() {
    let mut session = metered();
    write(&mut session, 10);
    assert_within(150_000, write(&mut session, 11));
}

#[test]
fn counting_a_request_takes_at_most_100_units_of_fuel() {
    let mut session = metered();
    write(&mut session, 10);
    session.on_request().unwrap();
    assert_within(100, session.fuel_used().unwrap());
}

#[test]
fn finding_no_reminder_due_takes_at_most_300_units_of_fuel() {
    let mut session = metered();
    write(&mut session, 10);
    assert!(session.pending_history_appends().unwrap().is_empty());
    assert_within(300, session.fuel_used().unwrap());
}

#[test]
fn passing_over_a_log_takes_at_most_12_units_of_fuel_a_byte() {
    let text = "a line of a file that a tool printed\\n".repeat(100);
    let line = format!(
        r#"{{"type":"user","message":{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"call_1","content":"{text}"}}]}},"toolUseResult":{{"stdout":"{text}"}}}}"#
    );
    let log = format!("{line}\n").repeat(100);
    let mut session = metered();
    session.restore(&log).unwrap().unwrap();
    assert_within(12 * log.len() as u64, session.fuel_used().unwrap());
}

/// A session in JSON Lines: `count` requests, each with a write that its result
/// follows; before them one that was cut off.
fn log_behind_a_call_without_result(count: usize) -> Vec<String> {
    let call = |id: usize| {
        format!(
            r#"{{"role":"assistant","content":[{{"type":"tool_use","id":"call_{id}","name":"todo_write","input":{{"todos":["Read {id}","Write","Test"]}}}}]}}"#
        )
    };
    let result = |id: usize| {
        format!(
            r#"{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"call_{id}","content":"ok"}}]}}"#
        )
    };
    let turn = |id: usize| format!("{}\n{}\n", call(id), result(id));
    let first = format!("{}\n{}\n", call(0), r#"{"role":"user","content":"Stop."}"#);
    std::iter::once(first)
        .chain((1..=count).map(turn))
        .collect()
}

#[test]
fn a_call_without_result_makes_no_later_piece_of_a_log_dearer() {
    let pieces = log_behind_a_call_without_result(500);
    let mut session = metered();
    let mut fuel = pieces.iter().map(|piece| {
        let report = session.restore(piece).unwrap().unwrap();
        assert_eq!(report.requests, 1);
        session.fuel_used().unwrap()
    });
    let early = fuel.nth(9).unwrap();
    let late = fuel.last().unwrap();
    assert!(late < 2 * early, "{early} grew to {late}");
    assert_eq!(session.todos().unwrap()[0].content, "Read 500");
}
