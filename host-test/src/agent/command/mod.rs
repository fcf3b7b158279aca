//! The commands `agent` and `history` of the runner.

pub mod listing;
pub mod terminal;

use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use super::base_tools::BaseTools;
use super::compaction;
use super::endpoint::Choice;
use super::history::{Head, History, Tool};
use super::hooks::Deny;
use super::observer::Observer;
use super::turn::{Agent, Budget, Host};
use crate::{Error, Plugin, Policy, Session};
use terminal::Terminal;

/// What `agent` was asked to do.
#[derive(Debug, Default)]
pub struct AgentOptions {
    /// The prompt. A session that is resumed inside a turn needs none.
    pub prompt: Option<String>,
    /// The session to go on with.
    pub resume: Option<String>,
    /// The working folder. Default: that of the session, or the current one.
    pub workdir: Option<PathBuf>,
    /// The folder of the histories. Default: see [`sessions_folder`].
    pub sessions: Option<PathBuf>,
    /// Who answers.
    pub choice: Choice,
    /// Whether the model may run commands.
    pub allow_shell: bool,
    /// Tools whose calls are refused.
    pub deny: Vec<String>,
    /// Whether to compact before anything else.
    pub compact: bool,
    /// Where the session stops by itself.
    pub budget: Budget,
    /// The plugin's policy of a new session.
    pub policy: Policy,
}

impl AgentOptions {
    /// The file of the session to go on with; `None` for a new one.
    fn file(&self, folder: &Path) -> Result<Option<PathBuf>, Error> {
        match &self.resume {
            Some(name) => find(folder, name).map(Some),
            None if self.compact => Err(Error::Agent("--compact goes with --resume".into())),
            None if self.prompt.is_none() => {
                Err(Error::Agent("expected a prompt: agent \"…\"".into()))
            }
            None => Ok(None),
        }
    }
}

/// Begins or resumes a session and carries out one turn.
///
/// # Errors
///
/// One line for whatever stopped it. A session that was begun can be resumed.
pub fn agent(options: AgentOptions) -> Result<(), Error> {
    let mut terminal = Terminal::stdio();
    let plugin = Plugin::bundled(crate::Limits::default())?;
    let folder = options.sessions.clone().map_or_else(sessions_folder, Ok)?;
    let file = options.file(&folder)?;
    // Before the history, so that a missing key leaves no session behind.
    let mut model = options.choice.model(&mut terminal)?;
    let history = match file {
        Some(file) => resume(&file, &mut terminal)?,
        None => begin(&folder, &plugin, &options)?,
    };
    let workdir = options.workdir.as_ref().unwrap_or(&history.head().workdir);
    let tools = BaseTools::new(workdir, Some(&folder), options.allow_shell)?;
    let host = Host {
        plugin: &plugin,
        model: model.as_mut(),
        hooks: &mut Deny(options.deny),
        observer: &mut terminal,
        tools,
        budget: options.budget,
    };
    let mut agent = Agent::open(host, history)?;
    let outcome = turn(&mut agent, options.compact, options.prompt.as_deref());
    let id = agent.history().head().id.clone();
    terminal.note(&format!(
        "session {id}; go on with: agent --resume {id} \"…\""
    ));
    outcome
}

fn turn(agent: &mut Agent<'_>, compact: bool, prompt: Option<&str>) -> Result<(), Error> {
    if compact {
        agent.compact()?;
    }
    match prompt {
        Some(prompt) => agent.prompt(prompt)?,
        None if !compact && !agent.is_inside_turn() => {
            return Err(Error::Agent(
                "this session waits for a prompt: agent --resume SESSION \"…\"".into(),
            ));
        }
        None => {}
    }
    agent.run().map(drop)
}

/// The history of a new session.
fn begin(folder: &Path, plugin: &Plugin, options: &AgentOptions) -> Result<History, Error> {
    let workdir = options.workdir.as_deref().unwrap_or(Path::new("."));
    let tools = BaseTools::new(workdir, None, options.allow_shell)?;
    let mut session = plugin.session(&options.policy)?;
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let id = format!(
        "{}-{}",
        now.unwrap_or_default().as_secs(),
        std::process::id()
    );
    let path = folder.join(format!("{id}.jsonl"));
    History::create(
        &path,
        head(&id, &tools, &mut session, &options.policy)?,
        Vec::new(),
    )
}

/// What a session is begun with: the host's own prompt and tools, and the
/// plugin's.
///
/// # Errors
///
/// Those of the plugin.
pub fn head(
    id: &str,
    tools: &BaseTools,
    session: &mut Session,
    policy: &Policy,
) -> Result<Head, Error> {
    let system = format!(
        "You are an agent that does the user's work in the folder {}. \
         Use the tools, check what you did, and end with a short answer.\n\n{}",
        tools.root().display(),
        session.instructions()?
    );
    let mut offered = tools.tools();
    for tool in session.tools()? {
        let input_schema = serde_json::from_str(&tool.input_schema);
        let input_schema = input_schema
            .map_err(|error| Error::Agent(format!("the schema of {}: {error}", tool.name)))?;
        offered.push(Tool {
            name: tool.name,
            description: tool.description,
            input_schema,
        });
    }
    Ok(Head::new(id, tools.root(), system, offered, *policy))
}

/// Opens the history in which a session goes on.
fn resume(path: &Path, observer: &mut dyn Observer) -> Result<History, Error> {
    let newest = compaction::newest(path)?;
    let (history, repaired) = History::open(&newest)?;
    if newest != path {
        observer.note(&format!(
            "the session was compacted and goes on as {}",
            history.head().id
        ));
    }
    if let Some(repaired) = repaired {
        observer.note(&repaired);
    }
    Ok(history)
}

/// Where the histories are unless another folder is named:
/// `$XDG_STATE_HOME/agent-todo`, or `~/.local/state/agent-todo`.
///
/// # Errors
///
/// When there is no home folder.
pub fn sessions_folder() -> Result<PathBuf, Error> {
    let state = std::env::var_os("XDG_STATE_HOME")
        .map(PathBuf::from)
        .filter(|path| path.is_absolute());
    let state = state.or_else(|| Some(std::env::home_dir()?.join(".local/state")));
    let state = state.ok_or_else(|| {
        Error::Agent("no home folder; name one for the histories with --sessions".into())
    })?;
    Ok(state.join("agent-todo"))
}

/// The file of a session, named or given as a path.
fn find(folder: &Path, name: &str) -> Result<PathBuf, Error> {
    let given = Path::new(name);
    let path = if given
        .extension()
        .is_some_and(|extension| extension == "jsonl")
    {
        given.to_owned()
    } else {
        folder.join(format!("{name}.jsonl"))
    };
    match path.is_file() {
        true => Ok(path),
        false => Err(Error::Agent(format!(
            "no session {name} in {}; history lists them",
            folder.display()
        ))),
    }
}
