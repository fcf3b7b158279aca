//! One session: a store, an instance, and typed calls.

use wasmtime::Store;

use crate::bindings::Plugin as Exports;
use crate::bindings::exports::agent::todo::session::Guest;
use crate::error::{Cause, Error};
use crate::limits::{Limits, Memory};
use crate::{
    CounterValues, HistoryItem, Policy, RestoreReport, Snapshot, Todo, ToolDefinition, ToolError,
    ToolOutput,
};

/// One session of one agent. The functions are those of the interface; its
/// file, `wit/agent-todo.wit`, says what each promises.
///
/// Where a result holds another, the outer error is the host's: the session is
/// dead ([`Error::Dead`]). The inner one is an answer: its message goes to the
/// model.
pub struct Session {
    store: Store<Memory>,
    exports: Exports,
    limits: Limits,
    dead: Option<Error>,
}

impl Session {
    pub(crate) fn new(store: Store<Memory>, exports: Exports, limits: Limits) -> Session {
        Session {
            store,
            exports,
            limits,
            dead: None,
        }
    }

    /// Sets the whole policy; list and counters stay as they are.
    ///
    /// # Errors
    /// Inner: `invalid-policy`. Outer: [`Error::Dead`], as everywhere below.
    pub fn configure(&mut self, policy: &Policy) -> Result<Result<(), ToolError>, Error> {
        self.call("configure", |guest, store| {
            guest.call_configure(store, *policy)
        })
    }

    /// The paragraph for the system prompt.
    ///
    /// # Errors
    /// [`Error::Dead`].
    pub fn instructions(&mut self) -> Result<String, Error> {
        self.call("instructions", |guest, store| {
            guest.call_instructions(store)
        })
    }

    /// The tools that the model may call.
    ///
    /// # Errors
    /// [`Error::Dead`].
    pub fn tools(&mut self) -> Result<Vec<ToolDefinition>, Error> {
        self.call("tools", |guest, store| guest.call_tools(store))
    }

    /// Runs the tool `name` on its JSON `input`.
    ///
    /// # Errors
    /// Inner: `unknown-tool`, `too-large`, `invalid-input`, `too-many`,
    /// `not-found`.
    pub fn call_tool(
        &mut self,
        name: &str,
        input: &str,
    ) -> Result<Result<ToolOutput, ToolError>, Error> {
        self.call("call-tool", |guest, store| {
            guest.call_call_tool(store, name, input)
        })
    }

    /// [`Session::call_tool`] of `todo_write`.
    ///
    /// # Errors
    /// As there.
    pub fn todo_write(&mut self, input: &str) -> Result<Result<ToolOutput, ToolError>, Error> {
        self.call("todo-write", |guest, store| {
            guest.call_todo_write(store, input)
        })
    }

    /// The host sends a request to the model.
    ///
    /// # Errors
    /// [`Error::Dead`].
    pub fn on_request(&mut self) -> Result<(), Error> {
        self.call("on-request", |guest, store| guest.call_on_request(store))
    }

    /// What the host appends to its history before the next request.
    ///
    /// # Errors
    /// [`Error::Dead`].
    pub fn pending_history_appends(&mut self) -> Result<Vec<HistoryItem>, Error> {
        self.call("pending-history-appends", |guest, store| {
            guest.call_pending_history_appends(store)
        })
    }

    /// What compaction needs; `None` for an empty list.
    ///
    /// # Errors
    /// [`Error::Dead`].
    pub fn compact_snapshot(&mut self) -> Result<Option<Snapshot>, Error> {
        self.call("compact-snapshot", |guest, store| {
            guest.call_compact_snapshot(store)
        })
    }

    /// Rebuilds list and counters from a recorded history.
    ///
    /// # Errors
    /// Inner: `invalid-history`.
    pub fn restore(&mut self, history: &str) -> Result<Result<RestoreReport, ToolError>, Error> {
        self.call("restore", |guest, store| guest.call_restore(store, history))
    }

    /// Everything that the session holds, as one line of JSON.
    ///
    /// # Errors
    /// [`Error::Dead`].
    pub fn save_state(&mut self) -> Result<String, Error> {
        self.call("save-state", |guest, store| guest.call_save_state(store))
    }

    /// Takes back what [`Session::save_state`] gave.
    ///
    /// # Errors
    /// Inner: `invalid-state`.
    pub fn load_state(&mut self, state: &str) -> Result<Result<(), ToolError>, Error> {
        self.call("load-state", |guest, store| {
            guest.call_load_state(store, state)
        })
    }

    /// The list, for a user interface.
    ///
    /// # Errors
    /// [`Error::Dead`].
    pub fn todos(&mut self) -> Result<Vec<Todo>, Error> {
        self.call("todos", |guest, store| guest.call_todos(store))
    }

    /// The counters that decide when a reminder is due.
    ///
    /// # Errors
    /// [`Error::Dead`].
    pub fn counters(&mut self) -> Result<CounterValues, Error> {
        self.call("counters", |guest, store| guest.call_counters(store))
    }

    /// Units of fuel that the last call used, to find a limit by; `None` without
    /// [`Limits::fuel`].
    pub fn fuel_used(&self) -> Option<u64> {
        let left = self.store.get_fuel().ok()?;
        Some(self.limits.fuel?.saturating_sub(left))
    }

    /// The error of every further call, once a call was cut off.
    pub fn death(&self) -> Option<&Error> {
        self.dead.as_ref()
    }

    fn call<T>(
        &mut self,
        during: &'static str,
        call: impl FnOnce(&Guest, &mut Store<Memory>) -> wasmtime::Result<T>,
    ) -> Result<T, Error> {
        if let Some(death) = &self.dead {
            return Err(death.clone());
        }
        let guest = self.exports.agent_todo_session();
        self.limits
            .refill(&mut self.store)
            .and_then(|()| call(guest, &mut self.store))
            .map_err(|error| {
                let cause = Cause::of(&error);
                self.dead.insert(Error::Dead { during, cause }).clone()
            })
    }
}
