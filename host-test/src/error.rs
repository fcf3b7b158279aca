//! The one error of this crate.

use std::fmt;
use std::path::{Path, PathBuf};

use wasmtime::Trap;

use crate::ToolError;
use crate::limits::MemoryRefused;

/// What a host meets, beside the refusals that are answers to the model.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Error {
    /// The bytes are no component of the interface `agent:todo/session@0.1.0`,
    /// or one that imports something.
    #[error("not a component of agent:todo@0.1.0: {0}")]
    Component(String),
    /// The component refused the policy, saved state or history that a session
    /// was to begin with. There is no session.
    #[error("{}", .0.message.strip_prefix("Error: ").unwrap_or(&.0.message))]
    Refused(ToolError),
    /// The session is dead: this call or an earlier one was cut off in the
    /// middle, and what the instance holds can't be trusted. Every further call
    /// gives this error again. [`Plugin::revive`](crate::Plugin::revive) makes a
    /// session that goes on in its place.
    #[error("the session died in {during}: {cause}; revive it from saved state or its history")]
    Dead {
        /// The function of the interface that was cut off, `instantiate` while
        /// the session was being made.
        during: &'static str,
        /// What cut it off.
        cause: Cause,
    },
    /// As many sessions live as [`Limits::pool`](crate::Limits::pool) has places
    /// for. One that is dropped makes room; its saved state brings it back.
    #[error("no place is left for a live session; save the state of an idle one and drop it")]
    Full,
    /// Conformance vectors that can't be run: which file, and what is wrong.
    #[error("{0}")]
    Vectors(String),
    /// A model endpoint gave no answer.
    #[error("{0}")]
    Model(String),
    /// The file of a session can't be read or written.
    #[error("{}: {problem}", path.display())]
    History {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
    /// The reference host was asked for something that it can't do.
    #[error("{0}")]
    Agent(String),
}

impl Error {
    pub(crate) fn history(path: &Path, problem: &str) -> Error {
        Error::History {
            path: path.to_owned(),
            problem: problem.to_owned(),
        }
    }
}

/// What a session died of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cause {
    /// It met [`Limits::memory`](crate::Limits::memory).
    Memory(String),
    /// It met [`Limits::fuel`](crate::Limits::fuel).
    Fuel,
    /// It met [`Limits::ticks`](crate::Limits::ticks).
    Deadline,
    /// Any other trap, in Wasmtime's words. The component has none of its own;
    /// please report one.
    Trap(String),
}

impl Cause {
    /// Reads what Wasmtime says of a call that did not return.
    pub(crate) fn of(error: &wasmtime::Error) -> Cause {
        if let Some(refused) = error.downcast_ref::<MemoryRefused>() {
            return Cause::Memory(refused.to_string());
        }
        match error.downcast_ref::<Trap>() {
            Some(Trap::OutOfFuel) => Cause::Fuel,
            Some(Trap::Interrupt) => Cause::Deadline,
            _ => Cause::Trap(root(error)),
        }
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Cause::Memory(refusal) => f.write_str(refusal),
            Cause::Fuel => f.write_str("it used up the fuel of the call"),
            Cause::Deadline => f.write_str("it ran past its deadline"),
            Cause::Trap(trap) => f.write_str(trap),
        }
    }
}

/// The innermost message of an error, as one line.
fn root(error: &wasmtime::Error) -> String {
    one_line(&error.root_cause().to_string())
}

/// All messages of an error, from the outermost on, as one line.
pub(crate) fn chain(error: &wasmtime::Error) -> String {
    one_line(&format!("{error:#}"))
}

fn one_line(message: &str) -> String {
    message.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_trap_of_no_limit_is_told_in_the_words_of_wasmtime() {
        let error = wasmtime::Error::from(Trap::UnreachableCodeReached);
        let cause = Cause::of(&error.context("error while executing\nat wasm backtrace"));
        assert!(matches!(cause, Cause::Trap(_)));
        assert!(cause.to_string().contains("`unreachable`"), "{cause}");
    }
}
