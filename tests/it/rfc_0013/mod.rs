//! RFC-0013: discovery.

mod model;
mod vectors;
