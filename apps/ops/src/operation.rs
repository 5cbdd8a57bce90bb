//! Operations: the trait, the call, and the type-erased entry that surfaces use.

use crate::app::App;
use crate::elsewhere::suggest_paths;
use crate::executor::block_on;
use crate::failure::Failure;
use crate::policy::known;
use crate::renaming::settle_interrupted;
use crate::render::Render;
use crate::run::Run;
use clap::{ArgMatches, Args, Command, FromArgMatches};
use schemars::{JsonSchema, Schema};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use skillc_domain::fault::{Fault, Warning};
use skillc_domain::reader::tool_name;
use std::fmt::Display;
use std::future::Future;
use std::pin::Pin;

/// The surfaces that offer an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Surface {
    /// The command line and the MCP server.
    Everywhere,
    /// The command line only, because it writes to files that the caller names, deletes, or needs a terminal.
    CommandLine,
}

/// The purpose of a tool. Clients that only read skills need not be sent the tools for authors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ToolGroup {
    /// Finding and reading skills.
    Read,
    /// Creating, checking and deploying skills, and analyzing their use.
    Author,
}

/// A group of commands in the help, in the order of a typical workflow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommandGroup {
    /// Creating projects and skills.
    Make,
    /// Checking skills.
    Check,
    /// Building and deploying skills.
    Build,
    /// Finding, loading and reading skills.
    Find,
    /// Analyzing the use of skills.
    Use,
}

impl CommandGroup {
    /// Every group with its title.
    pub const TITLES: [(Self, &'static str); 5] = [
        (Self::Make, "Set up and create"),
        (Self::Check, "Check"),
        (Self::Build, "Build and deploy"),
        (Self::Find, "Find, load and read"),
        (Self::Use, "Measure"),
    ];
}

/// A verb. The doc comments of the request are its help and the descriptions in its schema.
pub trait Operation {
    /// Name of the command; the tool's name is derived from it.
    const NAME: &'static str;
    /// The surfaces that offer it.
    const SURFACE: Surface;
    /// The purpose of its tool.
    const TOOL_GROUP: ToolGroup = ToolGroup::Author;
    /// Whether it leaves stores, runtimes and agents' folders unchanged.
    const IS_READ_ONLY: bool;
    /// Whether its tool may replace or delete existing content. Only tools use it.
    const IS_DESTRUCTIVE: bool = false;
    /// Whether a long reply on a terminal goes through a pager. An operation that changes something never waits for
    /// one.
    const IS_PAGED: bool = Self::IS_READ_ONLY;
    /// Whether its reply says nothing about skills, so that agents may call it even while the policy cannot be read.
    const IS_ABOUT_NO_SKILL: bool = false;
    /// Whether interrupted renames are completed or undone first, as every command that may write does.
    const SETTLES_RENAMES: bool = true;
    /// Example command lines, one per line.
    const EXAMPLES: &'static str;
    /// The formats in which its reply can be printed.
    const FORMATS: &'static [&'static str] = &["text", "json"];
    /// Arguments that its tool lacks, by JSON key: they choose where to write, or change sources.
    const COMMAND_LINE_ONLY: &'static [&'static str] = &[];
    /// The arguments.
    type Request: Args + DeserializeOwned + Serialize + JsonSchema + Send + 'static;
    /// What a call returns: JSON for programs, rendered as text for people.
    type Reply: Serialize + JsonSchema + Render + 'static;

    /// Runs the operation.
    ///
    /// # Errors
    /// A fault of the table; each operation documents what it has done by then.
    fn run(run: &mut Run<'_>, request: Self::Request) -> impl Future<Output = Result<Self::Reply, Failure>>;
}

/// The reply of any operation.
pub trait Reply: Render {
    /// Structured data: always an object.
    fn json(&self) -> Value;
    /// The same data as text, written without building a [`Value`]: indented for people, or on one line.
    fn json_text(&self, is_indented: bool) -> Vec<u8>;
}

impl<T: Serialize + Render> Reply for T {
    fn json(&self) -> Value {
        // A reply consists of strings, numbers and lists, which can always be serialized.
        serde_json::to_value(self).unwrap_or_default()
    }

    fn json_text(&self, is_indented: bool) -> Vec<u8> {
        let text = if is_indented { serde_json::to_vec_pretty(self) } else { serde_json::to_vec(self) };
        let mut text = text.unwrap_or_default();
        text.push(b'\n');
        text
    }
}

/// The outcome of a call.
pub struct Answer<R = Box<dyn Reply>> {
    /// The reply; `None` if the call failed as a whole.
    pub reply: Option<R>,
    /// The failure of the call, or those of its parts.
    pub failures: Vec<Failure>,
    /// Warnings, in the order in which they occurred.
    pub warnings: Vec<Warning>,
}

impl<R> Answer<R> {
    /// The answer to a call that failed as a whole.
    pub fn failed(failure: Failure) -> Self {
        Self { reply: None, failures: vec![failure], warnings: Vec::new() }
    }
}

