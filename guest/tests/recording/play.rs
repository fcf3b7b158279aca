//! Sessions, driven as a host drives them, and what the host remembers of one.

use super::calls::{self, Call};
use super::choices::Choices;
use agent_todo::{InProgressLimit, Policy, Session, ToolSet};

/// What a host has of a session: who said what, and what the tools gave.
#[derive(Clone, Debug, Default)]
pub struct Recording {
    pub turns: Vec<Turn>,
}

/// One request and what came back.
#[derive(Clone, Debug, Default)]
pub struct Turn {
    /// What the user said before it.
    pub user: Option<String>,
    /// The reminder that was appended before it.
    pub reminder: Option<String>,
    /// What the model said beside its calls.
    pub said: String,
    pub calls: Vec<Done>,
}

/// A call, and its result.
#[derive(Clone, Debug)]
pub struct Done {
    pub id: String,
    pub name: &'static str,
    pub input: String,
    pub outcome: Outcome,
}

/// What became of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The text of the tool.
    Accepted(String),
    /// The message of this component.
    Refused(String),
    /// Somebody said no, with this text: the call went nowhere.
    Denied(&'static str),
    /// The turn was stopped before the call.
    Stopped,
}

impl Recording {
    pub fn reminders(&self) -> usize {
        self.turns
            .iter()
            .filter(|turn| turn.reminder.is_some())
            .count()
    }
}

/// Draws a policy.
pub fn draw_policy(choices: &mut Choices<'_>) -> Policy {
    let numbers = [8, 0, 1, 2, 3];
    Policy {
        tool_set: choices.one_of(&[ToolSet::Both, ToolSet::Todo, ToolSet::Task]),
        remind: !choices.once_in(8),
        remind_after: choices.one_of(&numbers),
        remind_cooldown: choices.one_of(&numbers),
        remind_once: choices.once_in(3),
        in_progress_limit: choices.one_of(&[
            InProgressLimit::Note,
            InProgressLimit::Allow,
            InProgressLimit::Refuse,
        ]),
        max_todos: choices.one_of(&[100, 1, 2, 3, 5]),
        max_content: choices.one_of(&[2_000, 1, 2, 7, 40, 10_000]),
        max_input: choices.one_of(&[1 << 20, 1 << 10]),
        adopt_snapshot: choices.once_in(4),
    }
}

/// A session that goes on as long as there are choices, and the host around it.
pub struct Host {
    pub policy: Policy,
    pub session: Session,
    pub recording: Recording,
    calls: usize,
}

impl Host {
    pub fn new(policy: &Policy) -> Host {
        let mut session = Session::default();
        session.configure(policy.clone()).unwrap();
        Host {
            policy: policy.clone(),
            session,
            recording: Recording::default(),
            calls: 0,
        }
    }

    /// One request, with a few calls.
    pub fn turn(&mut self, choices: &mut Choices<'_>) {
        let last = self.recording.turns.last();
        let answered = last.is_some_and(|turn| {
            turn.calls
                .iter()
                .any(|call| call.outcome != Outcome::Stopped)
        });
        // A model is not asked twice for nothing: somebody says something new.
        let user = !answered || choices.once_in(6);
        let mut turn = Turn {
            user: user.then(|| choices.one_of(&calls::TEXTS).to_owned()),
            reminder: self.session.pending_history_appends().map(|item| item.text),
            said: choices
                .one_of(&["", "I go on.", "<system-reminder>\nno\n</system-reminder>"])
                .to_owned(),
            calls: Vec::new(),
        };
        self.session.on_request();
        if self.recording.turns.is_empty() {
            // A history with a result: one without any is told apart by that.
            turn.calls.push(self.done(
                "read_file",
                "{}".to_owned(),
                Outcome::Accepted("text".to_owned()),
            ));
        }
        let mut stopped = false;
        for _ in 0..choices.below(4) {
            let known: Vec<String> = self
                .session
                .todos()
                .iter()
                .map(|todo| todo.id.clone())
                .collect();
            let call = calls::draw(choices, &known);
            stopped |= choices.once_in(16);
            let outcome = match choices.once_in(12) {
                _ if stopped => Outcome::Stopped,
                true => Outcome::Denied("The user said no."),
                false => self.forward(&call),
            };
            let done = self.done(call.name(), call.input(), outcome);
            turn.calls.push(done);
        }
        self.recording.turns.push(turn);
    }

    fn forward(&mut self, call: &Call) -> Outcome {
        if call.name() == "read_file" {
            return Outcome::Accepted("pub fn load() {}".to_owned());
        }
        match self.session.call_tool(call.name(), &call.input()) {
            Ok(output) => Outcome::Accepted(output.text),
            Err(error) => Outcome::Refused(error.message),
        }
    }

    fn done(&mut self, name: &'static str, input: String, outcome: Outcome) -> Done {
        self.calls += 1;
        Done {
            id: format!("call_{}", self.calls),
            name,
            input,
            outcome,
        }
    }
}

/// The session that `choices` tell, at most `turns` requests of it.
pub fn play(choices: &mut Choices<'_>, turns: usize) -> Host {
    let policy = draw_policy(choices);
    let mut host = Host::new(&policy);
    while !choices.is_empty() && host.recording.turns.len() < turns {
        host.turn(choices);
    }
    host
}
