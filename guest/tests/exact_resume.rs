//! The promise of `restore`: a session that was driven through the component
//! and recorded by a host, in whatever shape, comes back as it was.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)]
#![allow(missing_docs)]

mod recording;

use agent_todo::{Policy, RestoreReport, Session};
use proptest::prelude::*;
use recording::choices::Choices;
use recording::play::{Host, Outcome, Recording, play};
use recording::shapes::{SHAPES, Shape, Style, join, texts};

/// Sessions for each promise; `AGENT_TODO_CASES` asks for another number.
fn cases(usual: u32) -> ProptestConfig {
    let asked = std::env::var("AGENT_TODO_CASES")
        .ok()
        .and_then(|number| number.parse().ok());
    ProptestConfig {
        cases: asked.unwrap_or(usual),
        max_shrink_iters: 4_000,
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

fn session_bytes() -> impl Strategy<Value = Vec<u8>> {
    proptest::collection::vec(any::<u8>(), 11..400)
}

fn fresh(policy: &Policy) -> Session {
    let mut session = Session::default();
    session.configure(policy.clone()).unwrap();
    session
}

/// What `restore` has to report of a recording: calls of `read_file` are no todo calls.
fn expected_report(recording: &Recording, format: &'static str) -> RestoreReport {
    let mut report = RestoreReport {
        format,
        requests: u32::try_from(recording.turns.len()).unwrap(),
        reminders: u32::try_from(recording.reminders()).unwrap(),
        ..RestoreReport::default()
    };
    for call in recording.turns.iter().flat_map(|turn| &turn.calls) {
        let ours = matches!(
            call.name,
            "todo_write" | "TaskCreate" | "TaskUpdate" | "TaskGet" | "TaskList"
        );
        let known = ours || matches!(call.name, "TodoWrite" | "mcp__todo__todo_write");
        match &call.outcome {
            _ if !known => {}
            Outcome::Accepted(_) => report.applied += 1,
            // A tool that was off or unknown was reached only under a name that counts.
            Outcome::Refused(message) if !message.starts_with("Error: unknown tool ") => {
                report.refused += 1
            }
            Outcome::Refused(_)
                if matches!(call.name, "todo_write" | "TaskCreate" | "TaskUpdate") =>
            {
                report.refused += 1
            }
            Outcome::Refused(_) | Outcome::Denied(_) | Outcome::Stopped => report.skipped += 1,
        }
    }
    report
}

fn elements(host: &Host, shape: &Shape, style: Style) -> Vec<String> {
    texts(&host.recording, &(shape.record)(&host.recording, style))
}

proptest! {
    #![proptest_config(cases(48))]

    #[test]
    fn a_session_comes_back_from_every_shape_of_history(bytes in session_bytes(), bits: u8) {
        let mut host = play(&mut Choices::new(&bytes), 24);
        let live = host.session.save_state();
        for shape in &SHAPES {
            let style = Style::from_bits(bits);
            let history = join(&elements(&host, shape, style), shape.lines);
            let mut restored = fresh(&host.policy);
            let report = restored.restore(&history).unwrap();
            let place = format!("{} {style:?}\n{history}", shape.format);
            prop_assert_eq!(restored.save_state(), live.clone(), "{}", place);
            if !host.recording.turns.is_empty() {
                prop_assert_eq!(report, expected_report(&host.recording, shape.format), "{}", place);
            }
        }
    }

    #[test]
    fn a_history_may_come_in_pieces_cut_anywhere(bytes in session_bytes(), bits: u8, at: u8, pieces in 2..6_usize) {
        let mut host = play(&mut Choices::new(&bytes), 10);
        prop_assume!(!host.recording.turns.is_empty());
        let live = host.session.save_state();
        let shape = &SHAPES[usize::from(at) % SHAPES.len()];
        let elements = elements(&host, shape, Style::from_bits(bits));
        for cut in 1..elements.len() {
            let length = cut.min((elements.len() - cut).max(1)).max(elements.len() / pieces).max(1);
            let mut restored = fresh(&host.policy);
            let mut total = RestoreReport::default();
            let (first, rest) = elements.split_at(cut);
            for piece in std::iter::once(first).chain(rest.chunks(length)) {
                let report = restored.restore(&join(piece, shape.lines)).unwrap();
                total.requests += report.requests;
                total.reminders += report.reminders;
            }
            let place = format!("{} cut at {cut}, then every {length}\n{}", shape.format, elements.join("\n"));
            prop_assert_eq!(restored.save_state(), live.clone(), "{}", place);
            if shape.format == "pi" {
                // Which branch of a tree counts is known only at its end.
                continue;
            }
            prop_assert_eq!(total.requests as usize, host.recording.turns.len(), "{}", place);
            prop_assert_eq!(total.reminders as usize, host.recording.reminders(), "{}", place);
        }
    }

    #[test]
    fn a_history_may_be_written_again_by_another_json_writer(bytes in session_bytes(), bits: u8, at: u8) {
        let mut host = play(&mut Choices::new(&bytes), 8);
        prop_assume!(!host.recording.turns.is_empty());
        let live = host.session.save_state();
        let shape = &SHAPES[usize::from(at) % SHAPES.len()];
        let elements = elements(&host, shape, Style::from_bits(bits));
        for manner in rewrite::MANNERS {
            let rewritten: Option<Vec<String>> = elements.iter().map(|element| rewrite::rewrite(element, manner)).collect();
            let Some(rewritten) = rewritten else {
                // A number that other writers write otherwise is another input.
                return Err(TestCaseError::reject("a number out of the ordinary"));
            };
            let history = join(&rewritten, shape.lines && !manner.spaces);
            let mut restored = fresh(&host.policy);
            restored.restore(&history).unwrap();
            prop_assert_eq!(restored.save_state(), live.clone(), "{} {:?}\n{}", shape.format, manner, history);
        }
    }

    #[test]
    fn a_session_may_be_saved_and_loaded_at_every_step(bytes in session_bytes()) {
        let mut choices = Choices::new(&bytes);
        let mut host = play(&mut choices, 0);
        let mut shadow = Host::new(&host.policy);
        while !choices.is_empty() {
            let saved = host.session.save_state();
            let mut loaded = Session::default();
            loaded.load_state(&saved).unwrap();
            prop_assert_eq!(loaded.save_state(), saved);
            prop_assert_eq!(loaded.todos(), host.session.todos());
            prop_assert_eq!(loaded.counters(), host.session.counters());
            prop_assert_eq!(loaded.compact_snapshot(), host.session.compact_snapshot());
            prop_assert_eq!(loaded.tools(), host.session.tools());
            host.session = loaded;
            host.turn(&mut choices);
        }
        // The same choices without any saving give the same texts.
        let mut choices = Choices::new(&bytes);
        play(&mut choices, 0);
        while !choices.is_empty() {
            shadow.turn(&mut choices);
        }
        prop_assert_eq!(format!("{:?}", shadow.recording), format!("{:?}", host.recording));
        prop_assert_eq!(shadow.session.save_state(), host.session.save_state());
    }

    #[test]
    fn a_history_without_any_result_is_applied_call_by_call(bytes in session_bytes(), bits: u8) {
        let mut host = play(&mut Choices::new(&bytes), 12);
        // Only calls that reached the component, under its own names, as it has them on.
        for turn in &mut host.recording.turns {
            turn.calls.retain(|call| match &call.outcome {
                Outcome::Accepted(_) => call.name != "read_file",
                Outcome::Refused(message) => !message.starts_with("Error: unknown tool "),
                Outcome::Denied(_) | Outcome::Stopped => false,
            });
        }
        let mut live = fresh(&host.policy);
        for turn in &mut host.recording.turns {
            turn.reminder = live.pending_history_appends().map(|item| item.text);
            live.on_request();
            for call in &mut turn.calls {
                let _ = live.call_tool(call.name, &call.input);
                call.outcome = Outcome::Stopped;
            }
            // What is not recorded as an item is no request in a flat list.
            turn.user = Some("Go on.".to_owned());
        }
        for shape in SHAPES.iter().filter(|shape| shape.format != "pi") {
            let history = join(&elements(&host, shape, Style::from_bits(bits)), shape.lines);
            let mut restored = fresh(&host.policy);
            restored.restore(&history).unwrap();
            prop_assert_eq!(restored.save_state(), live.save_state(), "{}\n{}", shape.format, history);
        }
    }
}

/// JSON written by other writers: spaces, escapes, another order of keys.
mod rewrite {
    use serde_json::Value;

    #[derive(Clone, Copy, Debug)]
    pub struct Manner {
        pub spaces: bool,
        pub ascii: bool,
        pub reversed: bool,
    }

    pub const MANNERS: [Manner; 4] = [
        Manner {
            spaces: true,
            ascii: false,
            reversed: false,
        },
        Manner {
            spaces: false,
            ascii: true,
            reversed: false,
        },
        Manner {
            spaces: false,
            ascii: false,
            reversed: true,
        },
        Manner {
            spaces: true,
            ascii: true,
            reversed: true,
        },
    ];

    /// `None` if the text holds a number that is no integer.
    pub fn rewrite(text: &str, manner: Manner) -> Option<String> {
        let value: Value = serde_json::from_str(text).ok()?;
        let mut out = String::new();
        write(&mut out, &value, manner, 0)?;
        Some(out)
    }

    fn write(out: &mut String, value: &Value, manner: Manner, depth: usize) -> Option<()> {
        match value {
            Value::Object(fields) => {
                let mut fields: Vec<_> = fields.iter().collect();
                if manner.reversed {
                    fields.reverse();
                }
                out.push('{');
                for (at, (key, value)) in fields.into_iter().enumerate() {
                    separate(out, at, manner, depth + 1);
                    string(out, key, manner);
                    out.push_str(if manner.spaces { " : " } else { ":" });
                    write(out, value, manner, depth + 1)?;
                }
                out.push('}');
            }
            Value::Array(values) => {
                out.push('[');
                for (at, value) in values.iter().enumerate() {
                    separate(out, at, manner, depth + 1);
                    write(out, value, manner, depth + 1)?;
                }
                out.push(']');
            }
            Value::String(text) => string(out, text, manner),
            Value::Number(number) if number.is_i64() => out.push_str(&number.to_string()),
            Value::Number(_) => return None,
            Value::Bool(_) | Value::Null => out.push_str(&value.to_string()),
        }
        Some(())
    }

    fn separate(out: &mut String, at: usize, manner: Manner, depth: usize) {
        if at > 0 {
            out.push(',');
        }
        if manner.spaces {
            out.push('\n');
            out.push_str(&"  ".repeat(depth));
        }
    }

    fn string(out: &mut String, text: &str, manner: Manner) {
        if !manner.ascii {
            out.push_str(&Value::from(text).to_string());
            return;
        }
        out.push('"');
        for unit in text.encode_utf16() {
            match char::from_u32(u32::from(unit)) {
                Some('/') => out.push_str("\\/"),
                Some(c @ ' '..='~') if !"\"\\<>&".contains(c) => out.push(c),
                _ => out.push_str(&format!("\\u{unit:04x}")),
            }
        }
        out.push('"');
    }
}