impl<R: Reply + 'static> Answer<R> {
    /// Boxes the reply.
    pub fn boxed(self) -> Answer {
        let reply = self.reply.map(|reply| Box::new(reply) as Box<dyn Reply>);
        Answer { reply, failures: self.failures, warnings: self.warnings }
    }
}

/// Runs an operation, and logs its use of skills. An agent gets E086 while the policy cannot be read.
pub async fn call<O: Operation>(app: &App, request: O::Request) -> Answer<O::Reply> {
    let args = match serde_json::to_value(&request) {
        Ok(Value::Object(args)) => args,
        _ => serde_json::Map::new(),
    };
    let mut run = Run::new(app);
    if O::SETTLES_RENAMES {
        settle_interrupted(&mut run).await;
    }
    let result = match known(app).err().filter(|_| app.call.is_agent() && !O::IS_ABOUT_NO_SKILL) {
        Some(fault) => Err(fault.into()),
        None => O::run(&mut run, request).await.map_err(|failure| suggest_paths(app, failure)),
    };
    let outcome = run.finish(O::NAME, args, result.as_ref().err()).await;
    let mut failures = outcome.failures;
    let reply = result.map_err(|failure| failures.push(failure)).ok();
    Answer { reply, failures, warnings: outcome.warnings }
}

/// Calls an operation and waits for its answer.
pub fn call_blocking<O: Operation>(app: &App, request: O::Request) -> Answer<O::Reply> {
    block_on(app, call::<O>(app, request)).unwrap_or_else(Answer::failed)
}

type Pending<'a> = Pin<Box<dyn Future<Output = Answer> + 'a>>;

/// A call of an operation whose arguments have been parsed.
pub type Call = Box<dyn for<'a> FnOnce(&'a App) -> Pending<'a> + Send>;

/// An operation as a value, which `OPS` lists.
pub struct OperationEntry {
    /// [`Operation::NAME`]
    pub name: &'static str,
    /// The group in which the help lists it.
    pub group: CommandGroup,
    /// [`Operation::SURFACE`]
    pub surface: Surface,
    /// [`Operation::TOOL_GROUP`]
    pub tool_group: ToolGroup,
    /// [`Operation::IS_READ_ONLY`]
    pub is_read_only: bool,
    /// [`Operation::IS_DESTRUCTIVE`]
    pub is_destructive: bool,
    /// [`Operation::IS_PAGED`]
    pub is_paged: bool,
    /// [`Operation::FORMATS`]
    pub formats: &'static [&'static str],
    /// [`Operation::COMMAND_LINE_ONLY`]
    pub command_line_only: &'static [&'static str],
    /// Adds arguments, help and examples to a command.
    pub augment: fn(Command) -> Command,
    /// Parses command-line arguments; E100 if they are invalid.
    pub parse_args: fn(&ArgMatches) -> Result<Call, Fault>,
    /// Parses a JSON object; E100 if it is invalid.
    pub parse_json: fn(&Value) -> Result<Call, Fault>,
    /// JSON Schema of the request.
    pub request_schema: fn() -> Schema,
    /// JSON Schema of the reply.
    pub reply_schema: fn() -> Schema,
}

impl OperationEntry {
    /// The name of the MCP tool.
    pub fn tool_name(&self) -> String {
        tool_name(self.name)
    }
}

/// The entry of an operation.
pub(crate) const fn entry<O: Operation>(group: CommandGroup) -> OperationEntry {
    OperationEntry {
        name: O::NAME,
        group,
        surface: O::SURFACE,
        tool_group: O::TOOL_GROUP,
        is_read_only: O::IS_READ_ONLY,
        is_destructive: O::IS_DESTRUCTIVE,
        is_paged: O::IS_PAGED,
        formats: O::FORMATS,
        command_line_only: O::COMMAND_LINE_ONLY,
        augment: |command| {
            O::Request::augment_args(command).after_help(format!("Examples:\n{}", indent(O::EXAMPLES)))
        },
        parse_args: |matches| O::Request::from_arg_matches(matches).map(boxed_call::<O>).map_err(misfit),
        parse_json: |arguments| O::Request::deserialize(arguments).map(boxed_call::<O>).map_err(misfit),
        request_schema: || schemars::schema_for!(O::Request),
        reply_schema: || {
            // The schema of the serialized form, which omits empty fields.
            let settings = schemars::generate::SchemaSettings::default().for_serialize();
            settings.into_generator().into_root_schema_for::<O::Reply>()
        },
    }
}

fn boxed_call<O: Operation>(request: O::Request) -> Call {
    Box::new(|app| Box::pin(async { call::<O>(app, request).await.boxed() }))
}

fn misfit(error: impl Display) -> Fault {
    Fault::invalid_option(error.to_string().trim())
}

fn indent(lines: &str) -> String {
    lines.lines().map(|line| format!("  {}", line.trim())).collect::<Vec<_>>().join("\n")
}
