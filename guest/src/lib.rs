//! The todo list of one agent session: the logic of the component
//! `agent:todo`, as a plain library.
//!
//! A [`Session`] takes the model's tool calls, says when a reminder is due,
//! rebuilds itself from a recorded history and hands out a snapshot for
//! compaction. `wit/agent-todo.wit` says what every function promises; the
//! module `component` (WebAssembly only) adapts a session to that interface and
//! decides nothing.
//!
//! Data goes one way: text in, parsed, list, text out.
//!
//! | room | what it knows |
//! | --- | --- |
//! | [`json`] | JSON text and Python literals, borrowed |
//! | [`text`] | tidy text for the list, safe text for the model |
//! | [`list`] | items, statuses, ids |
//! | [`input`] | what a model sends, understood as items and changes |
//! | [`tools`] | the tools: their definitions, and what a call does |
//! | [`render`] | the lines that show a list |
//! | [`reminder`], [`snapshot`] | when, what, and how to recognise it |
//! | [`history`] | recorded histories, read as events |
//! | [`state`] | saved state |
//!
//! ```
//! use agent_todo::Session;
//!
//! let mut session = Session::default();
//! let answer = session.todo_write(r#"{"todos":[{"id":"1","content":"Read the loader","status":"in_progress"}]}"#)?;
//! assert_eq!(answer.text, "[>] 1. Read the loader\n\n(0/1 completed)");
//! # Ok::<(), agent_todo::ToolError>(())
//! ```

#![deny(missing_docs)]
#![cfg_attr(not(target_arch = "wasm32"), forbid(unsafe_code))]

#[cfg(target_arch = "wasm32")]
mod component;

mod error;
pub mod history;
pub mod input;
pub mod list;
mod places;
mod policy;
pub mod reminder;
pub mod render;
mod session;
pub mod snapshot;
pub mod state;
pub mod tools;

pub use agent_todo_text::{json, text};
pub use error::{ErrorCode, ToolError};
pub use list::{Progress, Status, Todo};
pub use policy::{InProgressLimit, Policy, ToolSet};
pub use session::{Counters, HistoryItem, RestoreReport, Role, Session, Snapshot};
pub use tools::{ToolDefinition, ToolOutput};
