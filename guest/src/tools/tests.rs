use crate::session::tests::{tasks, with};
use crate::{ErrorCode, InProgressLimit, Policy, Session, ToolSet};

fn refusal(session: &mut Session, tool: &str, input: &str) -> (ErrorCode, String) {
    let before = session.todos().to_vec();
    let refused = session.call_tool(tool, input).unwrap_err();
    assert_eq!(session.todos(), before, "{input} changed the list");
    (refused.code, refused.message)
}

#[test]
fn a_task_is_created_changed_shown_and_deleted() {
    let mut session = tasks();
    let mut call = |tool: &str, input: &str| session.call_tool(tool, input).unwrap().text;
    assert_eq!(
        call(
            "TaskCreate",
            r#"{"subject":"Read","description":"all\nof it"}"#
        ),
        "Task #1 created: Read"
    );
    assert_eq!(
        call(
            "TaskCreate",
            r#"{"subject":"Write","activeForm":"Writing"}"#
        ),
        "Task #2 created: Write"
    );
    assert_eq!(
        call("TaskUpdate", r#"{"taskId":1,"status":"in progress"}"#),
        "Task #1 updated: [>] 1. Read"
    );
    assert_eq!(
        call("TaskUpdate", r##"{"id":"#1","status":"active"}"##),
        "Task #1 is unchanged: [>] 1. Read"
    );
    assert_eq!(
        call("TaskGet", r#"{"task_id":"1"}"#),
        "[>] 1. Read\nDescription: all of it"
    );
    assert_eq!(
        call("TaskList", ""),
        "[>] 1. Read\n[ ] 2. Write\n\n(0/2 completed)"
    );
    assert_eq!(
        call("TaskUpdate", r#"{"taskid":"2","status":"removed"}"#),
        "Task #2 deleted: Write"
    );
    assert_eq!(
        call("TaskCreate", r#"{"subject":"Next"}"#),
        "Task #3 created: Next"
    );
    let ignored = call(
        "TaskUpdate",
        r#"{"taskId":"3","owner":"me","addBlocks":[],"metadata":{"a":1}}"#,
    );
    assert!(
        ignored.ends_with("Note: not recorded, this list has no such field: owner, metadata."),
        "{ignored}"
    );
}

#[test]
fn a_task_that_is_not_there_is_refused_with_those_that_are() {
    let mut session = tasks();
    assert!(
        refusal(&mut session, "TaskGet", r#"{"taskId":"1"}"#)
            .1
            .contains("there are no tasks yet")
    );
    for subject in ["a", "b"] {
        session
            .call_tool("TaskCreate", &format!(r#"{{"subject":"{subject}"}}"#))
            .unwrap();
    }
    let (code, message) = refusal(
        &mut session,
        "TaskUpdate",
        r#"{"taskId":"9","status":"done"}"#,
    );
    assert_eq!(code, ErrorCode::NotFound);
    assert!(message.contains("found \"9\"; legal: 1, 2"), "{message}");
    for (tool, input, part) in [
        ("TaskCreate", "{}", "\"subject\": found nothing"),
        ("TaskCreate", "[]", "the input is an array"),
        ("TaskUpdate", "{}", "\"taskId\": found nothing"),
        (
            "TaskUpdate",
            r#"{"taskId":"1","subject":""}"#,
            "\"subject\": found a blank text",
        ),
        (
            "TaskUpdate",
            r#"{"taskId":"1","status":5}"#,
            "\"status\": found the number 5",
        ),
        (
            "TaskUpdate",
            r#"{"taskId":"1","description":[]}"#,
            "\"description\": found an array",
        ),
    ] {
        let (code, message) = refusal(&mut session, tool, input);
        assert_eq!(code, ErrorCode::InvalidInput);
        assert!(message.contains(part), "{message}");
    }
}

#[test]
fn instructions_and_tools_name_only_what_is_on_and_stay_short() {
    for (tool_set, names) in [
        (ToolSet::Todo, &["todo_write"][..]),
        (
            ToolSet::Task,
            &["TaskCreate", "TaskUpdate", "TaskGet", "TaskList"],
        ),
        (
            ToolSet::Both,
            &[
                "todo_write",
                "TaskCreate",
                "TaskUpdate",
                "TaskGet",
                "TaskList",
            ],
        ),
    ] {
        let mut session = with(Policy {
            tool_set,
            max_todos: 7,
            ..Policy::default()
        });
        let tools = session.tools();
        assert_eq!(
            tools.iter().map(|tool| tool.name).collect::<Vec<_>>(),
            names
        );
        let told = tools
            .iter()
            .fold(session.instructions().to_owned(), |told, tool| {
                let schema: serde_json::Value = serde_json::from_str(&tool.input_schema).unwrap();
                assert_eq!(schema["additionalProperties"], false);
                told + tool.description + &tool.input_schema
            });
        assert!(session.instructions().chars().count() <= 600);
        assert_eq!(told.contains("todo_write"), tool_set.has_todo());
        assert_eq!(told.contains("Task"), tool_set.has_task());
        assert_eq!(told.contains("\"maxItems\":7"), tool_set.has_todo());
    }
}

#[test]
fn a_second_task_in_progress_is_refused_with_those_that_are() {
    let mut session = with(Policy {
        tool_set: ToolSet::Task,
        in_progress_limit: InProgressLimit::Refuse,
        ..Policy::default()
    });
    for subject in ["a", "b"] {
        let input = format!(r#"{{"subject":"{subject}"}}"#);
        session.call_tool("TaskCreate", &input).unwrap();
    }
    let start = |id: u32| format!(r#"{{"taskId":{id},"status":"doing"}}"#);
    session.call_tool("TaskUpdate", &start(1)).unwrap();
    let (code, message) = refusal(&mut session, "TaskUpdate", &start(2));
    assert_eq!(code, ErrorCode::InvalidInput);
    assert!(
        message.starts_with("Error: tasks 1, 2, \"status\": found 2 items in_progress;"),
        "{message}"
    );
    assert!(
        session.call_tool("TaskUpdate", &start(1)).is_ok(),
        "it runs already"
    );
    assert!(session.call_tool("TaskList", "null").is_ok());
}
