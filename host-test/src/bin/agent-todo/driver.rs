//! Drives a live session through the events of a recorded one, as a host would
//! have: before each request what the component wants appended, then the
//! request, then the calls of the answer.

use agent_todo::history::{Call, Event, Outcome as Recorded};
use agent_todo_host::{Plugin, Policy, Session, Todo, ToolSet};

use crate::entry::{Added, Entry, Outcome, Replayed, Show, Summary, Totals};
use crate::recorded::{self, accepted};

/// An input that every tool refuses.
const REFUSED: &str = "0";

/// A live session, and what was seen of it.
pub struct Driver<'a> {
    plugin: &'a Plugin,
    session: Session,
    policy: Policy,
    /// The tool set follows the log, since no flag names one.
    follows_tools: bool,
    show: &'a mut dyn Show,
    totals: Totals,
    /// The last request was not sent yet: its calls may still come.
    open_request: bool,
    calls: Vec<Call>,
    todos: Vec<Todo>,
}

impl<'a> Driver<'a> {
    /// A driver of a new session.
    pub fn new(
        plugin: &'a Plugin,
        policy: Policy,
        show: &'a mut dyn Show,
    ) -> anyhow::Result<Driver<'a>> {
        Ok(Driver {
            plugin,
            session: plugin.session(&policy)?,
            follows_tools: policy.tool_set.is_none(),
            policy,
            show,
            totals: Totals::default(),
            open_request: false,
            calls: Vec::new(),
            todos: Vec::new(),
        })
    }

    /// Goes through the next event.
    pub fn event(&mut self, event: Event) -> anyhow::Result<()> {
        match event {
            Event::Call(call) => {
                self.calls.push(call);
                return Ok(());
            }
            Event::Requests(count) => {
                self.settle()?;
                for _ in 1..count {
                    self.request()?;
                }
                self.open_request = count > 0;
                return Ok(());
            }
            _ => self.settle()?,
        }
        let request = self.totals.requests;
        match event {
            Event::Reminder => {
                self.totals.recorded_reminders += 1;
                self.show.entry(&Entry::RecordedReminder { request })?;
            }
            Event::CarryOver(todos) => self.carry_over(&todos)?,
            Event::Compaction => {
                self.totals.compactions += 1;
                let snapshot = self.session.compact_snapshot()?;
                self.show.entry(&Entry::Compaction {
                    request,
                    snapshot: snapshot.as_ref(),
                })?;
            }
            Event::Requests(_) | Event::Call(_) => {}
        }
        Ok(())
    }

    /// What was shown so far leaves the process.
    pub fn flush(&mut self) -> anyhow::Result<()> {
        Ok(self.show.flush()?)
    }

    /// The log is at its end.
    pub fn end(mut self, format: &'static str, torn: bool) -> anyhow::Result<()> {
        self.settle()?;
        let tools = self.session.tools()?;
        let definitions = tools
            .iter()
            .map(|tool| tool.name.len() + tool.description.len() + tool.input_schema.len());
        let added = Added {
            definitions: definitions.sum::<usize>() as u64,
            instructions: self.session.instructions()?.len() as u64,
        };
        self.show.end(&Summary {
            todos: &self.session.todos()?,
            counters: self.session.counters()?,
            format,
            torn,
            totals: &self.totals,
            added,
        })?;
        Ok(self.show.flush()?)
    }

    /// Requests that were sent.
    pub fn requests(&self) -> u64 {
        self.totals.requests + u64::from(self.open_request)
    }

    /// Sends a request with no todo call in the answer.
    fn request(&mut self) -> anyhow::Result<()> {
        self.appends()?;
        self.session.on_request()?;
        Ok(())
    }

    fn appends(&mut self) -> anyhow::Result<()> {
        self.totals.requests += 1;
        let counters = self.session.counters()?;
        for item in self.session.pending_history_appends()? {
            self.totals.reminders += 1;
            self.totals.reminder_bytes += item.text.len() as u64;
            self.show.entry(&Entry::Reminder {
                request: self.totals.requests,
                counters,
                policy: &self.policy,
                item: &item,
            })?;
        }
        Ok(())
    }

    /// Sends the request that is still open, and puts its calls through.
    fn settle(&mut self) -> anyhow::Result<()> {
        let calls = std::mem::take(&mut self.calls);
        self.follow_tools(&calls)?;
        let sends = std::mem::take(&mut self.open_request);
        if sends {
            self.appends()?;
        }
        if calls.is_empty() {
            if sends {
                self.session.on_request()?;
            }
            return Ok(());
        }
        // A create may have to be put back under the number that the log says.
        let numbered = calls.iter().any(|call| call.number.is_some());
        let saved = if numbered {
            self.session.save_state()?
        } else {
            String::new()
        };
        if sends {
            self.session.on_request()?;
        }
        let mut done = Vec::new();
        for call in &calls {
            let mut replayed = self.call(call)?;
            let recorded = recorded::result(call, &replayed);
            let renumber = recorded.is_some();
            replayed.text = recorded.unwrap_or(replayed.text);
            done.push(replayed);
            if renumber {
                recorded::put_back(&mut self.session, &saved, &calls, &done)?;
            }
        }
        self.calls_done(&done)
    }

    fn calls_done(&mut self, calls: &[Replayed]) -> anyhow::Result<()> {
        for call in calls {
            self.totals.calls += 1;
            self.totals.result_bytes += call.text.len() as u64;
            match call.outcome {
                Outcome::Applied { .. } => self.totals.applied += 1,
                Outcome::Refused | Outcome::RefusedThen => self.totals.refused += 1,
                Outcome::Skipped => self.totals.skipped += 1,
            }
        }
        let after = self.session.todos()?;
        let before = std::mem::replace(&mut self.todos, after);
        self.show.entry(&Entry::Calls {
            request: self.totals.requests,
            calls,
            before: &before,
            after: &self.todos,
        })?;
        Ok(())
    }

    /// Turns on the tools that the calls use, beside those that are on.
    fn follow_tools(&mut self, calls: &[Call]) -> anyhow::Result<()> {
        if !self.follows_tools {
            return Ok(());
        }
        for call in calls {
            let used = match call.tool.name() {
                "todo_write" => ToolSet::Todo,
                _ => ToolSet::Task,
            };
            let wanted = match self.policy.tool_set {
                None => used,
                Some(on) if on == used => continue,
                Some(_) => ToolSet::Both,
            };
            if self.policy.tool_set != Some(wanted) {
                self.policy.tool_set = Some(wanted);
                accepted(self.session.configure(&self.policy)?)?;
            }
        }
        Ok(())
    }

    fn call(&mut self, call: &Call) -> anyhow::Result<Replayed> {
        let tool = call.tool.name();
        let (outcome, text) = match call.outcome {
            Recorded::Skipped => (Outcome::Skipped, String::new()),
            Recorded::Refused => match self.session.call_tool(tool, REFUSED)? {
                Ok(output) => (Outcome::RefusedThen, output.text),
                Err(refusal) => (Outcome::RefusedThen, refusal.message),
            },
            Recorded::Accepted | Recorded::Unrecorded => {
                match self.session.call_tool(tool, &call.input)? {
                    Ok(output) => {
                        let changed = output.changed;
                        (Outcome::Applied { changed }, output.text)
                    }
                    Err(refusal) => (Outcome::Refused, refusal.message),
                }
            }
        };
        Ok(Replayed {
            name: call.name.clone(),
            tool,
            outcome,
            text,
        })
    }

    /// A carry-over message of the log; with `adopt-snapshot` it is the list
    /// from here on.
    fn carry_over(&mut self, todos: &[agent_todo::Todo]) -> anyhow::Result<()> {
        let adopted = self.policy.adopt_snapshot == Some(true);
        if adopted {
            recorded::adopt(self.plugin, &mut self.session, todos)?;
            self.todos = self.session.todos()?;
        }
        let todos: Vec<Todo> = todos.iter().map(recorded::todo).collect();
        self.show.entry(&Entry::CarryOver {
            request: self.totals.requests,
            todos: &todos,
            adopted,
        })?;
        Ok(())
    }
}
