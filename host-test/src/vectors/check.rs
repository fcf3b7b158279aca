//! Compares what a step gave with what it must give.

use super::format::{Expect, ExpectCounters, ExpectReport, ExpectSchema, ExpectTool, Row};
use super::subject::{Answer, Report, Subject};
use super::text::Text;
use crate::Error;
use serde_json::Value;
use std::fmt::Debug;

/// Characters of a text that a failure shows.
const SHOWN: usize = 600;

/// Every difference between an answer and the expectation, as a line each.
pub struct Differences(pub Vec<String>);

impl Differences {
    /// Compares an answer; `saved` is the text that `same` means.
    pub fn of_answer(
        expect: &Expect,
        answer: &Answer,
        saved: Option<&str>,
    ) -> Result<Differences, Error> {
        let mut found = Differences(Vec::new());
        found.success(expect, answer);
        if answer.error.is_some() && expect.error.is_none() {
            return Ok(found); // The rest would repeat that there is no success.
        }
        found.texts(expect, answer, saved)?;
        found.equal("changed", expect.changed.as_ref(), answer.changed.as_ref());
        found.equal(
            "progress",
            expect.progress.as_ref(),
            answer.progress.as_ref(),
        );
        found.equal("appends", expect.appends.as_ref(), answer.appends.as_ref());
        found.equal("role", expect.role.as_ref(), answer.role.as_ref());
        found.equal(
            "snapshot",
            expect.snapshot.as_ref(),
            answer.snapshot.as_ref(),
        );
        if let Some(text) = &expect.carry_over {
            let text = text.as_ref().map(Text::resolve).transpose()?;
            found.equal("carry_over", Some(&text), answer.carry_over.as_ref());
        }
        if let Some(tools) = &expect.tools {
            found.tools(tools, answer.tools.as_deref());
        }
        if let Some(report) = &expect.report {
            found.report(report, answer.report.as_ref());
        }
        Ok(found)
    }

    /// Compares what stands in the session after the step.
    pub fn state(&mut self, expect: &Expect, subject: &mut impl Subject) -> Result<(), Error> {
        if let Some(rows) = &expect.list {
            let rows = rows.iter().map(row).collect::<Result<Vec<_>, _>>()?;
            self.equal("list", Some(&rows), Some(&subject.todos()?));
        }
        if let Some(counters) = &expect.counters {
            self.counters(counters, subject.counters()?);
        }
        Ok(())
    }

    fn success(&mut self, expect: &Expect, answer: &Answer) {
        match (&expect.error, &answer.error) {
            (None, Some(code)) => {
                let text = answer.text.as_deref().unwrap_or_default();
                self.differ("error", &"success", &format!("{code}: {text}"));
            }
            (Some(code), None) => self.differ("error", code, &"success"),
            (Some(code), Some(found)) if code != found => self.differ("error", code, found),
            _ if expect.ok == Some(true) && answer.error.is_some() => {
                self.differ("ok", &true, &false);
            }
            _ => {}
        }
    }

    fn texts(
        &mut self,
        expect: &Expect,
        answer: &Answer,
        saved: Option<&str>,
    ) -> Result<(), Error> {
        let text = answer.text.as_deref();
        if let Some(expected) = &expect.text {
            self.equal("text", Some(&*expected.resolve()?), text);
        }
        if expect.same == Some(true) {
            self.equal(
                "same",
                saved.or(Some("a state that was saved before")),
                text,
            );
        }
        let found = text.unwrap_or_default();
        if let Some(start) = &expect.starts_with {
            let start = start.resolve()?;
            if !found.starts_with(&start) {
                self.differ("starts_with", &start, &text);
            }
        }
        for part in expect.contains.iter().flatten() {
            let part = part.resolve()?;
            if !found.contains(&part) {
                self.differ("contains", &part, &text);
            }
        }
        for part in expect.not_contains.iter().flatten() {
            let part = part.resolve()?;
            if text.is_none() || found.contains(&part) {
                self.differ("not_contains", &part, &text);
            }
        }
        self.at_most(
            "max_chars",
            expect.max_chars,
            text.map(|t| t.chars().count()),
        );
        self.at_most("max_bytes", expect.max_bytes, text.map(str::len));
        if expect.is_json == Some(true) && serde_json::from_str::<Value>(found).is_err() {
            self.differ("is_json", &true, &text);
        }
        Ok(())
    }

