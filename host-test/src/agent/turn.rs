//! The loop of an agent, with everything that a host owes the plugin.
//!
//! Whatever happens is in the history file before anybody acts on it, so a
//! session that was stopped anywhere is what its file says, and goes on.

use super::base_tools::BaseTools;
use super::history::{History, lines};
use super::hooks::Hooks;
use super::item::{self, Item, Role, ToolCall};
use super::model::{Model, Request};
use super::observer::Observer;
use crate::{Error, HistoryItem, Plugin, Session};

/// What a session needs beside its history.
pub struct Host<'a> {
    /// Makes the plugin's sessions.
    pub plugin: &'a Plugin,
    /// Answers the requests.
    pub model: &'a mut dyn Model,
    /// May look in, and refuse.
    pub hooks: &'a mut dyn Hooks,
    /// Watches.
    pub observer: &'a mut dyn Observer,
    /// The host's own tools.
    pub tools: BaseTools,
    /// Where a session stops by itself.
    pub budget: Budget,
}

/// Where a session stops by itself.
#[derive(Clone, Debug)]
pub struct Budget {
    /// Requests in one turn. Default 500.
    pub requests: usize,
    /// Tokens of history above which it is compacted. Default 100,000.
    pub compact_above: u64,
}

impl Default for Budget {
    fn default() -> Self {
        Self {
            requests: 500,
            compact_above: 100_000,
        }
    }
}

/// The answer to a call of which nobody knows whether it ran.
const INTERRUPTED: &str = "The host was stopped while this call ran. \
                           Check what it did before running it again.";

/// One session that runs.
///
/// After an error it is dropped and opened again from its file: what it
/// counted for a request that got no answer is not in there.
pub struct Agent<'a> {
    pub(super) host: Host<'a>,
    pub(super) session: Session,
    pub(super) history: History,
    /// The id of the call that the last process may have begun.
    owed: Option<String>,
}

impl<'a> Agent<'a> {
    /// Goes on with a history, new or old: the plugin's session is what the
    /// history makes it.
    ///
    /// # Errors
    ///
    /// When the plugin can't be started, or does not take the policy.
    pub fn open(host: Host<'a>, history: History) -> Result<Self, Error> {
        let session = restored(host.plugin, &history)?;
        let owed = item::unanswered(history.items())
            .into_iter()
            .next()
            .map(|call| call.id);
        Ok(Self {
            host,
            session,
            history,
            owed,
        })
    }

    /// Begins a turn. [`run`](Self::run) carries it out.
    ///
    /// # Errors
    ///
    /// When a hook refuses the prompt, and those of writing.
    pub fn prompt(&mut self, prompt: &str) -> Result<(), Error> {
        self.host
            .hooks
            .prompt_submitted(prompt)
            .map_err(|why| Error::Agent(format!("the prompt was refused: {why}")))?;
        self.answer_calls()?;
        self.compact_if_due()?;
        self.append(vec![Item::text(Role::User, prompt)])
    }

    /// Goes on until the model answers without a call, and gives that answer.
    /// With nothing to answer it does nothing.
    ///
    /// # Errors
    ///
    /// Those of the endpoint, the disk and the plugin. The history holds
    /// everything up to there.
    pub fn run(&mut self) -> Result<String, Error> {
        self.answer_calls()?;
        let mut requests = 0;
        while item::awaits_answer(self.history.items()) {
            if requests == self.host.budget.requests {
                return Err(Error::Agent(format!(
                    "stopped after {requests} requests without a final answer"
                )));
            }
            requests += 1;
            self.compact_if_due()?;
            self.request()?;
            self.answer_calls()?;
        }
        let last = self.history.items().last();
        let answer = last.map(Item::joined_text).unwrap_or_default();
        self.host.hooks.stop(&answer);
        Ok(answer)
    }

    /// One request and its response.
    fn request(&mut self) -> Result<(), Error> {
        let due = self.session.pending_history_appends()?;
        if !due.is_empty() {
            self.append(due.into_iter().map(Item::from).collect())?;
        }
        self.session.on_request()?;
        let request = Request {
            head: self.history.head(),
            items: self.history.items(),
            tools: true,
        };
        let position = request.position();
        let response = self.host.model.respond(&request, self.host.observer)?;
        self.host.observer.response();
        if response.cut {
            self.host
                .observer
                .note("the endpoint cut this answer at its token limit");
        }
        self.append(vec![response.into_item(position)])
    }

