//! Random sessions and what hosts record of them. Shared by several tests and
//! by the fuzz targets, none of which needs all of it.
#![allow(dead_code)]

pub mod calls;
pub mod choices;
pub mod play;
pub mod shapes;
