//! What the harness promises to a Rust host.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

use std::sync::LazyLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use agent_todo_host::{COMPONENT, Cause, Error, Limits, Plugin, Policy, Recovery, Session};
use serde_json::json;

static PLUGIN: LazyLock<Plugin> = LazyLock::new(|| plugin(Limits::default()));
static FUELLED: LazyLock<Plugin> = LazyLock::new(|| {
    plugin(Limits {
        fuel: Some(1_000_000),
        ..Limits::default()
    })
});

fn plugin(limits: Limits) -> Plugin {
    Plugin::bundled(limits).unwrap()
}

fn session() -> Session {
    PLUGIN.session(&Policy::default()).unwrap()
}

fn write(contents: &[&str]) -> String {
    let todos: Vec<_> = contents
        .iter()
        .map(|content| json!({"content": content, "status": "pending"}))
        .collect();
    json!({ "todos": todos }).to_string()
}

fn history(input: &str) -> String {
    json!([
        {"role": "assistant", "content": [
            {"type": "tool_use", "id": "1", "name": "todo_write", "input": serde_json::from_str::<serde_json::Value>(input).unwrap()},
        ]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "1", "content": "[ ] 1. Read"}]},
    ])
    .to_string()
}

/// A history that takes the component a while.
fn long_history() -> String {
    let message = r#"{"role":"user","content":"Nothing to see here."},"#;
    format!("[{}{{}}]", message.repeat(100_000))
}

fn cause(error: &Error) -> &Cause {
    match error {
        Error::Dead { cause, .. } => cause,
        other => panic!("not dead: {other}"),
    }
}

#[test]
fn two_sessions_of_a_plugin_share_nothing() {
    let (mut one, mut other) = (session(), session());
    one.todo_write(&write(&["Read"])).unwrap().unwrap();
    one.on_request().unwrap();
    assert_eq!(one.todos().unwrap().len(), 1);
    assert_eq!(other.todos().unwrap(), []);
    assert_eq!(other.counters().unwrap().requests_since_write, 0);
}

#[test]
fn a_refusal_is_an_answer_and_the_session_lives_on() {
    let mut session = session();
    let refusal = session.call_tool("todo_write", "7").unwrap().unwrap_err();
    assert!(refusal.message.starts_with("Error: "));
    assert_eq!(session.death(), None);
    session.todo_write(&write(&["Read"])).unwrap().unwrap();
}

#[test]
fn a_policy_out_of_range_makes_no_session_and_says_the_range() {
    let policy = Policy {
        max_todos: Some(0),
        ..Policy::default()
    };
    let error = PLUGIN.session(&policy).map(|_| ()).unwrap_err();
    let line = error.to_string();
    assert!(line.contains("max-todos is 0; legal: 1 to 1000"), "{line}");
}

#[test]
fn a_call_that_runs_out_of_fuel_kills_the_session_for_good() {
    let mut session = FUELLED.session(&Policy::default()).unwrap();
    let death = session.restore(&long_history()).unwrap_err();
    assert_eq!(cause(&death), &Cause::Fuel);
    assert_eq!(session.todos().unwrap_err(), death);
    assert_eq!(session.on_request().unwrap_err(), death);
    assert_eq!(session.death(), Some(&death));
    let mut next = FUELLED.session(&Policy::default()).unwrap();
    next.on_request().unwrap();
}

#[test]
fn the_fuel_is_for_each_call_and_not_for_the_session() {
    let mut session = FUELLED.session(&Policy::default()).unwrap();
    for _ in 0..100 {
        session
            .todo_write(&write(&["Read", "Write", "Ship"]))
            .unwrap()
            .unwrap();
    }
}

#[test]
fn a_call_that_needs_more_memory_than_allowed_kills_the_session() {
    let plugin = plugin(Limits {
        memory: 1 << 20,
        ..Limits::default()
    });
    let mut session = plugin.session(&Policy::default()).unwrap();
    session.todo_write(&write(&["Read"])).unwrap().unwrap();
    let death = session.restore(&long_history()).unwrap_err();
    assert!(matches!(cause(&death), Cause::Memory(_)), "{death}");
    assert!(
        death.to_string().contains("memory limit of 1048576 bytes"),
        "{death}"
    );
}

