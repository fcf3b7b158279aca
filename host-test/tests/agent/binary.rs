//! The runner's commands `agent` and `history`, as a person calls them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use agent_todo_host::agent::endpoint::{chat, messages};
use agent_todo_host::agent::history;
use agent_todo_host::agent::item::{Item, Role};
use agent_todo_host::agent::model::Request;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::server::{Answer, Server, chat_events, message_events};

const KEY: &str = "sk-very-secret";

struct Place {
    folder: TempDir,
}

impl Place {
    fn new() -> Self {
        let folder = TempDir::new().unwrap();
        fs::create_dir(folder.path().join("work")).unwrap();
        Self { folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn script(&self, script: &Value) -> String {
        let path = self.path("script.json");
        fs::write(&path, script.to_string()).unwrap();
        path.display().to_string()
    }

    fn command(&self, command: &str, arguments: &[&str]) -> Command {
        let mut runner = Command::new(env!("CARGO_BIN_EXE_agent-todo"));
        runner
            .arg(command)
            .arg("--sessions")
            .arg(self.path("sessions"))
            .args(arguments);
        runner
            .env_remove("OPENAI_API_KEY")
            .env_remove("ANTHROPIC_API_KEY");
        runner.current_dir(self.path("work")).stdin(Stdio::null());
        runner
    }

    fn run(&self, command: &str, arguments: &[&str]) -> Output {
        self.command(command, arguments).output().unwrap()
    }

    /// What a run says on its standard output; it must succeed.
    fn says(&self, command: &str, arguments: &[&str]) -> String {
        let output = self.run(command, arguments);
        assert!(output.status.success(), "{}", text(&output.stderr));
        text(&output.stdout)
    }

    /// The one line with which a run fails.
    fn fails(&self, command: &str, arguments: &[&str]) -> String {
        let output = self.run(command, arguments);
        assert!(!output.status.success());
        let error = text(&output.stderr);
        assert!(!error.contains("panicked"), "{error}");
        error.lines().last().unwrap().to_owned()
    }

    /// The only session's name.
    fn session(&self) -> String {
        let mut names = fs::read_dir(self.path("sessions"))
            .unwrap()
            .map(|entry| entry.unwrap().path());
        let path = names.find(|path| {
            path.extension()
                .is_some_and(|extension| extension == "jsonl")
        });
        path.unwrap()
            .file_stem()
            .unwrap()
            .to_str()
            .unwrap()
            .to_owned()
    }

    fn file(&self) -> PathBuf {
        self.path("sessions")
            .join(format!("{}.jsonl", self.session()))
    }

    fn items(&self) -> Vec<Item> {
        history::read(&self.file()).unwrap().1
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

fn todos() -> Value {
    json!({"todos": [
        {"id": "1", "content": "Read the loader", "status": "completed"},
        {"id": "2", "content": "Add the flag", "status": "in_progress"},
    ]})
}

fn two_turns() -> Value {
    let look = json!({"calls": [{"name": "list_files", "input": {"path": "."}}]});
    json!({"responses": [
        {"text": "I plan.", "calls": [{"name": "todo_write", "input": todos()}]},
        look, look,
        {"text": "One."},
        {"text": "Two."},
    ]})
}

#[test]
fn a_scripted_turn_shows_the_answer_and_beside_it_the_list() {
    let place = Place::new();
    let output = place.run(
        "agent",
        &[
            "--script",
            &place.script(&two_turns()),
            "--remind-after",
            "2",
            "Go",
        ],
    );
    assert!(output.status.success());
    assert_eq!(text(&output.stdout), "I plan.\nOne.\n");
    let progress = text(&output.stderr);
    assert!(progress.contains("  [x] 1. Read the loader\n  [>] 2. Add the flag\n"));
    assert!(!progress.contains('\u{1b}'), "no colours in a file");
}

#[test]
fn the_sample_script_shows_a_plan_and_its_reminder() {
    let place = Place::new();
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/samples/agent.json");
    place.says(
        "agent",
        &["--script", script, "--remind-after", "2", "Look"],
    );
    let printed = place.says("history", &[&place.session()]);
    assert!(printed.contains("<system-reminder>") && printed.contains("(3/3 completed)"));
}

#[test]
fn history_lists_the_sessions_and_prints_one_with_its_reminders() {
    let place = Place::new();
    let script = place.script(&two_turns());
    place.says("agent", &["--script", &script, "--remind-after", "2", "Go"]);
    let id = place.session();
    assert_eq!(
        place.says("history", &[]),
        format!("{id}  4 requests  Go\n")
    );
    let printed = place.says("history", &[&id]);
    assert!(printed.contains("\nsystem:\n  <system-reminder>\n"));
    assert!(printed.contains("\n  [in_progress] 2. Add the flag\n"));
    assert!(printed.contains("\ncall:\n  todo_write {\"todos\":"));
    assert!(printed.ends_with("\nassistant:\n  One.\n"));
}

#[test]
fn a_session_is_resumed_with_its_policy_and_its_folder() {
    let place = Place::new();
    let script = place.script(&two_turns());
    place.says("agent", &["--script", &script, "--remind-after", "3", "Go"]);
    let resumed = ["--script", &script, "--resume", &place.session(), "More"];
    let output = place
        .command("agent", &resumed)
        .current_dir("/")
        .output()
        .unwrap();
    assert_eq!(text(&output.stdout), "Two.\n");
    let items = place.items();
    assert_eq!(
        items[items.len() - 2].role,
        Role::System,
        "the reminder is due as if nothing had been between"
    );
}

#[test]
fn a_session_that_waits_for_a_prompt_says_so() {
    let place = Place::new();
    let script = place.script(&two_turns());
    place.says("agent", &["--script", &script, "Go"]);
    let line = place.fails(
        "agent",
        &["--script", &script, "--resume", &place.session()],
    );
    assert!(
        line.ends_with("this session waits for a prompt: agent --resume SESSION \"…\""),
        "{line}"
    );
}

#[test]
fn compaction_on_demand_goes_on_in_a_new_file() {
    let place = Place::new();
    let mut script = two_turns();
    script["summaries"] = json!(["All was read."]);
    let script = place.script(&script);
    place.says("agent", &["--script", &script, "Go"]);
    let first = place.session();
    assert_eq!(
        place.says(
            "agent",
            &["--script", &script, "--resume", &first, "--compact", "More"]
        ),
        "Two.\n"
    );
    let printed = place.says("history", &[&format!("{first}.1")]);
    assert!(printed.starts_with(&format!("session {first}.1, after {first}, in ")));
    assert!(
        printed.contains("  All was read.\n") && printed.contains("[in_progress] 2. Add the flag")
    );
}

#[test]
fn what_can_not_be_done_is_one_clear_line() {
    let place = Place::new();
    let script = place.script(&json!({"responses": []}));
    for (arguments, part) in [
        (&["--script", &script][..], "expected a prompt"),
        (&["--script", &script, " "], "the prompt is empty"),
        (
            &["--script", &script, "Go"],
            "the script holds 0 responses; this session asks for number 1",
        ),
        (
            &["--script", "missing.json", "Go"],
            "the script missing.json: ",
        ),
        (&["--resume", "nothing", "Go"], "no session nothing in "),
        (
            &["--provider", "acme", "Go"],
            "--provider is \"acme\"; legal: openai, anthropic",
        ),
        (&["--frobnicate", "Go"], "--frobnicate"),
        (&["--provider", "openai", "Go"], "OPENAI_API_KEY is not set"),
        (&["--base-url", "localhost", "Go"], "the base URL"),
        (
            &["--script", &script, "--workdir", "/no/such/folder", "Go"],
            "the working folder /no/such/folder: ",
        ),
        (
            &["--script", &script, "--remind-after", "2000000", "Go"],
            "2000000",
        ),
    ] {
        let line = place.fails("agent", arguments);
        assert!(line.contains(part), "{arguments:?}: {line}");
    }
}

/// The answers of two requests of Chat Completions: a plan, then the end.
fn chat_turn() -> [String; 2] {
    let arguments = Value::String(todos().to_string()).to_string();
    let call = format!(
        r#"{{"tool_calls":[{{"index":0,"id":"a","function":{{"name":"todo_write","arguments":{arguments}}}}}]}}"#
    );
    [
        chat_events(&[&call], "tool_calls"),
        chat_events(&[r#"{"content":"Done."}"#], "stop"),
    ]
}

#[test]
fn a_model_server_on_the_own_machine_is_asked_for_its_model_and_needs_no_key() {
    let place = Place::new();
    let [plan, end] = chat_turn();
    let models = Answer::Plain(200, "", r#"{"data":[{"id":"small-model"}]}"#.into());
    let server = Server::new([models, Answer::Stream(plan), Answer::Stream(end)]);
    assert_eq!(
        place.says("agent", &["--base-url", &server.base, "Go"]),
        "Done.\n"
    );
    assert_eq!(server.seen().path, "/v1/models");
    let seen = server.seen();
    assert_eq!(seen.body["model"], "small-model");
    assert!(!seen.headers.contains("authorization"));
}

#[test]
fn the_key_goes_to_the_endpoint_and_nowhere_else() {
    let place = Place::new();
    let call = r#"{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"t","name":"shell","input":{"command":"env"}}}"#;
    let server = Server::new([
        Answer::Stream(message_events(&[call], "tool_use")),
        Answer::Plain(
            400,
            "",
            format!(r#"{{"error":{{"message":"{KEY} is no good"}}}}"#),
        ),
    ]);
    let arguments = [
        "--provider",
        "anthropic",
        "--base-url",
        &server.base,
        "--model",
        "m",
        "--allow-shell",
        "Go",
    ];
    let output = place
        .command("agent", &arguments)
        .env("ANTHROPIC_API_KEY", KEY)
        .output()
        .unwrap();
    assert!(server.seen().headers.contains(&format!("x-api-key: {KEY}")));
    assert!(!output.status.success());
    assert!(text(&output.stderr).contains("400 Bad Request: [key] is no good"));
    assert!(!text(&output.stderr).contains(KEY) && !text(&output.stdout).contains(KEY));
    assert!(!fs::read_to_string(place.file()).unwrap().contains(KEY));
    assert_eq!(place.items().len(), 3, "prompt, call, result");
}

/// What stood in the history when request number `number` was sent.
fn before_request(items: &[Item], number: usize) -> &[Item] {
    let mut answers = items
        .iter()
        .enumerate()
        .filter(|(_, item)| item.role == Role::Assistant);
    &items[..answers.nth(number).map_or(items.len(), |(at, _)| at)]
}

/// The bodies of five requests; each must be what the file held by then, mapped.
fn mapped(place: &Place, server: &Server, map: impl Fn(&Request<'_>) -> Value) -> Vec<Value> {
    let (head, items) = history::read(&place.file()).unwrap();
    let bodies = (0..5).map(|number| {
        let request = Request {
            head: &head,
            items: before_request(&items, number),
            tools: true,
        };
        let body = server.seen().body;
        assert_eq!(body, map(&request));
        body
    });
    bodies.collect()
}

/// A plan, three looks around, an answer: with `--remind-after 2` a reminder
/// stands before the last two requests.
const REMINDED: [&str; 3] = ["--remind-after", "2", "Go"];

#[test]
fn every_request_to_chat_completions_is_the_file_mapped_reminder_included() {
    let place = Place::new();
    let look = r#"{"tool_calls":[{"index":0,"id":"a","function":{"name":"list_files","arguments":"{\"path\": \".\"}"}}]}"#;
    let look = || chat_events(&[look], "tool_calls");
    let [plan, end] = chat_turn();
    let server = Server::new([plan, look(), look(), look(), end].map(Answer::Stream));
    let arguments = ["--base-url", &server.base, "--model", "m"];
    place.says("agent", &[&arguments[..], &REMINDED].concat());
    let bodies = mapped(&place, &server, |request| chat::body("m", true, request));
    for (number, body) in bodies.iter().enumerate() {
        let last = body["messages"].as_array().unwrap().last().unwrap().clone();
        let reminds = last["role"] == "system"
            && last["content"]
                .as_str()
                .unwrap()
                .starts_with("<system-reminder>");
        assert_eq!(reminds, number == 3);
    }
}

#[test]
fn every_request_to_messages_is_the_file_mapped_with_the_reminder_at_the_tail() {
    let place = Place::new();
    let call = |name: &str, input: &Value| {
        let start = json!({"type": "content_block_start", "index": 0, "content_block": {"type": "tool_use", "id": "t", "name": name, "input": {}}});
        let delta = json!({"type": "content_block_delta", "index": 0, "delta": {"type": "input_json_delta", "partial_json": input.to_string()}});
        message_events(&[&start.to_string(), &delta.to_string()], "tool_use")
    };
    let look = || call("list_files", &json!({"path": "."}));
    let answers = [
        call("todo_write", &todos()),
        look(),
        look(),
        look(),
        message_events(&[], "end_turn"),
    ];
    let server = Server::new(answers.map(Answer::Stream));
    let arguments = [
        "--provider",
        "anthropic",
        "--base-url",
        &server.base,
        "--model",
        "m",
    ];
    place.says("agent", &[&arguments[..], &REMINDED].concat());
    let bodies = mapped(&place, &server, |request| {
        messages::body("m", 8192, request)
    });
    for (number, body) in bodies.iter().enumerate() {
        let messages = body["messages"].as_array().unwrap();
        let roles: Vec<&str> = messages
            .iter()
            .map(|message| message["role"].as_str().unwrap())
            .collect();
        assert!(
            roles
                .iter()
                .enumerate()
                .all(|(at, role)| *role == ["user", "assistant"][at % 2]),
            "{roles:?}"
        );
        let blocks = messages.last().unwrap()["content"].as_array().unwrap();
        let text = blocks.last().unwrap()["text"].as_str().unwrap_or_default();
        assert_eq!(text.starts_with("<system-reminder>"), number == 3);
    }
}

/// Starts a run and waits until its request number `number` is at the server,
/// which does not answer it.
fn waiting(place: &Place, server: &Server, number: usize, arguments: &[&str]) -> Child {
    let mut run = place.command("agent", arguments);
    let child = run
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    for _ in 0..=number {
        server.seen();
    }
    child
}

fn kill(mut child: Child) {
    child.kill().unwrap();
    child.wait().unwrap();
}

/// The lines of a history after its head, which names the session.
fn lines(file: &Path) -> Vec<String> {
    fs::read_to_string(file)
        .unwrap()
        .lines()
        .skip(1)
        .map(str::to_owned)
        .collect()
}

#[test]
fn a_run_killed_while_the_model_thinks_goes_on_as_if_it_had_not_been() {
    let ran = Place::new();
    let server = Server::new(chat_turn().map(Answer::Stream));
    ran.says("agent", &["--base-url", &server.base, "--model", "m", "Go"]);
    for number in 0..2 {
        let killed = Place::new();
        let answers = chat_turn().into_iter().take(number).map(Answer::Stream);
        let server = Server::new(answers.chain([Answer::Silence]));
        kill(waiting(
            &killed,
            &server,
            number,
            &["--base-url", &server.base, "--model", "m", "Go"],
        ));
        let server = Server::new(chat_turn().into_iter().skip(number).map(Answer::Stream));
        let resumed = [
            "--base-url",
            &server.base,
            "--model",
            "m",
            "--resume",
            &killed.session(),
        ];
        assert_eq!(killed.says("agent", &resumed), "Done.\n");
        assert_eq!(lines(&killed.file()), lines(&ran.file()));
    }
}

#[test]
fn a_second_process_on_a_session_is_refused() {
    let place = Place::new();
    let server = Server::new([Answer::Silence]);
    let child = waiting(
        &place,
        &server,
        0,
        &["--base-url", &server.base, "--model", "m", "Go"],
    );
    let line = place.fails(
        "agent",
        &[
            "--base-url",
            &server.base,
            "--model",
            "m",
            "--resume",
            &place.session(),
            "Me too",
        ],
    );
    assert!(
        line.ends_with("another process is writing this session"),
        "{line}"
    );
    assert!(
        place
            .says("history", &[&place.session()])
            .contains("(the turn is not finished)")
    );
    kill(child);
}

#[cfg(unix)]
#[test]
fn a_host_killed_inside_a_command_does_not_run_it_again() {
    let place = Place::new();
    let script = place.script(&json!({"responses": [
        {"calls": [{"name": "shell", "input": {"command": "echo x >> ran; kill -KILL $PPID"}}]},
        {"text": "Checked."},
    ]}));
    let killed = place.run("agent", &["--script", &script, "--allow-shell", "Go"]);
    assert_eq!(killed.status.code(), None, "killed by a signal");
    let resumed = [
        "--script",
        &script,
        "--allow-shell",
        "--resume",
        &place.session(),
    ];
    assert_eq!(place.says("agent", &resumed), "Checked.\n");
    assert_eq!(fs::read_to_string(place.path("work/ran")).unwrap(), "x\n");
}

#[test]
fn a_torn_last_line_is_repaired_with_a_message() {
    let place = Place::new();
    let script = place.script(&two_turns());
    place.says("agent", &["--script", &script, "Go"]);
    let (file, whole) = (place.file(), fs::read(place.file()).unwrap());
    fs::write(&file, &whole[..whole.len() - 5]).unwrap();
    let output = place.run(
        "agent",
        &["--script", &script, "--resume", &place.session()],
    );
    assert!(output.status.success());
    assert!(text(&output.stderr).contains("the last line was cut off"));
    assert_eq!(fs::read(&file).unwrap(), whole);
}
