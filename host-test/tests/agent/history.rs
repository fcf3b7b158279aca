//! The history file: what is on the disk, whatever happens.

use std::fs;
use std::path::{Path, PathBuf};

use agent_todo_host::Policy;
use agent_todo_host::agent::history::{Head, History, read};
use agent_todo_host::agent::item::{self, Item, Part, Role, ToolCall};
use serde_json::json;
use tempfile::TempDir;

fn head(id: &str) -> Head {
    Head::new(
        id,
        Path::new("/work"),
        "Be brief.".into(),
        Vec::new(),
        Policy::default(),
    )
}

fn said(text: &str) -> Item {
    Item::text(Role::User, text)
}

/// A history of two items, closed again.
fn two_items(folder: &TempDir) -> PathBuf {
    let path = folder.path().join("s.jsonl");
    let mut history = History::create(&path, head("s"), vec![said("one")]).unwrap();
    history.append(vec![said("two")]).unwrap();
    path
}

#[test]
fn a_line_is_in_the_file_when_append_returns() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("s.jsonl");
    let mut history = History::create(&path, head("s"), vec![said("one")]).unwrap();
    history
        .append(vec![said("two\nlines"), said("three")])
        .unwrap();
    let text = fs::read_to_string(&path).unwrap();
    assert_eq!(text.lines().count(), 4);
    assert!(
        text.ends_with(
            "{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"three\"}]}\n"
        )
    );
    assert_eq!(read(&path).unwrap().1, history.items());
}

#[test]
fn only_one_process_writes_and_the_others_are_told() {
    let folder = TempDir::new().unwrap();
    let path = two_items(&folder);
    let first = History::open(&path).unwrap();
    let error = History::open(&path).unwrap_err().to_string();
    assert_eq!(
        error,
        format!(
            "{}: another process is writing this session",
            path.display()
        )
    );
    assert_eq!(read(&path).unwrap().1.len(), 2);
    drop(first);
    assert!(History::open(&path).is_ok());
}

#[test]
fn a_new_session_is_locked_from_the_first() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("s.jsonl");
    let _running = History::create(&path, head("s"), Vec::new()).unwrap();
    assert!(History::open(&path).is_err());
}

#[test]
fn a_session_is_never_begun_over_another() {
    let folder = TempDir::new().unwrap();
    let path = two_items(&folder);
    assert!(History::create(&path, head("s"), Vec::new()).is_err());
    assert_eq!(read(&path).unwrap().1.len(), 2);
}

#[test]
fn a_last_line_cut_anywhere_is_repaired_and_nothing_else_is_lost() {
    let folder = TempDir::new().unwrap();
    let path = two_items(&folder);
    let whole = fs::read(&path).unwrap();
    let last = whole[..whole.len() - 1]
        .iter()
        .rposition(|&byte| byte == b'\n')
        .unwrap()
        + 1;
    let torn = path.with_extension("torn");
    for end in last + 1..whole.len() - 1 {
        fs::write(&path, &whole[..end]).unwrap();
        let (mut history, message) = History::open(&path).unwrap();
        assert!(message.unwrap().contains("the last line was cut off"));
        assert_eq!(history.items(), [said("one")]);
        assert_eq!(fs::read(&torn).unwrap(), whole[last..end]);
        history.append(vec![said("two")]).unwrap();
        assert_eq!(fs::read(&path).unwrap(), whole);
        fs::remove_file(&torn).unwrap();
    }
}

#[test]
fn a_last_line_that_lacks_only_its_break_is_kept() {
    let folder = TempDir::new().unwrap();
    let path = two_items(&folder);
    let whole = fs::read(&path).unwrap();
    fs::write(&path, &whole[..whole.len() - 1]).unwrap();
    let (history, message) = History::open(&path).unwrap();
    assert_eq!(
        (history.items(), message),
        (&[said("one"), said("two")][..], None)
    );
    assert_eq!(fs::read(&path).unwrap(), whole);
}

