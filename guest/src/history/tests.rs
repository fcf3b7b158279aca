use super::{Event, Outcome, Reader};
use crate::session::Session;

/// What restoring `history` finds: format, then requests, applied, refused,
/// skipped and reminders, then the contents of the list.
fn restored(history: &str) -> (&'static str, [u32; 5], String) {
    let mut session = Session::default();
    let report = session.restore(history).unwrap();
    let counts = [
        report.requests,
        report.applied,
        report.refused,
        report.skipped,
        report.reminders,
    ];
    let contents: Vec<&str> = session
        .todos()
        .iter()
        .map(|todo| todo.content.as_str())
        .collect();
    (report.format, counts, contents.join("|"))
}

fn call(id: &str, content: &str) -> String {
    format!(
        r#"{{"role":"assistant","content":[{{"type":"tool_use","id":"{id}","name":"todo_write","input":{{"todos":["{content}"]}}}}]}}"#
    )
}

fn result(id: &str, text: &str, is_error: bool) -> String {
    format!(
        r#"{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"{id}","content":"{text}","is_error":{is_error}}}]}}"#
    )
}

#[test]
fn a_call_is_applied_as_its_result_says() {
    for (text, is_error, counts, list) in [
        ("ok", false, [1, 1, 0, 0, 0], "a"),
        ("Error: item 1", true, [1, 0, 1, 0, 0], ""),
        ("Error: item 1", false, [1, 0, 1, 0, 0], ""),
        ("denied by a hook", true, [1, 0, 0, 1, 0], ""),
    ] {
        let history = format!("[{},{}]", call("1", "a"), result("1", text, is_error));
        assert_eq!(
            restored(&history),
            ("anthropic", counts, list.to_owned()),
            "{text}"
        );
    }
}

#[test]
fn without_any_result_all_calls_count_and_with_some_only_those() {
    let two = format!("{}\n{}", call("1", "a"), call("2", "b"));
    assert_eq!(
        restored(&two),
        ("anthropic", [2, 2, 0, 0, 0], "b".to_owned())
    );
    let one_answered = format!("{two}\n{}", result("1", "ok", false));
    assert_eq!(
        restored(&one_answered),
        ("anthropic", [2, 1, 0, 1, 0], "a".to_owned())
    );
}

#[test]
fn results_may_come_in_any_order_and_calls_stay_in_theirs() {
    let both = r#"{"role":"assistant","content":[{"type":"tool_use","id":"1","name":"todo_write","input":["a"]},{"type":"tool_use","id":"2","name":"todo_write","input":["b"]}]}"#;
    let history = format!(
        "[{both},{},{}]",
        result("2", "ok", false),
        result("1", "ok", false)
    );
    assert_eq!(
        restored(&history),
        ("anthropic", [1, 2, 0, 0, 0], "b".to_owned())
    );
}

#[test]
fn a_call_at_the_end_of_a_piece_waits_for_the_next() {
    let mut session = Session::default();
    assert_eq!(session.restore(&call("1", "a")).unwrap().applied, 1);
    assert_eq!(
        session.restore(&result("1", "no", true)).unwrap().skipped,
        1
    );
    assert!(session.todos().is_empty());
    let mut session = Session::default();
    session.restore(&call("1", "a")).unwrap();
    assert_eq!(
        session.todos().len(),
        1,
        "any other function ends the history"
    );
    session.restore(&result("1", "no", true)).unwrap();
    assert_eq!(session.todos().len(), 1);
}

#[test]
fn what_is_torn_is_read_as_far_as_it_is_whole() {
    let whole = format!("{},{}", call("1", "a"), result("1", "ok", false));
    let full = ("anthropic", [1, 1, 0, 0, 0], "a".to_owned());
    for torn in [
        format!("[{whole},{{\"role\":\"assis"),
        format!("{{\"id\":1,\"messages\":[{whole},{{\"ro"),
        format!(
            "\u{feff}{}\r\n{}\r\n{{\"role\":\"assistant\"",
            call("1", "a"),
            result("1", "ok", false)
        ),
        format!(
            "{{\"torn\n{}\n\n{}",
            call("1", "a"),
            result("1", "ok", false)
        ),
        format!(
            "{}\nnot json\n{{\"a\":\n{}",
            call("1", "a"),
            result("1", "ok", false)
        ),
        format!("{{\"session\":{{\"messages\":[{whole}]}}}}"),
    ] {
        assert_eq!(restored(&torn), full, "{torn}");
    }
}

