//! What is tested: something that holds one session and takes its calls.

use super::format::PolicyFields;
use crate::Error;

/// A session under test. A vector begins with a new instance, and goes on in
/// another one where a step says so.
pub trait Subject {
    /// A new instance, not configured, takes the place of the one that is there.
    fn renew(&mut self) -> Result<(), Error>;
    /// `configure`.
    fn configure(&mut self, policy: &PolicyFields) -> Result<Answer, Error>;
    /// `instructions`.
    fn instructions(&mut self) -> Result<Answer, Error>;
    /// `tools`.
    fn tools(&mut self) -> Result<Answer, Error>;
    /// `call-tool`.
    fn call_tool(&mut self, name: &str, input: &str) -> Result<Answer, Error>;
    /// `todo-write`.
    fn todo_write(&mut self, input: &str) -> Result<Answer, Error>;
    /// `on-request`.
    fn on_request(&mut self) -> Result<Answer, Error>;
    /// `pending-history-appends`.
    fn pending_history_appends(&mut self) -> Result<Answer, Error>;
    /// `compact-snapshot`.
    fn compact_snapshot(&mut self) -> Result<Answer, Error>;
    /// `restore`.
    fn restore(&mut self, history: &str) -> Result<Answer, Error>;
    /// `save-state`.
    fn save_state(&mut self) -> Result<Answer, Error>;
    /// `load-state`.
    fn load_state(&mut self, state: &str) -> Result<Answer, Error>;
    /// `todos`, each as id, status, content and, if there is one, description.
    fn todos(&mut self) -> Result<Vec<Vec<String>>, Error>;
    /// `counters`: requests since the last write, and since the last reminder.
    fn counters(&mut self) -> Result<(u32, Option<u32>), Error>;
}

/// What a call answered, under the names that expectations use. A field is
/// `None` when answers of this kind have no such thing.
#[derive(Debug, Default)]
pub struct Answer {
    /// The code of a refusal; `None` for a success.
    pub error: Option<String>,
    /// What the model or the host reads.
    pub text: Option<String>,
    /// Whether the list changed.
    pub changed: Option<bool>,
    /// Pending, in progress, completed.
    pub progress: Option<[u32; 3]>,
    /// How many items are to be appended.
    pub appends: Option<usize>,
    /// Who the item speaks as.
    pub role: Option<String>,
    /// Whether there is a snapshot.
    pub snapshot: Option<bool>,
    /// The carry-over message of a snapshot.
    pub carry_over: Option<Option<String>>,
    /// The tool definitions: name and schema. Their descriptions are the text.
    pub tools: Option<Vec<(String, String)>>,
    /// The report of `restore`.
    pub report: Option<Report>,
}

/// The report of `restore`.
#[derive(Debug)]
pub struct Report {
    /// The shape.
    pub format: String,
    /// Requests, applied, refused, skipped, reminders.
    pub counts: [u32; 5],
}

impl Answer {
    /// A call that succeeded and answers nothing.
    pub fn done() -> Answer {
        Answer::default()
    }

    /// A refusal.
    pub fn refused(code: &str, message: String) -> Answer {
        Answer {
            error: Some(code.to_owned()),
            text: Some(message),
            ..Answer::default()
        }
    }

    /// A text.
    pub fn text(text: String) -> Answer {
        Answer {
            text: Some(text),
            ..Answer::default()
        }
    }

    /// The answer of a tool.
    pub fn output(text: String, changed: bool, progress: [u32; 3]) -> Answer {
        Answer {
            text: Some(text),
            changed: Some(changed),
            progress: Some(progress),
            ..Answer::default()
        }
    }

    /// What to append to the history, as role and text.
    pub fn appends(items: Vec<(&str, String)>) -> Answer {
        let mut answer = Answer {
            appends: Some(items.len()),
            ..Answer::default()
        };
        if let [(role, text)] = items.as_slice() {
            answer.role = Some((*role).to_owned());
            answer.text = Some(text.clone());
        }
        answer
    }

    /// A snapshot: its context, and the carry-over message as role and text.
    pub fn snapshot(snapshot: Option<(String, Option<(&str, String)>)>) -> Answer {
        let Some((context, carry_over)) = snapshot else {
            return Answer {
                snapshot: Some(false),
                ..Answer::default()
            };
        };
        Answer {
            snapshot: Some(true),
            text: Some(context),
            role: carry_over.as_ref().map(|(role, _)| (*role).to_owned()),
            carry_over: Some(carry_over.map(|(_, text)| text)),
            ..Answer::default()
        }
    }

    /// Tool definitions: name, description, schema.
    pub fn tools(tools: Vec<(String, String, String)>) -> Answer {
        let mut descriptions = Vec::new();
        let mut schemas = Vec::new();
        for (name, description, schema) in tools {
            descriptions.push(description);
            schemas.push((name, schema));
        }
        Answer {
            text: Some(descriptions.join("\n")),
            tools: Some(schemas),
            ..Answer::default()
        }
    }

    /// The report of `restore`; the counts are requests, applied, refused,
    /// skipped and reminders.
    pub fn report(format: String, counts: [u32; 5]) -> Answer {
        Answer {
            report: Some(Report { format, counts }),
            ..Answer::default()
        }
    }
}
