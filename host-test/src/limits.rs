//! What a session may use of the host.

use wasmtime::{Config, Enabled, PoolingAllocationConfig, ResourceLimiter, Store};

/// Bytes of a free place that stay in memory: those of an ordinary session.
const KEPT_RESIDENT: usize = 256 << 10;

/// Limits of each session. A session that meets one is dead, and is made anew
/// with [`Plugin::revive`](crate::Plugin::revive).
///
/// The default is a memory limit alone: the component's own work is linear in
/// its input, and `max-input` of the policy bounds that.
///
/// ```
/// let limits = agent_todo_host::Limits {
///     fuel: Some(50_000_000),
///     ..Default::default()
/// };
/// assert_eq!(limits.memory, 64 << 20);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of memory, rounded down to pages of 64 KiB. Default 64 MiB, which
    /// holds a history of 16 MiB in one `restore`; an ordinary session fits
    /// into 1 MiB. A text is copied in before the component can refuse it, so
    /// a host with a low limit checks lengths itself.
    pub memory: usize,
    /// Units of fuel for each call, roughly one for each WebAssembly
    /// instruction; `None`, the default, counts none. Counting costs about a
    /// quarter of the speed. A write of 20 items stays under 1,000,000.
    pub fuel: Option<u64>,
    /// Ticks of the plugin's clock for each call, see
    /// [`Plugin::tick`](crate::Plugin::tick); at least 1. `None`, the default,
    /// looks at no clock.
    pub ticks: Option<u64>,
    /// Places for live sessions that are set aside when the plugin is made, so
    /// that a session takes one in place of asking the system for memory. For a
    /// service with many short sessions; one more than that is refused.
    /// `None`, the default, sets nothing aside and refuses nothing. Each place
    /// takes 4 GiB of addresses, and no memory before it is used.
    pub pool: Option<u32>,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            memory: 64 << 20,
            fuel: None,
            ticks: None,
            pool: None,
        }
    }
}

impl Limits {
    /// Compiles the checks in that the limits need, and no other.
    pub(crate) fn configure(&self, config: &mut Config) {
        config.consume_fuel(self.fuel.is_some());
        config.epoch_interruption(self.ticks.is_some());
        if let Some(sessions) = self.pool {
            let mut pool = PoolingAllocationConfig::new();
            pool.total_component_instances(sessions)
                .total_core_instances(sessions)
                .total_memories(sessions)
                .total_tables(sessions)
                .max_memory_size(self.memory)
                // What a place was used for is cleaned page by page where the
                // system can name the pages, and not given back to it.
                .linear_memory_keep_resident(KEPT_RESIDENT)
                .pagemap_scan(Enabled::Auto);
            config.allocation_strategy(pool);
        }
    }

    /// A store that keeps to the memory limit.
    pub(crate) fn store(&self, engine: &wasmtime::Engine) -> Store<Memory> {
        let mut store = Store::new(engine, Memory { limit: self.memory });
        store.limiter(|memory| memory);
        store
    }

    /// Fills up fuel and time, before each call.
    pub(crate) fn refill(&self, store: &mut Store<Memory>) -> wasmtime::Result<()> {
        if let Some(fuel) = self.fuel {
            store.set_fuel(fuel)?;
        }
        if let Some(ticks) = self.ticks {
            store.set_epoch_deadline(ticks);
        }
        Ok(())
    }
}

/// A growth of memory that the limit did not allow.
#[derive(Debug, thiserror::Error)]
#[error("it needs more than the memory limit of {limit} bytes")]
pub(crate) struct MemoryRefused {
    limit: usize,
}

/// Holds a store to its memory limit. A growth beyond it is a trap of its own
/// kind, so that the host learns why the session died.
#[derive(Debug)]
pub(crate) struct Memory {
    limit: usize,
}

impl ResourceLimiter for Memory {
    fn memory_growing(
        &mut self,
        _current: usize,
        desired: usize,
        _maximum: Option<usize>,
    ) -> wasmtime::Result<bool> {
        if desired > self.limit {
            return Err(wasmtime::Error::new(MemoryRefused { limit: self.limit }));
        }
        Ok(true)
    }

    fn table_growing(
        &mut self,
        _current: usize,
        _desired: usize,
        _maximum: Option<usize>,
    ) -> wasmtime::Result<bool> {
        Ok(true)
    }
}
