//! Session logs: real ones, or one generated of the same make-up.

use crate::{Result, input};
use std::fmt::Write;
use std::path::Path;

/// The variable that names a folder of real logs.
const FOLDER: &str = "AGENT_TODO_LOGS";

/// A session log, JSON Lines.
pub struct Log {
    pub name: String,
    pub text: String,
}

/// The real logs, the greatest first; without any, a generated one of 2 MB.
pub fn all() -> Result<Vec<Log>> {
    let Some(folder) = std::env::var_os(FOLDER) else {
        return Ok(vec![Log {
            name: "generated log".to_owned(),
            text: generated(2_000_000),
        }]);
    };
    let mut logs = Vec::new();
    for entry in std::fs::read_dir(&folder)? {
        let path = entry?.path();
        if path
            .extension()
            .is_some_and(|extension| extension == "jsonl")
        {
            logs.push(Log {
                name: name(&path),
                text: std::fs::read_to_string(&path)?,
            });
        }
    }
    if logs.is_empty() {
        return Err(format!(
            "{FOLDER}: no file *.jsonl in {}",
            Path::new(&folder).display()
        )
        .into());
    }
    logs.sort_by_key(|log| std::cmp::Reverse(log.text.len()));
    Ok(logs)
}

fn name(path: &Path) -> String {
    path.file_stem()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}

/// A log of about `length` bytes in the form of Claude Code's: of 100 bytes some
/// 65 are results of tools, which stand in it twice, 20 what the model said and
/// 15 progress of hooks; one turn in ten writes the list.
pub fn generated(length: usize) -> String {
    let mut log = String::with_capacity(length + 16_000);
    let mut turn = 0;
    while log.len() < length {
        turn += 1;
        push_turn(&mut log, turn);
    }
    log
}

fn push_turn(log: &mut String, turn: usize) {
    let source =
        "    let loader = Loader::open(path)?; // \\\"first\\\", then the rest\\n".repeat(30);
    let thought = "The loader reads the whole file before it looks at the flag. ".repeat(12);
    let (call, result) = if turn.is_multiple_of(10) {
        let call = format!(
            r#""name":"todo_write","input":{}"#,
            input::write(8, 60, turn / 10 % 8)
        );
        (call, "(list)".to_owned())
    } else {
        let call = format!(
            r#""name":"Edit","input":{{"file_path":"/src/loader.rs","old_string":"{}"}}"#,
            source.get(..603).unwrap_or_default()
        );
        (call, source)
    };
    // Writing to a string can't fail.
    let _ = write!(
        log,
        r#"{{{0},"type":"assistant","message":{{"id":"msg_{turn}","role":"assistant","content":[{{"type":"thinking","thinking":"{thought}"}}]}}}}
{{{0},"type":"assistant","message":{{"id":"msg_{turn}","role":"assistant","content":[{{"type":"tool_use","id":"call_{turn}",{call}}}]}}}}
{{{0},"type":"progress","data":{{"type":"hook_progress","hookEvent":"PostToolUse","output":"{thought}"}}}}
{{{0},"type":"user","message":{{"role":"user","content":[{{"tool_use_id":"call_{turn}","type":"tool_result","content":"{result}"}}]}},"toolUseResult":{{"stdout":"{result}","lines":["{result}"]}}}}
"#,
        envelope(turn)
    );
}

fn envelope(turn: usize) -> String {
    format!(
        r#""parentUuid":"8a4b6389-51d2-4b1d-8340-{turn:012}","isSidechain":false,"userType":"external","cwd":"/home/user/project","sessionId":"2a8af1a8-f8cc-4816-a463-12df7a999930","version":"2.1.12","gitBranch":"main""#
    )
}

/// The log in pieces that end with a line, each of at most `length` bytes
/// unless one line alone is longer.
pub fn pieces(log: &str, length: usize) -> impl Iterator<Item = &str> {
    let mut rest = log;
    std::iter::from_fn(move || {
        let most = rest.len().min(length);
        let bytes = rest.as_bytes();
        let end = match bytes.get(..most)?.iter().rposition(|&b| b == b'\n') {
            _ if most == rest.len() => most,
            Some(at) => at + 1,
            None => bytes
                .iter()
                .position(|&b| b == b'\n')
                .map_or(bytes.len(), |at| at + 1),
        };
        let (piece, after) = rest.split_at_checked(end)?;
        rest = after;
        (!piece.is_empty()).then_some(piece)
    })
}
