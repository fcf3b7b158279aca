//! What a person reads.

use agent_todo_host::{CounterValues, HistoryItem, Role};

use super::*;
use crate::entry::{Added, Totals};

fn todo(id: &str, content: &str, status: Status) -> Todo {
    Todo {
        id: id.to_owned(),
        content: content.to_owned(),
        status,
        description: None,
    }
}

fn call(outcome: Outcome, text: &str) -> Replayed {
    Replayed {
        name: "TodoWrite".to_owned(),
        tool: "todo_write",
        outcome,
        text: text.to_owned(),
    }
}

fn shown(show: impl Fn(&mut Timeline<&mut Vec<u8>>) -> io::Result<()>) -> String {
    let mut out = Vec::new();
    show(&mut Timeline::new(&mut out, Paint::for_terminal(false))).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn only_what_changed_in_the_list_is_shown() {
    let before = [
        todo("1", "Read", Status::InProgress),
        todo("2", "Write", Status::Pending),
        todo("3", "Ship", Status::Pending),
    ];
    let after = [
        todo("1", "Read", Status::Completed),
        todo("2", "Write", Status::Pending),
        todo("4", "Test", Status::InProgress),
    ];
    let text = shown(|timeline| {
        timeline.entry(&Entry::Calls {
            request: 4,
            calls: &[call(Outcome::Applied { changed: true }, "")],
            before: &before,
            after: &after,
        })
    });
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(
        lines,
        [
            "     ·  3 requests without a todo call",
            "    #4  TodoWrite  1/3 completed",
            "          [x] 1. Read",
            "        + [>] 4. Test",
            "        - [ ] 3. Ship",
        ]
    );
}

#[test]
fn a_reminder_comes_with_the_counters_that_made_it_due() {
    let item = HistoryItem {
        role: Role::System,
        text: "<system-reminder>\n[pending] 1. Read\n</system-reminder>".to_owned(),
    };
    let text = shown(|timeline| {
        timeline.entry(&Entry::Reminder {
            request: 1,
            counters: CounterValues {
                requests_since_write: 16,
                requests_since_reminder: Some(8),
            },
            policy: &Policy::default(),
            item: &item,
        })
    });
    assert!(text.starts_with("    #1  reminder  16 requests since the last write (remind-after 8), 8 since the last one (cooldown 8)\n"), "{text}");
    assert!(text.contains("│ [pending] 1. Read\n"));
}

#[test]
fn refused_and_skipped_calls_say_what_became_of_them() {
    let text = shown(|timeline| {
        timeline.entry(&Entry::Calls {
            request: 1,
            calls: &[
                call(Outcome::Refused, "Error: no list. The list is unchanged."),
                call(Outcome::Skipped, ""),
            ],
            before: &[],
            after: &[],
        })
    });
    assert!(text.contains("TodoWrite ×2"));
    assert!(text.contains("refused: Error: no list."));
    assert!(text.contains("skipped: denied"));
}

#[test]
fn what_a_terminal_would_act_on_does_not_get_through() {
    let mut hostile = call(Outcome::Applied { changed: true }, "");
    hostile.name = "mcp__\u{1b}[31m__todo_write".to_owned();
    let after = [todo("\u{1b}]0;x\u{7}", "a\u{202e}b", Status::Pending)];
    let text = shown(|timeline| {
        timeline.entry(&Entry::Calls {
            request: 1,
            calls: std::slice::from_ref(&hostile),
            before: &[],
            after: &after,
        })
    });
    assert!(!text.contains(['\u{1b}', '\u{7}', '\u{202e}']), "{text:?}");
}

#[test]
fn the_end_counts_requests_calls_and_what_the_plugin_added() {
    let totals = Totals {
        requests: 9,
        calls: 3,
        applied: 1,
        refused: 1,
        skipped: 1,
        result_bytes: 402,
        ..Totals::default()
    };
    let text = shown(|timeline| {
        timeline.end(&Summary {
            todos: &[],
            counters: CounterValues {
                requests_since_write: 1,
                requests_since_reminder: None,
            },
            format: "claude-code",
            torn: false,
            totals: &totals,
            added: Added {
                definitions: 800,
                instructions: 40,
            },
        })
    });
    assert!(text.contains("The list is empty at the end"));
    assert!(text.contains(
        "9 requests (claude-code), 3 todo calls: 1 applied, 1 refused, 1 skipped, 0 reminders"
    ));
    assert!(text.contains("results               402 bytes     101 tokens"));
}
