//! Compaction: what is open is carried over, the old file stays.

use std::fs;

use crate::session::{Place, calls, looks, says};
use agent_todo_host::agent::history;
use agent_todo_host::agent::item::{Item, Role};
use agent_todo_host::agent::model::Response;
use serde_json::{Value, json};

fn todos() -> Value {
    json!({"todos": [
        {"id": "1", "content": "Read the loader", "status": "completed"},
        {"id": "2", "content": "Add the flag", "status": "in_progress"},
        {"id": "3", "content": "Update the docs", "status": "pending"},
    ]})
}

fn writes() -> Response {
    calls([("todo_write", todos())])
}

fn place(responses: impl IntoIterator<Item = Response>) -> Place {
    let mut place = Place::new(responses);
    place.model.summaries = vec!["The loader was read.".into(), "Twice.".into()];
    place
}

#[test]
fn the_open_items_are_the_first_system_message_of_a_new_session_that_names_its_parent() {
    let mut place = place([writes(), says("done"), says("on")]);
    place.turn("Go");
    let before = fs::read(place.first_file()).unwrap();
    place.with(|agent| agent.compact().unwrap());
    let (head, items) = history::read(&place.file()).unwrap();
    assert_eq!(
        (
            head.id.as_str(),
            head.parent.as_deref(),
            head.responses_before
        ),
        ("s.1", Some("s"), 2)
    );
    assert_eq!(items[0].role, Role::System);
    let text = items[0].joined_text();
    assert!(text.contains("\n[in_progress] 2. Add the flag\n[pending] 3. Update the docs\n"));
    assert!(!text.contains("Read the loader"));
    assert_eq!(
        items[1].joined_text(),
        "The history before this was replaced by a summary:\n\nThe loader was read."
    );
    assert_eq!(items.len(), 2);
    assert_eq!(
        fs::read(place.first_file()).unwrap(),
        before,
        "the old file stays as it is"
    );
}

#[test]
fn the_summary_is_asked_for_with_the_history_and_the_snapshot_and_without_tools() {
    let mut place = place([writes(), says("done")]);
    place.turn("Go");
    place.with(|agent| agent.compact().unwrap());
    let asked = place.asked().pop().unwrap();
    assert!(!asked.tools);
    let text = asked.items[0].joined_text();
    assert!(
        text.contains("[completed] 1. Read the loader")
            && text.contains("[pending] 3. Update the docs")
    );
}

#[test]
fn the_new_list_is_empty_until_the_model_writes_unless_the_policy_adopts_it() {
    for (adopt, expected) in [(None, 0), (Some(true), 2)] {
        let mut place = place([writes(), says("done"), writes(), says("done")]);
        place.policy.adopt_snapshot = adopt;
        place.turn("Go");
        place.with(|agent| {
            agent.compact().unwrap();
            assert_eq!(agent.session().todos().unwrap().len(), expected);
        });
        assert_eq!(place.todos().len(), expected, "also after a resume");
        place.turn("Go on");
        assert_eq!(place.todos().len(), 3);
    }
}

#[test]
fn a_carry_over_is_neither_a_reminder_nor_a_use() {
    let mut place = place([writes(), says("done")]);
    place.turn("Go");
    place.with(|agent| agent.compact().unwrap());
    let counters = place.with(|agent| agent.session().counters().unwrap());
    assert_eq!(
        (
            counters.requests_since_write,
            counters.requests_since_reminder
        ),
        (0, None)
    );
}

#[test]
fn a_list_without_open_items_carries_nothing_over() {
    let done = json!({"todos": [{"id": "1", "content": "a", "status": "completed"}]});
    for list in [done, json!({"todos": []})] {
        let mut place = place([calls([("todo_write", list)]), says("done")]);
        place.turn("Go");
        place.with(|agent| agent.compact().unwrap());
        assert!(place.items().iter().all(|item| item.role != Role::System));
    }
}

#[test]
fn over_the_threshold_the_next_request_is_that_of_the_new_session_with_the_prompt_in_it() {
    let full = Response {
        tokens: Some(100_001),
        ..writes()
    };
    let mut place = place([full, looks(), says("done")]);
    let answer = place.turn("Add a flag to the loader");
    assert_eq!(answer, "done");
    let (head, items) = history::read(&place.file()).unwrap();
    assert_eq!((head.id.as_str(), head.responses_before), ("s.1", 1));
    assert_eq!(items[2], Item::text(Role::User, "Add a flag to the loader"));
    let asked = place.asked();
    assert_eq!(
        asked.iter().map(|asked| asked.tools).collect::<Vec<_>>(),
        [true, false, true, true]
    );
    assert_eq!(asked[2].items, items[..3]);
}

#[test]
fn an_endpoint_that_counts_no_tokens_is_compacted_by_the_size_of_the_history() {
    let text = "x".repeat(1000);
    let mut place = place([
        calls([("write_file", json!({"path": "a", "content": text}))]),
        says("done"),
        says("again"),
    ]);
    place.budget.compact_above = 400;
    place.turn("Go");
    assert_eq!(
        history::read(&place.first_file()).unwrap().1.len(),
        3,
        "one answer, then the new session"
    );
    assert!(place.file().ends_with("s.1.jsonl"));
}

#[test]
fn a_prompt_after_a_long_turn_stands_in_the_new_session_only() {
    let full = Response {
        tokens: Some(200_000),
        ..says("done")
    };
    let mut place = place([full, says("second")]);
    place.turn("First");
    place.turn("Second");
    let old = history::read(&place.first_file()).unwrap().1;
    assert!(!old.contains(&Item::text(Role::User, "Second")));
    assert!(place.items().contains(&Item::text(Role::User, "Second")));
}

#[test]
fn a_session_is_resumed_where_it_goes_on_after_two_compactions() {
    let mut place = place([writes(), says("one"), writes(), says("two"), says("three")]);
    for prompt in ["a", "b"] {
        place.turn(prompt);
        place.with(|agent| agent.compact().unwrap());
    }
    assert!(place.file().ends_with("s.2.jsonl"));
    assert_eq!(
        history::read(&place.file()).unwrap().0.parent.as_deref(),
        Some("s.1")
    );
    assert_eq!(place.turn("c"), "three");
}

#[test]
fn an_empty_summary_leaves_the_old_session_in_force() {
    let mut place = place([writes(), says("done")]);
    place.model.summaries = vec!["  ".into()];
    place.turn("Go");
    assert!(place.with(|agent| agent.compact().is_err()));
    assert_eq!(place.file(), place.first_file());
    assert_eq!(place.todos().len(), 3);
}
