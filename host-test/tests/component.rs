//! What the built component promises to every host.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

use agent_todo_host::{COMPONENT, Limits, Plugin, Policy, Session};
use serde_json::json;

const PAGE: usize = 1 << 16;

fn session(limits: Limits) -> Session {
    let plugin = Plugin::bundled(limits).unwrap();
    plugin.session(&Policy::default()).unwrap()
}

/// A write of 20 items of 50 characters.
fn ordinary_write() -> String {
    let todos: Vec<_> = (1..=20)
        .map(|id| json!({"id": id.to_string(), "content": "x".repeat(50), "status": "pending"}))
        .collect();
    json!({ "todos": todos }).to_string()
}

#[test]
fn an_ordinary_session_fits_into_1_mib() {
    let mut session = session(Limits {
        memory: 1 << 20,
        ..Limits::default()
    });
    for _ in 0..1_000 {
        session.on_request().unwrap();
        session.pending_history_appends().unwrap();
        session.todo_write(&ordinary_write()).unwrap().unwrap();
    }
    session.compact_snapshot().unwrap();
    session.save_state().unwrap();
}

#[test]
fn a_new_instance_has_at_most_4_pages() {
    session(Limits {
        memory: 4 * PAGE,
        ..Limits::default()
    });
}

#[test]
fn an_ordinary_write_takes_less_than_1_000_000_units_of_fuel() {
    let mut session = session(Limits {
        fuel: Some(1_000_000),
        ..Limits::default()
    });
    session.todo_write(&ordinary_write()).unwrap().unwrap();
    session.todo_write(&ordinary_write()).unwrap().unwrap();
}

#[test]
fn no_folder_of_this_machine_is_in_the_component() {
    let home = std::env::var("HOME").unwrap_or_else(|_| "/home/".to_owned());
    let texts = String::from_utf8_lossy(COMPONENT);
    for folder in [home.as_str(), env!("CARGO_MANIFEST_DIR"), "registry/src"] {
        assert!(folder.len() < 2 || !texts.contains(folder), "{folder}");
    }
}
