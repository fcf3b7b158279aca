//! The conformance vectors hold, and a vector that does not hold is seen.

#![allow(clippy::unwrap_used, clippy::panic)]

use agent_todo_host::vectors::{NativeSubject, Summary, conform, load, run_all};
use agent_todo_host::{Error, Limits, Plugin};
use std::path::{Path, PathBuf};

const WRITE: &str = r#"{"do": "todo-write", "input": "[\"a\", \"b\"]", "expect": {"ok": true}}"#;

fn vectors() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/vectors"))
}

/// An empty folder for a test.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("vectors")
        .join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// Runs one file of this text on the guest library.
fn run(name: &str, text: &str) -> Result<Summary, Error> {
    let folder = folder(name);
    std::fs::write(folder.join("theme.json"), text).unwrap();
    Ok(run_all(&load(&folder)?, &mut NativeSubject::default()))
}

fn theme(vectors: &str) -> String {
    format!(r#"{{"theme": "t", "about": "a", "vectors": [{vectors}]}}"#)
}

/// A vector that writes two items and then makes one more step.
fn after_a_write(step: &str) -> String {
    theme(&format!(r#"{{"name": "n", "steps": [{WRITE}, {step}]}}"#))
}

#[test]
fn every_vector_passes_in_wasmtime() {
    let plugin = Plugin::bundled(Limits::default()).unwrap();
    let summary = conform(vectors(), &plugin).unwrap();
    assert!(summary.is_success(), "{summary}");
}

#[test]
fn every_vector_passes_natively() {
    let themes = load(vectors()).unwrap();
    let summary = run_all(&themes, &mut NativeSubject::default());
    assert!(summary.is_success(), "{summary}");
}

#[test]
fn a_wrong_expectation_fails_whichever_it_is() {
    let todo_write = r#"{"do": "todo-write", "input": "[\"a\", \"b\"]""#;
    let refused = r#"{"do": "todo-write", "input": "{}""#;
    let due = r#"{"do": "pending-history-appends""#;
    let snapshot = r#"{"do": "compact-snapshot""#;
    let tools = r#"{"do": "tools""#;
    let restore = r#"{"do": "restore", "history": "[{\"role\":\"assistant\",\"content\":\"x\"}]""#;
    let save = r#"{"do": "save-state""#;
    for (call, expect, complaint) in [
        (refused, r#""ok": true"#, "error: expected"),
        (refused, r#""changed": true"#, "error: expected"),
        (refused, r#""error": "too-many""#, "error: expected"),
        (
            refused,
            r#""error": "invalid-input", "changed": false"#,
            "changed: expected",
        ),
        (todo_write, r#""error": "invalid-input""#, "error: expected"),
        (
            todo_write,
            r#""text": "[ ] 1. a\n\n(0/1 completed)""#,
            "text: expected",
        ),
        (
            todo_write,
            r#""text": ["[ ] 1. a\n[ ] 2. b\n\n(0/2 completed)", "\n"]"#,
            "text: expected",
        ),
        (
            todo_write,
            r#""starts_with": "[x] 1""#,
            "starts_with: expected",
        ),
        (
            todo_write,
            r#""contains": ["[ ] 1. a", "[ ] 3. c"]"#,
            "contains: expected",
        ),
        (
            todo_write,
            r#""not_contains": ["[ ] 3. c", "[ ] 2. b"]"#,
            "not_contains: expected",
        ),
        (todo_write, r#""max_chars": 33"#, "max_chars: expected"),
        (todo_write, r#""max_bytes": 33"#, "max_bytes: expected"),
        (todo_write, r#""is_json": true"#, "is_json: expected"),
        (todo_write, r#""changed": true"#, "changed: expected"),
        (todo_write, r#""progress": [1, 1, 0]"#, "progress: expected"),
        (todo_write, r#""appends": 0"#, "appends: expected"),
        (todo_write, r#""list": []"#, "list: expected"),
        (
            todo_write,
            r#""list": [["1", "pending", "a"], ["2", "completed", "b"]]"#,
            "list: expected",
        ),
        (
            todo_write,
            r#""list": [["1", "pending", "a"], ["2", "pending", "b", ""]]"#,
            "list: expected",
        ),
        (
            todo_write,
            r#""list": [["1", "pending"]]"#,
            "a list item has 2 parts",
        ),
        (
            todo_write,
            r#""counters": {"since_write": 1}"#,
            "counters, since_write: expected",
        ),
        (
            todo_write,
            r#""counters": {"since_reminder": 0}"#,
            "counters, since_reminder: expected",
        ),
        (due, r#""appends": 1"#, "appends: expected"),
        (
            due,
            r#""appends": 0, "not_contains": ["x"]"#,
            "not_contains: expected",
        ),
        (due, r#""role": "system""#, "role: expected"),
        (snapshot, r#""snapshot": false"#, "snapshot: expected"),
        (snapshot, r#""role": "user""#, "role: expected"),
        (snapshot, r#""carry_over": null"#, "carry_over: expected"),
        (
            snapshot,
            r#""carry_over": "something""#,
            "carry_over: expected",
        ),
        (tools, r#""tools": []"#, "tools: expected"),
        (
            tools,
            r#""tools": [{"name": "todo_read"}]"#,
            "tools: expected",
        ),
        (
            tools,
            r#""tools": [{"name": "todo_write", "schema": [{"at": "/type", "is": "array"}]}]"#,
            "at \"/type\"",
        ),
        (
            tools,
            r#""tools": [{"name": "todo_write", "schema": [{"at": "/nowhere", "is": 1}]}]"#,
            "at \"/nowhere\"",
        ),
        (
            tools,
            r#""tools": [{"name": "todo_write", "schema": [{"at": "/properties", "keys": []}]}]"#,
            "keys: expected",
        ),
        (
            restore,
            r#""report": {"format": "unknown"}"#,
            "report, format: expected",
        ),
        (
            restore,
            r#""report": {"requests": 2}"#,
            "report, requests: expected",
        ),
        (
            restore,
            r#""report": {"applied": 1}"#,
            "report, applied: expected",
        ),
        (
            restore,
            r#""report": {"refused": 1}"#,
            "report, refused: expected",
        ),
        (
            restore,
            r#""report": {"skipped": 1}"#,
            "report, skipped: expected",
        ),
        (
            restore,
            r#""report": {"reminders": 1}"#,
            "report, reminders: expected",
        ),
        (
            todo_write,
            r#""report": {"reminders": 0}"#,
            "report, reminders: expected",
        ),
        (save, r#""same": true"#, "same: expected"),
    ] {
        let summary = run(
            "wrong",
            &after_a_write(&format!("{call}, \"expect\": {{{expect}}}}}")),
        )
        .unwrap();
        assert_eq!(summary.passed, 0, "{expect}");
        let failure = summary.failures.first().unwrap();
        let start = "theme.json: \"n\": step 2 (";
        assert!(failure.starts_with(start), "{expect}: {failure}");
        assert!(failure.contains(complaint), "{expect}: {failure}");
    }
}

#[test]
fn a_saved_state_that_differs_from_the_one_before_is_seen() {
    let save = r#"{"do": "save-state", "expect": {"is_json": true}}"#;
    let same = r#"{"do": "save-state", "expect": {"same": true}}"#;
    let request = r#"{"do": "on-request"}"#;
    let unchanged = run("same", &after_a_write(&[save, same].join(", "))).unwrap();
    assert!(unchanged.is_success(), "{unchanged}");
    let changed = run("same", &after_a_write(&[save, request, same].join(", "))).unwrap();
    assert!(changed.to_string().contains("same: expected"), "{changed}");
}

#[test]
fn what_could_never_fail_is_an_error() {
    let counters =
        |expect: &str| after_a_write(&format!(r#"{{"do": "counters", "expect": {{{expect}}}}}"#));
    for (text, problem) in [
        (counters(""), "the expectation is empty"),
        (counters(r#""counters": {}"#), "the expectation is empty"),
        (counters(r#""report": {}"#), "the expectation is empty"),
        (counters(r#""contains": []"#), "not empty"),
        (counters(r#""not_contains": [""]"#), "not empty"),
        (counters(r#""starts_with": """#), "not empty"),
        (counters(r#""ok": false"#), "true or absent"),
        (
            counters(r#""ok": true, "error": "too-many""#),
            "exclude each other",
        ),
        (
            counters(r#""tools": [{"name": "t", "schema": [{"at": ""}]}]"#),
            "has `is` or `keys`",
        ),
        (
            after_a_write(r#"{"do": "counters"}"#),
            "missing field `expect`",
        ),
        (theme(""), "no vectors"),
        (
            theme(r#"{"name": "n", "steps": []}"#),
            "nothing is expected",
        ),
        (
            theme(r#"{"name": "n", "steps": [{"do": "on-request"}]}"#),
            "nothing is expected",
        ),
        (
            theme(
                &[
                    r#"{"name": "n", "steps": ["#,
                    WRITE,
                    r#"]}, {"name": "n", "steps": ["#,
                    WRITE,
                    "]}",
                ]
                .concat(),
            ),
            "the same name",
        ),
    ] {
        let error = run("never", &text).err().map(|e| e.to_string());
        let error = error.unwrap_or_else(|| panic!("accepted: {text}"));
        assert!(
            error.starts_with("theme.json: ") && error.contains(problem),
            "{text}: {error}"
        );
    }
}

#[test]
fn an_unknown_key_is_an_error_wherever_it_stands() {
    for text in [
        r#"{"theme": "t", "about": "a", "vectors": [], "comment": ""}"#.to_owned(),
        theme(&format!(
            r#"{{"name": "n", "polcy": {{}}, "steps": [{WRITE}]}}"#
        )),
        theme(&format!(
            r#"{{"name": "n", "policy": {{"remind-after": 3}}, "steps": [{WRITE}]}}"#
        )),
        after_a_write(r#"{"do": "on_request"}"#),
        after_a_write(r#"{"do": "on-request", "time": 2}"#),
        after_a_write(r#"{"do": "todos", "input": "", "expect": {"list": []}}"#),
        after_a_write(r#"{"do": "todos", "expect": {"todos": []}}"#),
        after_a_write(r#"{"do": "todos", "expect": {"counters": {"since-write": 0}}}"#),
        after_a_write(r#"{"do": "restore", "history": "", "expect": {"report": {"calls": 0}}}"#),
        after_a_write(r#"{"do": "tools", "expect": {"tools": [{"name": "t", "text": ""}]}}"#),
        after_a_write(
            r#"{"do": "todo-write", "input": {"repeat": "a", "time": 1}, "expect": {"ok": true}}"#,
        ),
    ] {
        assert!(run("unknown", &text).is_err(), "{text}");
    }
}

#[test]
fn a_folder_without_vectors_is_an_error() {
    let empty = folder("empty");
    assert!(load(&empty).is_err());
    std::fs::write(empty.join("README.md"), "{}").unwrap();
    assert!(load(&empty).is_err());
    assert!(load(&empty.join("nowhere")).is_err());
}

#[test]
fn a_policy_that_is_refused_fails_the_vector() {
    let text = theme(&format!(
        r#"{{"name": "n", "policy": {{"max_todos": 0}}, "steps": [{WRITE}]}}"#
    ));
    let summary = run("policy", &text).unwrap();
    assert!(
        summary.to_string().contains("before step 1: Error: "),
        "{summary}"
    );
}

#[test]
fn a_session_that_dies_fails_its_vector_and_no_other() {
    let limits = Limits {
        memory: 1 << 20,
        ..Limits::default()
    };
    let plugin = Plugin::bundled(limits).unwrap();
    let deadly = r#"{"name": "deadly", "steps": [{"do": "todo-write",
        "input": {"repeat": " ", "times": 8000000}, "expect": {"error": "too-large"}}]}"#;
    let fine = format!(r#"{{"name": "fine", "steps": [{WRITE}]}}"#);
    let folder = folder("deadly");
    let text = theme(&[deadly, &fine].join(", "));
    std::fs::write(folder.join("theme.json"), text).unwrap();
    let summary = conform(&folder, &plugin).unwrap();
    assert_eq!(summary.passed, 1, "{summary}");
    let start = "theme.json: \"deadly\": step 1 (todo-write): the session died in todo-write";
    assert!(summary.to_string().starts_with(start), "{summary}");
}
