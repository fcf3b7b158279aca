//! Conformance vectors: what a host in any language runs to prove that it
//! carries the component faithfully. `vectors/README.md` describes the format.
//!
//! [`conform`] runs a folder of vectors on a component; [`run_all`] on any
//! [`Subject`].

mod check;
mod component;
mod files;
mod format;
mod native;
mod run;
mod subject;
mod text;

pub use component::ComponentSubject;
pub use files::load;
pub use format::{PolicyFields, Theme, Vector};
pub use native::NativeSubject;
pub use subject::{Answer, Report, Subject};

use crate::{Error, Plugin};
use std::fmt;
use std::path::Path;

/// What running vectors gave.
#[derive(Debug, Default)]
pub struct Summary {
    /// Vectors that passed.
    pub passed: usize,
    /// A line for each vector that did not: file, vector, step, expected, found.
    pub failures: Vec<String>,
}

impl Summary {
    /// Whether every vector passed.
    pub fn is_success(&self) -> bool {
        self.failures.is_empty()
    }
}

/// The failures, then a line such as `312 passed, 0 failed`.
impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for failure in &self.failures {
            writeln!(f, "{failure}")?;
        }
        write!(f, "{} passed, {} failed", self.passed, self.failures.len())
    }
}

/// Runs the vectors of the folder `dir` on sessions of a component.
///
/// # Errors
/// [`Error::Vectors`] for a folder or a file that is not as the format says;
/// [`Error::Dead`] if the limits of the plugin do not even allow a session. A
/// session that dies later fails its vector.
pub fn conform(dir: &Path, plugin: &Plugin) -> Result<Summary, Error> {
    let themes = load(dir)?;
    Ok(run_all(&themes, &mut ComponentSubject::new(plugin)?))
}

/// Runs every vector of themes on a subject.
pub fn run_all(themes: &[(String, Theme)], subject: &mut impl Subject) -> Summary {
    let mut summary = Summary::default();
    for (file, theme) in themes {
        for vector in &theme.vectors {
            match run::run(vector, subject) {
                None => summary.passed += 1,
                Some(problem) => summary
                    .failures
                    .push(format!("{file}: \"{}\": {problem}", vector.name)),
            }
        }
    }
    summary
}
