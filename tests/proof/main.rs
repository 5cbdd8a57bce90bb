//! Tests of skc against many inputs and other implementations, separate from the tests by example. Each has a short
//! form that always runs, and a long one that an environment variable selects (CONTRIBUTING.md).

mod agreement;
#[cfg(target_os = "linux")]
mod faults;
mod fuzz;
mod model;
#[allow(dead_code)]
#[path = "../it/random.rs"]
mod random;
#[allow(dead_code)]
#[path = "../it/site.rs"]
mod site;
