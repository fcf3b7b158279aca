//! The recorded histories in `fixtures`: each gives the list, the counters and
//! the report that stand beside it, whatever form the same JSON comes in.

#![allow(clippy::unwrap_used, clippy::panic)]

#[path = "fixtures/component.rs"]
mod component;
#[path = "fixtures/document.rs"]
mod document;
#[path = "fixtures/fixture.rs"]
mod fixture;
#[path = "fixtures/live.rs"]
mod live;
#[path = "fixtures/native.rs"]
mod native;

use agent_todo_host::{Limits, Plugin};
use document::Document;
use fixture::{Expected, Fixture};
use std::collections::BTreeSet;
use std::slice;

/// Runs `check` on every fixture and fails with everything that went wrong.
fn for_every_fixture(check: impl Fn(&Fixture) -> Vec<String>) {
    let fixtures = fixture::all();
    assert!(!fixtures.is_empty(), "no fixtures were found");
    let wrong: Vec<String> = fixtures
        .iter()
        .flat_map(|fixture| {
            let name = fixture.name();
            check(fixture)
                .into_iter()
                .map(move |what| format!("{name}: {what}"))
        })
        .collect();
    assert!(wrong.is_empty(), "\n{}\n", wrong.join("\n"));
}

/// What the whole text gives other than expected.
fn differences(expected: &Expected, text: String) -> Vec<String> {
    match native::restored(&expected.policy, &[text]) {
        Ok(outcome) => expected.differences(&outcome),
        Err(error) => vec![error],
    }
}

/// What the pieces, restored one after another, leave other than expected.
fn differences_in_pieces(expected: &Expected, pieces: &[String]) -> Vec<String> {
    match native::restored(&expected.policy, pieces) {
        Ok(outcome) => expected.differences_in_state(&outcome),
        Err(error) => vec![error],
    }
}

#[test]
fn every_history_has_its_expectations_and_the_reverse() {
    let strays = fixture::strays();
    assert!(
        strays.is_empty(),
        "one of the two files is missing: {strays:?}"
    );
}

#[test]
fn a_recorded_history_gives_its_list_its_counters_and_its_report() {
    for_every_fixture(|fixture| differences(&fixture.expected, fixture.text.clone()));
}

#[test]
fn a_byte_order_mark_changes_nothing() {
    for_every_fixture(|fixture| {
        differences(&fixture.expected, format!("\u{feff}{}", fixture.text))
    });
}

#[test]
fn line_ends_of_windows_change_nothing() {
    for_every_fixture(|fixture| differences(&fixture.expected, fixture.text.replace('\n', "\r\n")));
}

#[test]
fn white_space_changes_nothing() {
    for_every_fixture(|fixture| {
        let document = Document::parse(&fixture.text);
        let mut wrong = differences(&fixture.expected, document.pretty());
        wrong.extend(differences(&fixture.expected, document.compact()));
        wrong
    });
}

#[test]
fn the_order_of_keys_changes_nothing() {
    for_every_fixture(|fixture| {
        differences(
            &fixture.expected,
            Document::parse(&fixture.text).with_sorted_keys(),
        )
    });
}

#[test]
fn an_array_and_json_lines_of_its_elements_give_the_same() {
    for_every_fixture(|fixture| {
        let document = Document::parse(&fixture.text);
        let mut wrong = Vec::new();
        if document.is_array() {
            wrong.extend(differences(&fixture.expected, document.as_lines()));
        }
        if document.is_lines() {
            wrong.extend(differences(&fixture.expected, document.as_array()));
        }
        wrong
    });
}

#[test]
fn an_object_may_hold_the_array() {
    for_every_fixture(|fixture| {
        let document = Document::parse(&fixture.text);
        if !document.is_array() {
            return Vec::new();
        }
        let array = document.as_array();
        let objects = [
            format!(r#"{{"messages":{array}}}"#),
            format!(
                r#"{{"model":"m","tools":[{{"name":"todo_write"}}],"messages":{array},"stream":false}}"#
            ),
            format!(r#"{{"thread":{{"id":"t"}},"values":{{"messages":{array}}}}}"#),
        ];
        objects
            .into_iter()
            .flat_map(|object| differences(&fixture.expected, object))
            .collect()
    });
}

#[test]
fn an_element_that_was_cut_off_at_the_end_changes_nothing() {
    for_every_fixture(|fixture| {
        let document = Document::parse(&fixture.text);
        differences(&fixture.expected, document.with_torn_element())
    });
}

#[test]
fn a_history_may_be_cut_in_two_at_every_element() {
    for_every_fixture(|fixture| {
        let document = Document::parse(&fixture.text);
        let cut = |at| differences_in_pieces(&fixture.expected, &document.cut(&[at]));
        (1..document.len())
            .filter(|at| !cut(*at).is_empty())
            .map(|at| format!("another list or other counters if cut before element {at}"))
            .collect()
    });
}

#[test]
fn a_history_may_come_element_by_element() {
    for_every_fixture(|fixture| {
        let document = Document::parse(&fixture.text);
        let everywhere: Vec<usize> = (1..document.len()).collect();
        differences_in_pieces(&fixture.expected, &document.cut(&everywhere))
    });
}

#[test]
fn every_shape_has_a_recording_of_the_same_session() {
    let fixtures = fixture::all();
    let recorded = fixtures
        .iter()
        .filter(|fixture| fixture.records_the_scenario());
    assert_eq!(shapes(recorded), shapes(fixtures.iter()));
}

/// The shapes of the fixtures; the tools of other hosts are none.
fn shapes<'a>(fixtures: impl Iterator<Item = &'a Fixture>) -> BTreeSet<String> {
    let shapes = fixtures.map(Fixture::shape);
    shapes.filter(|shape| shape != "other-tools").collect()
}

#[test]
fn every_recording_of_one_session_restores_all_that_the_live_session_holds() {
    for_every_fixture(|fixture| {
        if !fixture.records_the_scenario() {
            return Vec::new();
        }
        let policy = &fixture.expected.policy;
        let live = live::session(policy).save_state();
        let restored = native::session(policy, slice::from_ref(&fixture.text))
            .map(|(mut session, _)| session.save_state());
        match restored {
            Ok(state) if state == live => Vec::new(),
            Ok(state) => vec![format!("expected {live}, got {state}")],
            Err(refusal) => vec![refusal.message],
        }
    });
}

#[test]
fn the_component_in_its_host_gives_the_same_from_one_piece_and_from_many() {
    let plugin = Plugin::bundled(Limits::default()).unwrap();
    for_every_fixture(|Fixture { expected, text, .. }| {
        let whole = component::restored(&plugin, &expected.policy, slice::from_ref(text));
        let mut wrong = whole.map_or_else(|e| vec![e], |outcome| expected.differences(&outcome));
        let document = Document::parse(text);
        let everywhere: Vec<usize> = (1..document.len()).collect();
        let pieces = component::restored(&plugin, &expected.policy, &document.cut(&everywhere));
        wrong.extend(pieces.map_or_else(
            |e| vec![e],
            |outcome| expected.differences_in_state(&outcome),
        ));
        wrong
    });
}
