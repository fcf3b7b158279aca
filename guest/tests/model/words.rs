//! What the contract says about words and texts, as plainly as it can be
//! written down, for the texts that the random sessions use.

use agent_todo::Status;

/// What a status asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wish {
    Be(Status),
    Park,
    Drop,
    Unknown,
}

/// Any case; spaces and hyphens as underscores; the synonyms of the contract.
pub fn wish(word: &str) -> Wish {
    let word = tidy(word).to_lowercase().replace([' ', '-'], "_");
    match word.as_str() {
        "pending" | "todo" | "open" | "not_started" | "queued" => Wish::Be(Status::Pending),
        "in_progress" | "inprogress" | "active" | "doing" | "running" | "started" | "current" => {
            Wish::Be(Status::InProgress)
        }
        "completed" | "done" | "complete" | "finished" | "closed" => Wish::Be(Status::Completed),
        "cancelled" | "canceled" | "deleted" | "removed" => Wish::Drop,
        "blocked" | "failed" | "paused" | "on_hold" => Wish::Park,
        _ => Wish::Unknown,
    }
}

fn breaks(c: char) -> bool {
    c.is_control() || c == '\u{2028}' || c == '\u{2029}'
}

/// Trimmed; inner line breaks and control characters become single spaces.
pub fn tidy(text: &str) -> String {
    let pieces: Vec<&str> = text
        .split(breaks)
        .map(str::trim)
        .filter(|piece| !piece.is_empty())
        .collect();
    pieces.join(" ")
}

/// Nothing to see in it.
pub fn blank(text: &str) -> bool {
    text.chars()
        .all(|c| c.is_whitespace() || c.is_control() || c == '\u{200b}')
}

/// At most `max` characters, the last of them an ellipsis if there were more.
pub fn cut(text: &str, max: usize) -> (String, bool) {
    if text.chars().count() <= max {
        return (text.to_owned(), false);
    }
    let kept: String = text.chars().take(max - 1).collect();
    (kept + "…", true)
}

/// An id is tidied like content and cut to 64 characters; blank is none.
pub fn id(text: &str) -> Option<String> {
    let text: String = tidy(text).chars().take(64).collect();
    let text = text.trim_end().to_owned();
    (!blank(&text)).then_some(text)
}

/// A text as the model gets it.
pub fn shown(text: &str) -> String {
    let unseen = |c: &char| matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{e0000}'..='\u{e007f}');
    let chars: Vec<char> = text.chars().collect();
    let mut out = String::new();
    for (at, c) in chars.iter().enumerate() {
        let name: String = chars[at + 1..]
            .iter()
            .filter(|c| !c.is_whitespace() && !matches!(c, '/' | '-' | '_' | '\u{200b}'))
            .take(14)
            .collect();
        if matches!(c, '<' | '＜') && name.eq_ignore_ascii_case("systemreminder") {
            out.push('_');
        } else if !unseen(c) {
            out.push(*c);
        }
    }
    out
}

/// The positive number that an id spells.
pub fn number(id: &str) -> Option<u64> {
    let digits = !id.is_empty() && id.chars().all(|c| c.is_ascii_digit());
    digits
        .then(|| id.parse().ok())
        .flatten()
        .filter(|number| *number > 0)
}
