//! What an operation is, and the list of all.

use crate::app::App;
use crate::failure::Failure;
use crate::policy::known;
use crate::render::{Render, View};
use crate::run::Run;
use crate::verb;
use clap::{ArgMatches, Args, Command, FromArgMatches};
use schemars::{JsonSchema, Schema};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use skillc_domain::fault::{Fault, Warning};
use std::future::Future;
use std::pin::Pin;

/// Where an operation can be called from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Surface {
    /// From the command line and as a tool.
    Everywhere,
    /// From the command line only: it writes where the caller says, deletes, or needs a terminal.
    CommandLine,
}

/// One verb. The doc comments of the request are its help and the descriptions of its schema.
pub trait Operation {
    /// The verb.
    const NAME: &'static str;
    /// Where it can be called from.
    const SURFACE: Surface;
    /// The name of its tool, where that is not `skc_` and the verb.
    const TOOL: Option<&'static str> = None;
    /// Whether it leaves stores, runtimes and agents' folders as they are.
    const IS_READ_ONLY: bool;
    /// Whether it tells nothing of skills; an agent may call it also while nobody knows which of them are denied.
    const IS_ABOUT_NO_SKILL: bool = false;
    /// Command lines that show its use, one a line.
    const EXAMPLES: &'static str;
    /// How its reply can be printed.
    const FORMATS: &'static [&'static str] = &["text", "json"];
    /// Those of its arguments, by their name in JSON, that no tool has: they write where the caller says, or change sources.
    const COMMAND_LINE_ONLY: &'static [&'static str] = &[];
    /// Its arguments.
    type Request: Args + DeserializeOwned + Serialize + JsonSchema;
    /// What it answers.
    type Reply: Serialize + JsonSchema + Render + 'static;

    /// Does it.
    ///
    /// # Errors
    /// A fault of the table; what was done until then is said by the operation.
    fn run(run: &mut Run<'_>, request: Self::Request) -> impl Future<Output = Result<Self::Reply, Failure>>;
}

/// A reply of any operation.
pub trait Reply {
    /// As structured data: always an object.
    fn json(&self) -> Value;
    /// The same as text, written without a tree of it in memory.
    fn json_text(&self) -> Vec<u8>;
    /// As text for people.
    fn text(&self, view: &View) -> Vec<u8>;
    /// What belongs on stderr beside the text.
    fn diagnostics(&self, view: &View) -> Vec<u8>;
    /// Whether the exit status is 1 although there is a reply.
    fn has_failed(&self) -> bool;
    /// In a format beyond text and JSON.
    fn formatted(&self, format: &str) -> Option<Vec<u8>>;
}

impl<T: Serialize + Render> Reply for T {
    fn json(&self) -> Value {
        // A reply is made of strings, numbers and lists, which always have a JSON form.
        serde_json::to_value(self).unwrap_or_default()
    }

    fn json_text(&self) -> Vec<u8> {
        let mut text = serde_json::to_vec_pretty(self).unwrap_or_default();
        text.push(b'\n');
        text
    }

    fn text(&self, view: &View) -> Vec<u8> {
        let mut out = Vec::new();
        self.render(view, &mut out);
        out
    }

    fn diagnostics(&self, view: &View) -> Vec<u8> {
        let mut out = Vec::new();
        Render::diagnostics(self, view, &mut out);
        out
    }

    fn has_failed(&self) -> bool {
        Render::has_failed(self)
    }

    fn formatted(&self, format: &str) -> Option<Vec<u8>> {
        Render::formatted(self, format)
    }
}

/// All that an operation leaves behind.
pub struct Answer {
    /// The reply; missing when the whole failed.
    pub reply: Option<Box<dyn Reply>>,
    /// What failed: the whole, or parts of it.
    pub failures: Vec<Failure>,
    /// What to know besides.
    pub warnings: Vec<Warning>,
}

type Pending<'a> = Pin<Box<dyn Future<Output = Answer> + 'a>>;

/// An operation as a value.
pub struct Entry {
    /// The verb.
    pub name: &'static str,
    /// Where it can be called from.
    pub surface: Surface,
    /// The name of its tool, where that is not `skc_` and the verb.
    pub tool: Option<&'static str>,
    /// Whether it leaves stores, runtimes and agents' folders as they are.
    pub is_read_only: bool,
    /// How its reply can be printed.
    pub formats: &'static [&'static str],
    /// Arguments that no tool has.
    pub command_line_only: &'static [&'static str],
    /// Adds its arguments, help and examples to a command.
    pub augment: fn(Command) -> Command,
    /// Runs it with parsed arguments.
    pub run_args: for<'a> fn(&'a App, &'a ArgMatches) -> Pending<'a>,
    /// Runs it with a JSON object.
    pub run_json: for<'a> fn(&'a App, Value) -> Pending<'a>,
    /// Schema of its arguments.
    pub request_schema: fn() -> Schema,
    /// Schema of its reply.
    pub reply_schema: fn() -> Schema,
}

