//! Who watches a run: the terminal, or a test.

use super::item::{Item, ToolCall};
use crate::Todo;

/// What a run tells while it goes. Every method does nothing unless it is
/// overridden.
pub trait Observer {
    /// A piece of the model's answer, as it comes.
    fn text(&mut self, piece: &str) {
        let _ = piece;
    }

    /// The model's answer is complete.
    fn response(&mut self) {}

    /// Items are in the history, on the disk.
    fn appended(&mut self, items: &[Item]) {
        let _ = items;
    }

    /// A call begins.
    fn call(&mut self, call: &ToolCall) {
        let _ = call;
    }

    /// A call failed or was refused; the model gets this text.
    fn refused(&mut self, call: &ToolCall, text: &str) {
        let _ = (call, text);
    }

    /// The list is another than before.
    fn list(&mut self, todos: &[Todo]) {
        let _ = todos;
    }

    /// Something that a person should know: a retry, a repair, a compaction.
    fn note(&mut self, text: &str) {
        let _ = text;
    }
}

/// Nobody watches.
#[derive(Debug, Default)]
pub struct Silent;

impl Observer for Silent {}
