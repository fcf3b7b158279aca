//! What must hold whatever comes in. Each function of this module takes bytes
//! and panics if a promise is broken: the fuzz targets call them with bytes
//! that look for it, `tests/fuzzing.rs` with the kept corpus and random bytes.
#![allow(dead_code)]

mod texts;

use super::recording::calls;
use super::recording::choices::Choices;
use super::recording::play::{draw_policy, play};
use super::recording::shapes::{SHAPES, Style, join, texts as element_texts};
use agent_todo::{ErrorCode, Policy, Session};
use serde_json::{Value, json};
pub use texts::{check_block, check_lines, check_text};

const TOOLS: [&str; 6] = [
    "todo_write",
    "TaskCreate",
    "TaskUpdate",
    "TaskGet",
    "TaskList",
    "read_file",
];

/// What a list always is.
pub fn check_list(session: &mut Session, policy: &Policy, is_live: bool) {
    let todos = session.todos().to_vec();
    for (at, todo) in todos.iter().enumerate() {
        texts::check_tidy(&todo.id);
        texts::check_tidy(&todo.content);
        todo.description
            .iter()
            .for_each(|text| texts::check_tidy(text));
        assert!(todo.id.chars().count() <= 64, "{:?}", todo.id);
        assert!(
            todos[..at].iter().all(|other| other.id != todo.id),
            "{:?} twice",
            todo.id
        );
        if is_live {
            let length = todo.content.chars().count();
            assert!(length <= policy.max_content as usize, "{length} characters");
        }
    }
    assert!(
        !is_live || todos.len() <= policy.max_todos as usize,
        "{} items",
        todos.len()
    );
    let saved = session.save_state();
    let mut loaded = Session::default();
    loaded.load_state(&saved).unwrap();
    assert_eq!(loaded.save_state(), saved);
    assert!(!saved.contains('\n'));
}

/// What every text that shows this list is.
pub fn check_renderings(session: &mut Session) {
    let before = session.save_state();
    let todos = session.todos().to_vec();
    let open = todos
        .iter()
        .filter(|todo| todo.status != agent_todo::Status::Completed)
        .count();
    let snapshot = session.compact_snapshot();
    assert_eq!(snapshot.is_some(), !todos.is_empty());
    if let Some(snapshot) = snapshot {
        check_text(&snapshot.context, 0);
        assert_eq!(snapshot.context.lines().count(), todos.len() + 1);
        assert_eq!(snapshot.carry_over.is_some(), open > 0);
        if let Some(message) = snapshot.carry_over {
            check_block(&message.text, open);
            check_adoption(&message.text, open);
        }
    }
    assert_eq!(session.save_state(), before, "a snapshot only reads");
    check_reminder(session, open);
    for tool in session.tools() {
        serde_json::from_str::<Value>(&tool.input_schema).unwrap();
    }
    assert!(session.instructions().chars().count() <= 600);
}

/// A session that adopts a carry-over holds its items, and hands out the same.
fn check_adoption(message: &str, open: usize) {
    let mut adopting = Session::default();
    adopting
        .configure(Policy {
            adopt_snapshot: true,
            ..Policy::default()
        })
        .unwrap();
    let history = json!([{"role": "system", "content": message}]).to_string();
    adopting.restore(&history).unwrap();
    assert_eq!(adopting.todos().len(), open, "{message}");
    let counters = adopting.counters();
    assert_eq!(
        (
            counters.requests_since_write,
            counters.requests_since_reminder
        ),
        (0, None)
    );
    let again = adopting
        .compact_snapshot()
        .unwrap()
        .carry_over
        .unwrap()
        .text;
    // What a rendered text leaves out no longer stands between a bracket and the
    // name, or at an end of the text; an id that then begins with a quote is
    // written as a JSON string.
    let items = |text: &str| {
        let mut items: String = text.lines().skip(2).collect();
        items.retain(|c| !c.is_whitespace() && !texts::BRACKETS.contains(c));
        items.retain(|c| !matches!(c, '_' | '"' | '\\'));
        items
    };
    assert_eq!(items(&again), items(message));
    check_list(&mut adopting, &Policy::default(), false);
}

fn check_reminder(session: &mut Session, open: usize) {
    let mut reminded = session.clone();
    let policy = Policy {
        remind_after: 0,
        remind_cooldown: 0,
        ..Policy::default()
    };
    reminded.configure(policy).unwrap();
    reminded.on_request();
    let reminder = reminded.pending_history_appends();
    assert_eq!(reminder.is_some(), open > 0);
    if let Some(reminder) = reminder {
        check_text(&reminder.text, 2);
        assert!(reminder.text.len() < 4_096, "{} bytes", reminder.text.len());
        assert!(reminder.text.lines().count() <= 24, "{}", reminder.text);
        assert!(reminder.text.starts_with("<system-reminder>\n"));
        assert!(reminder.text.ends_with("\n</system-reminder>"));
        assert_eq!(reminded.pending_history_appends(), None);
        let history = json!([{"role": "user", "content": reminder.text}]).to_string();
        assert_eq!(
            Session::default().restore(&history).unwrap().reminders,
            1,
            "{}",
            reminder.text
        );
    }
}