/// Every operation, in the order of the help. A further one is one file in `verb` and one line here.
pub const OPS: &[Entry] = &[
    entry::<verb::init::Init>(),
    entry::<verb::lint::Lint>(),
    entry::<verb::build::Build>(),
    entry::<verb::list::List>(),
    entry::<verb::outline::Outline>(),
    entry::<verb::show::Show>(),
    entry::<verb::open::Open>(),
    entry::<verb::sources::Sources>(),
    entry::<verb::search::Search>(),
    entry::<verb::find::Find>(),
    entry::<verb::load::Load>(),
    entry::<verb::mentions::Mentions>(),
    entry::<verb::enable::Enable>(),
    entry::<verb::enable::Disable>(),
    entry::<verb::eval::Eval>(),
    entry::<verb::stats::Stats>(),
    entry::<verb::sync::Sync>(),
    entry::<verb::log::Log>(),
    entry::<verb::team::Team>(),
    entry::<verb::model::Model>(),
    entry::<verb::targets::Targets>(),
    entry::<verb::undeploy::Undeploy>(),
    entry::<verb::undo::Undo>(),
    entry::<verb::catalog::Catalog>(),
    entry::<verb::config::Config>(),
    entry::<verb::explain::Explain>(),
];

/// The operation of a name.
pub fn find(name: &str) -> Option<&'static Entry> {
    OPS.iter().find(|entry| entry.name == name)
}

impl Entry {
    /// The name of its tool.
    pub fn tool_name(&self) -> String {
        self.tool.map_or_else(|| format!("skc_{}", self.name), str::to_owned)
    }
}

const fn entry<O: Operation>() -> Entry {
    Entry {
        name: O::NAME,
        surface: O::SURFACE,
        tool: O::TOOL,
        is_read_only: O::IS_READ_ONLY,
        formats: O::FORMATS,
        command_line_only: O::COMMAND_LINE_ONLY,
        augment: |command| {
            O::Request::augment_args(command).after_help(format!("Examples:\n{}", indent(O::EXAMPLES)))
        },
        run_args: |app, matches| {
            Box::pin(async move {
                match O::Request::from_arg_matches(matches) {
                    Ok(request) => answer::<O>(app, request).await,
                    Err(error) => refused(&error.to_string()),
                }
            })
        },
        run_json: |app, arguments| {
            Box::pin(async move {
                match serde_json::from_value(arguments) {
                    Ok(request) => answer::<O>(app, request).await,
                    Err(error) => refused(&error.to_string()),
                }
            })
        },
        request_schema: || schemars::schema_for!(O::Request),
        reply_schema: || {
            // As it is written, where a field that has nothing to say is left out.
            let settings = schemars::generate::SchemaSettings::default().for_serialize();
            settings.into_generator().into_root_schema_for::<O::Reply>()
        },
    }
}

async fn answer<O: Operation>(app: &App, request: O::Request) -> Answer {
    let args = match serde_json::to_value(&request) {
        Ok(Value::Object(args)) => args,
        _ => serde_json::Map::new(),
    };
    let mut run = Run::new(app);
    let done = match refused_to_agent::<O>(app) {
        Some(fault) => Err(fault.into()),
        None => O::run(&mut run, request).await,
    };
    let outcome = run.finish(O::NAME, args, done.as_ref().err()).await;
    let mut failures = outcome.failures;
    let reply = match done {
        Ok(reply) => Some(Box::new(reply) as Box<dyn Reply>),
        Err(failure) => {
            failures.push(failure);
            None
        }
    };
    Answer { reply, failures, warnings: outcome.warnings }
}

/// E086 for an agent, while a configuration file cannot be read.
fn refused_to_agent<O: Operation>(app: &App) -> Option<Fault> {
    known(app).err().filter(|_| app.is_agents() && !O::IS_ABOUT_NO_SKILL)
}

/// The answer to arguments that do not fit the request.
fn refused(message: &str) -> Answer {
    let fault = Fault::invalid_option(message.trim());
    Answer { reply: None, failures: vec![fault.into()], warnings: Vec::new() }
}

fn indent(lines: &str) -> String {
    lines.lines().map(|line| format!("  {}", line.trim())).collect::<Vec<_>>().join("\n")
}
