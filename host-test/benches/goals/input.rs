//! What a model sends.

use std::fmt::Write;

/// A `todo_write` of `count` items of `length` characters, with ids from 1. The
/// first `done` are completed, the next one is in progress.
pub fn write(count: usize, length: usize, done: usize) -> String {
    let mut input = String::from(r#"{"todos":["#);
    for id in 1..=count {
        let comma = if id > 1 { "," } else { "" };
        let status = match id {
            id if id <= done => "completed",
            id if id == done + 1 => "in_progress",
            _ => "pending",
        };
        let content = content(id, length);
        // Writing to a string can't fail.
        let _ = write!(
            input,
            r#"{comma}{{"id":"{id}","content":"{content}","status":"{status}"}}"#
        );
    }
    input.push_str("]}");
    input
}

fn content(id: usize, length: usize) -> String {
    let mut text = format!("{id:03} read");
    while text.len() < length {
        text.push_str(" what the loader does, and say why");
    }
    text.truncate(length);
    text
}

/// Two writes of 20 items of 50 characters, where the second completes one item
/// more: a model's usual call.
pub fn usual() -> [String; 2] {
    [write(20, 50, 10), write(20, 50, 11)]
}
