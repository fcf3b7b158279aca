//! `agent-todo conform`, from outside.

use super::*;
use std::process::{Command, Output};

const GOOD: &str = r#"{"name": "good", "steps": [{"do": "todos", "expect": {"list": []}}]}"#;
const BAD: &str =
    r#"{"name": "bad", "steps": [{"do": "todos", "expect": {"list": [["1", "pending", "a"]]}}]}"#;

fn conform(arguments: &[&Path]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_agent-todo"))
        .arg("conform")
        .args(arguments)
        .output()
        .unwrap()
}

fn folder_of(name: &str, vectors: &[&str]) -> PathBuf {
    let folder = folder(name);
    std::fs::write(folder.join("theme.json"), theme(&vectors.join(", "))).unwrap();
    folder
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

#[test]
fn the_command_counts_what_passed() {
    let output = conform(&[&folder_of("passes", &[GOOD])]);
    assert_eq!(text(&output.stderr), "");
    assert_eq!(text(&output.stdout), "1 passed, 0 failed\n");
    assert!(output.status.success());
}

#[test]
fn the_command_fails_with_a_line_for_each_vector_that_does_not_hold() {
    let output = conform(&[&folder_of("fails", &[BAD, GOOD])]);
    assert_eq!(
        text(&output.stdout),
        "theme.json: \"bad\": step 1 (todos): list: expected [[\"1\", \"pending\", \"a\"]], found []\n\
         1 passed, 1 failed\n"
    );
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(text(&output.stderr).lines().count(), 1);
}

#[test]
fn the_command_takes_any_component_file() {
    let folder = folder_of("component", &[GOOD]);
    let file = folder.join("any.wasm");
    std::fs::write(&file, agent_todo_host::COMPONENT).unwrap();
    let output = conform(&[&folder, Path::new("--component"), &file]);
    assert_eq!(text(&output.stdout), "1 passed, 0 failed\n");

    std::fs::write(&file, b"\0asm\x01\0\0\0").unwrap();
    let output = conform(&[&folder, Path::new("--component"), &file]);
    assert_eq!(output.status.code(), Some(1));
    let line = text(&output.stderr);
    assert!(
        line.contains("any.wasm") && line.contains("not a component"),
        "{line}"
    );
}

#[test]
fn the_command_says_in_one_line_what_it_can_not_run() {
    let broken = folder("broken");
    std::fs::write(broken.join("theme.json"), "{\"theme\": 1}").unwrap();
    let nowhere = broken.join("nowhere");
    for (arguments, part) in [
        (vec![], "folder of the vectors is missing"),
        (vec![nowhere.as_path()], "nowhere"),
        (vec![broken.as_path()], "theme.json"),
        (
            vec![broken.as_path(), Path::new("--component"), &nowhere],
            "nowhere",
        ),
        (
            vec![broken.as_path(), Path::new("--components")],
            "--components",
        ),
        (
            vec![broken.as_path(), broken.as_path()],
            "unexpected argument",
        ),
    ] {
        let output = conform(&arguments);
        let line = text(&output.stderr);
        assert!(
            line.starts_with("agent-todo: ") && line.contains(part),
            "{part}: {line}"
        );
        assert_eq!(line.lines().count(), 1, "{line}");
        assert_eq!(text(&output.stdout), "", "{part}");
        assert_eq!(output.status.code(), Some(1), "{part}");
    }
}
