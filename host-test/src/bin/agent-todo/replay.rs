//! `replay`: a recorded session, driven through the live component.

use std::io::{self, IsTerminal, Read};

use agent_todo::ToolError;
use agent_todo::history::Reader;
use agent_todo_host::{Limits, Plugin, Policy};
use anyhow::{Context, anyhow, bail};
use lexopt::Parser;

use crate::driver::Driver;
use crate::entry::Show;
use crate::flags::{self, Argument};
use crate::json::Json;
use crate::paint::Paint;
use crate::pieces::Pieces;
use crate::progress::Progress;
use crate::reasons::effective;
use crate::source::Source;
use crate::timeline::Timeline;

/// What `replay --help` says.
pub const HELP: &str = "\
Replays a recorded session through the component and shows what it did.

Usage: agent-todo replay [FILE | -] [--json] [POLICY]

FILE is a history in any shape that `restore` reads: a log of Claude Code, Codex
or pi, an export of OpenCode, or messages of the Anthropic, OpenAI, Gemini, AI
SDK, LangChain, pydantic-ai or rig libraries, as JSON or JSON Lines. `-` is
standard input. Without FILE a bundled sample is shown.

  --json   JSON Lines: one object for each event, the last one with the end state
";

/// Runs the command on its arguments.
pub fn run(parser: &mut Parser) -> anyhow::Result<()> {
    let mut source = None;
    let mut policy = Policy::default();
    let mut json = false;
    while let Some(argument) = flags::next(parser)? {
        match &argument {
            Argument::Flag(name) if name == "json" => json = true,
            Argument::Flag(name) if name == "help" || name == "h" => {
                return crate::print(&format!("{HELP}\n{}", flags::HELP));
            }
            Argument::Flag(name) if flags::policy(&mut policy, name, parser)? => {}
            Argument::Value(value) if source.is_none() => source = Some(Source::named(value)),
            _ => {
                let legal = format!("one FILE or -, --json, {}", flags::POLICY);
                return Err(flags::unexpected(&argument, &legal));
            }
        }
    }
    let source = source.unwrap_or(Source::Sample);
    let out = io::BufWriter::new(io::stdout().lock());
    if json {
        replay(&source, policy, &mut Json::new(out))
    } else {
        let paint = Paint::for_terminal(io::stdout().is_terminal());
        replay(&source, policy, &mut Timeline::new(out, paint))
    }
}

fn replay(source: &Source, policy: Policy, show: &mut dyn Show) -> anyhow::Result<()> {
    let (input, length) = source.open()?;
    let mut log = Log {
        pieces: Pieces::new(input),
        reader: Reader::default(),
        source,
    };
    // Nothing is shown, and nothing compiled, before it is clear that this is a
    // log at all.
    let mut goes_on = log.first()?;
    agent_todo::Session::default()
        .configure(effective(&policy))
        .map_err(|refusal| anyhow!("{}", problem(&refusal)))?;
    // On the first run of a build the component is compiled now; a person need
    // not wait for that before anything is to be seen.
    show.start(&source.to_string(), log.reader.format(), &policy)?;
    show.flush()?;
    let plugin = Plugin::bundled(Limits::default())?;
    let mut driver = Driver::new(&plugin, policy, show)?;
    let mut progress = Progress::new(length);
    while goes_on {
        while let Some(event) = log.reader.next_event() {
            driver.event(event)?;
        }
        progress.clear()?;
        driver.flush()?;
        progress.draw(log.pieces.taken(), driver.requests())?;
        goes_on = log.next()?;
    }
    log.reader.end();
    while let Some(event) = log.reader.next_event() {
        driver.event(event)?;
    }
    progress.clear()?;
    driver.end(log.reader.format(), log.pieces.is_torn())?;
    if log.pieces.is_torn() {
        eprintln!("warning: {source}: the last line or element is cut off; it was left out");
    }
    Ok(())
}

/// A log that is being read.
struct Log<'a> {
    pieces: Pieces<Box<dyn Read>>,
    reader: Reader,
    source: &'a Source,
}

impl Log<'_> {
    /// Reads up to the first message of a known shape; says whether there may be
    /// more.
    fn first(&mut self) -> anyhow::Result<bool> {
        let source = self.source;
        let Some(piece) = self.piece()? else {
            bail!("{source}: is empty; {EXPECTED}");
        };
        if let Err(refusal) = self.reader.read(&piece) {
            bail!("{source}: {}", problem(&refusal));
        }
        while matches!(self.reader.format(), "unknown" | "empty") {
            if !self.next()? {
                let torn = if self.pieces.is_torn() {
                    ", and its end is cut off"
                } else {
                    ""
                };
                bail!("{source}: holds no message of a known shape{torn}; {EXPECTED}");
            }
        }
        Ok(true)
    }

    /// Reads the next piece; says whether there was one. One that is no JSON is
    /// skipped, like a line that is none.
    fn next(&mut self) -> anyhow::Result<bool> {
        let piece = self.piece()?;
        if let Some(piece) = &piece {
            let _ = self.reader.read(piece);
        }
        Ok(piece.is_some())
    }

    fn piece(&mut self) -> anyhow::Result<Option<String>> {
        self.pieces
            .next_piece()
            .with_context(|| self.source.to_string())
    }
}

const EXPECTED: &str = "expected a session log, JSON or JSON Lines (see agent-todo replay --help)";

/// What a refusal found, without what it says to a model.
fn problem(refusal: &ToolError) -> &str {
    let message = refusal.message.as_str();
    let message = message.strip_prefix("Error: ").unwrap_or(message);
    let found = message.rsplit_once(". The ");
    found.map_or(message, |(found, _)| found)
}
