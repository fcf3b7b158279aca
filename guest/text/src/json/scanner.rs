//! A place in a JSON text, moved on value by value.

use super::string::{decode, quote_or_escape};
use std::borrow::Cow;

/// Why a value could not be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The text ends inside the value.
    Torn,
    /// This is not JSON.
    Syntax,
}

/// A place in a text.
#[derive(Clone, Debug)]
pub struct Scanner<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Scanner<'a> {
    /// The start of `text`.
    pub fn new(text: &'a str) -> Scanner<'a> {
        Scanner { text, at: 0 }
    }

    /// What is not yet read.
    pub fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// What was read from `start` on.
    pub(super) fn since(&self, start: usize) -> &'a str {
        self.text.get(start..self.at).unwrap_or_default()
    }

    /// The next byte that is not white space.
    pub fn peek(&mut self) -> Option<u8> {
        loop {
            match self.text.as_bytes().get(self.at) {
                Some(b' ' | b'\n' | b'\r' | b'\t') => self.at += 1,
                other => return other.copied(),
            }
        }
    }

    /// Takes the next byte that is not white space, if it is `wanted`.
    pub fn take(&mut self, wanted: u8) -> bool {
        let found = self.peek() == Some(wanted);
        self.at += usize::from(found);
        found
    }

    /// Takes a comma, or finds the closing bracket that ends a container.
    pub fn next_or(&mut self, bracket: u8) -> Result<(), Stop> {
        if self.take(b',') || self.peek() == Some(bracket) {
            Ok(())
        } else {
            Err(self.stop())
        }
    }

    /// Takes an object; `field` takes each value, and says whether it could.
    pub fn object(
        &mut self,
        field: &mut dyn FnMut(&'a str, &mut Scanner<'a>) -> Option<()>,
    ) -> Option<()> {
        if !self.take(b'{') {
            return None;
        }
        while !self.take(b'}') {
            let key = self.key().ok()?;
            field(key, self)?;
            self.next_or(b'}').ok()?;
        }
        Some(())
    }

    /// Takes an array; `element` takes each value, and says whether it could.
    pub fn array(&mut self, element: &mut dyn FnMut(&mut Scanner<'a>) -> Option<()>) -> Option<()> {
        if !self.take(b'[') {
            return None;
        }
        while !self.take(b']') {
            element(self)?;
            self.next_or(b']').ok()?;
        }
        Some(())
    }

    /// Takes an object's key and its colon.
    pub fn key(&mut self) -> Result<&'a str, Stop> {
        let (key, _) = self.quoted()?;
        if self.take(b':') {
            Ok(key)
        } else {
            Err(self.stop())
        }
    }

    /// Takes a string; gives what it says.
    pub fn string(&mut self) -> Result<Cow<'a, str>, Stop> {
        Ok(match self.quoted()? {
            (raw, true) => decode(raw),
            (raw, false) => Cow::Borrowed(raw),
        })
    }

    /// Takes a string that is to be kept.
    pub fn owned(&mut self) -> Result<String, Stop> {
        Ok(match self.quoted()? {
            (raw, true) => decode(raw).into_owned(),
            (raw, false) => raw.to_owned(),
        })
    }

    /// Takes a string; gives what stands between its quotes, and whether there
    /// is an escape in it.
    #[inline]
    fn quoted(&mut self) -> Result<(&'a str, bool), Stop> {
        if self.peek() != Some(b'"') {
            return Err(self.stop());
        }
        let start = self.at + 1;
        let is_escaped = self.skip_string()?;
        let raw = self.text.get(start..self.at - 1).unwrap_or_default();
        Ok((raw, is_escaped))
    }

    /// Takes a value; gives its text.
    pub fn raw(&mut self) -> Result<&'a str, Stop> {
        self.peek();
        let start = self.at;
        self.skip()?;
        Ok(self.since(start))
    }

    /// Takes a value and keeps nothing, in a loop, so that no nesting is too
    /// deep. Inside a container only strings and brackets are looked at.
    pub fn skip(&mut self) -> Result<(), Stop> {
        let mut depth = 0_u32;
        loop {
            match self.peek() {
                Some(b'"') => {
                    self.skip_string()?;
                }
                Some(b'{' | b'[') => {
                    depth += 1;
                    self.at += 1;
                }
                Some(b'}' | b']') if depth > 0 => {
                    depth -= 1;
                    self.at += 1;
                }
                Some(b',' | b':') if depth > 0 => {
                    self.at += 1;
                    continue;
                }
                Some(b'-' | b'0'..=b'9' | b'a'..=b'z') => self.skip_word()?,
                _ => return Err(self.stop()),
            }
            if depth == 0 {
                return Ok(());
            }
        }
    }

    /// A number, `true`, `false` or `null`.
    fn skip_word(&mut self) -> Result<(), Stop> {
        let rest = self.rest();
        let is_word = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'+' | b'-');
        let length = rest.bytes().take_while(is_word).count();
        let word = rest.get(..length).unwrap_or_default();
        let is_number = !word.starts_with(|c: char| c.is_ascii_lowercase());
        let names = ["true", "false", "null"];
        if is_number || names.contains(&word) {
            self.at += length;
            Ok(())
        } else if length == rest.len() && names.iter().any(|name| name.starts_with(word)) {
            Err(Stop::Torn)
        } else {
            Err(Stop::Syntax)
        }
    }

    /// Takes a string that begins here; says whether it has an escape.
    fn skip_string(&mut self) -> Result<bool, Stop> {
        let mut at = self.at + 1;
        let mut is_escaped = false;
        loop {
            at += self
                .text
                .as_bytes()
                .get(at..)
                .map_or(0, |rest| quote_or_escape(rest, b'"'));
            match self.text.as_bytes().get(at) {
                Some(b'"') => {
                    self.at = at + 1;
                    return Ok(is_escaped);
                }
                Some(_) => {
                    is_escaped = true;
                    at += 2;
                }
                None => {
                    self.at = self.text.len();
                    return Err(Stop::Torn);
                }
            }
        }
    }

    fn stop(&mut self) -> Stop {
        if self.peek().is_none() {
            Stop::Torn
        } else {
            Stop::Syntax
        }
    }
}
