//! The program under test: `skc` as it is.

use std::process::ExitCode;

fn main() -> ExitCode {
    skillc::main()
}
