//! Text on its way into and out of a todo list.
//!
//! Every byte that a session reads or writes goes through here, so this is a
//! crate of its own: the component is built for size, this part of it for
//! speed (see the profiles in the workspace's `Cargo.toml`).

#![deny(missing_docs)]
#![forbid(unsafe_code)]

pub mod json;
pub mod text;
mod words;
