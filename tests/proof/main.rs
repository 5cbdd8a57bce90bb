//! Proofs that hold skc against many inputs or against other implementations, apart from the tests by example: each has a short form
//! that always runs, and a long one that a variable of the environment asks for (CONTRIBUTING.md).

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
