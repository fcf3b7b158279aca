//! What the component costs, against the goals it was built to.
//!
//! `cargo bench` prints three tables: goals, growth, scale. `cargo bench --
//! growth` prints one of them. A ratio is that of two things timed in turns in
//! this run, so that a busy machine slows both; times are medians.
//!
//! `restore` reads a generated session log; `AGENT_TODO_LOGS=FOLDER` names a
//! folder of real ones (`*.jsonl`) to be read in its place.

mod empty;
mod goals;
mod growth;
mod input;
mod log;
mod measure;
mod scale;
mod table;

use std::error::Error;
use std::process::ExitCode;

/// Whatever went wrong: one line for the person at the terminal.
type Result<T> = std::result::Result<T, Box<dyn Error>>;

const PARTS: &str = "goals, growth, scale";

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<()> {
    // Cargo itself passes --bench.
    let wanted: Vec<String> = std::env::args()
        .skip(1)
        .filter(|a| a != "--bench")
        .collect();
    if let Some(other) = wanted.iter().find(|a| !PARTS.split(", ").any(|p| p == *a)) {
        return Err(format!("there is no table {other:?}; tables: {PARTS}").into());
    }
    if cfg!(debug_assertions) {
        return Err("times of a build that is not optimised say nothing; run `cargo bench`".into());
    }
    let wants = |part: &str| wanted.is_empty() || wanted.iter().any(|a| a == part);

    // First, since memory that the process has had before would not count.
    let scale = (wants("scale") || wants("goals"))
        .then(scale::measure)
        .transpose()?;
    if wants("goals") {
        print!(
            "{}",
            goals::measure(scale.as_ref().and_then(scale::Scale::kib_each))?
        );
    }
    if wants("growth") {
        print!("\n{}", growth::measure()?);
    }
    if let Some(scale) = scale.filter(|_| wants("scale")) {
        print!("\n{scale}");
    }
    Ok(())
}
