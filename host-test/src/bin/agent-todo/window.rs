//! The part of an input that is in memory: from what was taken last to what was
//! read last.

use std::io::{self, Read};

/// Bytes read at a time.
const CHUNK: usize = 1 << 18;

/// Where a value ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// After so many bytes.
    At(usize),
    /// The input ends first.
    Torn,
    /// A line ends inside a string, which JSON does not allow.
    BrokenString,
    /// Not within the limit.
    TooLong,
}

/// A window over `input`.
pub struct Window<R> {
    input: R,
    buffer: Vec<u8>,
    /// Where the bytes that were not taken begin.
    at: usize,
    read: u64,
    ended: bool,
}

impl<R: Read> Window<R> {
    /// A window at the beginning.
    pub fn new(input: R) -> Window<R> {
        Window {
            input,
            buffer: Vec::new(),
            at: 0,
            read: 0,
            ended: false,
        }
    }

    /// Bytes that were taken so far.
    pub fn taken(&self) -> u64 {
        self.read - self.rest().len() as u64
    }

    /// What was read and not taken.
    pub fn rest(&self) -> &[u8] {
        self.buffer.get(self.at..).unwrap_or_default()
    }

    /// The next `length` bytes, of those that were read.
    pub fn ahead(&self, length: usize) -> &[u8] {
        let rest = self.rest();
        rest.get(..length).unwrap_or(rest)
    }

    /// Takes the next `length` bytes, of those that were read.
    pub fn take(&mut self, length: usize) -> Vec<u8> {
        let taken = self.ahead(length).to_vec();
        self.at += taken.len();
        taken
    }

    /// Takes all that was read.
    pub fn take_all(&mut self) -> Vec<u8> {
        self.take(usize::MAX)
    }

    /// Reads until `wanted` bytes are there or the input ends; gives how many
    /// are there.
    pub fn fill(&mut self, wanted: usize) -> io::Result<usize> {
        while self.rest().len() < wanted && self.read_more()? {}
        Ok(self.rest().len())
    }

    /// Skips a byte order mark.
    pub fn skip_mark(&mut self) -> io::Result<()> {
        self.fill(3)?;
        if self.rest().starts_with("\u{feff}".as_bytes()) {
            self.at += 3;
        }
        Ok(())
    }

    /// The next byte that is no white space, which is skipped.
    pub fn peek(&mut self) -> io::Result<Option<u8>> {
        loop {
            let blank = |byte: &u8| byte.is_ascii_whitespace();
            let skipped = self.rest().iter().take_while(|byte| blank(byte)).count();
            self.at += skipped;
            if let Some(byte) = self.rest().first() {
                return Ok(Some(*byte));
            }
            if !self.read_more()? {
                return Ok(None);
            }
        }
    }

    /// Skips a string, or a single byte of anything else.
    pub fn skip_scalar(&mut self) -> io::Result<()> {
        let mut scan = Scan::default();
        loop {
            for byte in self.buffer.get(self.at..).unwrap_or_default() {
                self.at += 1;
                scan.step(*byte);
                if !scan.in_string {
                    return Ok(());
                }
            }
            if !self.read_more()? {
                return Ok(());
            }
        }
    }

    /// Where the object or array that is next ends, if within `limit` bytes.
    pub fn value_end(&mut self, limit: usize) -> io::Result<End> {
        let mut scan = Scan::default();
        let mut seen = 0;
        loop {
            for byte in self.rest().get(seen..).unwrap_or_default() {
                seen += 1;
                scan.step(*byte);
                if scan.in_string && *byte == b'\n' {
                    return Ok(End::BrokenString);
                }
                if scan.depth == 0 && !scan.in_string {
                    return Ok(End::At(seen));
                }
                if seen > limit {
                    return Ok(End::TooLong);
                }
            }
            if !self.read_more()? {
                return Ok(End::Torn);
            }
        }
    }

    fn read_more(&mut self) -> io::Result<bool> {
        if self.ended {
            return Ok(false);
        }
        // What was taken leaves only when it is the larger part, so that a
        // byte is moved once on average.
        if self.at > self.buffer.len() / 2 {
            self.buffer.drain(..self.at);
            self.at = 0;
        }
        let mut chunk = self.input.by_ref().take(CHUNK as u64);
        let read = chunk.read_to_end(&mut self.buffer)?;
        self.read += read as u64;
        self.ended = read == 0;
        Ok(!self.ended)
    }
}

/// How deep inside brackets, and whether inside a string.
#[derive(Default)]
struct Scan {
    depth: usize,
    in_string: bool,
    escaped: bool,
}

impl Scan {
    fn step(&mut self, byte: u8) {
        match (self.in_string, byte) {
            (true, _) if self.escaped => self.escaped = false,
            (true, b'\\') => self.escaped = true,
            (_, b'"') => self.in_string = !self.in_string,
            (false, b'{' | b'[') => self.depth += 1,
            (false, b'}' | b']') => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
    }
}