    fn tools(&mut self, expect: &[ExpectTool], found: Option<&[(String, String)]>) {
        let found = found.unwrap_or_default();
        let names: Vec<_> = expect.iter().map(|tool| &tool.name).collect();
        let found_names: Vec<_> = found.iter().map(|(name, _)| name).collect();
        self.equal("tools", Some(&names), Some(&found_names));
        for (tool, (_, text)) in expect.iter().zip(found) {
            let Ok(schema) = serde_json::from_str(text) else {
                self.differ(&format!("tools, schema of {}", tool.name), &"JSON", text);
                continue;
            };
            for check in &tool.schema {
                self.schema(&tool.name, check, &schema);
            }
        }
    }

    fn schema(&mut self, tool: &str, check: &ExpectSchema, schema: &Value) {
        let place = format!("tools, schema of {tool} at {:?}", check.at);
        let found = schema.pointer(&check.at);
        self.equal(&place, check.is.as_ref(), found);
        if let Some(keys) = &check.keys {
            let found: Option<Vec<_>> = found
                .and_then(Value::as_object)
                .map(|object| object.keys().cloned().collect());
            self.equal(&format!("{place}, keys"), Some(keys), found.as_ref());
        }
    }

    fn report(&mut self, expect: &ExpectReport, found: Option<&Report>) {
        let format = found.map(|report| &report.format);
        self.equal("report, format", expect.format.as_ref(), format);
        let [requests, applied, refused, skipped, reminders] =
            found.map_or([None; 5], |report| report.counts.map(Some));
        for (name, expected, found) in [
            ("report, requests", expect.requests, requests),
            ("report, applied", expect.applied, applied),
            ("report, refused", expect.refused, refused),
            ("report, skipped", expect.skipped, skipped),
            ("report, reminders", expect.reminders, reminders),
        ] {
            self.equal(name, expected.as_ref(), found.as_ref());
        }
    }

    fn counters(&mut self, expect: &ExpectCounters, found: (u32, Option<u32>)) {
        let write = expect.since_write.as_ref();
        self.equal("counters, since_write", write, Some(&found.0));
        let reminder = expect.since_reminder.as_ref();
        self.equal("counters, since_reminder", reminder, Some(&found.1));
    }

    fn equal<T: PartialEq + Debug + ?Sized>(
        &mut self,
        name: &str,
        expected: Option<&T>,
        found: Option<&T>,
    ) {
        match (expected, found) {
            (Some(expected), Some(found)) if expected != found => {
                self.differ(name, expected, found);
            }
            (Some(expected), None) => self.differ(name, expected, &"an answer without it"),
            _ => {}
        }
    }

    fn at_most(&mut self, name: &str, limit: Option<usize>, found: Option<usize>) {
        if let Some(limit) = limit
            && found.is_none_or(|found| found > limit)
        {
            self.differ(name, &limit, &found);
        }
    }

    fn differ(
        &mut self,
        name: &str,
        expected: &(impl Debug + ?Sized),
        found: &(impl Debug + ?Sized),
    ) {
        self.0.push(format!(
            "{name}: expected {}, found {}",
            shown(expected),
            shown(found)
        ));
    }
}

fn row(row: &Row) -> Result<Vec<String>, Error> {
    if !(3..=4).contains(&row.len()) {
        return Err(Error::Vectors(format!(
            "a list item has {} parts; legal: id, status, content and, if there is one, description",
            row.len()
        )));
    }
    row.iter().map(Text::resolve).collect()
}

/// A value on one line, its middle left out when it is long.
fn shown(value: &(impl Debug + ?Sized)) -> String {
    let text = format!("{value:?}");
    let count = text.chars().count();
    if count <= SHOWN {
        return text;
    }
    let head: String = text.chars().take(SHOWN / 2).collect();
    let tail: String = text.chars().skip(count - SHOWN / 2).collect();
    format!("{head} … {} characters … {tail}", count - SHOWN)
}
