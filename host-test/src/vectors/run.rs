//! Runs vectors on a subject.

use super::check::Differences;
use super::format::{Expect, PolicyFields, Step, Vector};
use super::subject::{Answer, Subject};
use crate::Error;

/// Runs a vector up to its first step that differs, and says how; `None` when
/// it passes.
pub fn run(vector: &Vector, subject: &mut impl Subject) -> Option<String> {
    let mut run = Run {
        subject,
        policy: vector.policy.as_ref(),
        saved: None,
    };
    if let Err(problem) = run.begin(run.policy) {
        return Some(format!("before step 1: {problem}"));
    }
    for (number, step) in (1..).zip(&vector.steps) {
        match run.step(step) {
            Ok(differences) if differences.is_empty() => {}
            Ok(differences) => {
                return Some(format!(
                    "step {number} ({}): {}",
                    step.function(),
                    differences.join("; ")
                ));
            }
            Err(problem) => return Some(format!("step {number} ({}): {problem}", step.function())),
        }
    }
    None
}

struct Run<'a, S> {
    subject: &'a mut S,
    policy: Option<&'a PolicyFields>,
    saved: Option<String>,
}

impl<S: Subject> Run<'_, S> {
    fn begin(&mut self, policy: Option<&PolicyFields>) -> Result<Answer, Error> {
        self.subject.renew()?;
        let Some(policy) = policy else {
            return Ok(Answer::done());
        };
        let answer = self.subject.configure(policy)?;
        match answer.text {
            Some(message) => Err(Error::Vectors(message)),
            None => Ok(answer),
        }
    }

    fn step(&mut self, step: &Step) -> Result<Vec<String>, Error> {
        let before = self.saved.clone();
        let answer = self.call(step)?;
        let Some(expect) = step.expect() else {
            return Ok(Vec::new());
        };
        let mut differences = Differences::of_answer(expect, &answer, before.as_deref())?;
        differences.state(expect, self.subject)?;
        Ok(differences.0)
    }

    fn call(&mut self, step: &Step) -> Result<Answer, Error> {
        match step {
            Step::Configure { policy, .. } => self.subject.configure(policy),
            Step::Instructions { .. } => self.subject.instructions(),
            Step::Tools { .. } => self.subject.tools(),
            Step::CallTool { name, input, .. } => self.subject.call_tool(name, &input.resolve()?),
            Step::TodoWrite { input, .. } => self.subject.todo_write(&input.resolve()?),
            Step::OnRequest { times, .. } => {
                for _ in 0..*times {
                    self.subject.on_request()?;
                }
                Ok(Answer::done())
            }
            Step::PendingHistoryAppends { .. } => self.subject.pending_history_appends(),
            Step::CompactSnapshot { .. } => self.subject.compact_snapshot(),
            Step::Restore { history, .. } => self.subject.restore(&history.resolve()?),
            Step::SaveState { .. } => self.save(),
            Step::LoadState { state, .. } => match (state, &self.saved) {
                (Some(text), _) => self.subject.load_state(&text.resolve()?),
                (None, Some(saved)) => self.subject.load_state(saved),
                (None, None) => Err(Error::Vectors("no state was saved before".to_owned())),
            },
            Step::SaveLoad { .. } => {
                let state = self.subject.save_state()?.text.unwrap_or_default();
                self.subject.renew()?;
                self.subject.load_state(&state)
            }
            Step::NewSession { policy, .. } => self.begin(policy.as_ref().or(self.policy)),
            Step::Todos { .. } | Step::Counters { .. } => Ok(Answer::done()),
        }
    }

    fn save(&mut self) -> Result<Answer, Error> {
        let answer = self.subject.save_state()?;
        self.saved.clone_from(&answer.text);
        Ok(answer)
    }
}

impl Step {
    /// The name in the file.
    pub fn function(&self) -> &'static str {
        match self {
            Step::Configure { .. } => "configure",
            Step::Instructions { .. } => "instructions",
            Step::Tools { .. } => "tools",
            Step::CallTool { .. } => "call-tool",
            Step::TodoWrite { .. } => "todo-write",
            Step::OnRequest { .. } => "on-request",
            Step::PendingHistoryAppends { .. } => "pending-history-appends",
            Step::CompactSnapshot { .. } => "compact-snapshot",
            Step::Restore { .. } => "restore",
            Step::SaveState { .. } => "save-state",
            Step::LoadState { .. } => "load-state",
            Step::SaveLoad { .. } => "save-load",
            Step::NewSession { .. } => "new-session",
            Step::Todos { .. } => "todos",
            Step::Counters { .. } => "counters",
        }
    }

    /// What it must give; only `on-request` may leave it out.
    pub fn expect(&self) -> Option<&Expect> {
        match self {
            Step::OnRequest { expect, .. } => expect.as_ref(),
            Step::Configure { expect, .. }
            | Step::Instructions { expect }
            | Step::Tools { expect }
            | Step::CallTool { expect, .. }
            | Step::TodoWrite { expect, .. }
            | Step::PendingHistoryAppends { expect }
            | Step::CompactSnapshot { expect }
            | Step::Restore { expect, .. }
            | Step::SaveState { expect }
            | Step::LoadState { expect, .. }
            | Step::SaveLoad { expect }
            | Step::NewSession { expect, .. }
            | Step::Todos { expect }
            | Step::Counters { expect } => Some(expect),
        }
    }
}
