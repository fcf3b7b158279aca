//! An instance whose calls can be cut off at any moment: the harness gives a
//! host limits, this gives a test the exact place.

use std::sync::LazyLock;

use agent_todo_host::COMPONENT;
use wasmtime::component::{Component, InstancePre, Linker};
use wasmtime::{Config, Engine, ResourceLimiter, Store, UpdateDeadline};

#[allow(missing_docs, clippy::all)]
mod bindings {
    wasmtime::component::bindgen!({ path: "../wit", world: "plugin", additional_derives: [PartialEq] });
}

pub use bindings::Plugin as Exports;
pub use bindings::exports::agent::todo::session::{Policy, ToolSet};

static ENGINE: LazyLock<Engine> = LazyLock::new(|| {
    let mut config = Config::new();
    config.consume_fuel(true).epoch_interruption(true);
    config.cache(wasmtime::Cache::from_file(None).ok());
    Engine::new(&config).unwrap()
});

static COMPILED: LazyLock<InstancePre<Meter>> = LazyLock::new(|| {
    let component = Component::new(&ENGINE, COMPONENT).unwrap();
    Linker::new(&ENGINE).instantiate_pre(&component).unwrap()
});

/// Where a call is cut off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// Nowhere.
    Never,
    /// After so much fuel.
    Fuel(u64),
    /// At this look at the epoch, counted from 1.
    Epoch(u64),
    /// At this growth of memory, counted from 1: the guest gets a failure.
    Growth(u64),
    /// The same, as a trap.
    GrowthTrap(u64),
}

/// What a call took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    pub fuel: u64,
    pub epochs: u64,
    pub growths: u64,
}

/// Counts, and refuses where it is told to.
#[derive(Debug)]
pub struct Meter {
    cut: Cut,
    epochs: u64,
    growths: u64,
    /// Bytes of memory now.
    memory: usize,
}

impl ResourceLimiter for Meter {
    fn memory_growing(
        &mut self,
        _: usize,
        desired: usize,
        _: Option<usize>,
    ) -> wasmtime::Result<bool> {
        self.growths += 1;
        match self.cut {
            Cut::Growth(at) if at == self.growths => return Ok(false),
            Cut::GrowthTrap(at) if at == self.growths => {
                return Err(wasmtime::Error::msg("no more memory"));
            }
            _ => {}
        }
        self.memory = desired;
        Ok(true)
    }

    fn table_growing(&mut self, _: usize, _: usize, _: Option<usize>) -> wasmtime::Result<bool> {
        Ok(true)
    }
}

/// A session in an instance of its own.
pub struct Guest {
    pub store: Store<Meter>,
    pub exports: Exports,
}

const PLENTY: u64 = 1 << 60;

impl Guest {
    pub fn new() -> Guest {
        let meter = Meter {
            cut: Cut::Never,
            epochs: 0,
            growths: 0,
            memory: 0,
        };
        let mut store = Store::new(&ENGINE, meter);
        store.limiter(|meter| meter);
        store.set_fuel(PLENTY).unwrap();
        // The epoch is always over, so that every look at it counts.
        store.epoch_deadline_callback(|mut store| {
            let meter = store.data_mut();
            meter.epochs += 1;
            match meter.cut {
                Cut::Epoch(at) if at == meter.epochs => Ok(UpdateDeadline::Interrupt),
                _ => Ok(UpdateDeadline::Continue(0)),
            }
        });
        store.set_epoch_deadline(0);
        let exports = bindings::PluginPre::new(COMPILED.clone())
            .unwrap()
            .instantiate(&mut store)
            .unwrap();
        Guest { store, exports }
    }

    /// Makes a call, cut off as told; says what it took if it returned.
    pub fn call<T>(
        &mut self,
        cut: Cut,
        call: impl FnOnce(&Exports, &mut Store<Meter>) -> wasmtime::Result<T>,
    ) -> wasmtime::Result<(T, Cost)> {
        let fuel = match cut {
            Cut::Fuel(fuel) => fuel,
            _ => PLENTY,
        };
        self.store.set_fuel(fuel)?;
        let meter = self.store.data_mut();
        (meter.cut, meter.epochs, meter.growths) = (cut, 0, 0);
        let answer = call(&self.exports, &mut self.store)?;
        let left = self.store.get_fuel()?;
        let meter = self.store.data();
        let cost = Cost {
            fuel: fuel - left,
            epochs: meter.epochs,
            growths: meter.growths,
        };
        Ok((answer, cost))
    }

    /// Pages of memory.
    pub fn pages(&self) -> usize {
        self.store.data().memory >> 16
    }
}
