//! `conform`: runs conformance vectors on a component.

use std::ffi::OsString;
use std::fs;
use std::path::Path;

use agent_todo_host::vectors::conform;
use agent_todo_host::{Limits, Plugin};
use anyhow::{Context, bail};
use lexopt::Parser;

use crate::flags::{self, Argument};

const HELP: &str = "\
Runs conformance vectors on a component. Those of this project stand in the
folder host-test/vectors, whose README.md describes the format. Each vector that
fails is a line: file, vector, step, what was expected and what was found.

Usage: agent-todo conform DIR [--component FILE]

  --component FILE   the component; without it the one that this program holds
";

/// Runs the command on its arguments.
pub fn run(parser: &mut Parser) -> anyhow::Result<()> {
    let mut dir = None;
    let mut component = None;
    while let Some(argument) = flags::next(parser)? {
        match argument {
            Argument::Flag(name) if name == "component" => component = Some(parser.value()?),
            Argument::Flag(name) if name == "help" || name == "h" => return crate::print(HELP),
            Argument::Value(value) if dir.is_none() => dir = Some(value),
            _ => return Err(flags::unexpected(&argument, "DIR, --component FILE")),
        }
    }
    let Some(dir) = dir else {
        bail!("conform: the folder of the vectors is missing, such as host-test/vectors");
    };
    let summary = conform(Path::new(&dir), &plugin(component)?)?;
    crate::print(&format!("{summary}\n"))?;
    if !summary.is_success() {
        bail!("the component does not conform to {}", dir.display());
    }
    Ok(())
}

fn plugin(component: Option<OsString>) -> anyhow::Result<Plugin> {
    let limits = Limits::default();
    let Some(file) = component else {
        return Ok(Plugin::bundled(limits)?);
    };
    let name = || file.display().to_string();
    let bytes = fs::read(&file).with_context(name)?;
    Plugin::from_bytes(&bytes, limits).with_context(name)
}
