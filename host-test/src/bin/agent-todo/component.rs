//! `component`: writes the component, ready for any host.

use std::fs;
use std::io::{self, IsTerminal, Write};

use agent_todo_host::COMPONENT;
use anyhow::{Context, bail};
use lexopt::Parser;

use crate::flags::{self, Argument};

const HELP: &str = "\
Writes the component as WebAssembly, ready for any host. Its interface is in the
file wit/agent-todo.wit; it imports nothing.

Usage: agent-todo component --out FILE

  --out FILE, -o FILE   where to; - is standard output
";

/// Runs the command on its arguments.
pub fn run(parser: &mut Parser) -> anyhow::Result<()> {
    let mut out = None;
    while let Some(argument) = flags::next(parser)? {
        match &argument {
            Argument::Flag(name) if name == "out" || name == "o" => out = Some(parser.value()?),
            Argument::Flag(name) if name == "help" || name == "h" => return crate::print(HELP),
            _ => return Err(flags::unexpected(&argument, "--out FILE")),
        }
    }
    let Some(out) = out else {
        bail!("component: --out FILE is missing; - is standard output");
    };
    if out == "-" {
        let mut stdout = io::stdout().lock();
        if stdout.is_terminal() {
            bail!("the component is binary; name a file, or send standard output to one");
        }
        stdout.write_all(COMPONENT)?;
        return Ok(stdout.flush()?);
    }
    fs::write(&out, COMPONENT).with_context(|| out.display().to_string())
}
