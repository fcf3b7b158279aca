//! Hosts for the component `agent:todo`.

/// The component, built from this commit.
pub static COMPONENT: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/agent-todo.wasm"));

pub mod vectors;
