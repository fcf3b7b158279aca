//! The reference host. Its promises, through the real component and, for the
//! endpoints, over real sockets on the loopback interface.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    missing_docs
)]

mod base_tools;
mod binary;
mod compaction;
mod history;
mod http;
mod pages;
mod requests;
mod server;
mod session;
mod stops;
mod turns;
