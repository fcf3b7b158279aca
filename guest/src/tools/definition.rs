//! What the model reads: names, descriptions, schemas, and a paragraph for the
//! system prompt. Every word here is paid for in every request, so there are
//! few: about 170 tokens for `todo_write`, 330 for the task tools.

use super::Tool;
use crate::policy::{Policy, ToolSet};

/// A tool for the request to the model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolDefinition {
    /// What the model calls.
    pub name: &'static str,
    /// What the model reads.
    pub description: &'static str,
    /// JSON Schema of the input, as text.
    pub input_schema: String,
}

/// The tools that the policy offers.
pub fn definitions(policy: &Policy) -> Vec<ToolDefinition> {
    Tool::ALL
        .into_iter()
        .filter(|tool| tool.is_on(policy.tool_set))
        .map(|tool| ToolDefinition {
            name: tool.name(),
            description: description(tool),
            input_schema: schema(tool, policy),
        })
        .collect()
}

/// The paragraph for the system prompt.
pub fn instructions(tools: ToolSet) -> &'static str {
    match tools {
        ToolSet::Todo => {
            "Plan work of three or more steps with todo_write: send the whole list each time. Keep one item \
             in_progress, mark an item completed as soon as it is done, and add steps that turn up. A simple \
             request needs no list."
        }
        ToolSet::Task => {
            "Plan work of three or more steps as tasks: TaskCreate adds one, TaskUpdate changes its status. Keep \
             one task in_progress, mark a task completed as soon as it is done, and add steps that turn up. \
             TaskList and TaskGet show what there is. A simple request needs no tasks."
        }
        ToolSet::Both => {
            "Plan work of three or more steps as one todo list: todo_write replaces the whole of it, TaskCreate \
             and TaskUpdate change one item, TaskList and TaskGet show it. Keep one item in_progress, mark an item \
             completed as soon as it is done, and add steps that turn up. A simple request needs no list."
        }
    }
}

fn description(tool: Tool) -> &'static str {
    match tool {
        Tool::TodoWrite => {
            "Replaces the todo list. Send every item in order, also the completed and unchanged ones: what is left \
             out is gone. Keep an item's id. At most one item is in_progress. An empty list clears it."
        }
        Tool::TaskCreate => "Adds a pending task and returns its id.",
        Tool::TaskUpdate => {
            "Changes a task: its status, subject or description. Status deleted removes it. At most one task is \
             in_progress."
        }
        Tool::TaskGet => "Shows one task with its description.",
        Tool::TaskList => "Shows all tasks with their status.",
    }
}

fn schema(tool: Tool, policy: &Policy) -> String {
    match tool {
        Tool::TodoWrite => [
            r#"{"type":"object","properties":{"todos":{"type":"array","maxItems":"#,
            &policy.max_todos.to_string(),
            r#","items":{"type":"object","properties":{"id":{"type":"string"},"content":{"type":"string"},"status":{"type":"string","enum":["pending","in_progress","completed"]}},"required":["id","content","status"],"additionalProperties":false}}},"required":["todos"],"additionalProperties":false}"#,
        ]
        .concat(),
        Tool::TaskCreate => r#"{"type":"object","properties":{"subject":{"type":"string","description":"One line"},"description":{"type":"string","description":"What TaskGet shows beside it"}},"required":["subject"],"additionalProperties":false}"#.to_owned(),
        Tool::TaskUpdate => r#"{"type":"object","properties":{"taskId":{"type":"string"},"status":{"type":"string","enum":["pending","in_progress","completed","deleted"]},"subject":{"type":"string"},"description":{"type":"string"}},"required":["taskId"],"additionalProperties":false}"#.to_owned(),
        Tool::TaskGet => r#"{"type":"object","properties":{"taskId":{"type":"string"}},"required":["taskId"],"additionalProperties":false}"#.to_owned(),
        Tool::TaskList => r#"{"type":"object","properties":{},"additionalProperties":false}"#.to_owned(),
    }
}
