//! `agent-todo`: replays recorded sessions through the component, writes the
//! component and its tool definitions, and runs an agent on it.

mod agent;
mod changes;
mod component;
mod conform;
mod driver;
mod entry;
mod flags;
mod history;
mod json;
mod paint;
mod pieces;
mod progress;
mod reasons;
mod recorded;
mod replay;
mod source;
mod timeline;
mod tools;
mod totals;
mod window;

use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::bail;
use lexopt::{Arg, Parser};

const HELP: &str = "\
A todo list for agents, as a WebAssembly component.

Usage: agent-todo [COMMAND] [ARGUMENTS]

  replay [FILE | -]       replay a recorded session through the component and show
                          what it did; without FILE a bundled sample. The command
                          that runs when none is named
  tools                   print the tool definitions
  component --out FILE    write the component, for other hosts
  conform DIR             run conformance vectors on a component
  agent PROMPT            one turn of an agent that plans with the component: a model
                          server, or a script
  history [SESSION]       print a session of `agent`, or the list of all
  help                    this text; `agent-todo COMMAND --help` tells more
";

const COMMANDS: &str = "replay, tools, component, conform, agent, history, help";

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        // The reader of a pipe, such as `head`, has enough.
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(io::stderr(), "agent-todo: {}", one_line(&error));
            ExitCode::FAILURE
        }
    }
}

fn run() -> anyhow::Result<()> {
    let mut parser = Parser::from_env();
    // Flags without a command are those of `replay`, and so is nothing at all.
    let first = std::env::args_os().nth(1).unwrap_or("-".into());
    if first == "--help" || first == "-h" {
        return print(HELP);
    }
    if first.as_encoded_bytes().starts_with(b"-") {
        return replay::run(&mut parser);
    }
    let command = match parser.next()? {
        Some(Arg::Value(command)) => command,
        _ => return print(HELP),
    };
    match command.to_str() {
        Some("replay") => replay::run(&mut parser),
        Some("tools") => tools::run(&mut parser),
        Some("component") => component::run(&mut parser),
        Some("conform") => conform::run(&mut parser),
        Some("agent") => agent::run(&mut parser),
        Some("history") => history::run(&mut parser),
        Some("help") => print(HELP),
        _ => bail!(
            "unknown command \"{}\"; legal: {COMMANDS}",
            command.display()
        ),
    }
}

/// Prints a text that is the whole output of a command.
fn print(text: &str) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    Ok(out.flush()?)
}

/// The error and what caused it, on one line whatever they quote.
fn one_line(error: &anyhow::Error) -> String {
    let message = format!("{error:#}");
    message.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let io = error.downcast_ref::<io::Error>();
    io.is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}
