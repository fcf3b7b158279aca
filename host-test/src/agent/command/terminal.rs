//! A run on the terminal: the answer on the standard output, everything else
//! as whole lines on the error output.

use std::io::{IsTerminal, Stderr, Stdout, Write};

use crate::agent::item::ToolCall;
use crate::agent::observer::Observer;
use crate::{Status, Todo};

/// Shows a run. Lines never land inside the streamed answer: it is ended first.
#[derive(Debug)]
pub struct Terminal<A, P> {
    answer: A,
    progress: P,
    colours: bool,
    inside_line: bool,
}

impl Terminal<Stdout, Stderr> {
    /// The process's own outputs; colours if the error output is a terminal
    /// and `NO_COLOR` is not set.
    #[must_use]
    pub fn stdio() -> Self {
        let colours = std::io::stderr().is_terminal()
            && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
        Self::new(std::io::stdout(), std::io::stderr(), colours)
    }
}

impl<A: Write, P: Write> Terminal<A, P> {
    /// Shows the answer on one output and the progress on another.
    pub fn new(answer: A, progress: P, colours: bool) -> Self {
        Self {
            answer,
            progress,
            colours,
            inside_line: false,
        }
    }

    /// Writes one line of progress. An output that is closed is no reason to
    /// stop working.
    fn line(&mut self, colour: &str, text: &str) {
        self.end_line();
        let text = printable(text);
        let _ = match self.colours && !colour.is_empty() {
            true => writeln!(self.progress, "\u{1b}[{colour}m{text}\u{1b}[0m"),
            false => writeln!(self.progress, "{text}"),
        };
    }

    fn end_line(&mut self) {
        if std::mem::take(&mut self.inside_line) {
            let _ = self
                .answer
                .write_all(b"\n")
                .and_then(|()| self.answer.flush());
        }
    }
}

impl<A: Write, P: Write> Observer for Terminal<A, P> {
    fn text(&mut self, piece: &str) {
        let piece = printable(piece);
        if !piece.is_empty() {
            let _ = self
                .answer
                .write_all(piece.as_bytes())
                .and_then(|()| self.answer.flush());
            self.inside_line = !piece.ends_with('\n');
        }
    }

    fn response(&mut self) {
        self.end_line();
    }

    fn call(&mut self, call: &ToolCall) {
        let input = call.input_text().replace('\n', " ");
        let shown = match input.char_indices().nth(80) {
            Some((end, _)) => format!("{}…", input.get(..end).unwrap_or_default()),
            None => input,
        };
        self.line("2", &format!("· {} {shown}", call.name));
    }

    fn refused(&mut self, call: &ToolCall, text: &str) {
        let first = text.lines().next().unwrap_or_default();
        self.line("31", &format!("! {}: {first}", call.name));
    }

    fn list(&mut self, todos: &[Todo]) {
        for todo in todos {
            let (mark, colour) = match todo.status {
                Status::Completed => ("[x]", "32"),
                Status::InProgress => ("[>]", "33"),
                Status::Pending => ("[ ]", ""),
            };
            self.line(colour, &format!("  {mark} {}. {}", todo.id, todo.content));
        }
        if todos.is_empty() {
            self.line("", "  (the list is empty)");
        }
    }

    fn note(&mut self, text: &str) {
        self.line("2", text);
    }
}

/// A text without what could steer a terminal or turn a line around: control
/// characters other than line break and tab, and bidirectional overrides.
#[must_use]
pub fn printable(text: &str) -> String {
    let steers = |c: char| {
        c.is_control() && c != '\n' && c != '\t'
            || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    text.chars().filter(|&c| !steers(c)).collect()
}

#[cfg(test)]
mod tests {
    use super::{Observer, Terminal};

    fn shown(colours: bool, run: impl Fn(&mut dyn Observer)) -> (String, String) {
        let (mut answer, mut progress) = (Vec::new(), Vec::new());
        run(&mut Terminal::new(&mut answer, &mut progress, colours));
        (
            String::from_utf8_lossy(&answer).into_owned(),
            String::from_utf8_lossy(&progress).into_owned(),
        )
    }

    #[test]
    fn a_note_ends_the_line_that_is_being_streamed() {
        let run = |out: &mut dyn Observer| {
            out.text("half a ");
            out.note("asking again");
            out.text("line\n");
            out.response();
        };
        assert_eq!(
            shown(false, run),
            ("half a \nline\n".to_owned(), "asking again\n".to_owned())
        );
    }

    #[test]
    fn what_a_model_says_can_not_steer_the_terminal() {
        let run = |out: &mut dyn Observer| out.text("a\u{1b}[2Jb\u{7}\u{202e}c\td\r\n");
        assert_eq!(shown(false, run).0, "a[2Jbc\td\n");
    }

    #[test]
    fn colours_come_only_if_asked_for() {
        let run = |out: &mut dyn Observer| out.note("x");
        assert_eq!(shown(false, run).1, "x\n");
        assert_eq!(shown(true, run).1, "\u{1b}[2mx\u{1b}[0m\n");
    }
}
