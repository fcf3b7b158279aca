//! Colours, for a terminal only.

use std::env;

/// What a colour means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ink {
    /// A heading.
    Bold,
    /// What can be passed over.
    Dim,
    /// Done, or new.
    Green,
    /// Under way, or a reminder.
    Yellow,
    /// Refused, or gone.
    Red,
    /// A compaction.
    Cyan,
}

/// Paints, or leaves a text as it is.
#[derive(Clone, Copy, Debug)]
pub struct Paint {
    on: bool,
}

impl Paint {
    /// Paints on a terminal, unless `NO_COLOR` is set or the terminal is `dumb`.
    pub fn for_terminal(is_terminal: bool) -> Paint {
        let refused = env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let dumb = env::var_os("TERM").is_some_and(|value| value == "dumb");
        Paint {
            on: is_terminal && !refused && !dumb,
        }
    }

    /// `text` in `ink`.
    pub fn ink(self, ink: Ink, text: &str) -> String {
        if !self.on {
            return text.to_owned();
        }
        let code = match ink {
            Ink::Bold => 1,
            Ink::Dim => 2,
            Ink::Green => 32,
            Ink::Yellow => 33,
            Ink::Red => 31,
            Ink::Cyan => 36,
        };
        format!("\u{1b}[{code}m{text}\u{1b}[0m")
    }
}
