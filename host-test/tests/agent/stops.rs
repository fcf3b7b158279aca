//! A session that is stopped anywhere goes on as if it had not been.

use std::collections::BTreeMap;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use crate::session::{Place, calls, looks, says};
use agent_todo_host::agent::hooks::Deny;
use agent_todo_host::agent::item::{Item, Part};
use agent_todo_host::agent::model::{Response, responses};
use agent_todo_host::agent::observer::{Observer, Silent};
use agent_todo_host::{Policy, ToolSet};
use serde_json::{Value, json};

const FINAL: &str = "that's all for now";

/// 200 responses in turns of 20: lists, tasks, files, several calls at once,
/// refused and denied calls, input that is not JSON, long stretches without a
/// write. Two of them leave a history that is over the threshold.
fn script() -> Vec<Response> {
    (0..200).map(response).collect()
}

fn response(number: usize) -> Response {
    let item = |id: usize, status: &str| json!({"id": id.to_string(), "content": format!("Step {id}"), "status": status});
    let list = || {
        let items =
            (1..=number % 7 + 2).map(|id| item(id, if id < 2 { "completed" } else { "pending" }));
        json!({"todos": items.collect::<Vec<Value>>()})
    };
    let file = format!("file-{}.txt", number % 5);
    let mut response = match number % 20 {
        19 => says(FINAL),
        0 => calls([("todo_write", list())]),
        1 => calls([
            (
                "TaskCreate",
                json!({"subject": format!("Task of {number}")}),
            ),
            ("list_files", json!({"path": "."})),
        ]),
        2 => calls([
            (
                "write_file",
                json!({"path": file, "content": number.to_string()}),
            ),
            ("read_file", json!({"path": file})),
        ]),
        3 => calls([
            (
                "TaskUpdate",
                json!({"taskId": "1", "status": "in_progress"}),
            ),
            ("TaskCreate", json!({"subject": "b"})),
            ("TaskList", json!({})),
        ]),
        4 => calls([
            ("todo_write", json!({"todos": {"a": 1}})),
            ("no_such_tool", json!({})),
        ]),
        5 => calls([("shell", json!({"command": "true"}))]),
        6 => Response {
            calls: vec![("todo_write".into(), "{\"todos\": [{\"id\"".into())],
            ..says("I try.")
        },
        _ => looks(),
    };
    response.tokens = Some(if matches!(number, 70 | 139) {
        200_000
    } else {
        1000
    });
    response
}

fn place() -> Place {
    let mut place = Place::new(script());
    place.model.summaries = vec!["The first part.".into(), "The second part.".into()];
    place.policy = Policy {
        tool_set: Some(ToolSet::Both),
        remind_after: Some(3),
        remind_cooldown: Some(4),
        ..Policy::default()
    };
    place
}

/// Stops the process, as far as the host can tell: after so many writes
/// nothing more is done.
struct StopAfter(usize);

struct Stopped;

impl Observer for StopAfter {
    fn appended(&mut self, _: &[Item]) {
        self.0 -= 1;
        if self.0 == 0 {
            // Not a panic's message for each of hundreds of stops.
            resume_unwind(Box::new(Stopped));
        }
    }
}

/// Does what is next in the session: goes on inside a turn, or begins the next.
/// False when all turns are done.
fn go_on(place: &mut Place, observer: &mut dyn Observer) -> bool {
    let script: Vec<bool> = place
        .model
        .responses
        .iter()
        .map(|response| response.calls.is_empty())
        .collect();
    let mut deny = Deny(vec!["shell".into()]);
    place.with_hooks(&mut deny, observer, |agent| {
        if !agent.is_inside_turn() {
            let done = agent.history().head().responses_before + responses(agent.history().items());
            if done == script.len() {
                return false;
            }
            let turn = script[..done].iter().filter(|last| **last).count();
            agent.prompt(&format!("Turn {turn}")).unwrap();
        }
        agent.run().unwrap();
        true
    })
}

/// Begins a turn and stops it after so many writes.
fn stop_turn_after(writes: usize, place: &mut Place, prompt: &str) {
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        place.with_hooks(&mut Deny::default(), &mut StopAfter(writes), |agent| {
            agent.prompt(prompt).unwrap();
            agent.run().unwrap()
        })
    }));
    assert!(outcome.is_err());
}

/// Every file of a place, histories and work, without what only the place's
/// own name makes different.
fn files(place: &Place) -> BTreeMap<String, String> {
    let work = place.work();
    let folders = [work.clone(), place.model.folder.clone()];
    let entries = folders
        .iter()
        .flat_map(|folder| fs::read_dir(folder).unwrap())
        .map(|entry| entry.unwrap().path());
    entries
        .map(|path| {
            let text = fs::read_to_string(&path)
                .unwrap()
                .replace(work.to_str().unwrap(), "WORK");
            (
                path.file_name().unwrap().to_string_lossy().into_owned(),
                text,
            )
        })
        .collect()
}

