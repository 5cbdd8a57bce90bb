//! The program under test: `skc` unchanged.

use std::process::ExitCode;

fn main() -> ExitCode {
    skillc::main()
}
