//! One element of a history, of which only named keys are kept.
//!
//! A log is mostly text that no todo list needs. Reading passes over each byte
//! once: a value under a key that nobody asks for is skipped without being
//! built, a kept one is a slice of the text, and strings are decoded only when
//! somebody looks at them.

use super::string::{decode, quote_or_escape};
use std::borrow::Cow;

/// Containers inside one another that are entered; deeper ones are skipped.
const MAX_DEPTH: u32 = 16;

/// What is to be kept of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// Its text.
    Raw,
    /// Its text, and of a container what is in it.
    Enter,
}

/// Says of a key's text what it is to be called, and what to keep of its value;
/// nothing is kept under a key that has no name.
pub type Names<K> = fn(&str) -> Option<(K, Keep)>;

/// The kept values of one text, in the order in which they stand. Its room is
/// used again for the next text.
#[derive(Clone, Debug)]
pub struct Tree<'a, K> {
    entries: Vec<Entry<'a, K>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Entry<'a, K> {
    /// What its key is called; `None` in an array, and for the whole.
    name: Option<K>,
    raw: &'a str,
    /// How many entries it takes: itself and what is kept of it.
    size: usize,
}

/// A kept value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node<'a, K> {
    /// The JSON text of the value.
    pub raw: &'a str,
    held: &'a [Entry<'a, K>],
}

/// The kept elements of an array.
#[derive(Clone, Copy, Debug)]
pub struct Nodes<'a, K> {
    rest: &'a [Entry<'a, K>],
}

impl<K> Default for Tree<'_, K> {
    fn default() -> Self {
        Tree {
            entries: Vec::new(),
        }
    }
}

impl<K: Copy> Tree<'_, K> {
    /// The whole value.
    pub fn root(&self) -> Node<'_, K> {
        let mut all = Nodes {
            rest: &self.entries,
        };
        all.next().unwrap_or(Node { raw: "", held: &[] })
    }
}

impl<K> Default for Nodes<'_, K> {
    fn default() -> Self {
        Nodes { rest: &[] }
    }
}

impl<K> Nodes<'_, K> {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }
}

impl<'a, K: Copy> Nodes<'a, K> {
    fn next_named(&mut self) -> Option<(Option<K>, Node<'a, K>)> {
        let entry = self.rest.first()?;
        let (whole, rest) = self.rest.split_at_checked(entry.size)?;
        self.rest = rest;
        let held = whole.get(1..).unwrap_or_default();
        let raw = entry.raw;
        Some((entry.name, Node { raw, held }))
    }
}

impl<'a, K: Copy> Iterator for Nodes<'a, K> {
    type Item = Node<'a, K>;

    fn next(&mut self) -> Option<Node<'a, K>> {
        self.next_named().map(|(_, node)| node)
    }
}

impl<'a, K: Copy + Eq> Node<'a, K> {
    /// The elements, if it is an array that was entered.
    pub fn list(self) -> Nodes<'a, K> {
        let is_list = self.raw.starts_with('[');
        Nodes {
            rest: if is_list { self.held } else { &[] },
        }
    }

    /// Whether it is an object of which something is kept.
    pub fn has_entries(self) -> bool {
        self.raw.starts_with('{') && !self.held.is_empty()
    }

    /// The value under `key`, unless it is null; of equal keys the last counts.
    pub fn get(self, key: K) -> Option<Node<'a, K>> {
        let mut held = Nodes { rest: self.held };
        let mut found = None;
        while let Some((name, node)) = held.next_named() {
            if name == Some(key) {
                found = Some(node);
            }
        }
        found.filter(|node| node.raw != "null")
    }

    /// Whether `key` is there, be it with null.
    pub fn has(self, key: K) -> bool {
        let mut held = Nodes { rest: self.held };
        std::iter::from_fn(|| held.next_named()).any(|(name, _)| name == Some(key))
    }

    /// The first of `keys` that is there and not null.
    pub fn first_of(self, keys: &[K]) -> Option<Node<'a, K>> {
        keys.iter().find_map(|key| self.get(*key))
    }

    /// What stands between the quotes, if it is a string.
    pub fn quoted(self) -> Option<&'a str> {
        self.raw.strip_prefix('"')?.strip_suffix('"')
    }

    /// The text, if it is a string.
    pub fn text(self) -> Option<Cow<'a, str>> {
        self.quoted().map(decode)
    }

    /// The string under `key`, as written: enough to compare with a word.
    pub fn word(self, key: K) -> Option<&'a str> {
        self.get(key)?.quoted()
    }

    /// Whether `true` stands under `key`.
    pub fn is_true(self, key: K) -> bool {
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

    /// Takes a value and keeps in `tree` what is in it under keys with a name.
    pub fn tree<K>(&mut self, names: Names<K>, tree: &mut Tree<'a, K>) -> Result<(), Stop> {
        tree.entries.clear();
        self.keep(None, names, 0, &mut tree.entries)
    }

    fn keep<K>(
        &mut self,
        name: Option<K>,
        names: Names<K>,
        depth: u32,
        kept: &mut Vec<Entry<'a, K>>,
    ) -> Result<(), Stop> {
        let first = self.peek();
        let start = self.at;
        let place = kept.len();
        kept.push(Entry {
            name,
            raw: "",
            size: 1,
        });
        match first {
            Some(b'{') if depth < MAX_DEPTH => {
                self.at += 1;
                while !self.take(b'}') {
                    match names(self.key()?) {
                        None => self.skip()?,
                        Some((name, Keep::Raw)) => {
                            self.keep(Some(name), names, MAX_DEPTH, kept)?;
                        }
                        Some((name, Keep::Enter)) => {
                            self.keep(Some(name), names, depth + 1, kept)?;
                        }
                    }
                    self.next_or(b'}')?;
                }
            }
            Some(b'[') if depth < MAX_DEPTH => {
                self.at += 1;
                while !self.take(b']') {
                    self.keep(None, names, depth + 1, kept)?;
                    self.next_or(b']')?;
                }
            }
            _ => self.skip()?,
        }
        let size = kept.len() - place;
        if let Some(entry) = kept.get_mut(place) {
            entry.raw = self.text.get(start..self.at).unwrap_or_default();
            entry.size = size;
        }
        Ok(())
    }

    /// Takes a string; gives what it says.
    pub fn string(&mut self) -> Result<Cow<'a, str>, Stop> {
        if self.peek() != Some(b'"') {
            return Err(self.stop());
        }
        let start = self.at + 1;
        let is_escaped = self.skip_string()?;
        let raw = self.text.get(start..self.at - 1).unwrap_or_default();
        Ok(if is_escaped {
            decode(raw)
        } else {
            Cow::Borrowed(raw)
        })
    }

    /// Takes a string that is to be kept.
    pub fn owned(&mut self) -> Result<String, Stop> {
        self.string().map(Cow::into_owned)
    }

    /// Takes a value; gives its text.
    pub fn raw(&mut self) -> Result<&'a str, Stop> {
        self.peek();
        let start = self.at;
        self.skip()?;
        Ok(self.text.get(start..self.at).unwrap_or_default())
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

#[cfg(test)]
#[path = "node_tests.rs"]
mod tests;
