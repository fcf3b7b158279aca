//! What the runner promises to a person and to a program: the built command,
//! from outside.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use agent_todo_host::{COMPONENT, Limits, Plugin, Policy};
use serde_json::{Value, json};

fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_agent-todo"));
    command.args(arguments).stdin(Stdio::null());
    command
}

fn run(arguments: &[&str]) -> Output {
    command(arguments).output().unwrap()
}

/// Runs it on a text as standard input.
fn feed(arguments: &[&str], input: &[u8]) -> Output {
    let mut child = command(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    // A command that wants none of it has closed its end.
    let _ = stdin.write_all(input);
    drop(stdin);
    child.wait_with_output().unwrap()
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// The lines of `--json`.
fn events(output: &Output) -> Vec<Value> {
    assert!(output.status.success(), "{}", stderr(output));
    let text = stdout(output);
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

fn count(events: &[Value], name: &str) -> usize {
    events.iter().filter(|event| event["event"] == name).count()
}

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

fn sample() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("samples/session.jsonl")
}

/// A folder of this test.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(&folder).unwrap();
    folder
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

#[test]
fn the_component_comes_out_as_it_was_built() {
    let file = folder("component").join("agent-todo.wasm");
    assert!(
        run(&["component", "--out", file.to_str().unwrap()])
            .status
            .success()
    );
    assert!(fs::read(&file).unwrap() == COMPONENT);
    assert!(run(&["component", "--out", "-"]).stdout == COMPONENT);
}

#[test]
fn the_tools_come_out_as_each_provider_wants_them() {
    let tools = |format: &str| -> Value {
        let output = run(&["tools", "--tool-set", "both", "--format", format]);
        serde_json::from_str(&stdout(&output)).unwrap()
    };
    let cases = [
        ("anthropic", "", "/name", "/input_schema"),
        ("openai", "", "/function/name", "/function/parameters"),
        ("openai-responses", "", "/name", "/parameters"),
        ("mcp", "/tools", "/name", "/inputSchema"),
    ];
    for (format, list, name, schema) in cases {
        let printed = tools(format);
        let list = printed.pointer(list).and_then(Value::as_array).unwrap();
        let names: Vec<&str> = list
            .iter()
            .map(|tool| tool.pointer(name).unwrap().as_str().unwrap())
            .collect();
        assert_eq!(
            names,
            [
                "todo_write",
                "TaskCreate",
                "TaskUpdate",
                "TaskGet",
                "TaskList"
            ],
            "{format}"
        );
        for tool in list {
            assert_eq!(tool.pointer(schema).unwrap()["type"], "object", "{format}");
        }
    }
    assert_eq!(tools("openai")[0]["function"]["strict"], true);
}

#[test]
fn every_command_has_a_help_text() {
    for arguments in [
        &["help"][..],
        &["--help"],
        &["replay", "--help"],
        &["tools", "--help"],
        &["component", "-h"],
    ] {
        let output = run(arguments);
        assert!(output.status.success(), "{arguments:?}");
        assert!(
            stdout(&output).contains("Usage: agent-todo"),
            "{arguments:?}"
        );
    }
}
