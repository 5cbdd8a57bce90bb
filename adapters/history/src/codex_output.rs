//! Reads from the output of a Codex command how the command ended.

use serde_json::Value;
use skillc_domain::history::CallOutcome;

/// The outcome of a command, from header lines or from JSON with metadata.
pub fn outcome(output: &Value) -> CallOutcome {
    match output {
        Value::String(text) => of_text(text),
        Value::Object(_) => match (output["success"].as_bool(), output["content"].as_str()) {
            (_, Some(text)) if of_text(text) != CallOutcome::Succeeded => of_text(text),
            (Some(false), _) => CallOutcome::Failed,
            _ => CallOutcome::Succeeded,
        },
        _ => CallOutcome::Succeeded,
    }
}

fn of_text(text: &str) -> CallOutcome {
    let header = text.split("\nOutput:").next().unwrap_or(text);
    let after = |sign: &str| header.split_once(sign)?.1.lines().next();
    let status = after("Process exited with code ").or_else(|| after("Exit code: "));
    if let Some(status) = status.and_then(|status| status.trim().parse().ok()) {
        return CallOutcome::Exited(status);
    }
    let parsed: Option<Value> = text.starts_with('{').then(|| serde_json::from_str(text).ok()).flatten();
    let status = parsed.and_then(|value| value["metadata"]["exit_code"].as_i64());
    status.and_then(|status| i32::try_from(status).ok()).map_or(CallOutcome::Succeeded, CallOutcome::Exited)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_status_is_in_a_header_or_in_metadata_and_never_in_the_output_itself() {
        for (output, expected) in [
            (
                "Chunk ID: 1\nProcess exited with code 1\nOriginal token count: 3\nOutput:\nx",
                CallOutcome::Exited(1),
            ),
            ("Process exited with code 1\nOutput:\nx", CallOutcome::Exited(1)),
            ("Exit code: 2\nWall time: 1\nOutput:\n", CallOutcome::Exited(2)),
            ("{\"output\":\"x\",\"metadata\":{\"exit_code\":141}}", CallOutcome::Exited(141)),
            ("Wall time: 1\nOutput:\nProcess exited with code 1\n", CallOutcome::Succeeded),
            ("", CallOutcome::Succeeded),
        ] {
            assert_eq!(outcome(&Value::from(output)), expected, "{output}");
        }
    }
}
