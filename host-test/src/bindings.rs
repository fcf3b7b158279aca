//! The Rust view of `wit/agent-todo.wit`, generated. What hosts see of it is
//! re-exported by the crate.

#![allow(missing_docs)]

wasmtime::component::bindgen!({
    path: "../wit",
    world: "plugin",
    additional_derives: [PartialEq, serde::Serialize, serde::Deserialize],
});

use exports::agent::todo::session::Policy;

/// Every field `None`: the defaults of the interface.
impl Default for Policy {
    fn default() -> Policy {
        Policy {
            tool_set: None,
            remind: None,
            remind_after: None,
            remind_cooldown: None,
            remind_once: None,
            in_progress_limit: None,
            max_todos: None,
            max_content: None,
            max_input: None,
            adopt_snapshot: None,
        }
    }
}
