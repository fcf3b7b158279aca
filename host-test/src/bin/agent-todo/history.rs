//! `history`: a session of `agent`, or the list of all.

use agent_todo_host::agent::command::listing;
use lexopt::{Parser, ValueExt};

use crate::flags::{self, Argument};

const HELP: &str = "\
Prints a session of `agent`, reminders included, or the list of all.

Usage: agent-todo history [--sessions DIR] [SESSION]

  --sessions DIR      where the histories are [~/.local/state/agent-todo]
";

/// Runs the command on its arguments.
pub fn run(parser: &mut Parser) -> anyhow::Result<()> {
    let (mut session, mut sessions) = (None, None);
    while let Some(argument) = flags::next(parser)? {
        match argument {
            Argument::Flag(name) if name == "help" || name == "h" => return crate::print(HELP),
            Argument::Flag(name) if name == "sessions" => sessions = Some(parser.value()?.into()),
            Argument::Value(name) if session.is_none() => session = Some(name.string()?),
            other => return Err(flags::unexpected(&other, "[--sessions DIR] [SESSION]")),
        }
    }
    crate::print(&listing::history(session.as_deref(), sessions)?)
}
