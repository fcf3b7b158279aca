//! What can't be done is said in one line.

use super::*;

/// A problem is one line that says `part`, a failure, and nothing else.
fn assert_refused(output: &Output, part: &str) {
    let line = stderr(output);
    assert!(!output.status.success(), "{part}: it succeeded");
    assert!(
        line.starts_with("agent-todo: ") && line.contains(part),
        "{part}: {line}"
    );
    assert_eq!(line.trim_end().lines().count(), 1, "{line}");
    assert_eq!(stdout(output), "", "{part}");
}

#[test]
fn a_bad_log_is_refused_in_one_line() {
    let folder = folder("bad-logs");
    assert_refused(
        &run(&["replay", "no-such-file.jsonl"]),
        "no-such-file.jsonl",
    );
    assert_refused(
        &run(&["replay", folder.to_str().unwrap()]),
        "is a directory",
    );
    let cases: [(&[u8], &str); 8] = [
        (b"", "is empty"),
        (b" \n", "is empty"),
        (b"Dear diary,", "Dear diary"),
        (b"\x7fELF\x02\x01\0\0{\xff\xfe\n\0{", "standard input: "),
        (b"\"a text\"", "standard input: "),
        (b"[]", "no message of a known shape"),
        (b"{\"a\":1}", "no message of a known shape"),
        (b"{\"type\":\"assistant\",\"mess", "cut off"),
    ];
    for (log, part) in cases {
        assert_refused(&feed(&["replay", "-"], log), part);
    }
}

#[test]
fn a_log_whose_last_line_is_cut_off_replays_with_a_warning() {
    let mut log = fs::read(sample()).unwrap();
    log.truncate(log.len() - 40);
    let output = feed(&["replay", "-", "--json"], &log);
    let warning = stderr(&output);
    assert!(
        warning.starts_with("warning: ") && warning.contains("cut off"),
        "{warning}"
    );
    assert_eq!(warning.lines().count(), 1);
    let events = events(&output);
    assert_eq!(events.last().unwrap()["torn"], true);
    assert_eq!(events.last().unwrap()["requests"], 81);
}

#[test]
fn a_wrong_command_or_flag_is_refused_with_what_is_legal() {
    let cases: [(&[&str], &str); 10] = [
        (&["reply"], "legal: replay, "),
        (&["--bogus"], "--bogus; legal: "),
        (&["-x"], "-x; legal: "),
        (&["replay", "a", "b"], "\"b\"; legal: "),
        (
            &["replay", "--remind-after", "soon"],
            "\"soon\"; legal: a whole number",
        ),
        (&["replay", "--remind-after"], "--remind-after"),
        (&["replay", "--tool-set", "all"], "legal: todo, task, both"),
        (&["replay", "--max-todos", "0"], "legal: 1 to 1000"),
        (
            &["tools", "--format", "xml"],
            "legal: anthropic, openai, openai-responses, mcp",
        ),
        (&["component"], "--out FILE is missing"),
    ];
    for (arguments, part) in cases {
        assert_refused(&run(arguments), part);
    }
}

#[test]
fn a_reader_that_has_enough_ends_it_quietly() {
    for arguments in [&["replay", "--json"][..], &[], &["tools"], &["help"]] {
        let mut child = command(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!(stderr(&output), "", "{arguments:?}");
        assert!(output.status.success(), "{arguments:?}");
    }
}
