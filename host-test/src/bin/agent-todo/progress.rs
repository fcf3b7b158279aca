//! How far a long replay is, on standard error, if that is a terminal.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

/// A short replay shows nothing.
const QUIET: Duration = Duration::from_millis(500);

/// Time between two drawings.
const PAUSE: Duration = Duration::from_millis(100);

/// The line that says how far a replay is.
pub struct Progress {
    length: Option<u64>,
    next: Option<Instant>,
    drawn: bool,
}

impl Progress {
    /// A progress line for an input of `length` bytes, if that is known.
    pub fn new(length: Option<u64>) -> Progress {
        Progress {
            length,
            next: io::stderr().is_terminal().then(|| Instant::now() + QUIET),
            drawn: false,
        }
    }

    /// Draws the line, if it is time to.
    pub fn draw(&mut self, taken: u64, requests: u64) -> io::Result<()> {
        if self.next.is_none_or(|next| Instant::now() < next) {
            return Ok(());
        }
        self.next = Some(Instant::now() + PAUSE);
        self.drawn = true;
        let of = match self.length {
            Some(length) if length > 0 => {
                format!(" of {} MB ({} %)", length / 1_000_000, taken * 100 / length)
            }
            _ => " MB".to_owned(),
        };
        let mut out = io::stderr().lock();
        write!(
            out,
            "\r\u{1b}[K{}{of}, {requests} requests",
            taken / 1_000_000
        )?;
        out.flush()
    }

    /// Takes the line away, before anything else is shown.
    pub fn clear(&mut self) -> io::Result<()> {
        if std::mem::take(&mut self.drawn) {
            let mut out = io::stderr().lock();
            out.write_all(b"\r\x1b[K")?;
            out.flush()?;
        }
        Ok(())
    }
}
