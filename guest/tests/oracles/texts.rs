//! What a text for the model never holds, told without the guest's own code.

/// Unicode's Default_Ignorable_Code_Point: what is not seen.
const IGNORABLE: [(u32, u32); 17] = [
    (0xad, 0xad),
    (0x34f, 0x34f),
    (0x61c, 0x61c),
    (0x115f, 0x1160),
    (0x17b4, 0x17b5),
    (0x180b, 0x180f),
    (0x200b, 0x200f),
    (0x202a, 0x202e),
    (0x2060, 0x206f),
    (0x3164, 0x3164),
    (0xfe00, 0xfe0f),
    (0xfeff, 0xfeff),
    (0xffa0, 0xffa0),
    (0xfff0, 0xfff8),
    (0x1bca0, 0x1bca3),
    (0x1d173, 0x1d17a),
    (0xe0000, 0xe0fff),
];

/// Angle brackets of other scripts and widths.
pub const BRACKETS: &str = "<\u{2039}\u{27e8}\u{2329}\u{3008}\u{300a}\u{ff1c}\u{fe64}\u{276e}\u{ab}\u{276c}\u{2770}\u{29fc}";

fn is_ignorable(c: char) -> bool {
    IGNORABLE
        .iter()
        .any(|(from, to)| (*from..=*to).contains(&u32::from(c)))
}

/// How often the text opens or closes a reminder block, for a reader that takes
/// no notice of case, of spaces and of what cannot be seen.
fn tags(text: &str) -> usize {
    let seen: String = text
        .chars()
        .filter(|c| !is_ignorable(*c) && !c.is_whitespace() && !"-/\\".contains(*c))
        .map(|c| {
            if BRACKETS.contains(c) {
                '<'
            } else {
                c.to_ascii_lowercase()
            }
        })
        .collect();
    seen.replace("m_r", "mr").matches("<systemreminder").count()
}

/// A text for the model: `expected` tags and nothing that acts unseen.
pub fn check_text(text: &str, expected: usize) {
    assert_eq!(tags(text), expected, "{text:?}");
    for c in text.chars() {
        let acts = matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{e0000}'..='\u{e007f}');
        assert!(!acts && (c == '\n' || !c.is_control()), "{c:?} in {text:?}");
        assert!(!matches!(c, '\u{2028}' | '\u{2029}'), "{c:?} in {text:?}");
    }
}

/// A text of the list: one line, trimmed, something to see.
pub fn check_tidy(text: &str) {
    assert_eq!(text.trim(), text);
    assert!(
        !text
            .chars()
            .any(|c| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}')),
        "{text:?}"
    );
    assert!(
        text.chars().any(|c| !is_ignorable(c) && !c.is_whitespace()),
        "{text:?} is blank"
    );
}

/// A list text: a line for each item, an empty one, the count, and notes.
pub fn check_lines(text: &str, items: usize, completed: usize) {
    let mut lines = text.split('\n');
    for _ in 0..items {
        let line = lines.next().unwrap_or_default();
        assert!(
            ["[ ] ", "[>] ", "[x] "]
                .iter()
                .any(|mark| line.starts_with(mark)),
            "{line:?} in {text}"
        );
        assert!(line.contains(". "), "{line:?}");
    }
    if items > 0 {
        assert_eq!(lines.next(), Some(""), "{text}");
    }
    assert_eq!(
        lines.next(),
        Some(&*format!("({completed}/{items} completed)")),
        "{text}"
    );
    for line in lines {
        assert!(
            line.starts_with("Note: ") && line.len() > 7,
            "{line:?} in {text}"
        );
    }
}

/// A whole reminder block with a line of context and so many items.
pub fn check_block(text: &str, items: usize) {
    check_text(text, 2);
    let lines: Vec<&str> = text.split('\n').collect();
    assert_eq!(lines.len(), items + 3, "{text}");
    assert_eq!(lines.first(), Some(&"<system-reminder>"));
    assert_eq!(lines.last(), Some(&"</system-reminder>"));
    for line in &lines[2..lines.len() - 1] {
        assert!(
            line.starts_with("[pending] ") || line.starts_with("[in_progress] "),
            "{line:?}"
        );
    }
}
