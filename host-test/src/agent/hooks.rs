//! The points at which somebody else may look in or step in.
//!
//! The plugin needs none of them. A call that a hook refuses never reaches
//! the plugin and does not count as a use of it.

use super::item::{Item, ToolCall};

/// Hooks of a run. Every method lets everything pass unless it is overridden.
pub trait Hooks {
    /// A prompt is about to enter the history.
    ///
    /// # Errors
    ///
    /// Why it must not: the turn does not begin.
    fn prompt_submitted(&mut self, prompt: &str) -> Result<(), String> {
        let _ = prompt;
        Ok(())
    }

    /// A tool is about to run.
    ///
    /// # Errors
    ///
    /// Why it must not: the model gets this as the call's error.
    fn before_tool(&mut self, call: &ToolCall) -> Result<(), String> {
        let _ = call;
        Ok(())
    }

    /// A call has its result, refused or not, in the history.
    fn after_tool(&mut self, call: &ToolCall, result: &Item) {
        let _ = (call, result);
    }

    /// A turn ended with this answer.
    fn stop(&mut self, answer: &str) {
        let _ = answer;
    }
}

/// Lets everything pass.
#[derive(Debug, Default)]
pub struct NoHooks;

impl Hooks for NoHooks {}

/// Refuses the tools that it names.
#[derive(Debug, Default)]
pub struct Deny(pub Vec<String>);

impl Hooks for Deny {
    fn before_tool(&mut self, call: &ToolCall) -> Result<(), String> {
        if self.0.contains(&call.name) {
            return Err(format!(
                "The user does not allow {} in this run.",
                call.name
            ));
        }
        Ok(())
    }
}
