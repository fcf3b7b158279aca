//! Tool inputs: JSON, or the Python literal that some models write in its
//! place (single quotes, `True`, `False`, `None`, a comma before the closing
//! bracket). Parsed, never evaluated.

use super::string::{decode, quote_or_escape};
use crate::words::are_same;
use std::borrow::Cow;

/// Lists and objects inside one another that are still read; tool inputs need 3.
pub const MAX_DEPTH: u32 = 48;

/// A text that was read: its values in the order in which they are written, in
/// one piece of memory.
#[derive(Debug)]
pub struct Document<'a> {
    entries: Vec<Entry<'a>>,
}

/// A value, and what it is called in its object.
#[derive(Debug, PartialEq)]
struct Entry<'a> {
    key: Cow<'a, str>,
    token: Token<'a>,
    /// How many entries it takes: itself and all that it holds.
    size: usize,
}

#[derive(Debug, PartialEq)]
enum Token<'a> {
    Null,
    Bool(bool),
    Number(&'a str),
    Text(Cow<'a, str>),
    List,
    Object,
}

/// A value of a [`Document`]. Numbers are the text they are: nothing here
/// calculates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value<'v> {
    /// `null`, `None`.
    Null,
    /// `true`, `false`, `True`, `False`.
    Bool(bool),
    /// A number, as written.
    Number(&'v str),
    /// A string, decoded.
    Text(&'v str),
    /// An array.
    List(Values<'v>),
    /// An object; of keys that are equal, the last one counts.
    Object(Values<'v>),
}

/// What an array or object holds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Values<'v>(&'v [Entry<'v>]);

/// Why a text is no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Not JSON: the byte at this offset is not legal there.
    Syntax(usize),
    /// More than [`MAX_DEPTH`] lists and objects inside one another.
    TooDeep,
}

impl Document<'_> {
    /// The value that the whole text is.
    pub fn root(&self) -> Value<'_> {
        let root = Values(&self.entries).iter().next();
        root.map_or(Value::Null, |(_, value)| value)
    }
}

impl<'v> Values<'v> {
    /// Whether there are none.
    pub fn is_empty(self) -> bool {
        self.0.is_empty()
    }

    /// How many there are.
    pub fn len(self) -> usize {
        self.entries().count()
    }

    /// The values with their keys, which are empty in an array.
    pub fn iter(self) -> impl Iterator<Item = (&'v str, Value<'v>)> + Clone {
        self.entries()
            .map(|(entry, whole)| (entry.key.as_ref(), entry.value(whole)))
    }

    /// Each entry, and with it those that it takes.
    #[inline]
    fn entries(self) -> impl Iterator<Item = (&'v Entry<'v>, &'v [Entry<'v>])> + Clone {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            let entry = rest.first()?;
            let (whole, after) = rest.split_at_checked(entry.size)?;
            rest = after;
            Some((entry, whole))
        })
    }
}

impl Entry<'_> {
    /// The value, given the entries that it takes.
    fn value<'v>(&'v self, whole: &'v [Entry<'v>]) -> Value<'v> {
        let held = || Values(whole.get(1..).unwrap_or_default());
        match &self.token {
            Token::Null => Value::Null,
            Token::Bool(value) => Value::Bool(*value),
            Token::Number(number) => Value::Number(number),
            Token::Text(text) => Value::Text(text),
            Token::List => Value::List(held()),
            Token::Object => Value::Object(held()),
        }
    }
}

impl<'v> Value<'v> {
    /// The value under `key`, unless it is null.
    pub fn get(self, key: &str) -> Option<Value<'v>> {
        let Value::Object(values) = self else {
            return None;
        };
        let named = |(entry, _): &(&Entry<'_>, _)| are_same(entry.key.as_bytes(), key.as_bytes());
        let (entry, whole) = values.entries().filter(named).last()?;
        Some(entry.value(whole)).filter(|value| !matches!(value, Value::Null))
    }

    /// The first of `keys` that is there and not null.
    pub fn first_of(self, keys: &[&'static str]) -> Option<(&'static str, Value<'v>)> {
        keys.iter().find_map(|key| Some((*key, self.get(key)?)))
    }

    /// The text of a string, or of a number as it is written.
    pub fn scalar(self) -> Option<&'v str> {
        match self {
            Value::Text(text) => Some(text),
            Value::Number(number) => Some(number),
            _ => None,
        }
    }

    /// What kind of value this is, for messages.
    pub fn kind(self) -> &'static str {
        match self {
            Value::Null => "null",
            Value::Bool(_) => "a boolean",
            Value::Number(_) => "a number",
            Value::Text(_) => "a string",
            Value::List(_) => "an array",
            Value::Object(_) => "an object",
        }
    }
}

/// Bytes of a tool input for each value in it, about, and the most values for
/// which there is room from the start: a long text may be a few long values.
const BYTES_A_VALUE: usize = 24;
const FIRST_VALUES: usize = 256;

/// Parses the whole of `text` as one value.
pub fn parse(text: &str) -> Result<Document<'_>, Fault> {
    let mut parser = Parser {
        text,
        at: 0,
        entries: Vec::with_capacity(FIRST_VALUES.min(text.len() / BYTES_A_VALUE + 1)),
    };
    parser.skip_space();
    parser.value(Cow::Borrowed(""), 0)?;
    parser.skip_space();
    if parser.at == text.len() {
        Ok(Document {
            entries: parser.entries,
        })
    } else {
        parser.fault()
    }
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    entries: Vec<Entry<'a>>,
}