/// Calls a tool and checks all that is promised of the answer.
pub fn check_call(session: &mut Session, policy: &Policy, name: &str, input: &str) {
    let before = session.todos().to_vec();
    let state = session.save_state();
    let mut again = Session::default();
    again.load_state(&state).unwrap();
    let answer = session.call_tool(name, input);
    assert_eq!(
        answer,
        again.call_tool(name, input),
        "the same calls give the same bytes"
    );
    if matches!(name, "todo_write" | "TaskCreate" | "TaskUpdate") {
        assert_eq!(session.counters().requests_since_write, 0);
    }
    match answer {
        Ok(output) => {
            check_text(&output.text, 0);
            assert!(!output.text.is_empty() && !output.text.starts_with("Error: "));
            let changed = before != session.todos();
            assert_eq!(output.changed, changed, "{}", output.text);
            let progress = output.progress;
            let total = progress.pending + progress.in_progress + progress.completed;
            assert_eq!(total as usize, session.todos().len());
            if matches!(name, "todo_write" | "TaskList") {
                check_lines(&output.text, total as usize, progress.completed as usize);
            }
        }
        Err(error) => {
            check_text(&error.message, 0);
            assert!(error.message.starts_with("Error: ") && !error.message.contains('\n'));
            assert_eq!(before, session.todos(), "a refused call changes nothing");
            assert!(!matches!(
                error.code,
                ErrorCode::InvalidState | ErrorCode::InvalidHistory | ErrorCode::InvalidPolicy
            ));
        }
    }
    check_list(session, policy, true);
}

