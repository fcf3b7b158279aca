//! The reference host: a real agent loop around the plugin.
//!
//! It is how a host integrates the plugin; `HOSTS.md` shows the five places
//! that matter. The loop and what it stands on are the first rows; the rest is
//! what any agent has.
//!
//! | room | what it knows |
//! | --- | --- |
//! | [`turn`] | the loop: reminders, requests, calls |
//! | [`item`], [`history`] | what is said, and the file that holds it |
//! | [`compaction`] | a summary begins a new session |
//! | [`model`] | what a model is asked; a model that follows a script |
//! | [`hooks`], [`observer`] | who may step in, who watches |
//! | [`endpoint`] | models behind HTTP |
//! | [`base_tools`], [`shell`] | the host's own tools |
//! | [`command`] | `agent` and `history` of the runner |

pub mod base_tools;
pub mod command;
pub mod compaction;
pub mod endpoint;
pub mod history;
pub mod hooks;
pub mod item;
pub mod model;
pub mod observer;
pub mod shell;
pub mod turn;