#[test]
fn a_call_that_runs_past_its_ticks_kills_the_session() {
    let plugin = plugin(Limits {
        ticks: Some(2),
        ..Limits::default()
    });
    let mut session = plugin.session(&Policy::default()).unwrap();
    let over = AtomicBool::new(false);
    let death = thread::scope(|scope| {
        scope.spawn(|| {
            while !over.load(Ordering::Relaxed) {
                plugin.tick();
            }
        });
        let death = session.restore(&long_history()).unwrap_err();
        over.store(true, Ordering::Relaxed);
        death
    });
    assert_eq!(cause(&death), &Cause::Deadline);
}

#[test]
fn a_limit_that_does_not_even_hold_an_instance_says_so() {
    let error = Plugin::bundled(Limits {
        memory: 1 << 16,
        ..Limits::default()
    })
    .map(|_| ())
    .unwrap_err();
    assert!(matches!(cause(&error), Cause::Memory(_)), "{error}");
    assert!(error.to_string().contains("instantiate"), "{error}");
}

#[test]
fn a_revived_session_answers_like_the_one_that_died() {
    let policy = Policy {
        remind_after: Some(1),
        ..Policy::default()
    };
    let mut live = PLUGIN.session(&policy).unwrap();
    live.on_request().unwrap();
    live.todo_write(&write(&["Read"])).unwrap().unwrap();
    let state = live.save_state().unwrap();
    let history = history(&write(&["Read"]));
    let recoveries = [Recovery::State(&state), Recovery::History(&history)];
    live.on_request().unwrap();
    let expected = (
        live.pending_history_appends().unwrap(),
        live.todo_write(&write(&["Write"])).unwrap().unwrap(),
        live.save_state().unwrap(),
    );
    assert_eq!(expected.0.len(), 1, "a reminder is due");
    for recovery in recoveries {
        let mut revived = PLUGIN.revive(&policy, recovery).unwrap();
        revived.on_request().unwrap();
        let answers = (
            revived.pending_history_appends().unwrap(),
            revived.todo_write(&write(&["Write"])).unwrap().unwrap(),
            revived.save_state().unwrap(),
        );
        assert_eq!(answers, expected, "{recovery:?}");
    }
}

#[test]
fn text_that_is_no_state_and_no_history_revives_nothing() {
    for recovery in [Recovery::State("{}"), Recovery::History("no")] {
        let error = PLUGIN.revive(&Policy::default(), recovery).map(|_| ());
        assert!(matches!(error, Err(Error::Refused(_))), "{recovery:?}");
    }
}

#[test]
fn what_is_no_plugin_gives_one_line_that_says_why() {
    let mut importing = b"\0asm\x0d\0\x01\0".to_vec();
    importing.extend(b"\x07\x05\x01\x40\x00\x01\x00"); // a type: (func)
    importing.extend(b"\x0a\x06\x01\x00\x01x\x01\x00"); // an import of it: "x"
    let cases: [(&[u8], &str); 5] = [
        (b"", "agent:todo@0.1.0"),
        (b"not WebAssembly", "agent:todo@0.1.0"),
        (b"\0asm\x01\0\0\0", "component"), // an empty core module
        (b"\0asm\x0d\0\x01\0", "session"), // an empty component
        (&importing, "`x`"),
    ];
    for (bytes, part) in cases {
        let error = Plugin::from_bytes(bytes, Limits::default())
            .map(|_| ())
            .unwrap_err();
        assert!(matches!(error, Error::Component(_)), "{error}");
        let line = error.to_string();
        assert!(line.contains(part) && !line.contains('\n'), "{line}");
    }
}

#[test]
fn the_same_component_from_bytes_is_the_same_plugin() {
    let plugin = Plugin::from_bytes(COMPONENT, Limits::default()).unwrap();
    let mut session = plugin.session(&Policy::default()).unwrap();
    assert_eq!(session.tools().unwrap(), crate::session().tools().unwrap());
}

#[test]
fn a_session_may_move_to_another_thread() {
    let mut session = session();
    thread::spawn(move || session.on_request().unwrap())
        .join()
        .unwrap();
}
