use super::*;
use crate::list::Status;

fn list(contents: &[&str]) -> List {
    let mut list = List::default();
    let todo = |(at, content): (usize, &&str)| Todo {
        id: (at + 1).to_string(),
        content: (*content).to_owned(),
        status: if at == 0 {
            Status::InProgress
        } else {
            Status::Pending
        },
        description: None,
    };
    list.replace(contents.iter().enumerate().map(todo).collect());
    list
}

fn policy(remind_after: u32, remind_cooldown: u32, remind_once: bool) -> Policy {
    Policy {
        remind_after,
        remind_cooldown,
        remind_once,
        ..Policy::default()
    }
}

/// The requests before which a reminder goes out, when the model writes in the
/// requests `writes` and never else.
fn reminded(policy: &Policy, writes: &[u32], requests: u32) -> Vec<u32> {
    let mut clock = Clock::default();
    let mut reminded = Vec::new();
    for request in 1..=requests {
        if clock.is_due(policy) {
            clock.on_reminder();
            reminded.push(request);
        }
        assert!(!clock.is_due(policy), "at most one before each request");
        clock.on_requests(1);
        if writes.contains(&request) {
            clock.on_write();
        }
        assert!(clock.is_sound());
    }
    reminded
}

#[test]
fn a_reminder_is_due_after_the_requests_without_a_write_and_then_after_each_cooldown() {
    assert_eq!(reminded(&policy(3, 2, false), &[1], 10), [5, 7, 9]);
    assert_eq!(reminded(&policy(2, 5, false), &[1, 5], 14), [4, 9, 14]);
    assert_eq!(reminded(&policy(8, 8, false), &[], 20), [9, 17]);
}

#[test]
fn no_cooldown_and_no_delay_still_mean_one_reminder_for_each_request() {
    assert_eq!(reminded(&policy(0, 0, false), &[], 4), [1, 2, 3, 4]);
    assert_eq!(reminded(&policy(0, 3, false), &[], 8), [1, 4, 7]);
}

#[test]
fn reminding_once_waits_for_the_model_to_write_and_not_for_the_cooldown() {
    assert_eq!(reminded(&policy(2, 9, true), &[1, 6], 30), [4, 9]);
}

#[test]
fn a_policy_can_turn_reminders_off() {
    let off = Policy {
        remind: false,
        ..policy(0, 0, false)
    };
    assert!(reminded(&off, &[], 9).is_empty());
}

#[test]
fn counters_stop_at_their_greatest_value() {
    let mut clock = Clock::default();
    clock.on_reminder();
    clock.on_requests(u32::MAX);
    clock.on_requests(1);
    assert_eq!(
        (clock.since_write, clock.since_reminder),
        (u32::MAX, Some(u32::MAX))
    );
}

#[test]
fn a_reminder_is_one_block_with_the_open_items() {
    assert_eq!(
        text(&list(&["Add the flag", "Update the docs"]), ToolSet::Todo).unwrap(),
        "<system-reminder>\ntodo_write has not been called for a while and these items are open. If the list is \
         out of date, update it; if not, carry on.\n[in_progress] 1. Add the flag\n[pending] 2. Update the \
         docs\n</system-reminder>"
    );
    let task = text(&list(&["a"]), ToolSet::Task).unwrap();
    assert!(task.contains("TaskUpdate") && !task.contains("todo_write"));
    assert_eq!(text(&List::default(), ToolSet::Todo), None);
}

#[test]
fn items_beyond_twenty_and_text_beyond_120_characters_are_left_out() {
    let long = "ä".repeat(121);
    let shown = text(&list(&[long.as_str(); 23]), ToolSet::Todo).unwrap();
    assert!(shown.len() < MAX_BYTES);
    assert!(shown.contains(&format!("1. {}…\n", "ä".repeat(119))));
    let wide = "😀".repeat(121);
    let shown = text(&list(&[wide.as_str(); 23]), ToolSet::Todo).unwrap();
    assert!(shown.len() < MAX_BYTES);
    let items = shown.matches(". 😀").count();
    assert!(shown.contains(&format!("\n… and {} more\n</system-reminder>", 23 - items)));
    let few = text(&list(&["a"; 21]), ToolSet::Todo).unwrap();
    assert!(few.contains("20. a\n… and 1 more\n") && !few.contains("21. a"));
}

#[test]
fn every_reminder_is_recognised_and_nothing_else_is() {
    let wide = "<system-reminder>😀".repeat(100);
    for tools in [ToolSet::Todo, ToolSet::Task, ToolSet::Both] {
        for contents in [
            &["a"][..],
            &["[x] 1. b", "… and 3 more"],
            &[wide.as_str(); 40],
        ] {
            let reminder = text(&list(contents), tools).unwrap();
            assert!(is_reminder(&reminder), "{reminder}");
            assert!(is_reminder(&format!("\n {reminder}\n")));
            for other in [
                format!("Note {reminder}"),
                format!("{reminder} too"),
                reminder.replace("while", "day"),
                reminder.replacen('[', "(", 1),
                reminder.replace("</", "<"),
                format!("{reminder}{reminder}"),
            ] {
                assert!(!is_reminder(&other), "{other}");
            }
        }
    }
    for other in [
        "",
        "<system-reminder>\n</system-reminder>",
        "<system-reminder>\nBuy milk\n</system-reminder>",
    ] {
        assert!(!is_reminder(other), "{other}");
    }
}

#[test]
fn what_only_looks_like_a_reminder_from_afar_is_none() {
    let reminder = text(&list(&["a"; 21]), ToolSet::Todo).unwrap();
    let with_rest = |rest: &str| reminder.replace("… and 1 more", rest);
    assert!(is_reminder(&with_rest("… and 12 more")));
    for rest in ["… and  more", "… and some more", "… and 1a more", "… and 1"] {
        assert!(!is_reminder(&with_rest(rest)), "{rest}");
    }
    // As long as the promise allows, and one byte longer.
    let short = text(&list(&["a"]), ToolSet::Todo).unwrap();
    let as_long = |bytes: usize| {
        short.replace(
            "1. a",
            &format!("1. {}", "a".repeat(bytes + 1 - short.len())),
        )
    };
    assert_eq!(as_long(4_095).len(), 4_095);
    assert!(is_reminder(&as_long(4_095)));
    assert!(!is_reminder(&as_long(4_096)));
}
