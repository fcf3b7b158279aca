//! An expectation that does not hold fails its vector, whichever it is.

use super::*;

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
