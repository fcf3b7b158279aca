//! Cuts a log of any length into pieces that are each a history of their own,
//! so that it is read in bounded memory.
//!
//! JSON Lines are cut between lines. Of one document, an array gives pieces
//! `[element,…]`, and so does an array that stands inside a large object. What
//! has to be in memory at a time is a piece, or the longest line or element.

use std::io::{self, Read};

use serde::de::IgnoredAny;

use crate::window::{End, Window};

/// How large pieces are.
#[derive(Clone, Copy, Debug)]
struct Sizes {
    /// Bytes from which on a piece is handed out.
    piece: usize,
    /// Bytes up to which an object is one piece: its keys tell more than its
    /// arrays alone.
    object: usize,
}

const SIZES: Sizes = Sizes {
    piece: 1 << 20,
    object: 8 << 20,
};

/// How the text goes on.
enum Mode {
    /// Nothing was looked at yet.
    Unknown,
    /// One value a line.
    Lines,
    /// Values that may go over several lines.
    Values,
}

/// The pieces of a log.
pub struct Pieces<R> {
    window: Window<R>,
    mode: Mode,
    /// The brackets that are open around the next value: objects, then at most
    /// one array, whose elements are messages.
    open: Vec<u8>,
    sizes: Sizes,
    torn: bool,
}

impl<R: Read> Pieces<R> {
    /// The pieces of what `input` gives.
    pub fn new(input: R) -> Pieces<R> {
        Pieces::sized(input, SIZES)
    }

    fn sized(input: R, sizes: Sizes) -> Pieces<R> {
        Pieces {
            window: Window::new(input),
            mode: Mode::Unknown,
            open: Vec::new(),
            sizes,
            torn: false,
        }
    }

    /// The next piece; `None` at the end. Bytes that are no UTF-8 become U+FFFD.
    pub fn next_piece(&mut self) -> io::Result<Option<String>> {
        if matches!(self.mode, Mode::Unknown) {
            self.window.skip_mark()?;
            if self.window.fill(self.sizes.piece)? < self.sizes.piece {
                return Ok(self.whole());
            }
            self.mode = self.detect()?;
        }
        let piece = match self.mode {
            Mode::Values => self.values()?,
            _ => self.lines()?,
        };
        Ok(piece.map(|bytes| text(&bytes)))
    }

    /// Bytes of the log that were taken so far.
    pub fn taken(&self) -> u64 {
        self.window.taken()
    }

    /// Whether the log ends in the middle of a line or element.
    pub fn is_torn(&self) -> bool {
        self.torn
    }

    /// A short log is one piece, as it is.
    fn whole(&mut self) -> Option<String> {
        let text = text(self.window.rest());
        self.window.take_all();
        self.mode = Mode::Lines;
        self.torn = !is_whole(&text) && !is_whole(last_line(&text));
        (!text.trim_ascii().is_empty()).then_some(text)
    }

    /// JSON Lines begin with a line that is a value of its own, with more after
    /// it, or with one that is torn inside a string: no string of a document has
    /// a line break.
    fn detect(&mut self) -> io::Result<Mode> {
        let first = self.window.peek()?;
        let is_lines = match first {
            Some(b'{') => match self.window.value_end(self.sizes.object)? {
                End::At(length) => {
                    self.window.fill(length + self.sizes.piece)?;
                    let (value, rest) = self.window.rest().split_at(length);
                    !value.contains(&b'\n') && !rest.trim_ascii().is_empty()
                }
                End::BrokenString => true,
                End::Torn | End::TooLong => false,
            },
            Some(b'[') => false,
            _ => true,
        };
        Ok(if is_lines { Mode::Lines } else { Mode::Values })
    }

    /// Whole lines, as many as make a piece.
    fn lines(&mut self) -> io::Result<Option<Vec<u8>>> {
        let mut wanted = self.sizes.piece;
        loop {
            let there = self.window.fill(wanted)?;
            if there == 0 {
                return Ok(None);
            }
            if there < wanted {
                let text = text(self.window.rest());
                self.torn = !is_whole(last_line(&text));
                return Ok(Some(lines_piece(self.window.take_all())));
            }
            if let Some(at) = memchr::memrchr(b'\n', self.window.ahead(wanted)) {
                return Ok(Some(lines_piece(self.window.take(at + 1))));
            }
            wanted *= 2;
        }
    }

    /// Elements of the next array, as many as make a piece, or one whole object.
    fn values(&mut self) -> io::Result<Option<Vec<u8>>> {
        let mut piece = vec![b'['];
        while piece.len() < self.sizes.piece {
            let Some(byte) = self.window.peek()? else {
                self.torn |= !self.open.is_empty();
                break;
            };
            match (self.open.last(), byte) {
                (Some(b'['), b'{' | b'[') => self.element(&mut piece)?,
                (None, b'{') if piece.len() > 1 => break,
                (None, b'{') => {
                    if let Some(object) = self.object()? {
                        return Ok(Some(object));
                    }
                }
                (_, b'{' | b'[') => self.open.extend(self.window.take(1)),
                (_, b'}' | b']') => {
                    self.open.pop();
                    self.window.take(1);
                }
                _ => self.window.skip_scalar()?,
            }
        }
        if piece.len() == 1 {
            return Ok(None);
        }
        piece.push(b']');
        Ok(Some(piece))
    }

    /// Appends the next element of an array; one that is cut off ends the log.
    fn element(&mut self, piece: &mut Vec<u8>) -> io::Result<()> {
        let End::At(length) = self.window.value_end(usize::MAX)? else {
            self.torn = true;
            self.window.take_all();
            self.open.clear();
            return Ok(());
        };
        if piece.len() > 1 {
            piece.push(b',');
        }
        piece.append(&mut self.window.take(length));
        Ok(())
    }

    /// The next object as a whole. One that is too long is opened instead.
    fn object(&mut self) -> io::Result<Option<Vec<u8>>> {
        Ok(match self.window.value_end(self.sizes.object)? {
            End::At(length) => Some(self.window.take(length)),
            End::TooLong => {
                self.open.extend(self.window.take(1));
                None
            }
            End::Torn | End::BrokenString => {
                self.torn = true;
                Some(self.window.take_all())
            }
        })
    }
}

/// A line alone could be taken for a document, in which arrays of messages are
/// looked for; the empty array in a second line says that it is none.
fn lines_piece(mut lines: Vec<u8>) -> Vec<u8> {
    lines.extend_from_slice(b"\n[]\n");
    lines
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Whether `text` is nothing but whole JSON values.
fn is_whole(text: &str) -> bool {
    serde_json::Deserializer::from_str(text)
        .into_iter::<IgnoredAny>()
        .all(|value| value.is_ok())
}

fn last_line(text: &str) -> &str {
    text.trim_ascii_end()
        .rsplit('\n')
        .next()
        .unwrap_or_default()
}

#[cfg(test)]
#[path = "pieces_tests.rs"]
mod tests;
