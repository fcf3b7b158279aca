//! A Rust host for the component `agent:todo`: load it once, make a session for
//! each agent, and call typed functions.
//!
//! ```
//! use agent_todo_host::{Limits, Plugin, Policy, Recovery};
//!
//! # fn main() -> Result<(), agent_todo_host::Error> {
//! // Once in a process.
//! let plugin = Plugin::bundled(Limits::default())?;
//!
//! // Once for each agent: what it may call, and how it is to plan.
//! let policy = Policy { remind_after: Some(5), ..Policy::default() };
//! let mut session = plugin.session(&policy)?;
//! let system_prompt = session.instructions()?;
//! let tools = session.tools()?;
//! assert_eq!(tools[0].name, "todo_write");
//! # assert!(!system_prompt.is_empty());
//!
//! // Before each request to the model: a reminder, if one is due, goes into
//! // the history.
//! let mut history: Vec<String> = Vec::new();
//! for item in session.pending_history_appends()? {
//!     history.push(item.text);
//! }
//! session.on_request()?;
//!
//! // Each call that the model makes; accepted or refused, it gets a text.
//! let input = r#"{"todos":[{"id":"1","content":"Read the loader","status":"in_progress"}]}"#;
//! let result = match session.call_tool("todo_write", input)? {
//!     Ok(output) => output.text,
//!     Err(refusal) => refusal.message,
//! };
//! assert_eq!(result, "[>] 1. Read the loader\n\n(0/1 completed)");
//!
//! // A session that met a limit is dead; another goes on in its place.
//! let saved = session.save_state()?;
//! drop(session);
//! let mut session = plugin.revive(&policy, Recovery::State(&saved))?;
//! assert_eq!(session.todos()?.len(), 1);
//! # Ok(())
//! # }
//! ```
//!
//! A session is one Wasmtime store with one instance. Whatever cuts a call off,
//! such as a limit of [`Limits`], closes the store: the call and every later one
//! give [`Error::Dead`], and [`Plugin::revive`] makes a new session from saved
//! state or from the history that the host has anyway.

#![forbid(unsafe_code)]

pub mod agent;
mod bindings;
mod error;
mod limits;
mod plugin;
mod session;

pub use bindings::exports::agent::todo::session::{
    CounterValues, ErrorCode, HistoryItem, InProgressLimit, Policy, Progress, RestoreReport, Role,
    Snapshot, Status, Todo, ToolDefinition, ToolError, ToolOutput, ToolSet,
};
pub use error::{Cause, Error};
pub use limits::Limits;
pub use plugin::{Plugin, Recovery};
pub use session::Session;

/// The component, as WebAssembly: the same bytes for the same commit, with no
/// import. Any host of components of the interface `agent:todo@0.1.0` can take
/// it.
pub static COMPONENT: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/agent-todo.wasm"));

pub mod vectors;

/// The README's Rust code, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct Readme;