/// A session with a policy and two items.
fn started(choices: &mut Choices<'_>) -> (Session, Policy) {
    let policy = draw_policy(choices);
    let mut session = Session::default();
    session.configure(policy.clone()).unwrap();
    let _ = session.todo_write(r#"["Read", {"content":"Write","status":"in_progress"}]"#);
    let _ = session.call_tool("TaskCreate", r#"{"subject":"Read","description":"twice"}"#);
    (session, policy)
}

/// The input of a tool is these bytes.
pub fn tool_input(bytes: &[u8]) {
    let (head, input) = bytes.split_at(bytes.len().min(11));
    let mut choices = Choices::new(head);
    let (mut session, policy) = started(&mut choices);
    let name = choices.one_of(&TOOLS);
    check_call(&mut session, &policy, name, &String::from_utf8_lossy(input));
    check_renderings(&mut session);
}

/// The inputs are almost what the tools ask for.
pub fn near_valid_input(bytes: &[u8]) {
    let mut choices = Choices::new(bytes);
    let (mut session, policy) = started(&mut choices);
    while !choices.is_empty() {
        let known: Vec<String> = session.todos().iter().map(|todo| todo.id.clone()).collect();
        let call = calls::draw(&mut choices, &known);
        let mut input = call.input().into_bytes();
        if choices.once_in(3) && !input.is_empty() {
            let at = choices.below(256) * 7 % input.len();
            let with = choices.bytes(3);
            let end = (at + choices.below(4)).min(input.len());
            input.splice(at..end, with);
        }
        check_call(
            &mut session,
            &policy,
            call.name(),
            &String::from_utf8_lossy(&input),
        );
    }
    check_renderings(&mut session);
}

/// These bytes are the texts of items: of contents, ids and descriptions.
pub fn item_text(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let (first, second) = text.split_at(text.floor_char_boundary(text.len() / 2));
    let policy = Policy {
        tool_set: agent_todo::ToolSet::Both,
        max_input: 1 << 24,
        ..Policy::default()
    };
    let mut session = Session::default();
    session.configure(policy.clone()).unwrap();
    let items = json!([
        {"id": first, "content": text, "status": "pending"},
        {"id": second, "content": first, "status": "in_progress"},
        {"content": second, "status": "completed"},
    ]);
    for input in [
        items.clone(),
        json!([items[0]]),
        json!([items[1], items[1]]),
        json!([{"content": text, "status": text}]),
    ] {
        check_call(&mut session, &policy, "todo_write", &input.to_string());
        check_renderings(&mut session);
    }
    let task = json!({"subject": first, "description": text}).to_string();
    check_call(&mut session, &policy, "TaskCreate", &task);
    let ids: Vec<String> = session.todos().iter().map(|todo| todo.id.clone()).collect();
    for id in ids.iter().map(String::as_str).chain([first, &*text]) {
        check_call(
            &mut session,
            &policy,
            "TaskGet",
            &json!({"taskId": id}).to_string(),
        );
        let update = json!({"taskId": id, "subject": second, "status": first});
        check_call(&mut session, &policy, "TaskUpdate", &update.to_string());
    }
    check_call(&mut session, &policy, &text, &text);
    check_renderings(&mut session);
}

/// These bytes are a history.
pub fn history(bytes: &[u8]) {
    let (head, text) = bytes.split_at(bytes.len().min(11));
    let text = String::from_utf8_lossy(text);
    let (mut session, policy) = started(&mut Choices::new(head));
    let before = session.save_state();
    let mut again = session.clone();
    let report = session.restore(&text);
    assert_eq!(report, again.restore(&text));
    match report {
        Err(error) => {
            assert_eq!(error.code, ErrorCode::InvalidHistory);
            check_text(&error.message, 0);
            assert_eq!(again.restore("").unwrap().requests, 0);
            assert_eq!(
                again.save_state(),
                before,
                "nothing of a refused history stays"
            );
            assert_eq!(session.save_state(), before);
        }
        Ok(report) => {
            check_text(report.format, 0);
            assert_eq!(session.save_state(), again.save_state());
            check_list(&mut session, &policy, false);
            check_renderings(&mut session);
        }
    }
    check_forms(&text, &policy);
}

/// One history as an array, as lines, in an object and in pieces is one history.
fn check_forms(text: &str, policy: &Policy) {
    let elements: Vec<Value> = match serde_json::from_str(text) {
        Ok(Value::Array(elements)) => elements,
        Ok(element @ Value::Object(_)) => vec![element],
        _ => match text.lines().map(serde_json::from_str).collect() {
            Ok(elements) => elements,
            Err(_) => return,
        },
    };
    if elements.len() < 2 || !elements.iter().all(Value::is_object) {
        return;
    }
    let restored = |pieces: &[String]| {
        let mut session = Session::default();
        session.configure(policy.clone()).unwrap();
        for piece in pieces {
            session.restore(piece).unwrap();
        }
        session.save_state()
    };
    let lines: Vec<String> = elements
        .iter()
        .map(|element| format!("{element}\n"))
        .collect();
    let whole = restored(&[Value::from(elements.clone()).to_string()]);
    assert_eq!(restored(&[lines.concat()]), whole, "as lines");
    let (first, rest) = elements.split_at(elements.len() / 2);
    let pieces = [
        Value::from(first).to_string(),
        Value::from(rest).to_string(),
    ];
    assert_eq!(restored(&pieces), whole, "in two pieces");
}

/// These bytes are a saved state.
pub fn saved_state(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let (mut session, policy) = started(&mut Choices::new(&[]));
    let before = session.save_state();
    match session.load_state(&text) {
        Err(error) => {
            assert_eq!(error.code, ErrorCode::InvalidState);
            check_text(&error.message, 0);
            assert_eq!(session.save_state(), before);
        }
        Ok(()) => {
            check_list(&mut session, &policy, false);
            check_renderings(&mut session);
            session
                .configure(Policy {
                    tool_set: agent_todo::ToolSet::Both,
                    max_todos: 1_000,
                    max_content: 10_000,
                    ..policy
                })
                .unwrap();
            let _ = session.call_tool("TaskCreate", r#"{"subject":"one more"}"#);
            let _ = session.todo_write(r#"["a","b",{"id":"2","content":"c"}]"#);
            check_list(&mut session, &Policy::default(), true);
        }
    }
}

/// These bytes are choices: a session, recorded in one of the shapes.
pub fn session(bytes: &[u8]) {
    let (head, rest) = bytes.split_at(bytes.len().min(2));
    let mut choices = Choices::new(head);
    let shape = &SHAPES[choices.below(SHAPES.len())];
    let style = Style::from_bits(u8::try_from(choices.below(64)).unwrap_or_default());
    let mut host = play(&mut Choices::new(rest), 40);
    let elements = element_texts(&host.recording, &(shape.record)(&host.recording, style));
    let restored = |pieces: &[String]| {
        let mut session = Session::default();
        session.configure(host.policy.clone()).unwrap();
        for piece in pieces {
            session.restore(piece).unwrap();
        }
        session.save_state()
    };
    let whole = restored(&[join(&elements, shape.lines)]);
    let (first, second) = elements.split_at(elements.len() / 2);
    let in_pieces = restored(&[join(first, shape.lines), join(second, shape.lines)]);
    let live = host.session.save_state();
    assert_eq!(
        whole,
        live,
        "{} {style:?}\n{}",
        shape.format,
        elements.join("\n")
    );
    assert_eq!(
        in_pieces,
        live,
        "{} {style:?} in pieces\n{}",
        shape.format,
        elements.join("\n")
    );
    check_list(&mut host.session, &host.policy, true);
    check_renderings(&mut host.session);
}
