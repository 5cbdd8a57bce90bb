//! One call of a tool: on a thread of its own, so that calls run side by side and each may block.

use crate::arguments::misfit;
use crate::guard::PANICKED;
use crate::links::link;
use crate::tools::operation;
use rmcp::model::{CallToolResult, ContentBlock, JsonObject, Tool};
use serde_json::{Value, json};
use skillc_domain::fault::{Fault, Warning};
use skillc_ops::operation::Answer;
use skillc_ops::{App, Caller, View};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tokio::sync::Semaphore;

/// Calls that run at a time; further ones wait. More than processors, since some wait for disks and locks.
pub const CALLS_MAX: usize = 32;

/// Who asks.
pub struct Asking {
    /// Name and version of the client.
    pub client: String,
    /// The session of the request, as far as one is known.
    pub session: Option<String>,
}

/// Somebody waits for the answer, as long as this lives.
#[derive(Default)]
struct Waiting(Arc<AtomicBool>);

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Calls one of the tools; `None` for a name that none of them has. Where this is no longer waited for, a search ends soon;
/// any other call runs to its end all the same.
pub async fn call(
    app: &App,
    room: &Arc<Semaphore>,
    tools: &[Tool],
    tool: &str,
    arguments: JsonObject,
    asking: Asking,
) -> Option<CallToolResult> {
    let (entry, tool) = (operation(tool)?, tools.iter().find(|listed| listed.name == tool)?);
    if let Some(name) = entry.command_line_only.iter().find(|name| arguments.contains_key(**name)) {
        let fault = Fault::invalid_option(format!(
            "argument '{name}' is only available on the command line: skc {}",
            entry.name
        ));
        return Some(refused(&fault));
    }
    if let Some(message) = misfit(&tool.input_schema, &arguments) {
        return Some(refused(&Fault::invalid_option(message)));
    }
    let seat = room.clone().acquire_owned().await;
    let Asking { client, session } = asking;
    let waiting = Waiting::default();
    let app = App { caller: Caller::Agent(client), session, gone: waiting.0.clone(), ..app.clone() };
    let runtime = tokio::runtime::Handle::current();
    let run = move || {
        let _seat = seat;
        result(&runtime.block_on((entry.run_json)(&app, Value::Object(arguments))))
    };
    // What panics there ends alone: every write is atomic, and nothing is shared but ports.
    Some(tokio::task::spawn_blocking(run).await.unwrap_or_else(|_| {
        let fault = Fault::Internal { message: PANICKED.to_owned() };
        refused(&fault)
    }))
}

/// The reply as data, with a text for clients that read no data; warnings and failures of parts stand beside it.
fn result(answer: &Answer) -> CallToolResult {
    let faults: Vec<Value> = answer.failures.iter().map(|failure| fault_json(&failure.fault)).collect();
    let mut text: Vec<String> = answer.warnings.iter().map(warning_text).collect();
    text.extend(answer.failures.iter().map(|failure| fault_text(&failure.fault)));
    let Some(reply) = &answer.reply else { return failed(&faults, &text.join("\n")) };
    let data = reply.json();
    let view = View::default();
    let shown = [reply.text(&view), reply.diagnostics(&view)].concat();
    let shown = String::from_utf8_lossy(&shown).into_owned();
    text.insert(0, shown);
    let mut result = CallToolResult::success(vec![ContentBlock::text(text.join("\n"))]);
    result.content.extend(link(&data));
    result.structured_content = Some(data);
    result.is_error = Some(!faults.is_empty());
    result
}

/// A tool error of one fault.
fn refused(fault: &Fault) -> CallToolResult {
    failed(&[fault_json(fault)], &fault_text(fault))
}

/// A tool error: the canonical text, and the codes as data.
fn failed(faults: &[Value], text: &str) -> CallToolResult {
    let mut result = CallToolResult::error(vec![ContentBlock::text(text.to_owned())]);
    result.structured_content = Some(json!({ "errors": faults }));
    result
}

fn fault_json(fault: &Fault) -> Value {
    let mut data = json!({ "code": fault.code(), "message": fault.to_string(), "hint": fault.hint() });
    let candidates = fault.candidates();
    if !candidates.is_empty() {
        data["candidates"] = candidates.into();
    }
    data
}

fn fault_text(fault: &Fault) -> String {
    let hint = fault.hint().map(|hint| format!("\nhint: {hint}")).unwrap_or_default();
    format!("{}{hint}", fault.line())
}

fn warning_text(warning: &Warning) -> String {
    let hint = warning.hint().map(|hint| format!("\nhint: {hint}")).unwrap_or_default();
    format!("warning[{}]: {warning}{hint}", warning.code())
}
