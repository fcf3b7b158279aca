//! The guest library itself as a subject: no WebAssembly between.

use super::format::PolicyFields;
use super::subject::{Answer, Subject};
use crate::Error;
use agent_todo::{HistoryItem, Policy, Role, Session, ToolError, ToolOutput};

/// A session of the guest library.
#[derive(Default)]
pub struct NativeSubject {
    session: Session,
}

impl Subject for NativeSubject {
    fn renew(&mut self) -> Result<(), Error> {
        self.session = Session::default();
        Ok(())
    }

    fn configure(&mut self, policy: &PolicyFields) -> Result<Answer, Error> {
        Ok(done(self.session.configure(policy.with_defaults())))
    }

    fn instructions(&mut self) -> Result<Answer, Error> {
        Ok(Answer::text(self.session.instructions().to_owned()))
    }

    fn tools(&mut self) -> Result<Answer, Error> {
        let tools = self.session.tools().into_iter();
        Ok(Answer::tools(
            tools
                .map(|tool| (tool.name.into(), tool.description.into(), tool.input_schema))
                .collect(),
        ))
    }

    fn call_tool(&mut self, name: &str, input: &str) -> Result<Answer, Error> {
        Ok(output(self.session.call_tool(name, input)))
    }

    fn todo_write(&mut self, input: &str) -> Result<Answer, Error> {
        Ok(output(self.session.todo_write(input)))
    }

    fn on_request(&mut self) -> Result<Answer, Error> {
        self.session.on_request();
        Ok(Answer::done())
    }

    fn pending_history_appends(&mut self) -> Result<Answer, Error> {
        let items = self.session.pending_history_appends().into_iter();
        Ok(Answer::appends(items.map(item).collect()))
    }

    fn compact_snapshot(&mut self) -> Result<Answer, Error> {
        let snapshot = self.session.compact_snapshot();
        Ok(Answer::snapshot(snapshot.map(|snapshot| {
            (snapshot.context, snapshot.carry_over.map(item))
        })))
    }

    fn restore(&mut self, history: &str) -> Result<Answer, Error> {
        Ok(self
            .session
            .restore(history)
            .map_or_else(refused, |report| {
                Answer::report(
                    report.format.into(),
                    [
                        report.requests,
                        report.applied,
                        report.refused,
                        report.skipped,
                        report.reminders,
                    ],
                )
            }))
    }

    fn save_state(&mut self) -> Result<Answer, Error> {
        Ok(Answer::text(self.session.save_state()))
    }

    fn load_state(&mut self, state: &str) -> Result<Answer, Error> {
        Ok(done(self.session.load_state(state)))
    }

    fn todos(&mut self) -> Result<Vec<Vec<String>>, Error> {
        let todos = self.session.todos().iter();
        Ok(todos
            .map(|todo| {
                let mut row = vec![
                    todo.id.clone(),
                    todo.status.word().to_owned(),
                    todo.content.clone(),
                ];
                row.extend(todo.description.clone());
                row
            })
            .collect())
    }

    fn counters(&mut self) -> Result<(u32, Option<u32>), Error> {
        let counters = self.session.counters();
        Ok((
            counters.requests_since_write,
            counters.requests_since_reminder,
        ))
    }
}

impl PolicyFields {
    fn with_defaults(&self) -> Policy {
        let default = Policy::default();
        Policy {
            tool_set: self.tool_set.unwrap_or(default.tool_set),
            remind: self.remind.unwrap_or(default.remind),
            remind_after: self.remind_after.unwrap_or(default.remind_after),
            remind_cooldown: self.remind_cooldown.unwrap_or(default.remind_cooldown),
            remind_once: self.remind_once.unwrap_or(default.remind_once),
            in_progress_limit: self.in_progress_limit.unwrap_or(default.in_progress_limit),
            max_todos: self.max_todos.unwrap_or(default.max_todos),
            max_content: self.max_content.unwrap_or(default.max_content),
            max_input: self.max_input.unwrap_or(default.max_input),
            adopt_snapshot: self.adopt_snapshot.unwrap_or(default.adopt_snapshot),
        }
    }
}

fn done(result: Result<(), ToolError>) -> Answer {
    result.map_or_else(refused, |()| Answer::done())
}

fn output(result: Result<ToolOutput, ToolError>) -> Answer {
    result.map_or_else(refused, |output| {
        let progress = output.progress;
        Answer::output(
            output.text,
            output.changed,
            [progress.pending, progress.in_progress, progress.completed],
        )
    })
}

fn refused(error: ToolError) -> Answer {
    Answer::refused(error.code.name(), error.message)
}

fn item(item: HistoryItem) -> (&'static str, String) {
    let role = match item.role {
        Role::System => "system",
        Role::User => "user",
    };
    (role, item.text)
}
