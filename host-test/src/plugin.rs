//! A component, compiled once, from which sessions are made.

use wasmtime::component::{Component, InstancePre, Linker};
use wasmtime::{Cache, Config, Engine, PoolConcurrencyLimitError};

use crate::bindings::PluginPre;
use crate::error::{Cause, Error, chain};
use crate::limits::{Limits, Memory};
use crate::session::Session;
use crate::{COMPONENT, Policy};

/// A compiled component and the limits of its sessions. Made once in a process
/// and cheap to clone; may be shared between threads.
#[derive(Clone)]
pub struct Plugin {
    pre: PluginPre<Memory>,
    limits: Limits,
}

/// What a session is revived from.
#[derive(Clone, Copy, Debug)]
pub enum Recovery<'a> {
    /// What `save_state` gave, after the last call that returned. Exact.
    State(&'a str),
    /// The history of the session, as the host records it. Exact too, if the
    /// host counted a request for each assistant message.
    History(&'a str),
}

impl Plugin {
    /// The component of this crate, [`COMPONENT`].
    ///
    /// Compiling it takes 0.1 to 0.2 seconds of an optimised build, so the
    /// machine code is kept in Wasmtime's cache in the user's cache folder, from
    /// which it is loaded in about 2 ms; without such a folder it is compiled
    /// every time. (Embedding the machine code instead would load as quickly,
    /// but can't be done without `unsafe`.) [`Plugin::from_bytes`] writes
    /// nothing anywhere.
    ///
    /// # Errors
    /// [`Error::Dead`] if the limits are too small for an instance.
    pub fn bundled(limits: Limits) -> Result<Plugin, Error> {
        Plugin::compile(COMPONENT, limits, Cache::from_file(None).ok())
    }

    /// Any component of the interface, as bytes of WebAssembly.
    ///
    /// # Errors
    /// [`Error::Component`] for bytes that are no component, for another
    /// interface, and for a component that imports something; [`Error::Dead`] if
    /// the limits are too small for an instance.
    pub fn from_bytes(component: &[u8], limits: Limits) -> Result<Plugin, Error> {
        Plugin::compile(component, limits, None)
    }

    fn compile(bytes: &[u8], limits: Limits, cache: Option<Cache>) -> Result<Plugin, Error> {
        let mut config = Config::new();
        limits.configure(&mut config);
        config.cache(cache);
        let pre = Engine::new(&config)
            .and_then(|engine| link(&engine, bytes))
            .and_then(PluginPre::new)
            .map_err(|error| Error::Component(chain(&error)))?;
        let plugin = Plugin { pre, limits };
        // The types of the functions are checked when an instance is made.
        plugin.instantiate()?;
        Ok(plugin)
    }

    /// Makes a session: a store and an instance of its own, so that no two
    /// sessions share anything. Takes some 20 µs.
    ///
    /// # Errors
    /// [`Error::Refused`] for a policy with a value out of its range;
    /// [`Error::Dead`] if a limit does not even allow this.
    pub fn session(&self, policy: &Policy) -> Result<Session, Error> {
        let mut session = self.instantiate()?;
        session.configure(policy)?.map_err(Error::Refused)?;
        Ok(session)
    }

    /// Makes a session that goes on where another one stopped: one that died,
    /// or one that was put out of memory. The policy of saved state is the saved
    /// one; of a history it is `policy`.
    ///
    /// # Errors
    /// [`Error::Refused`] for text that is no saved state or no history, and for
    /// a policy out of range; [`Error::Dead`] if a limit is met again.
    pub fn revive(&self, policy: &Policy, from: Recovery<'_>) -> Result<Session, Error> {
        let mut session = self.session(policy)?;
        match from {
            Recovery::State(state) => session.load_state(state)?.map_err(Error::Refused)?,
            Recovery::History(history) => {
                session.restore(history)?.map_err(Error::Refused)?;
            }
        }
        Ok(session)
    }

    /// Moves the clock that [`Limits::ticks`] looks at by one. A host that sets
    /// that limit calls this from a thread of its own, say every 10 ms; all
    /// sessions of the plugin share the clock.
    pub fn tick(&self) {
        self.pre.engine().increment_epoch();
    }

    fn instantiate(&self) -> Result<Session, Error> {
        let mut store = self.limits.store(self.pre.engine());
        let exports = self
            .limits
            .refill(&mut store)
            .and_then(|()| self.pre.instantiate(&mut store))
            .map_err(|error| match Cause::of(&error) {
                _ if error.is::<PoolConcurrencyLimitError>() => Error::Full,
                Cause::Trap(problem) => Error::Component(problem),
                cause => Error::Dead {
                    during: "instantiate",
                    cause,
                },
            })?;
        Ok(Session::new(store, exports, self.limits.clone()))
    }
}

/// An empty linker: a component of this interface imports nothing.
fn link(engine: &Engine, bytes: &[u8]) -> wasmtime::Result<InstancePre<Memory>> {
    Linker::new(engine).instantiate_pre(&Component::new(engine, bytes)?)
}
