//! What a replay shows.

use agent_todo_host::{Limits, Plugin, Policy};
use serde_json::json;

use super::*;

fn count(events: &[Value], name: &str) -> usize {
    events.iter().filter(|event| event["event"] == name).count()
}

/// The recorded histories: files beside which the expected end stands.
fn histories(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.append(&mut histories(&path));
        } else if let Some(stem) = path.to_str().unwrap().strip_suffix(".expected.json") {
            let forms = ["json", "jsonl"].map(|form| PathBuf::from(format!("{stem}.{form}")));
            found.extend(forms.into_iter().filter(|form| form.is_file()));
        }
    }
    found
}

#[test]
fn without_arguments_it_tells_the_sample_from_the_plan_to_the_finished_list() {
    let text = stdout(&run(&[]));
    for part in [
        "#4  TodoWrite  0/6 completed",
        "reminder  8 requests since the last write (remind-after 8), none before",
        "refused when it was recorded",
        "skipped: denied",
        "compaction  the open items go over",
        "82 requests (claude-code), 11 todo calls: 9 applied, 1 refused, 1 skipped, 4 reminders, 1 compaction",
    ] {
        assert!(text.contains(part), "{part}:\n{text}");
    }
    assert!(!text.contains('\u{1b}'), "colours without a terminal");
}

#[test]
fn a_log_from_a_file_and_from_standard_input_reads_the_same() {
    let file = run(&["replay", sample().to_str().unwrap(), "--json"]);
    let input = feed(&["replay", "-", "--json"], &fs::read(sample()).unwrap());
    assert_eq!(events(&file)[1..], events(&input)[1..]);
}

#[test]
fn a_replay_ends_with_the_list_and_the_counts_that_restore_gives() {
    let plugin = Plugin::bundled(Limits::default()).unwrap();
    let mut compared = 0;
    for file in histories(&Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures")) {
        let mut session = plugin.session(&Policy::default()).unwrap();
        let report = session
            .restore(&fs::read_to_string(&file).unwrap())
            .unwrap()
            .unwrap();
        let events = events(&run(&["replay", file.to_str().unwrap(), "--json"]));
        let end = events.last().unwrap();
        let restored: Vec<Value> = session
            .todos()
            .unwrap()
            .into_iter()
            .map(|todo| json!([todo.id, todo.content]))
            .collect();
        let replayed: Vec<Value> = end["todos"]
            .as_array()
            .unwrap()
            .iter()
            .map(|todo| json!([todo["id"], todo["content"]]))
            .collect();
        let name = file.display();
        assert_eq!(replayed, restored, "{name}");
        assert_eq!(
            json!([
                end["format"],
                end["requests"],
                end["applied"],
                end["refused"],
                end["skipped"]
            ]),
            json!([
                report.format,
                report.requests,
                report.applied,
                report.refused,
                report.skipped
            ]),
            "{name}"
        );
        compared += 1;
    }
    assert!(compared >= 17, "only {compared} recorded histories found");
}

#[test]
fn another_policy_shows_what_it_would_have_done() {
    let reminders = |arguments: &[&str]| {
        let mut all = vec!["replay", "--json"];
        all.extend(arguments);
        count(&events(&run(&all)), "reminder")
    };
    assert_eq!(reminders(&[]), 4);
    assert_eq!(reminders(&["--no-remind"]), 0);
    assert_eq!(reminders(&["--remind-once"]), 2);
    assert!(reminders(&["--remind-after", "3", "--cooldown", "3"]) > 8);
}

#[test]
fn a_call_that_the_policy_would_have_refused_is_refused() {
    let events = events(&run(&["replay", "--json", "--max-todos=6"]));
    let refused: Vec<&Value> = events
        .iter()
        .filter(|event| event["outcome"] == "refused")
        .collect();
    assert_eq!(refused.len(), 2, "both calls with 7 items");
    assert!(refused[0]["text"].as_str().unwrap().starts_with("Error: "));
}

#[test]
fn the_last_line_of_json_has_the_state_and_all_counts() {
    let events = events(&run(&["--json"]));
    let end = events.last().unwrap();
    assert_eq!(end["event"], "end");
    assert_eq!(end["todos"].as_array().unwrap().len(), 2);
    assert_eq!(end["counters"]["requests_since_write"], 11);
    for key in [
        "requests",
        "calls",
        "applied",
        "refused",
        "skipped",
        "reminders",
        "compactions",
    ] {
        assert!(end[key].is_u64(), "{key}");
    }
    assert_eq!(end["reminders"], count(&events, "reminder"));
    assert_eq!(end["calls"], count(&events, "call"));
}

#[test]
fn a_created_task_keeps_the_number_that_the_log_gives_it() {
    let log = json!([
        {"role": "assistant", "content": [
            {"type": "tool_use", "id": "a", "name": "TaskCreate", "input": {"subject": "Read"}},
            {"type": "tool_use", "id": "b", "name": "TaskCreate", "input": {"subject": "Write"}},
        ]},
        {"role": "user", "content": [
            {"type": "tool_result", "tool_use_id": "a", "content": "Task #7 created successfully: Read"},
            {"type": "tool_result", "tool_use_id": "b", "content": "Task #9 created successfully: Write"},
        ]},
        {"role": "assistant", "content": [
            {"type": "tool_use", "id": "c", "name": "TaskUpdate", "input": {"taskId": "9", "status": "completed"}},
        ]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c", "content": "Updated task #9 status"}]},
    ]);
    let events = events(&feed(
        &["replay", "-", "--json"],
        log.to_string().as_bytes(),
    ));
    let end = events.last().unwrap();
    assert_eq!(
        end["todos"],
        json!([
            {"id": "7", "content": "Read", "status": "pending"},
            {"id": "9", "content": "Write", "status": "completed"},
        ])
    );
    assert_eq!(
        (&end["requests"], &end["calls"], &end["applied"]),
        (&json!(2), &json!(3), &json!(3))
    );
}

#[test]
fn a_carry_over_message_is_the_list_only_where_the_policy_says_so() {
    let log = json!([
        {"role": "system", "content": "<system-reminder>\nThese todo items were open when the history was compacted. The list is empty now: write those that still apply with todo_write.\n[in_progress] 2. Add the flag\n</system-reminder>"},
        {"role": "assistant", "content": "On it."},
    ])
    .to_string();
    let end = |arguments: &[&str]| {
        let events = events(&feed(arguments, log.as_bytes()));
        assert_eq!(count(&events, "carry_over"), 1);
        events.last().unwrap()["todos"].clone()
    };
    assert_eq!(end(&["replay", "-", "--json"]), json!([]));
    assert_eq!(
        end(&["replay", "-", "--json", "--adopt-snapshot"]),
        json!([{"id": "2", "content": "Add the flag", "status": "in_progress"}])
    );
}
