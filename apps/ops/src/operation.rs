//! Operations: the trait, the call, and the type-erased entry that surfaces work with.

use crate::app::App;
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
    /// The command line alone: it writes where the caller says, deletes, or needs a terminal.
    CommandLine,
}

/// What a tool is for. Clients that only read skills need not be sent the tools of authors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ToolGroup {
    /// Finding skills and reading them.
    Read,
    /// Making, checking and deploying skills, and looking at how they are used.
    Author,
}

/// A group of commands in the help, in the order of work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommandGroup {
    /// Starting projects and skills.
    Make,
    /// Checking them.
    Check,
    /// Compiling them, and giving them to agents.
    Build,
    /// Finding, loading and reading them.
    Find,
    /// Seeing what agents used.
    Use,
}

impl CommandGroup {
    /// Every group with its title.
    pub const TITLES: [(Self, &'static str); 5] = [
        (Self::Make, "Set up and make"),
        (Self::Check, "Check"),
        (Self::Build, "Build and deploy"),
        (Self::Find, "Find, load and read"),
        (Self::Use, "See what is used"),
    ];
}

/// A verb. The doc comments of the request are its help and the descriptions in its schema.
pub trait Operation {
    /// The verb.
    const NAME: &'static str;
    /// The surfaces that offer it.
    const SURFACE: Surface;
    /// What its tool is for.
    const TOOL_GROUP: ToolGroup = ToolGroup::Author;
    /// Whether it leaves stores, runtimes and agents' folders unchanged.
    const IS_READ_ONLY: bool;
    /// Whether its tool may replace or delete what was there before. Only tools use it.
    const IS_DESTRUCTIVE: bool = false;
    /// Whether a long reply goes through a pager on a terminal. One that changes something ends at once.
    const IS_PAGED: bool = Self::IS_READ_ONLY;
    /// Whether its reply says nothing about skills; agents may call it even while the policy cannot be read.
    const IS_ABOUT_NO_SKILL: bool = false;
    /// Whether renames that were interrupted are settled first, as every command does that may write.
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
    /// A fault of the table; each operation documents what it has done until then.
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
        // A reply is made of strings, numbers and lists, which always have a JSON form.
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
    /// Warnings, in the order in which they came up.
    pub warnings: Vec<Warning>,
}

impl<R> Answer<R> {
    /// The answer to a call that failed as a whole.
    pub fn failed(failure: Failure) -> Self {
        Self { reply: None, failures: vec![failure], warnings: Vec::new() }
    }
}

impl<R: Reply + 'static> Answer<R> {
    /// With a reply of any operation.
    pub fn boxed(self) -> Answer {
        let reply = self.reply.map(|reply| Box::new(reply) as Box<dyn Reply>);
        Answer { reply, failures: self.failures, warnings: self.warnings }
    }
}

/// Runs an operation and logs its use of skills. An agent gets E086 while the policy cannot be read.
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
        None => O::run(&mut run, request).await,
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

/// An operation as a value.
pub struct OperationEntry {
    /// [`Operation::NAME`]
    pub name: &'static str,
    /// Where the help lists it.
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
    /// Parses arguments of the command line; E100 if they do not fit.
    pub parse_args: fn(&ArgMatches) -> Result<Call, Fault>,
    /// Parses a JSON object; E100 if it does not fit.
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
            // The schema of the serialized form: empty fields are left out there.
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