#[test]
fn zeros_that_a_power_cut_left_are_a_torn_line() {
    let folder = TempDir::new().unwrap();
    let path = two_items(&folder);
    let whole = fs::read(&path).unwrap();
    fs::write(&path, [&whole[..], &[0; 512]].concat()).unwrap();
    let (history, message) = History::open(&path).unwrap();
    assert_eq!((history.items().len(), message.is_some()), (2, true));
    assert_eq!(fs::read(&path).unwrap(), whole);
}

#[test]
fn a_file_that_is_no_history_is_refused_with_the_line() {
    let folder = TempDir::new().unwrap();
    let path = two_items(&folder);
    let good = fs::read_to_string(&path).unwrap();
    let first = good.lines().next().unwrap();
    let newer = first.replace("\"version\":1", "\"version\":2");
    for (text, part) in [
        ("", "it holds no complete line"),
        ("{\"role\":\"user\"}\n", "line 1: "),
        (&format!("{first}\nnot json\n{{}}\n"), "line 2: "),
        (&format!("{newer}\n"), "format version 2; this host reads 1"),
    ] {
        fs::write(&path, text).unwrap();
        let error = History::open(&path).unwrap_err().to_string();
        assert!(error.contains(part) && !error.contains('\n'), "{error}");
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
    }
}

#[cfg(unix)]
#[test]
fn only_the_owner_may_read_a_history() {
    use std::os::unix::fs::PermissionsExt;
    let folder = TempDir::new().unwrap();
    let mode = fs::metadata(two_items(&folder))
        .unwrap()
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o600);
}

/// An answer with two calls.
fn two_calls() -> (Item, ToolCall, ToolCall) {
    let call = |id: &str| ToolCall {
        id: id.into(),
        name: "todo_write".into(),
        input: json!({}),
    };
    let (a, b) = (call("a"), call("b"));
    let content = vec![Part::ToolUse(a.clone()), Part::ToolUse(b.clone())];
    (
        Item {
            content,
            ..Item::text(Role::Assistant, "")
        },
        a,
        b,
    )
}

#[test]
fn calls_without_a_result_are_owed_and_left_out_of_what_is_settled() {
    let (answer, a, b) = two_calls();
    let mut items = vec![said("go"), answer];
    assert_eq!(item::unanswered(&items), [a.clone(), b.clone()]);
    assert_eq!(item::settled(&items)[1].content, []);
    items.push(Item::result(&a, "done".into(), false));
    assert_eq!(item::unanswered(&items), std::slice::from_ref(&b));
    assert_eq!(item::settled(&items)[1].content, [Part::ToolUse(a)]);
    items.push(Item::result(&b, "done".into(), false));
    assert!(item::unanswered(&items).is_empty());
    assert_eq!(item::settled(&items), items);
}

#[test]
fn the_model_is_asked_after_a_prompt_a_result_and_a_reminder_but_not_after_a_summary() {
    let (answer, a, _) = two_calls();
    let reminder = Item::text(Role::System, "reminder");
    let summary = Item {
        summary: true,
        ..said("summary")
    };
    assert!(item::awaits_answer(&[said("go")]));
    assert!(item::awaits_answer(&[said("go"), reminder.clone()]));
    assert!(item::awaits_answer(&[
        answer,
        Item::result(&a, "done".into(), false)
    ]));
    assert!(!item::awaits_answer(&[
        said("go"),
        Item::text(Role::Assistant, "done")
    ]));
    assert!(!item::awaits_answer(&[reminder, summary]));
    assert!(!item::awaits_answer(&[]));
}

#[test]
fn what_a_model_sent_as_input_goes_back_as_it_came() {
    for text in [
        r#"{"a":[{"c":null}],"b":1}"#,
        r#"{"todos":[{"content":"#,
        "{'todos': []}",
        "[]",
    ] {
        let call = ToolCall {
            id: "a".into(),
            name: "t".into(),
            input: ToolCall::input_from(text),
        };
        let line = serde_json::to_string(&Part::ToolUse(call)).unwrap();
        let Part::ToolUse(call) = serde_json::from_str(&line).unwrap() else {
            unreachable!()
        };
        assert_eq!(call.input_text(), text);
    }
    assert_eq!(ToolCall::input_from(" "), json!({}));
}
