//! A component as a subject, in Wasmtime.

use super::format::PolicyFields;
use super::subject::{Answer, Subject};
use crate::{
    Error, ErrorCode, HistoryItem, InProgressLimit, Plugin, Policy, Role, Session, Status,
    ToolError, ToolOutput, ToolSet,
};

/// A session of a component.
pub struct ComponentSubject<'p> {
    plugin: &'p Plugin,
    session: Session,
}

impl<'p> ComponentSubject<'p> {
    /// Begins with a session of `plugin`.
    ///
    /// # Errors
    /// [`Error::Dead`] if its limits do not even allow a session.
    pub fn new(plugin: &'p Plugin) -> Result<ComponentSubject<'p>, Error> {
        let session = plugin.session(&Policy::default())?;
        Ok(ComponentSubject { plugin, session })
    }
}

impl Subject for ComponentSubject<'_> {
    fn renew(&mut self) -> Result<(), Error> {
        self.session = self.plugin.session(&Policy::default())?;
        Ok(())
    }

    fn configure(&mut self, policy: &PolicyFields) -> Result<Answer, Error> {
        let result = self.session.configure(&policy.as_record())?;
        Ok(result.map_or_else(refused, |()| Answer::done()))
    }

    fn instructions(&mut self) -> Result<Answer, Error> {
        Ok(Answer::text(self.session.instructions()?))
    }

    fn tools(&mut self) -> Result<Answer, Error> {
        let tools = self.session.tools()?.into_iter();
        Ok(Answer::tools(
            tools
                .map(|tool| (tool.name, tool.description, tool.input_schema))
                .collect(),
        ))
    }

    fn call_tool(&mut self, name: &str, input: &str) -> Result<Answer, Error> {
        Ok(output(self.session.call_tool(name, input)?))
    }

    fn todo_write(&mut self, input: &str) -> Result<Answer, Error> {
        Ok(output(self.session.todo_write(input)?))
    }

    fn on_request(&mut self) -> Result<Answer, Error> {
        self.session.on_request()?;
        Ok(Answer::done())
    }

    fn pending_history_appends(&mut self) -> Result<Answer, Error> {
        let items = self.session.pending_history_appends()?.into_iter();
        Ok(Answer::appends(items.map(item).collect()))
    }

    fn compact_snapshot(&mut self) -> Result<Answer, Error> {
        let snapshot = self.session.compact_snapshot()?;
        Ok(Answer::snapshot(snapshot.map(|snapshot| {
            (snapshot.context, snapshot.carry_over.map(item))
        })))
    }

    fn restore(&mut self, history: &str) -> Result<Answer, Error> {
        let result = self.session.restore(history)?;
        Ok(result.map_or_else(refused, |report| {
            let counts = [
                report.requests,
                report.applied,
                report.refused,
                report.skipped,
                report.reminders,
            ];
            Answer::report(report.format, counts)
        }))
    }

    fn save_state(&mut self) -> Result<Answer, Error> {
        Ok(Answer::text(self.session.save_state()?))
    }

    fn load_state(&mut self, state: &str) -> Result<Answer, Error> {
        let result = self.session.load_state(state)?;
        Ok(result.map_or_else(refused, |()| Answer::done()))
    }

    fn todos(&mut self) -> Result<Vec<Vec<String>>, Error> {
        let todos = self.session.todos()?.into_iter();
        Ok(todos
            .map(|todo| {
                let status = match todo.status {
                    Status::Pending => "pending",
                    Status::InProgress => "in_progress",
                    Status::Completed => "completed",
                };
                let mut row = vec![todo.id, status.to_owned(), todo.content];
                row.extend(todo.description);
                row
            })
            .collect())
    }

    fn counters(&mut self) -> Result<(u32, Option<u32>), Error> {
        let counters = self.session.counters()?;
        Ok((
            counters.requests_since_write,
            counters.requests_since_reminder,
        ))
    }
}

impl PolicyFields {
    fn as_record(&self) -> Policy {
        Policy {
            tool_set: self.tool_set.map(|set| match set {
                agent_todo::ToolSet::Todo => ToolSet::Todo,
                agent_todo::ToolSet::Task => ToolSet::Task,
                agent_todo::ToolSet::Both => ToolSet::Both,
            }),
            remind: self.remind,
            remind_after: self.remind_after,
            remind_cooldown: self.remind_cooldown,
            remind_once: self.remind_once,
            in_progress_limit: self.in_progress_limit.map(|limit| match limit {
                agent_todo::InProgressLimit::Allow => InProgressLimit::Allow,
                agent_todo::InProgressLimit::Note => InProgressLimit::Note,
                agent_todo::InProgressLimit::Refuse => InProgressLimit::Refuse,
            }),
            max_todos: self.max_todos,
            max_content: self.max_content,
            max_input: self.max_input,
            adopt_snapshot: self.adopt_snapshot,
        }
    }
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
    let code = match error.code {
        ErrorCode::InvalidInput => "invalid-input",
        ErrorCode::TooMany => "too-many",
        ErrorCode::TooLarge => "too-large",
        ErrorCode::NotFound => "not-found",
        ErrorCode::UnknownTool => "unknown-tool",
        ErrorCode::InvalidPolicy => "invalid-policy",
        ErrorCode::InvalidState => "invalid-state",
        ErrorCode::InvalidHistory => "invalid-history",
    };
    Answer::refused(code, error.message)
}

fn item(item: HistoryItem) -> (&'static str, String) {
    let role = match item.role {
        Role::System => "system",
        Role::User => "user",
    };
    (role, item.text)
}
