//! One element of a history, of which only named keys are kept.
//!
//! A log is mostly text that no todo list needs. Reading passes over each byte
//! once: a value under a key that nobody asks for is skipped without being
//! built, a kept one is a slice of the text, and strings are decoded only when
//! somebody looks at them.

use super::string::decode;
use memchr::memchr2;
use std::borrow::Cow;

/// Containers inside one another that are entered; deeper ones are skipped.
const MAX_DEPTH: u32 = 16;

/// What is to become of the value under a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// Nothing.
    Skip,
    /// Its text is kept.
    Raw,
    /// Its text is kept, and of a container what is in it.
    Enter,
}

/// A kept value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Node<'a> {
    /// The JSON text of the value.
    pub raw: &'a str,
    /// The elements, if it is an array that was entered.
    pub list: Vec<Node<'a>>,
    /// The kept entries, if it is an object that was entered.
    pub entries: Vec<(&'a str, Node<'a>)>,
}

impl<'a> Node<'a> {
    /// The value under `key`, unless it is null.
    pub fn get(&self, key: &str) -> Option<&Node<'a>> {
        let entry = self.entries.iter().rev().find(|(name, _)| *name == key);
        entry
            .map(|(_, node)| node)
            .filter(|node| node.raw != "null")
    }

    /// Whether `key` is there, be it with null.
    pub fn has(&self, key: &str) -> bool {
        self.entries.iter().any(|(name, _)| *name == key)
    }

    /// The first of `keys` that is there and not null.
    pub fn first_of(&self, keys: &[&str]) -> Option<&Node<'a>> {
        keys.iter().find_map(|key| self.get(key))
    }

    /// What stands between the quotes, if it is a string.
    pub fn quoted(&self) -> Option<&'a str> {
        self.raw.strip_prefix('"')?.strip_suffix('"')
    }

    /// The text, if it is a string.
    pub fn text(&self) -> Option<Cow<'a, str>> {
        self.quoted().map(decode)
    }

    /// The string under `key`, as written: enough to compare with a word.
    pub fn word(&self, key: &str) -> Option<&'a str> {
        self.get(key)?.quoted()
    }

    /// Whether `true` stands under `key`.
    pub fn is_true(&self, key: &str) -> bool {
        self.get(key).is_some_and(|node| node.raw == "true")
    }
}

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

    /// Takes an object's key and its colon.
    pub fn key(&mut self) -> Result<&'a str, Stop> {
        if self.peek() != Some(b'"') {
            return Err(self.stop());
        }
        let start = self.at + 1;
        self.skip_string()?;
        let key = self.text.get(start..self.at - 1).unwrap_or_default();
        if self.take(b':') {
            Ok(key)
        } else {
            Err(self.stop())
        }
    }

    /// Takes a value and keeps of it what `keep` says.
    pub fn node(&mut self, keep: fn(&str) -> Keep, depth: u32) -> Result<Node<'a>, Stop> {
        let mut node = Node::default();
        let first = self.peek();
        let start = self.at;
        match first {
            Some(b'{') if depth < MAX_DEPTH => node.entries = self.entries(keep, depth)?,
            Some(b'[') if depth < MAX_DEPTH => {
                self.at += 1;
                while !self.take(b']') {
                    node.list.push(self.node(keep, depth + 1)?);
                    self.next_or(b']')?;
                }
            }
            _ => self.skip()?,
        }
        node.raw = self.text.get(start..self.at).unwrap_or_default();
        Ok(node)
    }

    fn entries(
        &mut self,
        keep: fn(&str) -> Keep,
        depth: u32,
    ) -> Result<Vec<(&'a str, Node<'a>)>, Stop> {
        let mut entries = Vec::new();
        self.at += 1;
        while !self.take(b'}') {
            let key = self.key()?;
            match keep(key) {
                Keep::Skip => self.skip()?,
                Keep::Raw => entries.push((key, self.node(keep, MAX_DEPTH)?)),
                Keep::Enter => entries.push((key, self.node(keep, depth + 1)?)),
            }
            self.next_or(b'}')?;
        }
        Ok(entries)
    }

    /// Takes a value and keeps nothing, in a loop, so that no nesting is too
    /// deep. Inside a container only strings and brackets are looked at.
    pub fn skip(&mut self) -> Result<(), Stop> {
        let mut depth = 0_u32;
        loop {
            match self.peek() {
                Some(b'"') => self.skip_string()?,
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
                Some(b'-' | b'0'..=b'9' | b'a'..=b'z') => self.skip_word(),
                _ => return Err(self.stop()),
            }
            if depth == 0 {
                return Ok(());
            }
        }
    }

    /// A number, `true`, `false` or `null`.
    fn skip_word(&mut self) {
        let rest = self.text.as_bytes().get(self.at..).unwrap_or_default();
        let is_word = |b: &&u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'+' | b'-');
        self.at += rest.iter().take_while(is_word).count();
    }

    fn skip_string(&mut self) -> Result<(), Stop> {
        let mut at = self.at + 1;
        loop {
            let rest = self.text.as_bytes().get(at..).unwrap_or_default();
            let Some(found) = memchr2(b'"', b'\\', rest) else {
                self.at = self.text.len();
                return Err(Stop::Torn);
            };
            at += found;
            if self.text.as_bytes().get(at) == Some(&b'"') {
                self.at = at + 1;
                return Ok(());
            }
            at += 2;
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

#[cfg(test)]
#[path = "node_tests.rs"]
mod tests;
