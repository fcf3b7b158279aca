//! Where a log comes from.

use std::ffi::OsStr;
use std::fmt;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::PathBuf;

use anyhow::{Context, bail};

/// The log that a replay without a file shows: an invented session of a coding
/// agent, as Claude Code writes it.
const SAMPLE: &str = include_str!(concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/samples/session.jsonl"
));

/// Where a log comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// The bundled sample.
    Sample,
    /// Standard input.
    Stdin,
    /// A file.
    File(PathBuf),
}

impl Source {
    /// The source that an argument names.
    pub fn named(argument: &OsStr) -> Source {
        match argument.to_str() {
            Some("-") => Source::Stdin,
            _ => Source::File(argument.into()),
        }
    }

    /// Opens it; gives its length in bytes too, if that is known.
    pub fn open(&self) -> anyhow::Result<(Box<dyn Read>, Option<u64>)> {
        Ok(match self {
            Source::Sample => (Box::new(SAMPLE.as_bytes()), Some(SAMPLE.len() as u64)),
            Source::Stdin => (Box::new(io::stdin().lock()), None),
            Source::File(path) => {
                let metadata = fs::metadata(path).with_context(|| format!("{self}"))?;
                if metadata.is_dir() {
                    bail!("{self}: is a directory; expected a session log, JSON or JSON Lines");
                }
                let file = File::open(path).with_context(|| format!("{self}"))?;
                (Box::new(file), metadata.is_file().then_some(metadata.len()))
            }
        })
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Source::Sample => f.write_str("the bundled sample"),
            Source::Stdin => f.write_str("standard input"),
            Source::File(path) => write!(f, "{}", path.display()),
        }
    }
}
