//! What is not as the format says, or could never fail, is an error.

use super::*;

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
