//! `history`: a session, or the list of all, as text.

use std::fs;
use std::path::{Path, PathBuf};

use super::terminal::printable;
use super::{find, sessions_folder};
use crate::Error;
use crate::agent::history;
use crate::agent::item::{self, Item, Part, Role};
use crate::agent::model::responses;

/// The text of a session, or of the list of all, safe for a terminal.
///
/// # Errors
///
/// When the session is not there or can't be read.
pub fn history(name: Option<&str>, sessions: Option<PathBuf>) -> Result<String, Error> {
    let folder = sessions.map_or_else(sessions_folder, Ok)?;
    let text = match name {
        Some(name) => session_text(&find(&folder, name)?)?,
        None => sessions_text(&folder)?,
    };
    Ok(printable(&text))
}

fn session_text(path: &Path) -> Result<String, Error> {
    let (head, items) = history::read(path)?;
    let parent = head
        .parent
        .map(|parent| format!(", after {parent}"))
        .unwrap_or_default();
    let mut text = format!(
        "session {}{parent}, in {}\n",
        head.id,
        head.workdir.display()
    );
    for item in &items {
        for part in &item.content {
            let (who, what) = match (part, item.role) {
                (Part::Text { text }, Role::System) => ("system", text.clone()),
                (Part::Text { text }, Role::User) => ("user", text.clone()),
                (Part::Text { text }, Role::Assistant) => ("assistant", text.clone()),
                (Part::ToolUse(call), _) => {
                    ("call", format!("{} {}", call.name, call.input_text()))
                }
                (
                    Part::ToolResult {
                        content,
                        is_error: false,
                        ..
                    },
                    _,
                ) => ("result", content.clone()),
                (
                    Part::ToolResult {
                        content,
                        is_error: true,
                        ..
                    },
                    _,
                ) => ("refused", content.clone()),
            };
            text.push_str(&format!(
                "\n{who}:\n  {}\n",
                what.trim_end().replace('\n', "\n  ")
            ));
        }
    }
    if item::awaits_answer(&items) || !item::unanswered(&items).is_empty() {
        text.push_str("\n(the turn is not finished)\n");
    }
    Ok(text)
}

/// One line for each session: name, requests, first words.
fn sessions_text(folder: &Path) -> Result<String, Error> {
    let Ok(entries) = fs::read_dir(folder) else {
        return Ok(format!("no sessions in {}\n", folder.display()));
    };
    let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let mut lines: Vec<String> = paths
        .filter(|path| path.extension().is_some_and(|kind| kind == "jsonl"))
        .map(|path| match history::read(&path) {
            Ok((head, items)) => session_line(&head.id, &items),
            // One bad file does not hide the others.
            Err(error) => format!("{error}\n"),
        })
        .collect();
    lines.sort();
    Ok(lines.concat())
}

fn session_line(id: &str, items: &[Item]) -> String {
    let prompt = items.iter().find(|item| item.role == Role::User);
    let text = prompt.map(Item::joined_text).unwrap_or_default();
    let words: String = text
        .lines()
        .next()
        .unwrap_or_default()
        .chars()
        .take(60)
        .collect();
    format!("{id}  {} requests  {words}\n", responses(items))
}
