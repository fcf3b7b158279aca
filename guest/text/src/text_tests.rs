use super::*;

fn safe(text: &str) -> String {
    let mut out = String::new();
    push_safe(&mut out, text);
    out
}

#[test]
fn tidy_text_is_one_trimmed_line() {
    assert_eq!(tidy("  a\r\nb\t\tc \n d  "), "a b c d");
    assert_eq!(tidy("\u{1b}[31mred\u{7}"), "[31mred");
    assert_eq!(tidy("a\u{2028}b\u{85}c"), "a b c");
    assert_eq!(tidy("a  b"), "a  b", "plain spaces are the model's own");
    assert_eq!(tidy("\n \t"), "");
}

#[test]
fn tidying_twice_changes_nothing_more() {
    for text in [
        "a \n\n b",
        "\u{0}x\u{0}",
        "  ",
        "e\u{301}\n",
        "a\u{2029} \u{2029}b",
    ] {
        let once = tidy(text).into_owned();
        assert_eq!(tidy(&once), once);
    }
}

#[test]
fn text_that_nobody_can_see_is_blank() {
    for text in [
        "",
        " ",
        "\u{200b}",
        "\u{202e}\u{2069}",
        "\u{e0041}\u{e0042}",
        "\u{feff} \u{2800}",
    ] {
        assert!(is_blank(text), "{text:?}");
    }
    assert!(!is_blank(" . "));
}

#[test]
fn a_cut_text_has_the_limit_as_its_length() {
    assert_eq!(cut("abcde", 4).as_deref(), Some("abc…"));
    assert_eq!(cut("abcd", 4), None);
    assert_eq!(cut("日本語です", 3).as_deref(), Some("日本…"));
    assert_eq!(cut("ab", 1).as_deref(), Some("…"));
}

#[test]
fn no_spelling_of_a_reminder_tag_keeps_its_bracket() {
    for tag in [
        "<system-reminder>",
        "</system-reminder>",
        "< / SYSTEM-Reminder >",
        "<system-reminder class=\"x\">",
        "<system-reminder/>",
        "<sys\u{200b}tem-rem\u{ad}inder>",
        "<\u{202e}system-reminder>",
        "<\u{e0020}system-reminder>",
        "\u{ff1c}system-reminder>",
        "\u{2039}/system-reminder\u{203a}",
        "<system\u{2011}reminder>",
        "<system_reminder>",
        "<system- reminder>",
        "<s\u{301}ystem-reminder",
        "<system-reminder",
    ] {
        let out = safe(&format!("a {tag} b"));
        assert!(out.starts_with("a _"), "{tag:?} gave {out:?}");
        assert_eq!(out.matches('_').count(), 1 + tag.matches('_').count());
    }
    assert_eq!(safe("<<system-reminder>"), "<_system-reminder>");
}

#[test]
fn other_markup_stays_as_it_is() {
    for text in [
        "Vec<T>",
        "a < b && c > d",
        "<b>bold</b>",
        "<system>",
        "<reminder>",
        "</html>",
        "x << y",
        "<!-- -->",
    ] {
        assert_eq!(safe(text), text);
    }
}

#[test]
fn nothing_reorders_or_hides_text_and_no_line_is_added() {
    assert_eq!(safe("a\u{202e}b\u{2066}c\u{2069}"), "abc");
    assert_eq!(safe("a\u{e0041}b"), "ab");
    assert_eq!(safe("a\u{1b}[2Jb\nc"), "a [2Jb c");
}

#[test]
fn ordinary_text_of_any_language_stays_as_it_is() {
    for text in [
        "Prüfe die Größe — «naïve» façade",
        "修复解析器，然后更新文档",
        "إصلاح المحلل ثم تحديث الوثائق",
        "תקן את המנתח\u{200f}!",
        "ไทย\u{200b}ภาษา",
        "हिन्दी क्\u{200d}ष",
        "👩\u{200d}👩\u{200d}👧\u{200d}👦 ❤\u{fe0f} 🏳\u{fe0f}\u{200d}🌈",
        "e\u{301}a\u{308}",
        "한국어 띄어쓰기",
        "〈書名〉 ⟨ψ|φ⟩ «цитата»",
    ] {
        assert_eq!(safe(text), text);
        assert_eq!(tidy(text), text);
    }
}

