use super::*;
use crate::list::Status;
use crate::policy::{InProgressLimit, ToolSet};
use crate::tools::ToolOutput;

pub(crate) fn with(policy: Policy) -> Session {
    let mut session = Session::default();
    session.configure(policy).unwrap();
    session
}

pub(crate) fn tasks() -> Session {
    with(Policy {
        tool_set: ToolSet::Task,
        ..Policy::default()
    })
}

/// Contents of the list, by id and mark.
fn shown(session: &mut Session) -> String {
    let lines = session.todos().iter().map(|todo| {
        let mark = match todo.status {
            Status::Pending => ' ',
            Status::InProgress => '>',
            Status::Completed => 'x',
        };
        format!("{}{mark}{}", todo.id, todo.content)
    });
    lines.collect::<Vec<_>>().join("|")
}

fn write(session: &mut Session, input: &str) -> ToolOutput {
    session
        .todo_write(input)
        .unwrap_or_else(|refusal| panic!("{input}: {refusal}"))
}

fn refusal(session: &mut Session, tool: &str, input: &str) -> (ErrorCode, String) {
    let before = session.state.list.clone();
    let refused = session.call_tool(tool, input).unwrap_err();
    assert_eq!(session.state.list, before, "{input} changed the list");
    assert!(refused.message.starts_with("Error: "), "{refused}");
    assert!(
        refused.message.ends_with("The list is unchanged."),
        "{refused}"
    );
    (refused.code, refused.message)
}

#[test]
fn one_list_may_come_in_many_forms() {
    for input in [
        r#"{"todos":[{"id":"1","content":"a","status":"pending"},{"id":"2","content":"b","status":"completed"}]}"#,
        r#"[{"id":1,"content":"a"},{"id":2,"content":"b","status":"DONE"}]"#,
        r#"{"todos":"[{\"id\":\"1\",\"content\":\"a\"},{\"id\":\"2\",\"content\":\"b\",\"status\":\"finished\"}]"}"#,
        r#"{"todos":"[{'id': 1, 'content': 'a', 'x': None}, {'id': 2, 'content': 'b', 'status': 'complete'},]"}"#,
        r#""{\"items\":[{\"title\":\" a\\n\"},{\"step\":\"b\",\"status\":\"closed\"}]}""#,
        r#"{"todos":null,"plan":["a",{"task":"b","status":"Completed"}],"explanation":"x"}"#,
    ] {
        let mut session = Session::default();
        let output = write(&mut session, input);
        assert_eq!(shown(&mut session), "1 a|2xb", "{input}");
        assert_eq!(
            output.text, "[ ] 1. a\n[x] 2. b\n\n(1/2 completed)",
            "{input}"
        );
        assert!(output.changed && !write(&mut session, input).changed);
    }
}

