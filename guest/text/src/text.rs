//! Text on its way in and out.
//!
//! In: [`tidy`] makes one trimmed line of whatever a model sent, and the list
//! holds that. Out: [`push_safe`] writes it so that nothing in it can act on
//! the model's context: no block of the host's is opened or closed, no control
//! character, no text that reads in another order than it is written.
//!
//! Ordinary text of any language passes both unchanged.

use crate::words::{self, all_chunks, equal, not_ascii_from};
use std::borrow::Cow;

/// One line: trimmed; a run of line breaks or control characters inside, with
/// the white space around it, becomes one space.
pub fn tidy(text: &str) -> Cow<'_, str> {
    if is_plain(text) {
        return Cow::Borrowed(text.trim_matches(' '));
    }
    let text = text.trim_matches(|c: char| c.is_whitespace() || c.is_control());
    if !text.chars().any(breaks_line) {
        return Cow::Borrowed(text);
    }
    let mut line = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((at, c)) = rest.char_indices().find(|&(_, c)| breaks_line(c)) {
        let (before, after) = rest.split_at_checked(at).unwrap_or((rest, ""));
        line.push_str(before.trim_end());
        line.push(' ');
        rest = after
            .get(c.len_utf8()..)
            .unwrap_or_default()
            .trim_start_matches(|c: char| c.is_whitespace() || c.is_control());
    }
    line.push_str(rest);
    Cow::Owned(line)
}

/// Whether [`tidy`] leaves `text` as it is.
pub fn is_tidy(text: &str) -> bool {
    if is_plain(text) {
        return !text.starts_with(' ') && !text.ends_with(' ');
    }
    match tidy(text) {
        Cow::Borrowed(line) => line.len() == text.len(),
        Cow::Owned(_) => false,
    }
}

/// Where `part` first stands in `text`. The searcher of the standard library
/// finds it faster in a long text, and takes 9 KB of a component.
pub fn find(text: &str, part: &str) -> Option<usize> {
    let mut starts = text.char_indices().map(|(at, _)| at);
    starts.find(|at| text.get(*at..).is_some_and(|rest| rest.starts_with(part)))
}

/// What stands before the first `part` in `text`, and behind it.
pub fn split<'t>(text: &'t str, part: &str) -> Option<(&'t str, &'t str)> {
    let (before, rest) = text.split_at_checked(find(text, part)?)?;
    Some((before, rest.strip_prefix(part)?))
}

/// Texts with `between` in between.
pub fn join(texts: impl IntoIterator<Item = impl AsRef<str>>, between: &str) -> String {
    let mut joined = String::new();
    for (at, text) in texts.into_iter().enumerate() {
        joined.push_str(if at > 0 { between } else { "" });
        joined.push_str(text.as_ref());
    }
    joined
}

/// Whether two texts are the same, faster than `==` where that is compiled for
/// size: for the comparisons that every call makes.
pub fn are_same(one: &str, other: &str) -> bool {
    words::are_same(one.as_bytes(), other.as_bytes())
}

/// Whether all is printable ASCII without `<`: most text is, and there is
/// nothing to do with it.
fn is_plain(text: &str) -> bool {
    all_chunks(text.as_bytes(), |word| {
        not_ascii_from(word, b' ') | equal(word, b'<') | equal(word, 0x7f) == 0
    })
}

/// Control characters (line feed, carriage return and tab among them) and the
/// two Unicode separators that some readers take for a line's end.
fn breaks_line(c: char) -> bool {
    c.is_control() || matches!(c, '\u{2028}' | '\u{2029}')
}

/// Whether nothing of `text` can be seen.
pub fn is_blank(text: &str) -> bool {
    let unseen = |c: char| c.is_whitespace() || c.is_control() || is_invisible(c);
    text.chars().all(|c| !c.is_ascii_graphic() && unseen(c))
}

/// The first `max` characters of `text`, the last of them `…`, if it has more.
pub fn cut(text: &str, max: usize) -> Option<String> {
    if text.len() <= max || text.chars().nth(max).is_none() {
        return None;
    }
    let mut short = first(text, max.saturating_sub(1)).to_owned();
    short.push('…');
    Some(short)
}

/// The first `max` characters of `text`.
pub fn first(text: &str, max: usize) -> &str {
    if text.len() <= max {
        return text;
    }
    match text.char_indices().nth(max) {
        Some((at, _)) => text.get(..at).unwrap_or(text),
        None => text,
    }
}

/// Appends `text` so that it is safe inside a text for the model.
pub fn push_safe(out: &mut String, text: &str) {
    if is_plain(text) {
        out.push_str(text);
    } else {
        push_filtered(out, text);
    }
}

