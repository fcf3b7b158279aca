//! Sessions whose places are set aside beforehand.

#![allow(clippy::unwrap_used)]

use agent_todo_host::{Error, Limits, Plugin, Policy, Recovery};

const WRITE: &str = r#"{"todos":[{"id":"1","content":"Read the loader","status":"pending"}]}"#;

fn plugin(places: u32) -> Plugin {
    let limits = Limits {
        pool: Some(places),
        ..Limits::default()
    };
    Plugin::bundled(limits).unwrap()
}

#[test]
fn a_session_in_a_place_that_was_used_before_begins_empty() {
    let plugin = plugin(1);
    for _ in 0..3 {
        let mut session = plugin.session(&Policy::default()).unwrap();
        assert!(session.todos().unwrap().is_empty());
        assert_eq!(session.counters().unwrap().requests_since_write, 0);
        session.todo_write(WRITE).unwrap().unwrap();
        session.on_request().unwrap();
    }
}

#[test]
fn one_session_more_than_there_are_places_is_refused_until_another_is_put_away() {
    let plugin = plugin(2);
    let policy = Policy::default();
    let mut idle = plugin.session(&policy).unwrap();
    let _other = plugin.session(&policy).unwrap();
    idle.todo_write(WRITE).unwrap().unwrap();
    assert_eq!(plugin.session(&policy).err(), Some(Error::Full));

    let state = idle.save_state().unwrap();
    drop(idle);
    let third = plugin.session(&policy).unwrap();
    drop(third);
    let mut back = plugin.revive(&policy, Recovery::State(&state)).unwrap();
    assert_eq!(back.todos().unwrap().len(), 1);
}

#[test]
fn the_fuel_of_a_call_is_known_where_it_is_counted() {
    let limits = Limits {
        fuel: Some(1_000_000),
        ..Limits::default()
    };
    let metered = Plugin::bundled(limits).unwrap();
    let mut session = metered.session(&Policy::default()).unwrap();
    session.todo_write(WRITE).unwrap().unwrap();
    let write = session.fuel_used().unwrap();
    session.on_request().unwrap();
    assert!((1..write).contains(&session.fuel_used().unwrap()));

    let unmetered = plugin(1).session(&Policy::default()).unwrap();
    assert_eq!(unmetered.fuel_used(), None);
}
