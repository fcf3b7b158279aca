//! The texts of a vector: strings, and a short notation for long ones.

use crate::Error;
use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

/// Bytes of a text that a vector may describe.
const MAX_BYTES: usize = 64 << 20;

/// The greatest whole number that every language keeps.
const MAX_NUMBER: u64 = 1 << 53;

/// A text as a vector writes it.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(
    untagged,
    expecting = "a text is a string, a list of texts, or an object with `repeat` and `times`, with `json`, or with `lines`"
)]
pub enum Text {
    /// The text itself.
    Plain(String),
    /// Texts one after the other.
    Joined(Vec<Text>),
    /// One text many times.
    Repeat(Repeat),
    /// A JSON value as compact text.
    Json(JsonText),
    /// JSON values as JSON Lines.
    Lines(JsonLines),
}

/// One text many times.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Repeat {
    repeat: Box<Text>,
    times: usize,
    #[serde(default)]
    between: String,
    /// What stands for the number of the repetition, counted from 1.
    number: Option<String>,
}

/// A JSON value as compact text.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JsonText {
    json: Json,
}

/// JSON values as JSON Lines, each line ended by a line feed.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JsonLines {
    lines: Vec<Json>,
}

/// A JSON value that every language writes as the same bytes: keys in the order
/// of the file, no fractions.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(
    untagged,
    expecting = "a JSON value in a vector holds no fractions and no numbers beyond 2^53"
)]
pub enum Json {
    /// `null`.
    Null(()),
    /// `true` or `false`.
    Bool(bool),
    /// A whole number.
    Number(i64),
    /// A string.
    Text(String),
    /// An array.
    List(Vec<Json>),
    /// An object, its keys in the order of the file.
    Object(IndexMap<String, Json>),
}

impl Text {
    /// The text that is described.
    pub fn resolve(&self) -> Result<String, Error> {
        let mut out = String::new();
        self.write(&mut out)?;
        Ok(out)
    }

    fn write(&self, out: &mut String) -> Result<(), Error> {
        match self {
            Text::Plain(text) => push(out, text),
            Text::Joined(parts) => parts.iter().try_for_each(|part| part.write(out)),
            Text::Repeat(repeat) => repeat.write(out),
            Text::Json(text) => push(out, &text.json.compact()?),
            Text::Lines(text) => text.lines.iter().try_for_each(|line| {
                push(out, &line.compact()?)?;
                push(out, "\n")
            }),
        }
    }
}

impl Repeat {
    fn write(&self, out: &mut String) -> Result<(), Error> {
        let text = self.repeat.resolve()?;
        for number in 1..=self.times {
            if number > 1 {
                push(out, &self.between)?;
            }
            match &self.number {
                Some(mark) => push(out, &text.replace(mark.as_str(), &number.to_string()))?,
                None => push(out, &text)?,
            }
        }
        Ok(())
    }
}

impl Json {
    fn compact(&self) -> Result<String, Error> {
        self.check()?;
        serde_json::to_string(self).map_err(|e| Error::Vectors(e.to_string()))
    }

    /// JavaScript puts keys that look like array indices first and rounds large
    /// numbers, so there are none.
    fn check(&self) -> Result<(), Error> {
        match self {
            Json::List(items) => items.iter().try_for_each(Json::check),
            Json::Object(fields) => fields.iter().try_for_each(|(key, value)| {
                if key.parse::<u64>().is_ok() {
                    return Err(Error::Vectors(format!(
                        "the key \"{key}\" in a JSON value looks like an array index; write the whole input as a string"
                    )));
                }
                value.check()
            }),
            Json::Number(number) if number.unsigned_abs() > MAX_NUMBER => Err(Error::Vectors(
                format!("the number {number} in a JSON value is beyond 2^53; write the whole input as a string"),
            )),
            Json::Null(()) | Json::Bool(_) | Json::Number(_) | Json::Text(_) => Ok(()),
        }
    }
}

fn push(out: &mut String, text: &str) -> Result<(), Error> {
    if out.len().saturating_add(text.len()) > MAX_BYTES {
        return Err(Error::Vectors(format!(
            "a text is longer than {MAX_BYTES} bytes"
        )));
    }
    out.push_str(text);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resolved(notation: &str) -> Result<String, String> {
        serde_json::from_str::<Text>(notation)
            .map_err(|e| e.to_string())?
            .resolve()
            .map_err(|e| e.to_string())
    }

    #[test]
    fn every_notation_gives_the_text_that_the_readme_says() {
        for (notation, text) in [
            (r#""as it is""#, "as it is"),
            (r#"["a", ["b", "c"]]"#, "abc"),
            (r#"{"repeat": "[", "times": 4}"#, "[[[["),
            (
                r#"{"repeat": ["x", "y"], "times": 2, "between": ","}"#,
                "xy,xy",
            ),
            (
                r##"{"repeat": "Step #", "times": 3, "between": "; ", "number": "#"}"##,
                "Step 1; Step 2; Step 3",
            ),
            (r#"{"repeat": "never", "times": 0}"#, ""),
            (
                r#"{"json": {"b": [1, null, true], "a": "é\n\u0001"}}"#,
                "{\"b\":[1,null,true],\"a\":\"é\\n\\u0001\"}",
            ),
            (r#"{"lines": [{"a": 1}, []]}"#, "{\"a\":1}\n[]\n"),
        ] {
            assert_eq!(resolved(notation).as_deref(), Ok(text), "{notation}");
        }
    }

    #[test]
    fn what_languages_would_write_differently_is_an_error() {
        for notation in [
            r#"{"json": 1.5}"#,
            r#"{"json": 1e999}"#,
            r#"{"json": -0}"#,
            r#"{"json": 9007199254740993}"#,
            r#"{"json": 123456789012345678901234567890}"#,
            r#"{"json": {"7": "seven"}}"#,
            r#"{"lines": [{"a": {"0": 1}}]}"#,
        ] {
            assert!(resolved(notation).is_err(), "{notation}");
        }
    }

    #[test]
    fn an_unknown_key_of_a_notation_is_an_error() {
        for notation in [
            r#"{"repeat": "a", "times": 2, "seperator": ","}"#,
            r#"{"json": 1, "lines": []}"#,
            r#"{"text": "a"}"#,
            "7",
        ] {
            assert!(resolved(notation).is_err(), "{notation}");
        }
    }

    #[test]
    fn a_text_too_long_to_be_meant_is_an_error() {
        assert!(resolved(r#"{"repeat": "0123456789", "times": 100000000}"#).is_err());
    }
}