#[test]
fn text_that_is_no_history_is_refused_and_nothing_changes() {
    let mut session = Session::default();
    session.restore(&call("1", "a")).unwrap();
    for text in [
        "not json",
        "42",
        "\"text\"",
        "null",
        "[abc",
        "{not json}",
        "42\n43",
    ] {
        let refused = session.restore(text).unwrap_err();
        assert_eq!(refused.code.name(), "invalid-history", "{text}");
    }
    assert_eq!(session.todos().len(), 1);
    for (empty, format) in [
        ("", "empty"),
        (" \n", "empty"),
        ("[]", "empty"),
        ("{}", "unknown"),
        ("[{\"a\":1}]", "unknown"),
    ] {
        assert_eq!(
            restored(empty),
            (format, [0; 5], String::new()),
            "{empty:?}"
        );
    }
}

#[test]
fn a_reminder_counts_only_as_the_whole_of_a_system_or_user_text() {
    let mut session = Session::default();
    session.todo_write(r#"["a"]"#).unwrap();
    (0..8).for_each(|_| session.on_request());
    let reminder = session.pending_history_appends().unwrap().text;
    let json = serde_json::to_string(&reminder).unwrap();
    let within = serde_json::to_string(&format!("Look: {reminder}")).unwrap();
    for (message, count) in [
        (format!(r#"{{"role":"system","content":{json}}}"#), 1),
        (
            format!(r#"{{"role":"user","content":[{{"type":"text","text":{json}}}]}}"#),
            1,
        ),
        (format!(r#"{{"role":"user","content":{within}}}"#), 0),
        (format!(r#"{{"role":"assistant","content":{json}}}"#), 0),
        (
            format!(r#"{{"role":"tool","tool_call_id":"1","content":{json}}}"#),
            0,
        ),
        (
            format!(
                r#"{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"1","content":{json}}}]}}"#
            ),
            0,
        ),
    ] {
        assert_eq!(restored(&format!("[{message}]")).1[4], count, "{message}");
    }
}

#[test]
fn lines_of_sub_agents_and_asides_are_not_the_sessions_own() {
    let line = |mark: &str| {
        let message = call("1", "a");
        format!(r#"{{"type":"assistant",{mark}"message":{message}}}"#)
    };
    assert_eq!(restored(&line("")).1, [1, 1, 0, 0, 0]);
    for mark in [
        r#""isSidechain":true,"#,
        r#""isMeta":true,"#,
        r#""isCompactSummary":true,"#,
        r#""parent_tool_use_id":"x","#,
    ] {
        assert_eq!(restored(&line(mark)).1, [0; 5], "{mark}");
    }
    assert_eq!(
        restored(&line(r#""isSidechain":false,"parent_tool_use_id":null,"#)).1,
        [1, 1, 0, 0, 0]
    );
}

#[test]
fn a_reader_gives_requests_calls_and_marks_in_order() {
    let mut reader = Reader::default();
    let mark = r#"{"type":"system","subtype":"compact_boundary"}"#;
    reader
        .read(&format!(
            "{}\n{mark}\n{}",
            call("1", "a"),
            result("1", "ok", false)
        ))
        .unwrap();
    reader.end();
    assert_eq!(reader.next_event(), Some(Event::Requests(1)));
    assert!(matches!(reader.next_event(), Some(Event::Call(call)) if call.name == "todo_write"));
    assert_eq!(reader.next_event(), Some(Event::Compaction));
    assert_eq!(reader.next_event(), None);
}

#[test]
fn a_reader_marks_a_compaction_wherever_one_is_recorded() {
    for (history, format) in [
        (
            r#"{"type":"system","subtype":"compact_boundary"}"#,
            "claude-code",
        ),
        (
            r#"{"type":"compacted","payload":{"message":"Summary"}}"#,
            "codex",
        ),
        (
            r#"[{"type":"reasoning","id":"r"},{"type":"compaction","encrypted_content":"A"}]"#,
            "openai-responses",
        ),
        (
            r#"{"type":"compaction","id":"1","parentId":null,"summary":"Summary"}"#,
            "pi",
        ),
    ] {
        let mut reader = Reader::default();
        reader.read(history).unwrap();
        reader.end();
        let events: Vec<Event> = std::iter::from_fn(|| reader.next_event()).collect();
        assert_eq!(events.last(), Some(&Event::Compaction), "{history}");
        assert_eq!(reader.format(), format, "{history}");
    }
}

#[test]
fn what_waits_for_a_result_is_handed_out_when_the_history_ends() {
    let mut reader = Reader::default();
    let said = r#"{"role":"assistant","content":"Hello."}"#;
    reader
        .read(&format!("[{said},{}]", call("1", "a")))
        .unwrap();
    assert_eq!(reader.next_event(), Some(Event::Requests(2)));
    assert_eq!(reader.next_event(), None, "a result may still come");
    reader.end();
    let Some(Event::Call(call)) = reader.next_event() else {
        panic!("the call is not handed out");
    };
    assert_eq!(call.outcome, Outcome::Unrecorded);
}

#[test]
fn a_shape_that_was_recognised_stays_until_something_says_more() {
    let mut reader = Reader::default();
    let mut shape_after = |piece: &str| {
        reader.read(piece).unwrap();
        reader.format()
    };
    let blocks = r#"{"role":"assistant","content":[{"type":"text","text":"Hello."}]}"#;
    assert_eq!(shape_after(blocks), "anthropic");
    let plain = r#"{"role":"user","content":"Go on."}"#;
    assert_eq!(shape_after(plain), "anthropic");
    let calls = r#"{"role":"tool","tool_call_id":"1","content":"ok"}"#;
    assert_eq!(shape_after(calls), "openai-chat");
}

#[test]
fn an_approval_is_no_sign_of_the_messages_of_a_user_interface() {
    let approval = r#"{"type":"tool-approval-request","approvalId":"a","toolCallId":"1"}"#;
    let call = r#"{"type":"tool-call","toolCallId":"1","toolName":"todo_write","input":["a"]}"#;
    let history = format!(r#"[{{"role":"assistant","content":[{approval},{call}]}}]"#);
    assert_eq!(
        restored(&history),
        ("ai-sdk", [1, 1, 0, 0, 0], "a".to_owned())
    );
}

#[test]
fn messages_are_looked_for_in_three_objects_and_no_more() {
    let messages = format!(r#"{{"messages":[{}]}}"#, call("1", "a"));
    let three = format!(r#"{{"a":{{"b":{messages}}}}}"#);
    assert_eq!(restored(&three).1, [1, 1, 0, 0, 0]);
    assert_eq!(restored(&format!(r#"{{"c":{three}}}"#)).1, [0; 5]);
}

#[test]
fn a_refusal_is_found_inside_six_values_and_no_more() {
    let refused = |wrap: fn(String) -> String, times: usize| {
        let output = (0..times).fold(r#""Error: no""#.to_owned(), |inner, _| wrap(inner));
        let call =
            r#"{"type":"function_call","call_id":"1","name":"todo_write","arguments":"[\"a\"]"}"#;
        let result =
            format!(r#"{{"type":"function_call_output","call_id":"1","output":{output}}}"#);
        restored(&format!("[{call},{result}]")).1[2] == 1
    };
    let list = |inner: String| format!("[{inner}]");
    let object = |inner: String| format!(r#"{{"text":{inner}}}"#);
    for wrap in [list as fn(String) -> String, object] {
        assert!(refused(wrap, 0) && refused(wrap, 6) && !refused(wrap, 7));
    }
    // A string that holds a list is two values.
    let string = |inner: String| serde_json::Value::from(format!("[{inner}]")).to_string();
    assert!(refused(string, 3) && !refused(string, 4));
}
