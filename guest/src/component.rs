//! The component: adapts a [`Session`] to the interface in `wit/`, and decides
//! nothing.

#![allow(unsafe_code)] // In the generated exports only.
#![allow(missing_docs)]

use crate as todo;
use std::cell::RefCell;

mod bindings {
    wit_bindgen::generate!({
        path: "../wit",
        world: "plugin",
    });
}

use bindings::exports::agent::todo::session as wit;

thread_local! {
    /// An instance is a session, and runs on one thread.
    static SESSION: RefCell<todo::Session> = RefCell::default();
}

/// The allocator of the standard library, in a version that begins with the
/// memory that the instance begins with: growing it takes a host longer than
/// all the rest of a new session.
#[global_allocator]
static ALLOCATOR: dlmalloc::GlobalDlmalloc = dlmalloc::GlobalDlmalloc;

/// The calls of the interface.
struct Component;

fn with<T>(call: impl FnOnce(&mut todo::Session) -> T) -> T {
    SESSION.with_borrow_mut(call)
}

impl wit::Guest for Component {
    fn configure(policy: wit::Policy) -> Result<(), wit::ToolError> {
        with(|session| session.configure(policy.into())).map_err(Into::into)
    }

    fn instructions() -> String {
        with(|session| session.instructions().to_owned())
    }

    fn tools() -> Vec<wit::ToolDefinition> {
        with(|session| session.tools().into_iter().map(Into::into).collect())
    }

    fn call_tool(name: String, input: String) -> Result<wit::ToolOutput, wit::ToolError> {
        with(|session| session.call_tool(&name, &input))
            .map(Into::into)
            .map_err(Into::into)
    }

    fn todo_write(input: String) -> Result<wit::ToolOutput, wit::ToolError> {
        with(|session| session.todo_write(&input))
            .map(Into::into)
            .map_err(Into::into)
    }

    fn on_request() {
        with(todo::Session::on_request);
    }

    fn pending_history_appends() -> Vec<wit::HistoryItem> {
        with(|session| {
            session
                .pending_history_appends()
                .map(Into::into)
                .into_iter()
                .collect()
        })
    }

    fn compact_snapshot() -> Option<wit::Snapshot> {
        with(|session| session.compact_snapshot().map(Into::into))
    }

    fn restore(history: String) -> Result<wit::RestoreReport, wit::ToolError> {
        with(|session| session.restore(&history))
            .map(Into::into)
            .map_err(Into::into)
    }

    fn save_state() -> String {
        with(todo::Session::save_state)
    }

    fn load_state(state: String) -> Result<(), wit::ToolError> {
        with(|session| session.load_state(&state)).map_err(Into::into)
    }

    fn todos() -> Vec<wit::Todo> {
        with(|session| session.todos().iter().cloned().map(Into::into).collect())
    }

    fn counters() -> wit::CounterValues {
        let counters = with(todo::Session::counters);
        wit::CounterValues {
            requests_since_write: counters.requests_since_write,
            requests_since_reminder: counters.requests_since_reminder,
        }
    }
}

impl From<wit::Policy> for todo::Policy {
    fn from(policy: wit::Policy) -> todo::Policy {
        let default = todo::Policy::default();
        todo::Policy {
            tool_set: match policy.tool_set {
                None => default.tool_set,
                Some(wit::ToolSet::Todo) => todo::ToolSet::Todo,
                Some(wit::ToolSet::Task) => todo::ToolSet::Task,
                Some(wit::ToolSet::Both) => todo::ToolSet::Both,
            },
            remind: policy.remind.unwrap_or(default.remind),
            remind_after: policy.remind_after.unwrap_or(default.remind_after),
            remind_cooldown: policy.remind_cooldown.unwrap_or(default.remind_cooldown),
            remind_once: policy.remind_once.unwrap_or(default.remind_once),
            in_progress_limit: match policy.in_progress_limit {
                None => default.in_progress_limit,
                Some(wit::InProgressLimit::Allow) => todo::InProgressLimit::Allow,
                Some(wit::InProgressLimit::Note) => todo::InProgressLimit::Note,
                Some(wit::InProgressLimit::Refuse) => todo::InProgressLimit::Refuse,
            },
            max_todos: policy.max_todos.unwrap_or(default.max_todos),
            max_content: policy.max_content.unwrap_or(default.max_content),
            max_input: policy.max_input.unwrap_or(default.max_input),
            adopt_snapshot: policy.adopt_snapshot.unwrap_or(default.adopt_snapshot),
        }
    }
}

impl From<todo::ToolOutput> for wit::ToolOutput {
    fn from(output: todo::ToolOutput) -> wit::ToolOutput {
        let todo::Progress {
            pending,
            in_progress,
            completed,
        } = output.progress;
        wit::ToolOutput {
            text: output.text,
            changed: output.changed,
            progress: wit::Progress {
                pending,
                in_progress,
                completed,
            },
        }
    }
}

impl From<todo::ToolError> for wit::ToolError {
    fn from(error: todo::ToolError) -> wit::ToolError {
        let code = match error.code {
            todo::ErrorCode::InvalidInput => wit::ErrorCode::InvalidInput,
            todo::ErrorCode::TooMany => wit::ErrorCode::TooMany,
            todo::ErrorCode::TooLarge => wit::ErrorCode::TooLarge,
            todo::ErrorCode::NotFound => wit::ErrorCode::NotFound,
            todo::ErrorCode::UnknownTool => wit::ErrorCode::UnknownTool,
            todo::ErrorCode::InvalidPolicy => wit::ErrorCode::InvalidPolicy,
            todo::ErrorCode::InvalidState => wit::ErrorCode::InvalidState,
            todo::ErrorCode::InvalidHistory => wit::ErrorCode::InvalidHistory,
        };
        wit::ToolError {
            code,
            message: error.message,
        }
    }
}

impl From<todo::ToolDefinition> for wit::ToolDefinition {
    fn from(tool: todo::ToolDefinition) -> wit::ToolDefinition {
        wit::ToolDefinition {
            name: tool.name.to_owned(),
            description: tool.description.to_owned(),
            input_schema: tool.input_schema,
        }
    }
}

impl From<todo::HistoryItem> for wit::HistoryItem {
    fn from(item: todo::HistoryItem) -> wit::HistoryItem {
        let role = match item.role {
            todo::Role::System => wit::Role::System,
            todo::Role::User => wit::Role::User,
        };
        wit::HistoryItem {
            role,
            text: item.text,
        }
    }
}

impl From<todo::Snapshot> for wit::Snapshot {
    fn from(snapshot: todo::Snapshot) -> wit::Snapshot {
        wit::Snapshot {
            context: snapshot.context,
            carry_over: snapshot.carry_over.map(Into::into),
        }
    }
}

impl From<todo::RestoreReport> for wit::RestoreReport {
    fn from(report: todo::RestoreReport) -> wit::RestoreReport {
        let todo::RestoreReport {
            format,
            requests,
            applied,
            refused,
            skipped,
            reminders,
        } = report;
        wit::RestoreReport {
            format: format.to_owned(),
            requests,
            applied,
            refused,
            skipped,
            reminders,
        }
    }
}

impl From<todo::Todo> for wit::Todo {
    fn from(todo: todo::Todo) -> wit::Todo {
        let status = match todo.status {
            todo::Status::Pending => wit::Status::Pending,
            todo::Status::InProgress => wit::Status::InProgress,
            todo::Status::Completed => wit::Status::Completed,
        };
        wit::Todo {
            id: todo.id,
            content: todo.content,
            status,
            description: todo.description,
        }
    }
}

bindings::export!(Component with_types_in bindings);
