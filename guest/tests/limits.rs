//! Every limit: at it, one over it, and far over it.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)]
#![allow(missing_docs)]

use agent_todo::{ErrorCode, Policy, Session, ToolSet};
use serde_json::json;

fn session(policy: Policy) -> Session {
    let mut session = Session::default();
    session
        .configure(Policy {
            tool_set: ToolSet::Both,
            ..policy
        })
        .unwrap();
    session
}

/// The code of a refusal, `None` for a call that was carried out.
fn code(session: &mut Session, tool: &str, input: &str) -> Option<ErrorCode> {
    session.call_tool(tool, input).err().map(|error| error.code)
}

#[test]
fn an_input_may_have_as_many_bytes_as_the_policy_says() {
    let mut session = session(Policy {
        max_input: 1_024,
        max_content: 10_000,
        ..Policy::default()
    });
    let input = |bytes: usize| format!("[\"{}\"]", "é".repeat((bytes - 4) / 2));
    assert_eq!(input(1_024).len(), 1_024);
    assert_eq!(code(&mut session, "todo_write", &input(1_024)), None);
    let before = session.todos().to_vec();
    let padded = format!("{} ", input(1_024));
    for long in [padded, input(1_026), input(1 << 20), "[".repeat(1_025)] {
        session.on_request();
        assert_eq!(
            code(&mut session, "todo_write", &long),
            Some(ErrorCode::TooLarge)
        );
        assert_eq!(
            session.counters().requests_since_write,
            0,
            "it is a use all the same"
        );
    }
    let fields =
        r#"{"subject":"a","x":""}"#.replace(":\"\"", &format!(":\"{}\"", "x".repeat(1_024)));
    assert_eq!(
        code(&mut session, "TaskCreate", &fields),
        Some(ErrorCode::TooLarge)
    );
    assert_eq!(
        code(&mut session, "TaskGet", &fields),
        Some(ErrorCode::TooLarge)
    );
    assert_eq!(session.todos(), before);
}

