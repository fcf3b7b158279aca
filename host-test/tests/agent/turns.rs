//! What a host promises its user, through the real component.

use crate::session::{Place, calls, looks, says};
use agent_todo_host::agent::hooks::{Deny, Hooks};
use agent_todo_host::agent::item::{Item, Part, Role, ToolCall};
use agent_todo_host::agent::model::Response;
use agent_todo_host::agent::observer::{Observer, Silent};
use agent_todo_host::{Limits, Plugin, Policy, Todo, ToolSet};
use serde_json::{Value, json};

fn todos(list: &[(&str, &str)]) -> Value {
    let items = list.iter().enumerate();
    json!({"todos": items.map(|(at, (content, status))| json!({"id": (at + 1).to_string(), "content": content, "status": status})).collect::<Vec<_>>()})
}

fn writes(list: &[(&str, &str)]) -> Response {
    calls([("todo_write", todos(list))])
}

const OPEN: &[(&str, &str)] = &[
    ("Read the loader", "completed"),
    ("Add the flag", "in_progress"),
    ("Update the docs", "pending"),
];

/// Reminds after two requests, then every two.
fn often() -> Policy {
    Policy {
        remind_after: Some(2),
        remind_cooldown: Some(2),
        ..Policy::default()
    }
}

/// The places of reminders among items, counted in responses before them.
fn reminders(items: &[Item]) -> Vec<usize> {
    let mut responses = 0;
    let mut at = Vec::new();
    for item in items {
        responses += usize::from(item.role == Role::Assistant);
        if item.role == Role::System && item.joined_text().starts_with("<system-reminder>") {
            at.push(responses);
        }
    }
    at
}

fn results(items: &[Item]) -> Vec<(String, bool)> {
    let parts = items.iter().flat_map(|item| &item.content);
    parts
        .filter_map(|part| match part {
            Part::ToolResult {
                content, is_error, ..
            } => Some((content.clone(), *is_error)),
            _ => None,
        })
        .collect()
}

#[test]
fn a_write_updates_the_list_and_its_reminder_stands_in_the_history_the_file_and_the_request() {
    let mut place = Place::new([
        writes(OPEN),
        looks(),
        looks(),
        looks(),
        looks(),
        says("done"),
    ]);
    place.policy = often();
    place.turn("Go");
    assert_eq!(
        place.todos(),
        [
            "[x] Read the loader",
            "[>] Add the flag",
            "[ ] Update the docs"
        ]
    );
    assert_eq!(reminders(&place.items()), [3, 5]);
    // The request after the third response ends with the reminder, and no
    // later request has lost it.
    let asked = place.asked();
    let reminder = asked[3].items.last().unwrap();
    assert!(
        reminder
            .joined_text()
            .contains("\n[in_progress] 2. Add the flag\n[pending] 3. Update the docs\n")
    );
    assert!(!reminder.joined_text().contains("Read the loader"));
    assert!(
        asked[4..]
            .iter()
            .all(|asked| asked.items.contains(reminder))
    );
    assert_eq!(
        results(&place.items())[0].0,
        "[x] 1. Read the loader\n[>] 2. Add the flag\n[ ] 3. Update the docs\n\n(1/3 completed)"
    );
}

#[test]
fn every_request_begins_with_the_one_before_it() {
    let mut place = Place::new([
        writes(OPEN),
        looks(),
        looks(),
        looks(),
        says("done"),
        looks(),
        says("done"),
    ]);
    place.policy = often();
    place.turn("Go");
    place.turn("More");
    let asked = place.asked();
    assert_eq!(asked.len(), 7);
    for pair in asked.windows(2) {
        assert!(pair[1].items.starts_with(&pair[0].items));
    }
}

#[test]
fn nothing_is_said_about_a_list_that_is_empty_or_done() {
    let done: &[(&str, &str)] = &[("Read the loader", "completed")];
    for write in [writes(&[]), writes(done), looks()] {
        let mut place = Place::new([vec![write], vec![looks(); 20], vec![says("done")]].concat());
        place.policy = often();
        place.turn("Go");
        assert!(reminders(&place.items()).is_empty());
    }
}

#[test]
fn the_defaults_wait_eight_requests_and_a_policy_can_turn_reminders_off() {
    for (remind, expected) in [(None, vec![9, 17]), (Some(false), vec![])] {
        let mut place =
            Place::new([vec![writes(OPEN)], vec![looks(); 20], vec![says("done")]].concat());
        place.policy.remind = remind;
        place.turn("Go");
        assert_eq!(reminders(&place.items()), expected);
    }
}

#[test]
fn a_write_starts_the_wait_again_also_when_it_is_refused() {
    let refused = calls([("todo_write", json!({"todos": 7}))]);
    let mut place = Place::new([
        writes(OPEN),
        looks(),
        refused,
        looks(),
        looks(),
        says("done"),
    ]);
    place.policy = often();
    place.turn("Go");
    assert_eq!(reminders(&place.items()), [5]);
    let (text, is_error) = &results(&place.items())[2];
    assert!(text.starts_with("Error: ") && *is_error);
}

