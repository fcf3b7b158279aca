//! A replay for people: what happened, request by request.

use std::io::{self, Write};

use agent_todo::text::push_safe;
use agent_todo_host::{Policy, Snapshot, Status, Todo};

use crate::changes::{Change, changes};
use crate::entry::{Entry, Outcome, Replayed, Show, Summary};
use crate::paint::{Ink, Paint};
use crate::reasons::{policy_line, why};
use crate::totals;

/// Writes a replay as lines of text.
pub struct Timeline<W> {
    out: W,
    paint: Paint,
    /// The last request that a line was about.
    shown: u64,
}

impl<W: Write> Timeline<W> {
    /// Writes to `out`.
    pub fn new(out: W, paint: Paint) -> Timeline<W> {
        Timeline {
            out,
            paint,
            shown: 0,
        }
    }

    /// Begins an entry about `request`: the requests since the last one, in
    /// which nothing happened, are one line.
    fn heading(&mut self, request: u64, title: &str, ink: Ink, detail: &str) -> io::Result<()> {
        self.idle(request.saturating_sub(1))?;
        self.shown = self.shown.max(request);
        let title = self.paint.ink(ink, title);
        writeln!(self.out, "{:>6}  {title}{detail}", format!("#{request}"))
    }

    /// Folds the requests up to `until`.
    fn idle(&mut self, until: u64) -> io::Result<()> {
        let idle = until.saturating_sub(self.shown);
        if idle > 0 {
            let line = format!(
                "     ·  {} without a todo call",
                totals::counted(idle, "request")
            );
            writeln!(self.out, "{}", self.paint.ink(Ink::Dim, &line))?;
            self.shown = until;
        }
        Ok(())
    }

    fn line(&mut self, line: &str) -> io::Result<()> {
        writeln!(self.out, "        {line}")
    }

    /// A text of the component, set off by a bar.
    fn quote(&mut self, text: &str) -> io::Result<()> {
        for line in text.lines() {
            let quoted = self.paint.ink(Ink::Dim, &format!("│ {line}"));
            self.line(&quoted)?;
        }
        Ok(())
    }

    fn calls(
        &mut self,
        request: u64,
        calls: &[Replayed],
        before: &[Todo],
        after: &[Todo],
    ) -> io::Result<()> {
        let done = after
            .iter()
            .filter(|todo| todo.status == Status::Completed)
            .count();
        let detail = format!("  {done}/{} completed", after.len());
        self.heading(request, &names(calls), Ink::Bold, &detail)?;
        for call in calls {
            self.remark(call)?;
        }
        let changes = changes(before, after);
        if changes.is_empty()
            && calls
                .iter()
                .any(|call| matches!(call.outcome, Outcome::Applied { .. }))
        {
            let unchanged = self.paint.ink(Ink::Dim, "the list stays as it is");
            self.line(&unchanged)?;
        }
        for change in &changes {
            let shown = self.change(change);
            self.line(&shown)?;
        }
        Ok(())
    }

    /// What there is to say about a call beside the list.
    fn remark(&mut self, call: &Replayed) -> io::Result<()> {
        let first = call.text.lines().next().unwrap_or_default();
        let (ink, remark) = match call.outcome {
            Outcome::Applied { .. } => {
                for note in call.text.lines().filter(|line| line.starts_with("Note: ")) {
                    let note = self.paint.ink(Ink::Yellow, note);
                    self.line(&note)?;
                }
                return Ok(());
            }
            Outcome::Refused => (Ink::Red, format!("refused: {first}")),
            Outcome::RefusedThen => (
                Ink::Red,
                "refused when it was recorded: the list is unchanged, and it counts as a use"
                    .to_owned(),
            ),
            Outcome::Skipped => (
                Ink::Dim,
                "skipped: denied, failed before the tool, or without a result".to_owned(),
            ),
        };
        let remark = self.paint.ink(ink, &remark);
        self.line(&remark)
    }

    fn change(&self, change: &Change<'_>) -> String {
        match change {
            Change::New(todo) => format!("{} {}", self.paint.ink(Ink::Green, "+"), self.item(todo)),
            Change::Gone(todo) => self.paint.ink(Ink::Red, &format!("- {}", marked(todo))),
            Change::Moved(todo) => format!("  {}", self.item(todo)),
            Change::Renamed(todo, old) => {
                let old = self
                    .paint
                    .ink(Ink::Dim, &format!("(was: {})", safe(&old.content)));
                format!("~ {} {old}", self.item(todo))
            }
            Change::Reordered => "the same items in another order".to_owned(),
        }
    }