impl<'a> Parser<'a> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn fault<T>(&self) -> Result<T, Fault> {
        Err(Fault::Syntax(self.at))
    }

    fn skip_space(&mut self) {
        while let Some(b' ' | b'\n' | b'\r' | b'\t') = self.peek() {
            self.at += 1;
        }
    }

    fn value(&mut self, key: Cow<'a, str>, depth: u32) -> Result<(), Fault> {
        let token = match self.peek() {
            Some(b'"' | b'\'') => Token::Text(self.string()?),
            Some(b'{' | b'[') if depth == MAX_DEPTH => return Err(Fault::TooDeep),
            Some(b'{') => return self.object(key, depth),
            Some(b'[') => return self.list(key, depth),
            Some(b'-' | b'0'..=b'9') => self.number()?,
            Some(b'a'..=b'z' | b'A'..=b'Z') => self.word()?,
            _ => return self.fault(),
        };
        self.push(key, token);
        Ok(())
    }

    fn push(&mut self, key: Cow<'a, str>, token: Token<'a>) {
        self.entries.push(Entry {
            key,
            token,
            size: 1,
        });
    }

    /// The container at this place holds all that was read since.
    fn close(&mut self, place: usize) {
        let size = self.entries.len() - place;
        if let Some(entry) = self.entries.get_mut(place) {
            entry.size = size;
        }
    }

    fn list(&mut self, key: Cow<'a, str>, depth: u32) -> Result<(), Fault> {
        let place = self.entries.len();
        self.push(key, Token::List);
        self.at += 1;
        while !self.closes(b']') {
            self.value(Cow::Borrowed(""), depth + 1)?;
            self.separator(b']')?;
        }
        self.close(place);
        Ok(())
    }

    fn object(&mut self, key: Cow<'a, str>, depth: u32) -> Result<(), Fault> {
        let place = self.entries.len();
        self.push(key, Token::Object);
        self.at += 1;
        while !self.closes(b'}') {
            let Some(b'"' | b'\'') = self.peek() else {
                return self.fault();
            };
            let key = self.string()?;
            self.skip_space();
            if self.peek() != Some(b':') {
                return self.fault();
            }
            self.at += 1;
            self.skip_space();
            self.value(key, depth + 1)?;
            self.separator(b'}')?;
        }
        self.close(place);
        Ok(())
    }

    /// Takes the closing bracket, if it stands next.
    fn closes(&mut self, bracket: u8) -> bool {
        self.skip_space();
        let closes = self.peek() == Some(bracket);
        self.at += usize::from(closes);
        closes
    }

    /// Takes a comma; leaves a closing bracket to [`Parser::closes`].
    fn separator(&mut self, bracket: u8) -> Result<(), Fault> {
        self.skip_space();
        match self.peek() {
            Some(b',') => self.at += 1,
            Some(b) if b == bracket => {}
            _ => return self.fault(),
        }
        Ok(())
    }

    fn string(&mut self) -> Result<Cow<'a, str>, Fault> {
        let quote = self.peek().unwrap_or(b'"');
        let start = self.at + 1;
        let mut end = start;
        let mut is_escaped = false;
        loop {
            let rest = self.text.as_bytes().get(end..).unwrap_or_default();
            end += quote_or_escape(rest, quote);
            match self.text.as_bytes().get(end) {
                Some(b'\\') => end += 2,
                Some(_) => break,
                None => {
                    self.at = self.text.len();
                    return self.fault();
                }
            }
            is_escaped = true;
        }
        self.at = end + 1;
        match self.text.get(start..end) {
            Some(raw) if is_escaped => Ok(decode(raw)),
            Some(raw) => Ok(Cow::Borrowed(raw)),
            None => self.fault(),
        }
    }

    fn number(&mut self) -> Result<Token<'a>, Fault> {
        let start = self.at;
        self.at += usize::from(self.peek() == Some(b'-'));
        self.digits()?;
        if self.peek() == Some(b'.') {
            self.at += 1;
            self.digits()?;
        }
        if let Some(b'e' | b'E') = self.peek() {
            self.at += 1;
            if let Some(b'+' | b'-') = self.peek() {
                self.at += 1;
            }
            self.digits()?;
        }
        Ok(Token::Number(
            self.text.get(start..self.at).unwrap_or_default(),
        ))
    }

    fn digits(&mut self) -> Result<(), Fault> {
        let start = self.at;
        while let Some(b'0'..=b'9') = self.peek() {
            self.at += 1;
        }
        if self.at == start {
            self.fault()
        } else {
            Ok(())
        }
    }

    fn word(&mut self) -> Result<Token<'a>, Fault> {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let length = rest.bytes().take_while(u8::is_ascii_alphanumeric).count();
        let value = match rest.get(..length) {
            Some("null" | "None") => Token::Null,
            Some("true" | "True") => Token::Bool(true),
            Some("false" | "False") => Token::Bool(false),
            _ => return self.fault(),
        };
        self.at += length;
        Ok(value)
    }
}

#[cfg(test)]
#[path = "literal_tests.rs"]
mod tests;