    /// Answers the calls that have no result, in order. After a stop these are
    /// what the last process left.
    pub(super) fn answer_calls(&mut self) -> Result<(), Error> {
        for call in item::unanswered(self.history.items()) {
            let (text, is_error) = self.answer(&call)?;
            if is_error {
                self.host.observer.refused(&call, &text);
            }
            let result = Item::result(&call, text, is_error);
            self.append(vec![result.clone()])?;
            self.host.hooks.after_tool(&call, &result);
        }
        Ok(())
    }

    /// Runs one call: its text for the model, and whether it is an error.
    fn answer(&mut self, call: &ToolCall) -> Result<(String, bool), Error> {
        let may_have_run = self.may_have_run(call);
        if let Err(why) = self.host.hooks.before_tool(call) {
            return Ok((format!("Refused: {why}"), true));
        }
        if may_have_run {
            return Ok((INTERRUPTED.into(), true));
        }
        self.host.observer.call(call);
        if let Some(done) = self.host.tools.call(call) {
            return Ok(match done {
                Ok(text) => (text, false),
                Err(why) => (format!("Failed: {why}"), true),
            });
        }
        let tools = &self.history.head().tools;
        if !tools.iter().any(|tool| tool.name == call.name) {
            return Ok((format!("There is no tool {}.", call.name), true));
        }
        self.answer_by_plugin(call)
    }

    fn answer_by_plugin(&mut self, call: &ToolCall) -> Result<(String, bool), Error> {
        match self.session.call_tool(&call.name, &call.input_text()) {
            Ok(Ok(output)) => {
                if output.changed {
                    let todos = self.session.todos()?;
                    self.host.observer.list(&todos);
                }
                Ok((output.text, false))
            }
            Ok(Err(refusal)) => Ok((refusal.message, true)),
            Err(error) => {
                let note = format!("{error}; the plugin is started again from the history");
                self.host.observer.note(&note);
                self.session = restored(self.host.plugin, &self.history)?;
                Ok(("The tool failed and changed nothing.".into(), true))
            }
        }
    }

    /// Whether the last process may have run a call that must not simply run
    /// again. Only the first without a result can have begun.
    fn may_have_run(&mut self, call: &ToolCall) -> bool {
        self.owed
            .take()
            .is_some_and(|owed| owed == call.id && BaseTools::runs_once(call))
    }

    /// Everything that the model will see goes through here.
    fn append(&mut self, items: Vec<Item>) -> Result<(), Error> {
        let before = self.history.items().len();
        self.history.append(items)?;
        self.host
            .observer
            .appended(self.history.items().get(before..).unwrap_or_default());
        Ok(())
    }

    /// Whether the model is still owed something, or owes it.
    #[must_use]
    pub fn is_inside_turn(&self) -> bool {
        item::awaits_answer(self.history.items())
            || !item::unanswered(self.history.items()).is_empty()
    }

    /// The plugin's session.
    pub fn session(&mut self) -> &mut Session {
        &mut self.session
    }

    /// The history.
    #[must_use]
    pub fn history(&self) -> &History {
        &self.history
    }
}

/// A session of the plugin as a history leaves it. A call without a result is
/// left out: it will be made now.
pub(super) fn restored(plugin: &Plugin, history: &History) -> Result<Session, Error> {
    let mut session = plugin.session(&history.head().policy)?;
    for piece in pieces(&item::settled(history.items()))? {
        session
            .restore(&piece)?
            .map_err(|refusal| Error::Agent(refusal.message))?;
    }
    Ok(session)
}

/// The longest piece of a history that is passed at once, in bytes; a single
/// longer item is passed alone. The plugin's memory is limited, the history
/// is not.
const PIECE: usize = 128 * 1024;

fn pieces(items: &[Item]) -> Result<Vec<String>, Error> {
    let mut pieces: Vec<String> = Vec::new();
    for item in items {
        let line = lines(std::slice::from_ref(item))?;
        match pieces.last_mut() {
            Some(piece) if piece.len() + line.len() <= PIECE => piece.push_str(&line),
            _ => pieces.push(line),
        }
    }
    Ok(pieces)
}

impl From<HistoryItem> for Item {
    fn from(item: HistoryItem) -> Self {
        let role = match item.role {
            crate::Role::System => Role::System,
            crate::Role::User => Role::User,
        };
        Item::text(role, item.text)
    }
}
