//! Reads a folder of vectors, and refuses what could not fail.

use super::format::{Expect, ExpectCounters, ExpectReport, Theme, Vector};
use super::text::Text;
use crate::Error;
use std::collections::HashSet;
use std::path::Path;

/// The themes of a folder by file name, in the order of the names. An error
/// names the file, and the vector where it is one's fault.
pub fn load(dir: &Path) -> Result<Vec<(String, Theme)>, Error> {
    let problem = |e: std::io::Error| Error::Vectors(format!("{}: {e}", dir.display()));
    let mut paths = Vec::new();
    for entry in dir.read_dir().map_err(problem)? {
        let path = entry.map_err(problem)?.path();
        if path
            .extension()
            .is_some_and(|extension| extension == "json")
        {
            paths.push(path);
        }
    }
    if paths.is_empty() {
        return Err(Error::Vectors(format!(
            "{}: no vectors; a folder with at least one .json file is expected",
            dir.display()
        )));
    }
    paths.sort();
    let mut names = HashSet::new();
    paths.iter().map(|path| theme(path, &mut names)).collect()
}

fn theme(path: &Path, names: &mut HashSet<String>) -> Result<(String, Theme), Error> {
    let name = path
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    let problem = |e: &dyn std::fmt::Display| Error::Vectors(format!("{name}: {e}"));
    let text = std::fs::read_to_string(path).map_err(|e| problem(&e))?;
    let theme: Theme = serde_json::from_str(&text).map_err(|e| problem(&e))?;
    if theme.vectors.is_empty() {
        return Err(problem(&"no vectors"));
    }
    for vector in &theme.vectors {
        let fault = if names.insert(vector.name.clone()) {
            fault(vector)
        } else {
            Some("another vector has the same name".to_owned())
        };
        if let Some(fault) = fault {
            return Err(problem(&format!("\"{}\": {fault}", vector.name)));
        }
    }
    Ok((name, theme))
}

/// What makes a vector one that can't fail, or not in the way it says.
fn fault(vector: &Vector) -> Option<String> {
    if !vector.steps.iter().any(|step| step.expect().is_some()) {
        return Some("nothing is expected".to_owned());
    }
    (1..).zip(&vector.steps).find_map(|(number, step)| {
        let fault = expectation_fault(step.expect()?)?;
        Some(format!("step {number} ({}): {fault}", step.function()))
    })
}

fn expectation_fault(expect: &Expect) -> Option<&'static str> {
    let flags = [expect.ok, expect.same, expect.is_json];
    if flags.contains(&Some(false)) {
        return Some("`ok`, `same` and `is_json` are true or absent");
    }
    if expect.ok.is_some() && expect.error.is_some() {
        return Some("`ok` and `error` exclude each other");
    }
    let blank = |part: &Text| *part == Text::Plain(String::new());
    if expect.starts_with.as_ref().is_some_and(blank) {
        return Some("`starts_with` is a text that is not empty");
    }
    let parts = [&expect.contains, &expect.not_contains];
    if parts
        .into_iter()
        .flatten()
        .any(|parts| parts.is_empty() || parts.iter().any(blank))
    {
        return Some("`contains` and `not_contains` list texts that are not empty");
    }
    let tools = expect.tools.iter().flatten();
    if tools
        .flat_map(|tool| &tool.schema)
        .any(|check| check.is.is_none() && check.keys.is_none())
    {
        return Some("a check of a schema has `is` or `keys`");
    }
    let nothing = expect.report.as_ref() == Some(&ExpectReport::default())
        || expect.counters.as_ref() == Some(&ExpectCounters::default())
        || *expect == Expect::default();
    nothing.then_some("the expectation is empty")
}