/// Compares line by line: a whole history is too long to be read in a message.
fn assert_alike(left: &BTreeMap<String, String>, right: &BTreeMap<String, String>) {
    assert!(
        left.keys().eq(right.keys()),
        "{:?} and {:?}",
        left.keys(),
        right.keys()
    );
    for (name, text) in left {
        for (number, (line, other)) in text.lines().zip(right[name].lines()).enumerate() {
            assert_eq!(line, other, "{name}, line {}", number + 1);
        }
        assert_eq!(text.len(), right[name].len(), "{name}");
    }
}

fn run_through(place: &mut Place) {
    while go_on(place, &mut Silent) {}
}

#[test]
fn a_session_of_200_requests_stopped_after_every_write_ends_like_one_that_ran_through() {
    let mut ran = place();
    run_through(&mut ran);
    let mut stopped = place();
    let mut stops = 0;
    loop {
        let outcome = catch_unwind(AssertUnwindSafe(|| go_on(&mut stopped, &mut StopAfter(1))));
        match outcome {
            Ok(true) => {}
            Ok(false) => break,
            Err(_) => stops += 1,
        }
    }
    let expected = files(&ran);
    assert_alike(&files(&stopped), &expected);
    assert_eq!(stopped.state(), ran.state());
    assert!(!ran.todos().is_empty());
    // The script did what it is there for.
    assert!(stops > 400, "{stops} stops");
    assert_eq!(
        expected
            .keys()
            .filter(|name| name.ends_with(".jsonl"))
            .count(),
        3
    );
    let histories: String = expected.values().map(String::as_str).collect();
    assert!(histories.contains("has not been called for a while"));
    assert!(histories.contains("Refused: The user does not allow shell"));
}

#[test]
fn stops_at_any_distance_end_alike() {
    let mut ran = place();
    run_through(&mut ran);
    for distance in [2, 7] {
        let mut stopped = place();
        while catch_unwind(AssertUnwindSafe(|| {
            go_on(&mut stopped, &mut StopAfter(distance))
        }))
        .unwrap_or(true)
        {}
        assert_alike(&files(&stopped), &files(&ran));
    }
}

#[test]
fn a_line_that_was_cut_by_the_stop_is_made_again() {
    let script: Vec<Response> = script().into_iter().take(20).collect();
    let mut ran = place();
    ran.model.responses = script.clone();
    run_through(&mut ran);
    let mut stopped = place();
    stopped.model.responses = script;
    let mut cut = false;
    while catch_unwind(AssertUnwindSafe(|| go_on(&mut stopped, &mut StopAfter(1)))).unwrap_or(true)
    {
        // Every other stop is one in the middle of writing.
        cut = !cut;
        let text = fs::read(stopped.file()).unwrap();
        if cut && text.iter().filter(|&&byte| byte == b'\n').count() > 1 {
            fs::write(stopped.file(), &text[..text.len() - 9]).unwrap();
        }
    }
    let mut left = files(&stopped);
    assert!(left.remove("s.torn").is_some());
    assert_alike(&left, &files(&ran));
}

#[test]
fn a_reminder_that_was_written_before_the_stop_is_not_written_again() {
    for cooldown in [0, 1, 8] {
        let list = json!({"todos": [{"id": "1", "content": "a", "status": "pending"}]});
        let mut place = Place::new([calls([("todo_write", list)]), says("one"), says("two")]);
        place.policy = Policy {
            remind_after: Some(1),
            remind_cooldown: Some(cooldown),
            ..Policy::default()
        };
        place.turn("Go");
        // The prompt is the first write, the reminder the second.
        stop_turn_after(2, &mut place, "More");
        let before = place.items().len();
        place.with(|agent| agent.run().unwrap());
        assert_eq!(place.items().len(), before + 1, "cooldown {cooldown}");
    }
}

#[test]
fn a_task_is_created_once_also_if_the_stop_came_before_the_first_result_of_all() {
    let create = ("TaskCreate", json!({"subject": "a"}));
    let mut place = Place::new([calls([create]), says("done")]);
    place.policy.tool_set = Some(ToolSet::Task);
    // Prompt, answer: no result stands in the history yet.
    stop_turn_after(2, &mut place, "Go");
    place.with(|agent| agent.run().unwrap());
    assert_eq!(place.todos(), ["[ ] a"]);
    let text = fs::read_to_string(place.file()).unwrap();
    assert!(text.contains("Task #1 created: a") && !text.contains("Task #2"));
}

#[test]
fn a_command_that_may_have_run_is_not_run_again() {
    let command = |file: &str| ("shell", json!({"command": format!("echo x >> {file}")}));
    let mut place = Place::new([calls([command("one"), command("two")]), says("done")]);
    place.shell = true;
    // Prompt, answer: stopped before the first result is written.
    stop_turn_after(2, &mut place, "Go");
    place.with(|agent| agent.run().unwrap());
    assert!(!place.work().join("one").exists());
    assert_eq!(fs::read_to_string(place.work().join("two")).unwrap(), "x\n");
    let items = place.items();
    let first = items.iter().find(|item| item.answers("call_0_0")).unwrap();
    let Part::ToolResult {
        content, is_error, ..
    } = &first.content[0]
    else {
        unreachable!()
    };
    assert_eq!(
        (content.as_str(), *is_error),
        (
            "The host was stopped while this call ran. Check what it did before running it again.",
            true
        )
    );
}
