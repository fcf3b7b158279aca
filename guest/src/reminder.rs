//! The reminder: when it is due, what it says, how to recognise it.

use crate::list::{List, Todo};
use crate::policy::{Policy, ToolSet};
use crate::render::{push_number, push_worded};
use crate::text::find;

/// The whole text stays below this, in bytes.
const MAX_BYTES: usize = 4_096;
/// Room for the whole of an ordinary one.
const FIRST_BYTES: usize = 2_048;
/// Items at most.
const MAX_ITEMS: usize = 20;
/// Characters of each item's content at most.
const MAX_CONTENT: usize = 120;

/// How every block of this component begins.
pub const OPENING: &str = "<system-reminder>\n";
/// How every block of this component ends.
pub const CLOSING: &str = "</system-reminder>";

/// The counters that decide when a reminder is due, in requests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clock {
    /// Requests since the model last wrote.
    pub since_write: u32,
    /// Requests since the last reminder; `None` before the first.
    pub since_reminder: Option<u32>,
    /// Whether there was a reminder since the model last wrote.
    pub reminded: bool,
}

impl Clock {
    /// `count` requests are sent.
    pub fn on_requests(&mut self, count: u32) {
        self.since_write = self.since_write.saturating_add(count);
        self.since_reminder = self.since_reminder.map(|since| since.saturating_add(count));
    }

    /// The model called a tool that writes, refused or not.
    pub fn on_write(&mut self) {
        self.since_write = 0;
        self.reminded = false;
    }

    /// A reminder went into the history.
    pub fn on_reminder(&mut self) {
        self.since_reminder = Some(0);
        self.reminded = true;
    }

    /// Whether the policy wants a reminder before the next request, if any item
    /// is open.
    pub fn is_due(&self, policy: &Policy) -> bool {
        let rested = match self.since_reminder {
            None => true,
            // One before each request, whatever the policy says.
            Some(0) => false,
            Some(_) if policy.remind_once => !self.reminded,
            Some(since) => since >= policy.remind_cooldown,
        };
        policy.remind && rested && self.since_write >= policy.remind_after
    }

    /// Whether these are values that counting can give.
    pub fn is_sound(&self) -> bool {
        match self.since_reminder {
            None => !self.reminded,
            Some(since) if self.reminded => since <= self.since_write,
            Some(since) => since >= self.since_write,
        }
    }
}

/// The reminder for a list, `None` if nothing is open.
pub fn text(list: &List, tools: ToolSet) -> Option<String> {
    let open = list.open().count();
    if open == 0 {
        return None;
    }
    let mut out = String::with_capacity(FIRST_BYTES);
    out.push_str(OPENING);
    out.push_str(context(tools));
    let mut shown = 0;
    for todo in list.open().take(MAX_ITEMS) {
        if !push_if_it_fits(&mut out, todo) {
            break;
        }
        shown += 1;
    }
    out.push('\n');
    if shown < open {
        out.push_str("… and ");
        push_number(&mut out, u32::try_from(open - shown).unwrap_or(u32::MAX));
        out.push_str(" more\n");
    }
    out.push_str(CLOSING);
    Some(out)
}

/// Room for the line that counts the rest, and the end of the block.
const TAIL_BYTES: usize = "\n… and 4294967295 more\n".len() + CLOSING.len();

fn push_if_it_fits(out: &mut String, todo: &Todo) -> bool {
    let before = out.len();
    out.push('\n');
    push_worded(out, todo, MAX_CONTENT);
    let fits = out.len() + TAIL_BYTES < MAX_BYTES;
    if !fits {
        out.truncate(before);
    }
    fits
}

/// The line of context. Constant for a tool set, so that a reminder is
/// recognised by it; the counters say how long "a while" was.
fn context(tools: ToolSet) -> &'static str {
    if tools.has_todo() {
        "todo_write has not been called for a while and these items are open. If the list is out of date, \
         update it; if not, carry on."
    } else {
        "TaskUpdate has not been called for a while and these items are open. If the list is out of date, \
         update it; if not, carry on."
    }
}

/// Whether the whole of a message is a reminder that [`text`] wrote.
pub fn is_reminder(message: &str) -> bool {
    let Some(lines) = block_lines(message) else {
        return false;
    };
    let Some((first, items)) = lines.split_once('\n') else {
        return false;
    };
    let ours = [ToolSet::Todo, ToolSet::Task]
        .into_iter()
        .any(|tools| first == context(tools));
    ours && message.trim().len() < MAX_BYTES
        && items.lines().all(|line| is_item(line) || is_rest(line))
}

/// What stands between the opening and closing of a message that is one block.
pub fn block_lines(message: &str) -> Option<&str> {
    let inner = message
        .trim()
        .strip_prefix(OPENING)?
        .strip_suffix(CLOSING)?;
    inner.strip_suffix('\n')
}

fn is_item(line: &str) -> bool {
    let words = ["[pending] ", "[in_progress] "];
    words.into_iter().any(|word| {
        line.strip_prefix(word)
            .is_some_and(|item| find(item, ". ").is_some())
    })
}

fn is_rest(line: &str) -> bool {
    let count = line
        .strip_prefix("… and ")
        .and_then(|rest| rest.strip_suffix(" more"));
    count.is_some_and(|count| !count.is_empty() && count.bytes().all(|b| b.is_ascii_digit()))
}

#[cfg(test)]
#[path = "reminder_tests.rs"]
mod tests;