#[test]
fn a_refusal_says_where_what_and_what_is_legal() {
    let mut session = Session::default();
    write(&mut session, r#"["keep me"]"#);
    for (input, part) in [
        ("", "the input is empty"),
        ("{}", "no \"todos\""),
        ("7", "a number"),
        ("[1,", "breaks off"),
        (r#"{"todos":{"a":1}}"#, "\"todos\" is an object"),
        (
            r#"{"todos":"[{'a'"}"#,
            "\"todos\" is a string that is JSON that breaks off",
        ),
        (r#"["a",5]"#, "item 2 is a number"),
        (
            r#"[{"content":"a"},{"content":" "}]"#,
            "item 2, \"content\": found a blank text",
        ),
        (
            r#"[{"id":"1","status":"pending"}]"#,
            "item 1, \"content\": found nothing",
        ),
        (
            r#"[{"content":true}]"#,
            "item 1, \"content\": found a boolean",
        ),
        (
            r#"[{"id":[],"content":"a"}]"#,
            "item 1, \"id\": found an array",
        ),
        (
            r#"[{"content":"a","status":"almost"}]"#,
            "item 1, \"status\": found \"almost\"; legal: pending, in_progress, completed",
        ),
    ] {
        let (code, message) = refusal(&mut session, "todo_write", input);
        assert_eq!(code, ErrorCode::InvalidInput, "{input}");
        assert!(message.contains(part), "{input}: {message}");
    }
    assert_eq!(shown(&mut session), "1 keep me");
}

#[test]
fn ids_are_filled_in_from_what_is_explicit_then_known_then_free() {
    let mut session = Session::default();
    write(&mut session, r#"["a","b","c"]"#);
    write(
        &mut session,
        r#"["new","c",{"id":"1","content":"first"},"b","b"]"#,
    );
    assert_eq!(shown(&mut session), "4 new|3 c|1 first|2 b|5 b");
}

#[test]
fn of_one_id_sent_twice_the_later_stands_in_the_place_of_the_earlier() {
    let mut session = Session::default();
    let output = write(
        &mut session,
        r#"[{"id":"x","content":"a"},"m",{"id":"x ","content":"b"}]"#,
    );
    assert_eq!(shown(&mut session), "x b|1 m");
    assert!(
        output
            .text
            .ends_with("Note: one id was sent twice: x. b stands in place of a.")
    );
}

#[test]
fn open_items_that_are_left_out_are_named_and_others_are_not() {
    let mut session = Session::default();
    let list = r#"[{"id":"1","content":"a"},{"id":"2","content":"b"},{"id":"3","content":"c","status":"done"},{"id":"4","content":"d"}]"#;
    write(&mut session, list);
    let output = write(&mut session, r#"[{"id":"2","content":"renamed"},"d"]"#);
    let (_, note) = output.text.split_once("Note: ").unwrap();
    assert!(
        note.starts_with("no longer in the list, though not completed: 1. a."),
        "{note}"
    );
    let output = write(
        &mut session,
        r#"[{"id":"2","content":"renamed","status":"cancelled"},"d"]"#,
    );
    assert!(
        output
            .text
            .contains("Note: item 1 (2. renamed) is cancelled and was taken off the list.")
    );
    assert!(!output.text.contains("no longer"), "{}", output.text);
    let output = write(&mut session, "[]");
    assert!(
        output
            .text
            .starts_with("(0/0 completed)\nNote: no longer in the list")
    );
}

#[test]
fn the_policy_says_what_more_than_one_item_in_progress_is() {
    let two = r#"[{"content":"a","status":"active"},{"content":"b","status":"doing"}]"#;
    let limited = |in_progress_limit| {
        with(Policy {
            in_progress_limit,
            ..Policy::default()
        })
    };
    assert!(
        !write(&mut limited(InProgressLimit::Allow), two)
            .text
            .contains("Note")
    );
    assert!(
        write(&mut limited(InProgressLimit::Note), two)
            .text
            .ends_with("Note: 2 items are in_progress; keep it to 1.")
    );
    let (code, message) = refusal(&mut limited(InProgressLimit::Refuse), "todo_write", two);
    assert_eq!(code, ErrorCode::InvalidInput);
    assert_eq!(
        message,
        "Error: items 1, 2, \"status\": found 2 items in_progress; legal: at most 1, send the \
         others as pending or completed. The list is unchanged."
    );
}

#[test]
fn the_limits_of_the_policy_hold_at_the_limit_and_not_beyond() {
    let mut session = with(Policy {
        max_todos: 2,
        max_content: 5,
        max_input: 1_024,
        ..Policy::default()
    });
    assert!(
        write(&mut session, r#"["12345","b"]"#)
            .text
            .starts_with("[ ] 1. 12345\n")
    );
    let cut = write(&mut session, r#"["123456"]"#);
    assert!(
        cut.text.contains("1234…") && cut.text.contains("Note: item 1 was cut to 5 characters.")
    );
    assert_eq!(
        refusal(&mut session, "todo_write", r#"["a","a","cancelled"]"#).0,
        ErrorCode::TooMany
    );
    let padded = |length: usize| format!("[\"a\"]{}", " ".repeat(length - 5));
    write(&mut session, &padded(1_024));
    assert_eq!(
        refusal(&mut session, "todo_write", &padded(1_025)).0,
        ErrorCode::TooLarge
    );
}

#[test]
fn every_call_of_a_tool_that_writes_is_a_use_and_no_other_is() {
    let uses = |tool: &str, input: &str| {
        let mut session = tasks();
        session.on_request();
        let _ = session.call_tool(tool, input);
        session.counters().requests_since_write == 0
    };
    assert!(uses("TaskCreate", r#"{"subject":"a"}"#));
    assert!(uses("TaskUpdate", "not json"));
    assert!(uses("todo_write", "[]"), "also a tool that is off");
    assert!(!uses("TaskGet", r#"{"taskId":"1"}"#));
    assert!(!uses("TaskList", ""));
    assert!(!uses("TodoWrite", "[]"));
    let (code, message) = refusal(&mut tasks(), "todo_write", "[]");
    assert_eq!(code, ErrorCode::UnknownTool);
    assert!(
        message.contains("legal: TaskCreate, TaskUpdate, TaskGet, TaskList"),
        "{message}"
    );
}
