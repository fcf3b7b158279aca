//! A reader of one history, which may come in pieces.

use super::ledger::{Event, Fact, Ledger};
use super::tree::Tree;
use super::{Element, element, stream};
use crate::error::{ErrorCode, ToolError};
use crate::reminder::is_reminder;
use crate::snapshot::read_carry_over;
use crate::text::quoted;
use std::borrow::Cow;
use std::collections::{BTreeMap, VecDeque};

/// Reads a history as [`Event`]s.
///
/// ```
/// use agent_todo::history::{Event, Reader};
///
/// let mut reader = Reader::default();
/// reader.read(r#"[{"role":"assistant","content":"Hello."}]"#)?;
/// reader.end();
/// assert_eq!(reader.next_event(), Some(Event::Requests(1)));
/// assert_eq!(reader.next_event(), None);
/// # Ok::<(), agent_todo::ToolError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Reader {
    ledger: Ledger,
    /// Set from the first entry that names its parent on.
    tree: Option<Tree>,
    format: Format,
    /// The id of the last assistant message, which a log may split over lines.
    pub(super) last_message: Option<String>,
    /// Inside a run of flat model items, which is one request.
    pub(super) in_run: bool,
    /// How many requests there were.
    pub(super) requests: u32,
    /// Ids of the calls of a Codex log, whose compacted history repeats them.
    pub(super) flat_calls: BTreeMap<String, VecDeque<usize>>,
}

/// The shape as far as it is known: evidence of more weight wins.
#[derive(Clone, Copy, Debug, Default)]
struct Format {
    name: &'static str,
    weight: u8,
    /// Whether there was any element, known or not.
    any_element: bool,
}

/// The one shape whose compacted history repeats older items.
pub(super) const CODEX: &str = "codex";

/// How much a sign says about the shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Weight {
    /// Many shapes write this.
    Hint = 1,
    /// The spelling of a call or result.
    Spelling = 2,
    /// The envelope around a message.
    Envelope = 3,
}

impl Reader {
    /// Reads the next piece: a valid history text of its own.
    ///
    /// # Errors
    /// [`ErrorCode::InvalidHistory`] for text that is not JSON and for a lone
    /// scalar; the reader is then as it was.
    pub fn read(&mut self, text: &str) -> Result<(), ToolError> {
        let read_element = &mut |node: Element<'_>| {
            self.format.any_element = true;
            element::read(self, node)
        };
        if !stream::read(text, read_element) {
            let found = quoted(text.get(..text.floor_char_boundary(80)).unwrap_or_default());
            let problem = format!(
                "the history begins with {found}; legal: a JSON array of messages, an object that holds one, or JSON Lines"
            );
            return Err(ToolError::new(
                ErrorCode::InvalidHistory,
                &problem,
                "The session is unchanged.",
            ));
        }
        Ok(())
    }

    /// No more pieces: calls that still wait for a result will not get one.
    pub fn end(&mut self) {
        if let Some(tree) = self.tree.take() {
            self.ledger = tree.branch();
        }
        self.ledger.end();
    }

    /// The next event that nothing still to come can change. Of a file that is a
    /// tree there is none before [`Reader::end`].
    pub fn next_event(&mut self) -> Option<Event> {
        self.ledger.next()
    }

    /// The shape: a name from the WIT file, `empty`, or `unknown`.
    pub fn format(&self) -> &'static str {
        match self.format {
            Format {
                weight: 0,
                any_element: false,
                ..
            } => "empty",
            Format { weight: 0, .. } => "unknown",
            Format { name, .. } => name,
        }
    }

    /// The events that are held back, as if the history ended here, without those
    /// that this gave before and that are as they were; and whether there are any
    /// of those.
    pub(super) fn rest(&mut self) -> (Vec<Event>, bool) {
        match &self.tree {
            Some(tree) => (tree.branch().rest(0).collect(), false),
            None => {
                let same = self.ledger.look();
                (self.ledger.rest(same).collect(), same > 0)
            }
        }
    }

    /// A sign of the shape.
    pub(super) fn sign(&mut self, name: &'static str, weight: Weight) {
        if !name.is_empty() && weight as u8 > self.format.weight {
            self.format = Format {
                name,
                weight: weight as u8,
                ..self.format
            };
        }
    }

    /// An entry of a tree begins.
    pub(super) fn enter(&mut self, id: String, parent: Option<&str>) {
        self.tree.get_or_insert_default().enter(id, parent);
    }

    pub(super) fn add(&mut self, fact: Fact) {
        match &mut self.tree {
            Some(tree) => tree.add(fact),
            None => self.ledger.add(fact),
        }
    }

    /// Whether a result with this key is one of a todo call.
    pub(super) fn knows(&self, key: &str) -> bool {
        match &self.tree {
            Some(tree) => tree.knows(key),
            None => self.ledger.waits_for(key),
        }
    }

    /// A call among flat items. Only a log that will repeat them when it is
    /// compacted needs their ids.
    pub(super) fn keep_flat_call(&mut self, id: Option<Cow<'_, str>>) {
        if let Some(id) = id.filter(|_| self.format.name == CODEX) {
            self.flat_calls.entry(id.into_owned()).or_default();
        }
    }

    /// An assistant message, one request; the same id again is the same one.
    pub(super) fn request(&mut self, id: Option<&str>) {
        let id = id.filter(|id| !id.is_empty());
        if id.is_some() && id == self.last_message.as_deref() {
            return;
        }
        self.last_message = id.map(str::to_owned);
        self.next_request();
    }

    /// A request that has no message of its own.
    pub(super) fn next_request(&mut self) {
        self.requests = self.requests.saturating_add(1);
        self.add(Fact::Request);
    }

    /// The whole of one system or user text part.
    pub(super) fn said(&mut self, text: &str) {
        if is_reminder(text) {
            self.add(Fact::Event(Event::Reminder));
        } else if let Some(todos) = read_carry_over(text) {
            self.add(Fact::Event(Event::CarryOver(todos)));
        }
    }
}