#[test]
fn no_character_that_is_not_seen_hides_a_tag() {
    // All of Unicode's Default_Ignorable_Code_Point, and combining marks.
    let ranges = [
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
        (0x300, 0x36f),
        (0x1ab0, 0x1aff),
        (0x1dc0, 0x1dff),
        (0x20d0, 0x20ff),
        (0xfe20, 0xfe2f),
    ];
    for c in ranges
        .into_iter()
        .flat_map(|(from, to)| from..=to)
        .filter_map(char::from_u32)
    {
        for text in [
            format!("<{c}system-reminder>"),
            format!("<syst{c}em-reminder>"),
            format!("</system-{c}reminder>"),
        ] {
            let mut out = String::new();
            push_safe(&mut out, &text);
            assert!(out.starts_with('_'), "U+{:04X}: {out}", u32::from(c));
        }
    }
}

#[test]
fn text_is_plain_exactly_if_every_character_of_it_is() {
    for length in [1, 7, 8, 9, 16, 23] {
        for at in 0..length {
            for c in (0..0x180).filter_map(char::from_u32) {
                let mut text = vec!['a'; length];
                text[at] = c;
                let text: String = text.into_iter().collect();
                let plain = (' '..='~').contains(&c) && c != '<';
                assert_eq!(is_plain(&text), plain, "{text:?}");
            }
        }
    }
    assert!(is_plain(""));
}

#[test]
fn a_text_is_found_split_and_joined_as_the_standard_library_does_it() {
    for text in ["", ".", ". ", "a. b. c", "日. 本", "..  . ", "a__b", "é. "] {
        for part in [". ", "__", "本"] {
            assert_eq!(find(text, part), text.find(part), "{text}");
            assert_eq!(split(text, part), text.split_once(part), "{text}");
        }
    }
    assert_eq!(join(["a", "b", ""], ", "), "a, b, ");
    assert_eq!(join([""; 0], ", "), "");
}

#[test]
fn what_stands_beside_the_characters_that_are_dropped_stays() {
    // The narrow space of French among them.
    for c in [
        '\u{2027}',
        '\u{202f}',
        '\u{2065}',
        '\u{206a}',
        '\u{dffff}',
        '\u{e0080}',
    ] {
        let text = format!("a{c}b");
        assert_eq!(safe(&text), text);
    }
}

#[test]
fn what_can_be_seen_is_not_blank_though_it_stands_beside_what_cannot() {
    for c in [
        '\u{180a}',
        '\u{1810}',
        '\u{2010}',
        '\u{2070}',
        '\u{27ff}',
        '\u{2801}',
        '\u{fe10}',
        '\u{fffc}',
        '\u{1d17b}',
    ] {
        assert!(!is_blank(&c.to_string()), "U+{:04X}", u32::from(c));
    }
    assert!(is_blank("\u{fff9}\u{fffb}"));
}

#[test]
fn no_look_alike_of_the_bracket_the_dash_or_the_slash_hides_a_tag() {
    let brackets = "<\u{ab}\u{2c2}\u{1438}\u{16b2}\u{2039}\u{226a}\u{226e}\u{227a}\u{22d6}\u{2329}\u{276c}\u{276e}\u{2770}\
         \u{27e8}\u{27ea}\u{2991}\u{29fc}\u{2a79}\u{3008}\u{300a}\u{fe3d}\u{fe3f}\u{fe64}\u{ff1c}\u{1d236}";
    for bracket in brackets.chars() {
        let out = safe(&format!("{bracket}system-reminder>"));
        assert_eq!(out, "_system-reminder>", "U+{:04X}", u32::from(bracket));
    }
    let dashes_and_slashes = "-_/\\\u{2010}\u{2011}\u{2012}\u{2013}\u{2014}\u{2015}\u{2043}\u{2044}\u{2212}\u{2215}\
         \u{29f8}\u{fe58}\u{fe63}\u{ff0d}\u{ff0f}";
    for c in dashes_and_slashes.chars() {
        for tag in [
            format!("system{c}reminder>"),
            format!("{c}system-reminder>"),
        ] {
            assert_eq!(safe(&format!("<{tag}")), format!("_{tag}"));
        }
    }
}
