//! Arguments: the flags of the policy, which several commands share.

use std::ffi::OsString;

use agent_todo_host::{InProgressLimit, Policy, ToolSet};
use anyhow::{Context, anyhow, bail};
use lexopt::{Arg, Parser, ValueExt};

/// What `--help` says about them.
pub const HELP: &str = "\
Policy (default in brackets):
  --tool-set todo|task|both       tools that are on [replay: those of the log; else todo]
  --remind | --no-remind          whether reminders are handed out [--remind]
  --remind-after N                requests without a write before one is due [8]
  --cooldown N                    requests between two reminders [8]
  --remind-once                   one reminder, then none until the model writes
  --in-progress-limit allow|note|refuse
                                  more than one item in progress [note]
  --max-todos N                   items in the list [100]
  --max-content N                 characters of a content or description [2000]
  --max-input N                   bytes of a call's input [1048576]
  --adopt-snapshot                take the list from a carry-over message
";

/// The next argument, owned, so that a flag can take its value from the parser.
pub enum Argument {
    /// `--name` or `-n`, without the dashes.
    Flag(String),
    /// Anything else.
    Value(OsString),
}

/// The next argument.
pub fn next(parser: &mut Parser) -> Result<Option<Argument>, lexopt::Error> {
    Ok(parser.next()?.map(|arg| match arg {
        Arg::Long(name) => Argument::Flag(name.to_owned()),
        Arg::Short(name) => Argument::Flag(name.to_string()),
        Arg::Value(value) => Argument::Value(value),
    }))
}

/// The error for an argument that a command does not take.
pub fn unexpected(argument: &Argument, legal: &str) -> anyhow::Error {
    match argument {
        Argument::Flag(name) => {
            let dashes = if name.chars().count() == 1 { "-" } else { "--" };
            anyhow!("unknown flag {dashes}{name}; legal: {legal}")
        }
        Argument::Value(value) => {
            anyhow!(
                "unexpected argument \"{}\"; legal: {legal}",
                value.display()
            )
        }
    }
}

/// The flags of the policy, for [`unexpected`].
pub const POLICY: &str = "--tool-set, --remind, --no-remind, --remind-after, --cooldown, \
    --remind-once, --in-progress-limit, --max-todos, --max-content, --max-input, --adopt-snapshot";

/// Takes the flag `name` if it is one of the policy; says whether it was.
pub fn policy(policy: &mut Policy, name: &str, parser: &mut Parser) -> anyhow::Result<bool> {
    match name {
        "tool-set" => policy.tool_set = Some(choice(parser, name, TOOL_SETS)?),
        "remind" => policy.remind = Some(true),
        "no-remind" => policy.remind = Some(false),
        "remind-after" => policy.remind_after = Some(number(parser, name)?),
        "cooldown" => policy.remind_cooldown = Some(number(parser, name)?),
        "remind-once" => policy.remind_once = Some(true),
        "in-progress-limit" => policy.in_progress_limit = Some(choice(parser, name, LIMITS)?),
        "max-todos" => policy.max_todos = Some(number(parser, name)?),
        "max-content" => policy.max_content = Some(number(parser, name)?),
        "max-input" => policy.max_input = Some(number(parser, name)?),
        "adopt-snapshot" => policy.adopt_snapshot = Some(true),
        _ => return Ok(false),
    }
    Ok(true)
}

const TOOL_SETS: &[(&str, ToolSet)] = &[
    ("todo", ToolSet::Todo),
    ("task", ToolSet::Task),
    ("both", ToolSet::Both),
];

const LIMITS: &[(&str, InProgressLimit)] = &[
    ("allow", InProgressLimit::Allow),
    ("note", InProgressLimit::Note),
    ("refuse", InProgressLimit::Refuse),
];

/// The value of a flag that takes one of a few words.
pub fn choice<T: Copy>(
    parser: &mut Parser,
    name: &str,
    choices: &[(&str, T)],
) -> anyhow::Result<T> {
    let found = parser.value()?.string()?;
    let chosen = choices.iter().find(|(word, _)| *word == found);
    let legal: Vec<&str> = choices.iter().map(|(word, _)| *word).collect();
    let (_, value) =
        chosen.with_context(|| format!("--{name} is \"{found}\"; legal: {}", legal.join(", ")))?;
    Ok(*value)
}

fn number(parser: &mut Parser, name: &str) -> anyhow::Result<u32> {
    let found = parser.value()?.string()?;
    match found.parse() {
        Ok(number) => Ok(number),
        Err(_) => bail!("--{name} is \"{found}\"; legal: a whole number"),
    }
}
