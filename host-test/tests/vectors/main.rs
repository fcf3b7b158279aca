//! The conformance vectors hold, and a vector that does not hold is seen.

#![allow(clippy::unwrap_used, clippy::panic)]

mod command;
mod expectations;
mod format;

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