#[test]
fn after_a_resume_everything_is_as_if_there_had_been_no_stop() {
    let script = [
        writes(OPEN),
        looks(),
        says("one"),
        looks(),
        looks(),
        looks(),
        says("two"),
    ];
    let mut stopped = Place::new(script.clone());
    let mut ran = Place::new(script);
    stopped.policy = often();
    ran.policy = often();
    ran.with(|agent| {
        for prompt in ["Go", "More"] {
            agent.prompt(prompt).unwrap();
            agent.run().unwrap();
        }
        assert_eq!(
            agent.session().counters().unwrap().requests_since_reminder,
            Some(2)
        );
    });
    stopped.turn("Go");
    stopped.turn("More");
    assert_eq!(stopped.items(), ran.items());
    assert_eq!(stopped.state(), ran.state());
    assert_eq!(reminders(&ran.items()), [3, 5]);
}

#[test]
fn ids_of_tasks_go_on_after_a_resume() {
    let create = |subject: &str| ("TaskCreate", json!({"subject": subject}));
    let delete = ("TaskUpdate", json!({"taskId": "2", "status": "deleted"}));
    let mut place = Place::new([
        calls([create("a"), create("b"), delete]),
        says("one"),
        calls([create("c")]),
        says("two"),
    ]);
    place.policy.tool_set = Some(ToolSet::Task);
    place.turn("Go");
    place.turn("More");
    let texts: Vec<String> = results(&place.items())
        .into_iter()
        .map(|(text, _)| text)
        .collect();
    assert_eq!(
        texts,
        [
            "Task #1 created: a",
            "Task #2 created: b",
            "Task #2 deleted: b",
            "Task #3 created: c"
        ]
    );
}

#[test]
fn the_file_as_it_is_restores_what_the_host_has() {
    let mut place =
        Place::new([vec![writes(OPEN)], vec![looks(); 12], vec![says("done")]].concat());
    place.turn("Go");
    let text = std::fs::read_to_string(place.file()).unwrap();
    let mut session = crate::session::PLUGIN.session(&Policy::default()).unwrap();
    let report = session.restore(&text).unwrap().unwrap();
    assert_eq!(
        (
            report.format.as_str(),
            report.requests,
            report.applied,
            report.reminders
        ),
        ("anthropic", 14, 1, 1)
    );
    assert_eq!(session.save_state().unwrap(), place.state());
}

#[test]
fn several_calls_of_one_response_run_in_order_and_are_one_request() {
    let first = todos(&[("first", "pending")]);
    let second = todos(&[("first", "completed"), ("second", "pending")]);
    let mut place = Place::new([
        calls([
            ("todo_write", first),
            ("list_files", json!({})),
            ("todo_write", second),
        ]),
        says("done"),
    ]);
    place.turn("Go");
    assert_eq!(place.todos(), ["[x] first", "[ ] second"]);
    let texts = results(&place.items());
    assert_eq!(texts.len(), 3);
    assert!(texts[0].0.ends_with("(0/1 completed)") && texts[2].0.ends_with("(1/2 completed)"));
    assert_eq!(
        place.with(|agent| agent.session().counters().unwrap().requests_since_write),
        1
    );
}

#[test]
fn a_call_that_a_hook_refuses_never_reaches_the_plugin_and_is_no_use_of_it() {
    let mut place = Place::new([writes(OPEN), looks(), writes(&[]), looks(), says("done")]);
    place.policy = often();
    let mut hooks = RefuseEmptyLists;
    place.with_hooks(&mut hooks, &mut Silent, |agent| {
        agent.prompt("Go").unwrap();
        agent.run().unwrap();
        assert_eq!(agent.session().counters().unwrap().requests_since_write, 4);
    });
    // The reminder came as if the call had not been made, and a resume agrees.
    assert_eq!(reminders(&place.items()), [3]);
    assert_eq!(place.todos().len(), 3);
    assert_eq!(
        place.with(|agent| agent.session().counters().unwrap().requests_since_write),
        4
    );
    assert_eq!(
        results(&place.items())[2],
        ("Refused: lists are not cleared here".to_owned(), true)
    );
}

struct RefuseEmptyLists;

impl Hooks for RefuseEmptyLists {
    fn before_tool(&mut self, call: &ToolCall) -> Result<(), String> {
        if call.input == todos(&[]) {
            Err("lists are not cleared here".into())
        } else {
            Ok(())
        }
    }
}

#[test]
fn hooks_see_the_prompt_the_tools_and_the_end_of_a_turn() {
    #[derive(Default)]
    struct Diary(Vec<String>);
    impl Hooks for Diary {
        fn prompt_submitted(&mut self, prompt: &str) -> Result<(), String> {
            self.0.push(format!("prompt {prompt}"));
            if prompt == "Stop" {
                Err("not today".into())
            } else {
                Ok(())
            }
        }
        fn before_tool(&mut self, call: &ToolCall) -> Result<(), String> {
            self.0.push(format!("before {}", call.name));
            Ok(())
        }
        fn after_tool(&mut self, call: &ToolCall, result: &Item) {
            self.0
                .push(format!("after {} {}", call.name, result.answers(&call.id)));
        }
        fn stop(&mut self, answer: &str) {
            self.0.push(format!("stop {answer}"));
        }
    }
    let mut place = Place::new([looks(), says("done")]);
    let mut diary = Diary::default();
    place.with_hooks(&mut diary, &mut Silent, |agent| {
        agent.prompt("Go").unwrap();
        agent.run().unwrap();
        assert_eq!(
            agent.prompt("Stop").unwrap_err().to_string(),
            "the prompt was refused: not today"
        );
    });
    assert_eq!(
        diary.0,
        [
            "prompt Go",
            "before list_files",
            "after list_files true",
            "stop done",
            "prompt Stop"
        ]
    );
    assert_eq!(place.items().len(), 4);
}