    fn item(&self, todo: &Todo) -> String {
        match todo.status {
            Status::Pending => marked(todo),
            Status::InProgress => self.paint.ink(Ink::Yellow, &marked(todo)),
            Status::Completed => self.paint.ink(Ink::Green, &marked(todo)),
        }
    }

    fn compaction(&mut self, request: u64, snapshot: Option<&Snapshot>) -> io::Result<()> {
        let carried = snapshot.and_then(|snapshot| snapshot.carry_over.as_ref());
        let detail = match (snapshot, carried) {
            (None, _) => "  the list is empty: nothing to keep",
            (Some(_), None) => "  every item is completed: nothing to carry over",
            (Some(_), Some(_)) => {
                "  the open items go over in a message that the host appends first:"
            }
        };
        self.heading(request, "compaction", Ink::Cyan, detail)?;
        carried.map_or(Ok(()), |item| self.quote(&item.text))
    }
}

impl<W: Write> Show for Timeline<W> {
    fn start(&mut self, source: &str, _format: &str, policy: &Policy) -> io::Result<()> {
        let title = self.paint.ink(Ink::Bold, &format!("Replay of {source}"));
        let policy = self.paint.ink(Ink::Dim, &policy_line(policy));
        writeln!(self.out, "{title}\n{policy}\n")
    }

    fn entry(&mut self, entry: &Entry<'_>) -> io::Result<()> {
        match *entry {
            Entry::Reminder {
                request,
                counters,
                policy,
                item,
            } => {
                let why = format!("  {}", why(&counters, policy));
                self.heading(request, "reminder", Ink::Yellow, &why)?;
                self.quote(&item.text)
            }
            Entry::RecordedReminder { request } => {
                let detail = "  (this one stands in the log)";
                self.heading(request, "reminder", Ink::Dim, detail)
            }
            Entry::Calls {
                request,
                calls,
                before,
                after,
            } => self.calls(request, calls, before, after),
            Entry::CarryOver {
                request,
                todos,
                adopted,
            } => {
                let then = if adopted {
                    "the list is taken from it"
                } else {
                    "the list stays empty until the model writes"
                };
                let detail = format!(
                    "  {} carried over from before a compaction; {then}",
                    totals::counted(todos.len() as u64, "item")
                );
                self.heading(request, "carry-over", Ink::Cyan, &detail)?;
                for todo in todos {
                    let item = self.item(todo);
                    self.line(&format!("  {item}"))?;
                }
                Ok(())
            }
            Entry::Compaction { request, snapshot } => self.compaction(request, snapshot),
        }
    }

    fn end(&mut self, summary: &Summary<'_>) -> io::Result<()> {
        self.idle(summary.totals.requests)?;
        let heading = if summary.todos.is_empty() {
            "The list is empty at the end"
        } else {
            "The list at the end"
        };
        writeln!(self.out, "\n{}", self.paint.ink(Ink::Bold, heading))?;
        for todo in summary.todos {
            let item = self.item(todo);
            writeln!(self.out, "  {item}")?;
        }
        totals::write(&mut self.out, self.paint, summary)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// `TaskCreate ×3, TaskUpdate`: the tools in the order of their first call.
fn names(calls: &[Replayed]) -> String {
    let mut counts: Vec<(&str, usize)> = Vec::new();
    for call in calls {
        match counts.iter_mut().find(|(name, _)| *name == call.name) {
            Some((_, count)) => *count += 1,
            None => counts.push((&call.name, 1)),
        }
    }
    let named = counts.iter().map(|(name, count)| match count {
        1 => safe(name),
        _ => format!("{} ×{count}", safe(name)),
    });
    named.collect::<Vec<_>>().join(", ")
}

/// `[>] 2. Add the flag`.
fn marked(todo: &Todo) -> String {
    let mark = match todo.status {
        Status::Pending => ' ',
        Status::InProgress => '>',
        Status::Completed => 'x',
    };
    format!("[{mark}] {}. {}", safe(&todo.id), safe(&todo.content))
}

/// Text of a log without what a terminal would act on.
fn safe(text: &str) -> String {
    let mut out = String::new();
    push_safe(&mut out, text);
    out
}

#[cfg(test)]
#[path = "timeline_tests.rs"]
mod tests;
