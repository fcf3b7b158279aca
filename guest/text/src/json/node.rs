//! One element of a history, of which only named keys are kept.
//!
//! A log is mostly text that no todo list needs. Reading passes over each byte
//! once: a value under a key that nobody asks for is skipped without being
//! built, a kept one is a slice of the text, and strings are decoded only when
//! somebody looks at them.

use super::scanner::{Scanner, Stop};
use super::string::decode;
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
        self.named(key).filter(|node| node.raw != "null")
    }

    /// Whether `key` is there, be it with null.
    pub fn has(self, key: K) -> bool {
        self.named(key).is_some()
    }

    fn named(self, key: K) -> Option<Node<'a, K>> {
        let mut held = Nodes { rest: self.held };
        let mut found = None;
        while let Some((name, node)) = held.next_named() {
            if name == Some(key) {
                found = Some(node);
            }
        }
        found
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

impl<'a> Scanner<'a> {
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
        let start = self.at();
        let place = kept.len();
        kept.push(Entry {
            name,
            raw: "",
            size: 1,
        });
        match first {
            Some(b'{') if depth < MAX_DEPTH => {
                self.take(b'{');
                while !self.take(b'}') {
                    match names(self.key()?) {
                        None => self.skip()?,
                        Some((name, keep)) => {
                            let depth = match keep {
                                Keep::Raw => MAX_DEPTH,
                                Keep::Enter => depth + 1,
                            };
                            self.keep(Some(name), names, depth, kept)?;
                        }
                    }
                    self.next_or(b'}')?;
                }
            }
            Some(b'[') if depth < MAX_DEPTH => {
                self.take(b'[');
                while !self.take(b']') {
                    self.keep(None, names, depth + 1, kept)?;
                    self.next_or(b']')?;
                }
            }
            _ => self.skip()?,
        }
        let size = kept.len() - place;
        if let Some(entry) = kept.get_mut(place) {
            entry.raw = self.since(start);
            entry.size = size;
        }
        Ok(())
    }
}

#[cfg(test)]
#[path = "node_tests.rs"]
mod tests;
