//! The oracles that the fuzz targets call, which are those of the tests.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)]

#[path = "../../tests/oracles/mod.rs"]
pub mod oracles;
#[path = "../../tests/recording/mod.rs"]
pub mod recording;
