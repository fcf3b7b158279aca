//! Recorded histories, read as events.
//!
//! A history is the text that a host already has: JSON Lines, a JSON array, or
//! an object that holds one, in the shape of one of many hosts and frameworks.
//! It is read in four steps, each a module:
//!
//! | module | from | to |
//! | --- | --- | --- |
//! | `stream` | text | elements (lines, messages, items) |
//! | `element` | an element in its envelope | a message or item, or nothing |
//! | `message` | a message or item | facts: request, call, result, text |
//! | `ledger` | facts | events: calls together with their results |
//!
//! **A new shape** is a line in the tables of `spelling` (how calls and results
//! are written), the keys that only it has in `key`, at most an envelope in
//! `element`, and a fixture.

mod element;
mod foreign;
mod key;
mod ledger;
mod message;
mod reader;
mod replay;
mod spelling;
mod stream;
mod tree;
mod verdict;

/// An element of a history, or a part of one.
type Element<'a> = crate::json::node::Node<'a, key::Key>;

pub use ledger::{Call, Event, Outcome};
pub use reader::Reader;
pub(crate) use replay::OpenHistory;

#[cfg(test)]
mod tests;