#[test]
fn a_tool_that_is_not_there_or_denied_is_a_tool_error_and_the_turn_goes_on() {
    let mut place = Place::new([
        calls([
            ("TodoWrite", json!({})),
            ("write_file", json!({"path": "a", "content": "x"})),
        ]),
        says("done"),
    ]);
    let mut deny = Deny(vec!["write_file".into()]);
    let answer = place.with_hooks(&mut deny, &mut Silent, |agent| {
        agent.prompt("Go").unwrap();
        agent.run().unwrap()
    });
    assert_eq!(answer, "done");
    let refusals = [
        ("There is no tool TodoWrite.".to_owned(), true),
        (
            "Refused: The user does not allow write_file in this run.".to_owned(),
            true,
        ),
    ];
    assert_eq!(results(&place.items()), refusals);
    assert!(!place.work().join("a").exists());
}

#[test]
fn an_input_that_is_not_json_reaches_the_plugin_and_restores_alike() {
    let broken = |input: &str| Response {
        calls: vec![("todo_write".into(), input.into())],
        ..Response::default()
    };
    let mut place = Place::new([
        broken(r#"{"todos":[{"id":"1","content":"cut o"#),
        broken("{'todos': [{'id': '1', 'content': 'python', 'status': 'pending'},]}"),
        broken(""),
        says("done"),
    ]);
    let live = place.with(|agent| {
        agent.prompt("Go").unwrap();
        agent.run().unwrap();
        agent.session().save_state().unwrap()
    });
    assert_eq!(place.state(), live);
    assert!(results(&place.items())[0].0.starts_with("Error: "));
}

#[test]
fn ids_that_a_server_gives_twice_are_no_trouble() {
    // The host numbers the calls itself; ids of the endpoint don't matter.
    let mut place = Place::new([writes(OPEN), writes(&OPEN[..2]), says("done")]);
    place.turn("Go");
    let ids: Vec<String> = place
        .items()
        .iter()
        .flat_map(Item::calls)
        .map(|call| call.id.clone())
        .collect();
    assert_eq!(ids, ["call_0_0", "call_1_0"]);
    assert_eq!(place.todos().len(), 2);
}

#[test]
fn the_list_is_drawn_when_it_changes_and_only_then() {
    #[derive(Default)]
    struct Lists(Vec<usize>);
    impl Observer for Lists {
        fn list(&mut self, todos: &[Todo]) {
            self.0.push(todos.len());
        }
    }
    let mut lists = Lists::default();
    let mut place = Place::new([
        writes(OPEN),
        writes(OPEN),
        looks(),
        writes(&[]),
        says("done"),
    ]);
    place.with_hooks(
        &mut agent_todo_host::agent::hooks::NoHooks,
        &mut lists,
        |agent| {
            agent.prompt("Go").unwrap();
            agent.run().unwrap();
        },
    );
    assert_eq!(lists.0, [3, 0]);
}

#[test]
fn a_plugin_that_met_a_limit_is_started_again_from_the_history() {
    let long = "x".repeat(3 << 20);
    let mut place = Place::new([
        writes(OPEN),
        writes(&[(&long, "pending")]),
        calls([("todo_write", todos(&OPEN[..2]))]),
        says("done"),
    ]);
    place.budget.compact_above = u64::MAX;
    let limits = Limits {
        memory: 2 << 20,
        ..Limits::default()
    };
    place.plugin = Plugin::bundled(limits).unwrap();
    let live = place.with(|agent| {
        agent.prompt("Go").unwrap();
        agent.run().unwrap();
        agent.session().save_state().unwrap()
    });
    let (text, is_error) = &results(&place.items())[1];
    assert_eq!(
        (text.as_str(), *is_error),
        ("The tool failed and changed nothing.", true)
    );
    // The note about what the third write leaves out shows that the first was
    // still known.
    assert!(results(&place.items())[2].0.contains("Note: "));
    place.plugin = crate::session::PLUGIN.clone();
    assert_eq!(place.state(), live);
}

#[test]
fn a_turn_without_end_is_stopped_and_can_go_on() {
    let mut place = Place::new([vec![looks(); 5], vec![says("done")]].concat());
    place.budget.requests = 3;
    let error = place.with(|agent| {
        agent.prompt("Go").unwrap();
        agent.run().unwrap_err().to_string()
    });
    assert_eq!(error, "stopped after 3 requests without a final answer");
    assert_eq!(place.with(|agent| agent.run().unwrap()), "done");
}
