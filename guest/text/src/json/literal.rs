//! Tool inputs: JSON, or the Python literal that some models write in its
//! place (single quotes, `True`, `False`, `None`, a comma before the closing
//! bracket). Parsed, never evaluated.

use super::string::{decode, quote_or_escape};
use std::borrow::Cow;

/// Lists and objects inside one another that are still read; tool inputs need 3.
pub const MAX_DEPTH: u32 = 48;

/// A parsed value. Numbers are the text they are: nothing here calculates.
#[derive(Clone, Debug, PartialEq)]
pub enum Value<'a> {
    /// `null`, `None`.
    Null,
    /// `true`, `false`, `True`, `False`.
    Bool(bool),
    /// A number, as written.
    Number(&'a str),
    /// A string, decoded.
    Text(Cow<'a, str>),
    /// An array.
    List(Vec<Value<'a>>),
    /// An object; of keys that are equal, the last one counts.
    Object(Vec<(Cow<'a, str>, Value<'a>)>),
}

/// Why a text is no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Not JSON: the byte at this offset is not legal there.
    Syntax(usize),
    /// More than [`MAX_DEPTH`] lists and objects inside one another.
    TooDeep,
}

impl<'a> Value<'a> {
    /// The value under `key`, unless it is null.
    pub fn get(&self, key: &str) -> Option<&Value<'a>> {
        let Value::Object(entries) = self else {
            return None;
        };
        let entry = entries.iter().rev().find(|(name, _)| name == key);
        entry
            .map(|(_, value)| value)
            .filter(|value| **value != Value::Null)
    }

    /// The first of `keys` that is there and not null.
    pub fn first_of(&self, keys: &[&'static str]) -> Option<(&'static str, &Value<'a>)> {
        keys.iter().find_map(|key| Some((*key, self.get(key)?)))
    }

    /// The text of a string, or of a number as it is written.
    pub fn scalar(&self) -> Option<&str> {
        match self {
            Value::Text(text) => Some(text),
            Value::Number(number) => Some(number),
            _ => None,
        }
    }

    /// What kind of value this is, for messages.
    pub fn kind(&self) -> &'static str {
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

/// Parses the whole of `text` as one value.
pub fn parse(text: &str) -> Result<Value<'_>, Fault> {
    let mut parser = Parser { text, at: 0 };
    parser.skip_space();
    let value = parser.value(0)?;
    parser.skip_space();
    if parser.at == text.len() {
        Ok(value)
    } else {
        Err(Fault::Syntax(parser.at))
    }
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
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

    fn value(&mut self, depth: u32) -> Result<Value<'a>, Fault> {
        match self.peek() {
            Some(b'"' | b'\'') => Ok(Value::Text(self.string()?)),
            Some(b'{' | b'[') if depth == MAX_DEPTH => Err(Fault::TooDeep),
            Some(b'{') => self.object(depth),
            Some(b'[') => self.list(depth),
            Some(b'-' | b'0'..=b'9') => self.number(),
            Some(b'a'..=b'z' | b'A'..=b'Z') => self.word(),
            _ => self.fault(),
        }
    }

    fn list(&mut self, depth: u32) -> Result<Value<'a>, Fault> {
        let mut values = Vec::new();
        self.at += 1;
        while !self.closes(b']') {
            values.push(self.value(depth + 1)?);
            self.separator(b']')?;
        }
        Ok(Value::List(values))
    }

    fn object(&mut self, depth: u32) -> Result<Value<'a>, Fault> {
        let mut entries = Vec::new();
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
            entries.push((key, self.value(depth + 1)?));
            self.separator(b'}')?;
        }
        Ok(Value::Object(entries))
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

    fn number(&mut self) -> Result<Value<'a>, Fault> {
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
        Ok(Value::Number(
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

    fn word(&mut self) -> Result<Value<'a>, Fault> {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let length = rest.bytes().take_while(u8::is_ascii_alphanumeric).count();
        let value = match rest.get(..length) {
            Some("null" | "None") => Value::Null,
            Some("true" | "True") => Value::Bool(true),
            Some("false" | "False") => Value::Bool(false),
            _ => return self.fault(),
        };
        self.at += length;
        Ok(value)
    }
}

#[cfg(test)]
#[path = "literal_tests.rs"]
mod tests;
