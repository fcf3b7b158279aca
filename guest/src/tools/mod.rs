//! The tools: what the model reads about them, and what a call does.

mod definition;
mod task;
mod write;

pub use definition::{ToolDefinition, definitions, instructions};

use crate::error::ToolError;
use crate::list::{List, Progress};
use crate::policy::{Policy, ToolSet};

/// A tool of this component.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tool {
    /// The whole list in one call.
    TodoWrite,
    /// Appends a task.
    TaskCreate,
    /// Changes or deletes one task.
    TaskUpdate,
    /// Shows one task with its description.
    TaskGet,
    /// Shows the list.
    TaskList,
}

/// What a tool call that was carried out gives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolOutput {
    /// The tool result for the model.
    pub text: String,
    /// Whether the list is another than before.
    pub changed: bool,
    /// The list after the call.
    pub progress: Progress,
}

impl Tool {
    const ALL: [Tool; 5] = [
        Tool::TodoWrite,
        Tool::TaskCreate,
        Tool::TaskUpdate,
        Tool::TaskGet,
        Tool::TaskList,
    ];

    /// The name that the model calls.
    pub fn name(self) -> &'static str {
        match self {
            Tool::TodoWrite => "todo_write",
            Tool::TaskCreate => "TaskCreate",
            Tool::TaskUpdate => "TaskUpdate",
            Tool::TaskGet => "TaskGet",
            Tool::TaskList => "TaskList",
        }
    }

    /// The tool of this name.
    pub fn named(name: &str) -> Option<Tool> {
        Tool::ALL.into_iter().find(|tool| tool.name() == name)
    }

    /// Whether a call says that the model keeps its list: what the reminder
    /// counts from.
    pub fn writes(self) -> bool {
        matches!(self, Tool::TodoWrite | Tool::TaskCreate | Tool::TaskUpdate)
    }

    /// Whether the policy offers the tool.
    pub fn is_on(self, tools: ToolSet) -> bool {
        match self {
            Tool::TodoWrite => tools.has_todo(),
            _ => tools.has_task(),
        }
    }
}

/// Runs a tool on its input, whether it is on or not. A create takes the number
/// that a recorded result names, if there is one. On an error the list is as it
/// was.
pub fn run(
    tool: Tool,
    list: &mut List,
    policy: &Policy,
    input: &str,
    recorded: Option<u32>,
) -> Result<ToolOutput, ToolError> {
    let (text, changed) = match tool {
        Tool::TodoWrite => write::write(list, policy, input)?,
        Tool::TaskCreate => task::create(list, policy, input, recorded)?,
        Tool::TaskUpdate => task::update(list, policy, input)?,
        Tool::TaskGet => (task::get(list, input)?, false),
        Tool::TaskList => (crate::render::answer(list), false),
    };
    Ok(ToolOutput {
        text,
        changed,
        progress: list.progress(),
    })
}

#[cfg(test)]
mod tests;
