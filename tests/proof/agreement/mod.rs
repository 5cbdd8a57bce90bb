//! Compares what skc reads, finds and lists with other implementations.

mod find;
mod markdown;
mod sources;

use serde_json::{Value, json};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

/// The answer of a script in `tools` to a list of texts; `None` if Python lacks a module that it needs.
fn ask(script: &str, module: &str, texts: &[&str]) -> Option<Vec<Value>> {
    let has_module =
        Command::new("python3").args(["-c", &format!("import {module}")]).stderr(Stdio::null()).status();
    if !has_module.is_ok_and(|status| status.success()) {
        assert!(std::env::var_os("SKC_REQUIRE_PYTHON").is_none(), "python3 has no {module} here");
        return None;
    }
    let script = repository().join("tools").join(script);
    let mut child =
        Command::new("python3").arg(script).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let texts = json!(texts).to_string();
    let writer = std::thread::spawn(move || input.write_all(texts.as_bytes()).unwrap());
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    Some(serde_json::from_slice(&output.stdout).unwrap())
}
