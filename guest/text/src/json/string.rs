//! String literals: from what stands between the quotes to text, and back.

use crate::words::{all_chunks, below, equal};
use memchr::{memchr, memchr2};
use std::borrow::Cow;

/// Decodes what stands between the quotes of a JSON or Python string.
///
/// A surrogate without its partner becomes U+FFFD; an escape that neither
/// language knows stays as it is written.
pub fn decode(raw: &str) -> Cow<'_, str> {
    let Some(first) = memchr(b'\\', raw.as_bytes()) else {
        return Cow::Borrowed(raw);
    };
    let mut text = String::with_capacity(raw.len());
    let mut rest = raw;
    let mut next = Some(first);
    while let Some(at) = next {
        let (before, escape) = rest.split_at_checked(at).unwrap_or((rest, ""));
        text.push_str(before);
        rest = push_escape(&mut text, escape.get(1..).unwrap_or_default());
        next = memchr(b'\\', rest.as_bytes());
    }
    text.push_str(rest);
    Cow::Owned(text)
}

/// Decodes one escape, given what follows its backslash; returns what follows
/// the escape.
fn push_escape<'a>(text: &mut String, after: &'a str) -> &'a str {
    let mut chars = after.chars();
    let Some(kind) = chars.next() else {
        text.push('\\');
        return after;
    };
    let rest = chars.as_str();
    let plain = match kind {
        '"' | '\'' | '\\' | '/' => kind,
        'n' => '\n',
        't' => '\t',
        'r' => '\r',
        'b' => '\u{8}',
        'f' => '\u{c}',
        'u' | 'x' | 'U' => return push_code(text, kind, rest),
        _ => {
            text.push('\\');
            kind
        }
    };
    text.push(plain);
    rest
}

/// `\uXXXX`, Python's `\xXX` and `\UXXXXXXXX`; a pair of surrogates is one
/// character.
fn push_code<'a>(text: &mut String, kind: char, rest: &'a str) -> &'a str {
    let digits = match kind {
        'x' => 2,
        'u' => 4,
        _ => 8,
    };
    let Some((code, mut after)) = hex(rest, digits) else {
        text.push('\\');
        text.push(kind);
        return rest;
    };
    let mut code = code;
    if (0xd800..0xdc00).contains(&code) {
        let low = after.strip_prefix("\\u").and_then(|low| hex(low, 4));
        if let Some((low, behind)) = low.filter(|(low, _)| (0xdc00..0xe000).contains(low)) {
            code = 0x1_0000 + ((code - 0xd800) << 10) + (low - 0xdc00);
            after = behind;
        }
    }
    text.push(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER));
    after
}

/// A hexadecimal number of exactly `digits` digits, and what follows it.
fn hex(text: &str, digits: usize) -> Option<(u32, &str)> {
    let (number, rest) = text.split_at_checked(digits)?;
    if !number.bytes().all(|b| b.is_ascii_hexdigit()) {
        return None;
    }
    Some((u32::from_str_radix(number, 16).ok()?, rest))
}

/// Appends `text` as a JSON string.
pub fn push_string(out: &mut String, text: &str) {
    let plain = |word| equal(word, b'"') | equal(word, b'\\') | below(word, b' ') == 0;
    if all_chunks(text.as_bytes(), plain) {
        out.push('"');
        out.push_str(text);
        out.push('"');
    } else {
        // Writing a string into a string has nothing to fail on.
        out.push_str(&serde_json::to_string(text).unwrap_or_default());
    }
}

/// How many bytes stand before the next `quote` or `\`, or all of them.
///
/// The first bytes eight at a time: keys and most values of a log are shorter
/// than what a vector search needs to get going. The rest is left to it.
#[inline]
pub(super) fn quote_or_escape(bytes: &[u8], quote: u8) -> usize {
    let (near, far) = bytes.split_at_checked(32).unwrap_or((bytes, &[]));
    let (chunks, rest) = near.as_chunks::<8>();
    for (at, chunk) in chunks.iter().enumerate() {
        let word = u64::from_le_bytes(*chunk);
        let ends = equal(word, quote) | equal(word, b'\\');
        if ends != 0 {
            return at * 8 + ends.trailing_zeros() as usize / 8;
        }
    }
    let ends = |b: &u8| *b == quote || *b == b'\\';
    if let Some(at) = rest.iter().position(ends) {
        return near.len() - rest.len() + at;
    }
    near.len() + memchr2(quote, b'\\', far).unwrap_or(far.len())
}

#[cfg(test)]
mod tests {
    use super::{decode, push_string};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_string_is_written_as_serde_json_writes_it(text in any::<String>(), plain in "[ -~]{0,40}") {
            for text in [text, plain] {
                let mut out = String::new();
                push_string(&mut out, &text);
                prop_assert_eq!(out, serde_json::to_string(&text).unwrap());
            }
        }
    }

    #[test]
    fn json_and_python_escapes_are_decoded() {
        assert_eq!(
            decode(r#"a\"b\\c\/d\n\t\r\b\f"#),
            "a\"b\\c/d\n\t\r\u{8}\u{c}"
        );
        assert_eq!(decode(r"\u00e9\u65e5\x41\U0001f600"), "é日A😀");
        assert_eq!(decode(r"\ud83d\ude00"), "😀");
        assert_eq!(decode(r"it\'s"), "it's");
    }

    #[test]
    fn a_lone_surrogate_becomes_the_replacement_character() {
        assert_eq!(decode(r"a\ud800b"), "a\u{fffd}b");
        assert_eq!(decode(r"\udc00"), "\u{fffd}");
        assert_eq!(decode(r"\ud800\ud83d\ude00"), "\u{fffd}😀");
        assert_eq!(decode(r"\ud800\n"), "\u{fffd}\n");
    }

    #[test]
    fn an_unknown_or_torn_escape_stays_as_written() {
        assert_eq!(decode(r"\q\u12"), r"\q\u12");
        assert_eq!(decode(r"\u+123"), r"\u+123");
        assert_eq!(decode("\\"), "\\");
        assert_eq!(decode(r"\uaé"), r"\uaé");
    }
}
