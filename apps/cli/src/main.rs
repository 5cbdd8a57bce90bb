//! The program `skc`.

use std::process::ExitCode;

fn main() -> ExitCode {
    skillc::main()
}
