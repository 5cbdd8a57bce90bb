//! Calls a tool in a thread of its own, so that calls run concurrently and may block.

use crate::arguments::misfit;
use crate::catch_panic::PANICKED;
use crate::links::link;
use crate::schema::without_nulls;
use crate::tools::operation;
use rmcp::model::{CallToolResult, ContentBlock, JsonObject, MetaObject, Tool};
use serde_json::Value;
use skillc_domain::fault::Fault;
use skillc_domain::reader::Reader;
use skillc_ops::diagnostic::is_question;
use skillc_ops::workspace::LiveApp;
use skillc_ops::{Answer, Caller, Diagnostic, View};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tokio::sync::Semaphore;

/// Concurrent calls; further ones wait. More than processors, since some calls wait for disks and locks.
pub const CALLS_MAX: usize = 32;

/// The client that calls.
pub struct ClientIdentity {
    /// Name and version of the client.
    pub client: String,
    /// The session of the request, if it is known.
    pub session: Option<String>,
}

/// Sets the flag `gone` on drop, when the client no longer waits for the result.
#[derive(Default)]
struct GoneOnDrop(Arc<AtomicBool>);

impl Drop for GoneOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Calls a tool; `None` for an unknown name. If the returned future is dropped, a search stops soon; any other call
/// still runs to its end.
pub async fn call(
    live: &Arc<LiveApp>,
    permits: &Arc<Semaphore>,
    tools: &[Tool],
    tool: &str,
    arguments: JsonObject,
    caller: ClientIdentity,
) -> Option<CallToolResult> {
    let reader = live.initial().call.reader;
    let (entry, tool) = (operation(tool)?, tools.iter().find(|listed| listed.name == tool)?);
    if let Some(name) = entry.command_line_only.iter().find(|name| arguments.contains_key(**name)) {
        let fault = Fault::invalid_option(format!(
            "argument '{name}' is only for the command line; ask the user to run `skc {}` with it",
            entry.name
        ));
        return Some(refused(&fault, reader));
    }
    let arguments = Value::Object(without_nulls(&tool.input_schema, arguments));
    let operation_call = match (entry.parse_json)(&arguments) {
        Ok(call) => call,
        Err(fault) => {
            let message = arguments.as_object().and_then(|given| misfit(&tool.input_schema, given));
            return Some(refused(&message.map_or(fault, Fault::invalid_option), reader));
        }
    };
    let permit = permits.clone().acquire_owned().await;
    let ClientIdentity { client, session } = caller;
    let gone = GoneOnDrop::default();
    let (live, is_cancelled) = (live.clone(), gone.0.clone());
    let runtime = tokio::runtime::Handle::current();
    let run = move || {
        let _permit = permit;
        let mut app = live.current();
        app.call.caller = Caller::Agent(client);
        app.call.session = session;
        app.call.is_cancelled = is_cancelled;
        let answer = runtime.block_on(operation_call(&app));
        if let Some(reply) = answer.reply.as_ref().filter(|_| app.call.is_cancelled.load(Ordering::Relaxed)) {
            reply.not_delivered(&app);
        }
        result(&answer, reader)
    };
    // A panic ends only this call: every write is atomic, and only ports are shared.
    Some(tokio::task::spawn_blocking(run).await.unwrap_or_else(|_| {
        let fault = Fault::Internal { message: PANICKED.to_owned() };
        refused(&fault, reader)
    }))
}

/// The reply as data and as text for clients that ignore the data, followed by warnings and partial failures.
fn result(answer: &Answer, reader: Reader) -> CallToolResult {
    let faults: Vec<Value> =
        answer.failures.iter().map(|failure| Diagnostic::of(&failure.fault, reader).json()).collect();
    let mut text: Vec<String> = answer
        .warnings
        .iter()
        .map(|warning| with_hint(warning.line_to(reader), warning.hint(reader)))
        .collect();
    text.extend(answer.failures.iter().map(|failure| fault_text(&failure.fault, reader)));
    let Some(reply) = &answer.reply else { return failed(&faults, &text.join("\n")) };
    let mut data = reply.json();
    if let (Some(fields), Some(repeated)) = (data.as_object_mut(), reply.text_field()) {
        fields.remove(repeated);
    }
    let mut shown = Vec::new();
    let view = View { reader, ..View::default() };
    reply.tool_text(&view, &mut shown);
    reply.diagnostics(&view, &mut shown);
    let shown = String::from_utf8_lossy(&shown).into_owned();
    text.insert(0, shown);
    let mut result = CallToolResult::success(vec![ContentBlock::text(text.join("\n"))]);
    result.content.extend(link(&data));
    result.structured_content = Some(data);
    result.is_error = Some(!faults.is_empty());
    result.meta = (!faults.is_empty()).then(|| errors(&faults));
    result
}

/// A tool error for one fault.
fn refused(fault: &Fault, reader: Reader) -> CallToolResult {
    failed(&[Diagnostic::of(fault, reader).json()], &fault_text(fault, reader))
}

fn fault_text(fault: &Fault, reader: Reader) -> String {
    with_hint(fault.line_to(reader), fault.hint(reader))
}

/// The `_meta` key of a tool error's diagnostics.
const ERRORS: &str = "skillc/errors";

/// A tool error: the text, and the diagnostics in `_meta`. Not in `structuredContent`, where clients expect the tool's
/// output schema even from an error, and drop a reply that does not fit it.
fn failed(faults: &[Value], text: &str) -> CallToolResult {
    let mut result = CallToolResult::error(vec![ContentBlock::text(text.to_owned())]);
    result.meta = Some(errors(faults));
    result
}

fn errors(faults: &[Value]) -> MetaObject {
    let mut meta = MetaObject::new();
    meta.0.insert(ERRORS.to_owned(), faults.into());
    meta
}

/// The line of a fault or a warning, with its hint below.
fn with_hint(line: String, hint: Option<String>) -> String {
    match hint {
        Some(hint) if is_question(&hint) => format!("{line}\n\n{hint}"),
        Some(hint) => format!("{line}\nhint: {hint}"),
        None => line,
    }
}
