//! `agent`: one turn of the reference host.

use agent_todo_host::agent::command::{self, AgentOptions};
use agent_todo_host::agent::endpoint::Provider;
use anyhow::bail;
use lexopt::{Parser, ValueExt};

use crate::flags::{self, Argument};

const HELP: &str = "\
One turn of an agent that plans with the plugin: a prompt, and the model's answer.

Usage: agent-todo agent [FLAGS] PROMPT

  --provider openai|anthropic  the kind of the endpoint
  --base-url URL      a server, up to and with /v1 [the provider's own]
  --model NAME        the model's name there
  --script FILE       follow a script and ask no endpoint (see below)
  --workdir DIR       the folder that the model may read and write [this one]
  --resume SESSION    go on with a session; without PROMPT, finish its turn
  --sessions DIR      where the histories are [~/.local/state/agent-todo]
  --allow-shell       let the model run commands, with your rights
  --deny TOOL         refuse the calls of a tool; may be given again
  --compact           with --resume: begin with a compaction
  --compact-above N   compact when the history has more tokens [100000]
  --max-requests N    requests in one turn [500]
  --max-tokens N      tokens of one answer, anthropic only [8192]
  --user-reminders    for a server that takes no system message inside a history

Keys come from OPENAI_API_KEY and ANTHROPIC_API_KEY. Without a key, a provider and a
base URL, the server at http://localhost:11434/v1 is asked, and its first model.

The answer goes to standard output, everything else to standard error.

A script is JSON, a response chosen by its place in the session and a summary by the
number of compactions before it:
  {\"responses\": [{\"text\": \"…\", \"calls\": [{\"name\": \"todo_write\", \"input\": {…}}]}],
   \"summaries\": [\"…\"]}

For a new session:
";

const LEGAL: &str = "--provider, --base-url, --model, --script, --workdir, --resume, --sessions, \
    --allow-shell, --deny, --compact, --compact-above, --max-requests, --max-tokens, \
    --user-reminders";

const PROVIDERS: &[(&str, Provider)] = &[
    ("openai", Provider::OpenAi),
    ("anthropic", Provider::Anthropic),
];

/// Runs the command on its arguments.
pub fn run(parser: &mut Parser) -> anyhow::Result<()> {
    let mut options = AgentOptions::default();
    while let Some(argument) = flags::next(parser)? {
        match argument {
            Argument::Flag(name) if name == "help" || name == "h" => {
                return crate::print(&format!("{HELP}{}", flags::HELP));
            }
            Argument::Flag(name) => {
                if !flag(&mut options, &name, parser)?
                    && !flags::policy(&mut options.policy, &name, parser)?
                {
                    let legal = format!("{LEGAL}, {}", flags::POLICY);
                    return Err(flags::unexpected(&Argument::Flag(name), &legal));
                }
            }
            Argument::Value(prompt) if options.prompt.is_none() => {
                options.prompt = Some(prompt.string()?);
            }
            value => return Err(flags::unexpected(&value, "one prompt, in quotation marks")),
        }
    }
    if options
        .prompt
        .as_ref()
        .is_some_and(|prompt| prompt.trim().is_empty())
    {
        bail!("agent: the prompt is empty");
    }
    Ok(command::agent(options)?)
}

/// Takes the flag `name`; says whether it is one of this command.
fn flag(options: &mut AgentOptions, name: &str, parser: &mut Parser) -> anyhow::Result<bool> {
    let choice = &mut options.choice;
    match name {
        "provider" => choice.provider = Some(flags::choice(parser, name, PROVIDERS)?),
        "base-url" => choice.base_url = Some(parser.value()?.string()?),
        "model" => choice.model = Some(parser.value()?.string()?),
        "script" => choice.script = Some(parser.value()?.into()),
        "max-tokens" => choice.max_tokens = Some(parser.value()?.parse()?),
        "user-reminders" => choice.user_reminders = true,
        "workdir" => options.workdir = Some(parser.value()?.into()),
        "resume" => options.resume = Some(parser.value()?.string()?),
        "sessions" => options.sessions = Some(parser.value()?.into()),
        "allow-shell" => options.allow_shell = true,
        "deny" => options.deny.push(parser.value()?.string()?),
        "compact" => options.compact = true,
        "compact-above" => options.budget.compact_above = parser.value()?.parse()?,
        "max-requests" => options.budget.requests = parser.value()?.parse()?,
        _ => return Ok(false),
    }
    Ok(true)
}