#[test]
fn a_list_may_have_as_many_items_as_the_policy_says() {
    for max in [1, 100, 1_000] {
        let mut session = session(Policy {
            max_todos: max,
            max_input: 1 << 24,
            ..Policy::default()
        });
        let items =
            |count: u32| json!((0..count).map(|at| at.to_string()).collect::<Vec<_>>()).to_string();
        assert_eq!(code(&mut session, "todo_write", &items(max)), None);
        for count in [max + 1, 100_000] {
            let refused = session.todo_write(&items(count)).unwrap_err();
            assert_eq!(refused.code, ErrorCode::TooMany);
            let found = format!("{count} items; legal: at most {max}");
            assert!(refused.message.contains(&found), "{}", refused.message);
        }
        assert_eq!(
            code(&mut session, "TaskCreate", r#"{"subject":"one more"}"#),
            Some(ErrorCode::TooMany)
        );
        assert_eq!(session.todos().len(), max as usize);
        // Counted as they are sent: before those with one id are merged, and those that go are dropped.
        let same = json!(vec![
            json!({"id": "1", "content": "a", "status": "cancelled"});
            max as usize + 1
        ]);
        assert_eq!(
            code(&mut session, "todo_write", &same.to_string()),
            Some(ErrorCode::TooMany)
        );
    }
}

#[test]
fn a_content_and_a_description_have_as_many_characters_as_the_policy_says() {
    for max in [1, 2, 2_000, 10_000] {
        let mut session = session(Policy {
            max_content: max,
            max_input: 1 << 24,
            ..Policy::default()
        });
        let max = max as usize;
        for (length, kept) in [
            (max, "語".repeat(max)),
            (max + 1, "語".repeat(max - 1) + "…"),
            (1_000_000, "語".repeat(max - 1) + "…"),
        ] {
            let text = "語".repeat(length);
            let written = session.todo_write(&json!([text]).to_string()).unwrap().text;
            assert_eq!(session.todos()[0].content, kept);
            let note = format!("\nNote: item 1 was cut to {max} characters.");
            assert_eq!(written.contains(&note), length > max, "{length} of {max}");
            session.todo_write("[]").unwrap();
            let task = json!({"subject": text, "description": text}).to_string();
            let created = session.call_tool("TaskCreate", &task).unwrap().text;
            assert_eq!(session.todos()[0].content, kept);
            assert_eq!(session.todos()[0].description.as_ref(), Some(&kept));
            assert_eq!(
                created.matches("\nNote: ").count(),
                if length > max { 2 } else { 0 }
            );
        }
    }
}

#[test]
fn an_id_has_at_most_64_characters() {
    for (length, kept) in [(64, 64), (65, 64), (100_000, 64)] {
        let mut session = session(Policy::default());
        let id = "ä".repeat(length);
        session
            .todo_write(&json!([{"id": id, "content": "a"}]).to_string())
            .unwrap();
        assert_eq!(session.todos()[0].id, "ä".repeat(kept));
        // The model may go on to call it what it called it first.
        let get = json!({"taskId": id}).to_string();
        assert_eq!(code(&mut session, "TaskGet", &get), None);
    }
}

#[test]
fn an_input_may_be_nested_48_deep() {
    let nested = |depth: usize| {
        let inside = depth - 3;
        format!(
            "{{\"todos\":[{{\"content\":\"a\",\"x\":{}{}}}]}}",
            "[".repeat(inside),
            "]".repeat(inside)
        )
    };
    assert_eq!(
        code(&mut session(Policy::default()), "todo_write", &nested(48)),
        None
    );
    for depth in [49, 50, 100_000] {
        let refused = session(Policy::default())
            .todo_write(&nested(depth))
            .unwrap_err();
        assert_eq!(refused.code, ErrorCode::InvalidInput);
        assert!(
            refused.message.contains("nested more than 48 deep"),
            "{}",
            refused.message
        );
    }
}

#[test]
fn a_history_may_be_nested_and_long_without_end() {
    let call = json!({"role": "assistant", "content": [{"type": "tool_use", "id": "1", "name": "todo_write", "input": ["a"]}]});
    let deep = format!(
        "{{\"role\":\"user\",\"content\":{}{}}}",
        "[".repeat(1 << 20),
        "]".repeat(1 << 20)
    );
    let mut session = session(Policy::default());
    let report = session.restore(&format!("[{deep},{call}]")).unwrap();
    assert_eq!((report.requests, report.applied), (1, 1));
    let text = "x".repeat(1 << 22);
    let report = session
        .restore(&format!(
            "[{{\"role\":\"user\",\"content\":\"{text}\"}},{call}]"
        ))
        .unwrap();
    assert_eq!((report.requests, report.applied), (1, 1));
}

#[test]
fn the_greatest_list_is_saved_and_loaded() {
    let mut session = session(Policy {
        max_todos: 1_000,
        max_content: 10_000,
        max_input: 1 << 24,
        ..Policy::default()
    });
    let items: Vec<_> = (0..1_000)
        .map(|at| json!({"id": format!("{at:064}"), "content": "x".repeat(10_000)}))
        .collect();
    session.todo_write(&json!(items).to_string()).unwrap();
    let saved = session.save_state();
    assert!(saved.len() > 10_000_000, "{} bytes", saved.len());
    let mut loaded = Session::default();
    loaded.load_state(&saved).unwrap();
    assert_eq!(loaded.save_state(), saved);
    assert!(loaded.load_state(&saved[..saved.len() - 1]).is_err());
    assert_eq!(loaded.save_state(), saved);
}

#[test]
fn a_reminder_leaves_out_only_what_does_not_fit_into_4096_bytes() {
    let mut session = session(Policy {
        remind_after: 0,
        ..Policy::default()
    });
    session
        .todo_write(&json!(vec!["é".repeat(200); 25]).to_string())
        .unwrap();
    let reminder = session.pending_history_appends().unwrap().text;
    let lines: Vec<&str> = reminder.lines().collect();
    let items = lines
        .iter()
        .filter(|line| line.starts_with("[pending] "))
        .count();
    assert_eq!(lines[lines.len() - 2], format!("… and {} more", 25 - items));
    let next = lines[1 + items].len() + 1;
    let spare = 4_096 - reminder.len();
    assert!(
        spare > 0 && spare < next + 16,
        "{spare} bytes are left, an item takes {next}"
    );
}

#[test]
fn instructions_are_short_and_name_only_the_tools_that_are_on() {
    let task_tools = ["TaskCreate", "TaskUpdate", "TaskGet", "TaskList"];
    for (tool_set, todo, task) in [
        (ToolSet::Todo, true, false),
        (ToolSet::Task, false, true),
        (ToolSet::Both, true, true),
    ] {
        let mut session = Session::default();
        session
            .configure(Policy {
                tool_set,
                ..Policy::default()
            })
            .unwrap();
        let text = session.instructions();
        assert!(text.chars().count() <= 600, "{text}");
        assert_eq!(text.contains("todo_write"), todo, "{text}");
        for tool in task_tools {
            assert_eq!(text.contains(tool), task, "{tool} in {text}");
        }
    }
}

#[test]
fn a_recorded_input_counts_by_its_result_and_without_any_result_by_its_size() {
    let item = format!("{{\"content\":{}\"a\"}}", " ".repeat(1_024));
    let call = format!(
        "{{\"role\":\"assistant\",\"content\":[{{\"type\":\"tool_use\",\"id\":\"1\",\"name\":\"todo_write\",\"input\":[{item}]}}]}}"
    );
    let result = json!({"role": "user", "content": [{"type": "tool_result", "tool_use_id": "1", "content": "[ ] 1. a"}]});
    let restored = |history: String| {
        let mut session = session(Policy {
            max_input: 1_024,
            ..Policy::default()
        });
        let report = session.restore(&history).unwrap();
        (report.applied, report.refused, session.todos().len())
    };
    assert_eq!(restored(format!("[{call},{result}]")), (1, 0, 1));
    assert_eq!(restored(format!("[{call}]")), (0, 1, 0));
    assert_eq!(
        restored(format!("[{}]", call.replace(&item, "\"a\""))),
        (1, 0, 1)
    );
}

#[test]
fn what_was_accepted_then_is_not_refused_by_a_limit_of_now() {
    let items = json!(
        (0..5)
            .map(|at| json!({"content": at.to_string(), "status": "in_progress"}))
            .collect::<Vec<_>>()
    );
    let history = json!([
        {"role": "assistant", "content": [{"type": "tool_use", "id": "1", "name": "todo_write", "input": items}]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "1", "content": "[>] 1. 0"}]},
    ]);
    for policy in [
        Policy {
            max_todos: 2,
            ..Policy::default()
        },
        Policy {
            in_progress_limit: agent_todo::InProgressLimit::Refuse,
            ..Policy::default()
        },
    ] {
        let mut session = session(policy);
        let report = session.restore(&history.to_string()).unwrap();
        assert_eq!(
            (report.applied, report.refused, session.todos().len()),
            (1, 0, 5)
        );
        assert!(
            session.todo_write(&items.to_string()).is_err(),
            "live it is refused"
        );
    }
}