/// Appends at most `max` characters of `text`, safe; the last is `…` if there
/// were more.
pub fn push_safe_cut(out: &mut String, text: &str, max: usize) {
    let start = out.len();
    push_safe(out, text);
    // What is safe is never longer than what it was made of.
    if text.len() <= max {
        return;
    }
    if let Some(short) = out.get(start..).and_then(|safe| cut(safe, max)) {
        out.truncate(start);
        out.push_str(&short);
    }
}

/// The safe form of a text that a message quotes, at most 60 characters.
pub fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    push_safe_cut(&mut out, &tidy(first(text, 400)), 60);
    out.push('"');
    out
}

fn push_filtered(out: &mut String, text: &str) {
    out.reserve(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        if breaks_line(c) {
            out.push(' ');
        } else if is_opening_bracket(c) && names_reminder(chars.as_str()) {
            // A visible character that is no bracket: an invisible one would
            // be dropped again by whoever normalises the text later.
            out.push('_');
        } else if !is_reordering_or_tag(c) {
            out.push(c);
        }
    }
}

/// Bidirectional embeddings, overrides and isolates, and the Unicode tag
/// characters, which spell text that nobody sees.
fn is_reordering_or_tag(c: char) -> bool {
    matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{e0000}'..='\u{e007f}')
}

/// Characters that take no room of their own: inside a tag's name they would
/// hide it from a comparison and not from a model.
fn is_invisible(c: char) -> bool {
    is_reordering_or_tag(c)
        || matches!(
            c,
            '\u{ad}'
                | '\u{34f}'
                | '\u{61c}'
                | '\u{115f}'
                | '\u{1160}'
                | '\u{17b4}'
                | '\u{17b5}'
                | '\u{180b}'..='\u{180f}'
                | '\u{200b}'..='\u{200f}'
                | '\u{2060}'..='\u{206f}'
                | '\u{2800}'
                | '\u{3164}'
                | '\u{fe00}'..='\u{fe0f}'
                | '\u{feff}'
                | '\u{ffa0}'
                | '\u{fff0}'..='\u{fffb}'
                | '\u{1bca0}'..='\u{1bca3}'
                | '\u{1d173}'..='\u{1d17a}'
                | '\u{e0080}'..='\u{e0fff}'
        )
}

/// `<` and what a reader takes for it.
fn is_opening_bracket(c: char) -> bool {
    matches!(
        c,
        '<' | '\u{ab}'
            | '\u{2c2}'
            | '\u{1438}'
            | '\u{16b2}'
            | '\u{2039}'
            | '\u{226a}'
            | '\u{226e}'
            | '\u{227a}'
            | '\u{22d6}'
            | '\u{2329}'
            | '\u{276c}'
            | '\u{276e}'
            | '\u{2770}'
            | '\u{27e8}'
            | '\u{27ea}'
            | '\u{2991}'
            | '\u{29fc}'
            | '\u{2a79}'
            | '\u{3008}'
            | '\u{300a}'
            | '\u{fe3d}'
            | '\u{fe3f}'
            | '\u{fe64}'
            | '\u{ff1c}'
            | '\u{1d236}'
    )
}

/// Whether what follows an opening bracket is the name of a reminder block, in
/// any case, with a slash before it, and with white space, invisible
/// characters or combining marks anywhere. It stops at the first character
/// that is neither, so the whole text is read at most twice.
fn names_reminder(rest: &str) -> bool {
    let mut name = "systemreminder".chars();
    let mut wanted = name.next();
    for c in rest.chars() {
        match wanted {
            None => return true,
            Some(letter) if c.eq_ignore_ascii_case(&letter) => wanted = name.next(),
            Some(_) if is_filler(c) => {}
            Some(_) => return false,
        }
    }
    wanted.is_none()
}

fn is_filler(c: char) -> bool {
    c.is_whitespace()
        || c.is_control()
        || is_invisible(c)
        || matches!(
            c,
            '/' | '\\' | '-' | '_' | '\u{300}'..='\u{36f}' | '\u{1ab0}'..='\u{1aff}'
                | '\u{1dc0}'..='\u{1dff}' | '\u{20d0}'..='\u{20ff}' | '\u{fe20}'..='\u{fe2f}' | '\u{2010}'..='\u{2015}'
                | '\u{2043}' | '\u{2044}' | '\u{2212}' | '\u{2215}' | '\u{29f8}'
                | '\u{fe58}' | '\u{fe63}' | '\u{ff0d}' | '\u{ff0f}'
        )
}

#[cfg(test)]
#[path = "text_tests.rs"]
mod tests;
