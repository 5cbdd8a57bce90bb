//! The server: what it can do, and which of our answers goes to which question.

use crate::announce::{Subscriptions, acceptable, announce};
use crate::blocking::{blocking, read_refusal, refusal};
use crate::call::{Asking, CALLS_MAX, call};
use crate::changes::Changes;
use crate::tools::tool_list;
use crate::{complete, prompts, resources, skills};
use rmcp::ErrorData;
use rmcp::RoleServer;
use rmcp::ServerHandler;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CompleteRequestParams, CompleteResult, GetPromptRequestParams,
    GetPromptResponse, GetSkillRequestParams, GetSkillResult, Implementation, ListPromptsResult,
    ListResourceTemplatesResult, ListResourcesResult, ListSkillsResult, ListToolsResult,
    PaginatedRequestParams, ReadResourceDirectoryRequestParams, ReadResourceDirectoryResult,
    ReadResourceRequestParams, ReadResourceResponse, ServerCapabilities, ServerConfig,
    SubscribeRequestParams, SubscriptionFilter, Tool, UnsubscribeRequestParams,
};
use rmcp::service::{NotificationContext, RequestContext, SubscriptionContext};
use skillc_ops::failure::Failure;
use skillc_ops::serve::{self, Shelf};
use skillc_ops::{App, Caller};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use tokio::sync::{Semaphore, watch};

/// Sent to agents in the handshake, before anything else.
const INSTRUCTIONS: &str = "Agent Skills on this machine. Find a skill for a task with skill_search and load it with \
skill_load; skc_list lists all of them. To read only part of a skill, list its headings with skc_outline, find text with \
skc_search and read one section with skc_show; skc_open returns a whole file.";

/// The server over one set of ports. A clone is the same server for another client.
#[derive(Clone)]
pub struct Server {
    app: Arc<App>,
    tools: Arc<Vec<Tool>>,
    shelf: Arc<Shelf>,
    changes: Arc<Changes>,
    subscriptions: Subscriptions,
    room: Arc<Semaphore>,
    connections: Arc<AtomicU64>,
    /// The session of one connection; `None` where requests come one by one.
    session: Option<String>,
    /// Closed when no more comes from the client of that connection.
    input: Option<watch::Receiver<()>>,
}

impl Server {
    /// A server over these ports. Whatever asks it is an agent, also before it has said its name.
    pub fn new(app: App) -> Self {
        let caller = Caller::Agent(UNKNOWN.to_owned());
        let (app, shelf) = (Arc::new(App { caller, ..app }), Arc::new(Shelf::default()));
        let changes = Arc::new(Changes::new(app.clone(), shelf.clone()));
        let room = Arc::new(Semaphore::new(CALLS_MAX));
        Self {
            app,
            tools: Arc::new(tool_list()),
            shelf,
            changes,
            subscriptions: Subscriptions::default(),
            room,
            connections: Arc::default(),
            session: None,
            input: None,
        }
    }

    /// Does work on files, on a thread of its own, when there is room for it: as many at a time as calls, all together.
    async fn work<T: Send + 'static>(
        &self,
        work: impl FnOnce(&App, &Shelf) -> Result<T, Failure> + Send + 'static,
        refuse: impl FnOnce(&Failure) -> ErrorData,
    ) -> Result<T, ErrorData> {
        let (app, shelf) = (self.app.clone(), self.shelf.clone());
        let seat = self.room.clone().acquire_owned().await;
        let seated = move || {
            let _seat = seat;
            work(&app, &shelf)
        };
        blocking(seated, refuse).await
    }

    /// The same for work that is logged, and so is the client's.
    async fn logged_work<T: Send + 'static>(
        &self,
        context: &RequestContext<RoleServer>,
        work: impl AsyncFnOnce(&App, &Shelf) -> Result<T, Failure> + Send + 'static,
        refuse: impl FnOnce(&Failure) -> ErrorData,
    ) -> Result<T, ErrorData> {
        let caller = Caller::Agent(client_name(context));
        let runtime = tokio::runtime::Handle::current();
        let called = move |app: &App, shelf: &Shelf| {
            let app = App { caller, ..app.clone() };
            runtime.block_on(work(&app, shelf))
        };
        self.work(called, refuse).await
    }

    /// The same server for the client of one connection, whose session it is; the other value is dropped when no more
    /// comes from the client.
    pub(crate) fn connected(&self) -> (Self, watch::Sender<()>) {
        let number = self.connections.fetch_add(1, Ordering::Relaxed);
        let (open, input) = watch::channel(());
        (Self { session: Some(format!("connection {number}")), input: Some(input), ..self.clone() }, open)
    }

    /// Resolves when no more comes from the client.
    async fn input_ended(&self) {
        match self.input.clone() {
            // Nothing is ever sent: the other end goes.
            Some(mut input) => while input.changed().await.is_ok() {},
            None => std::future::pending().await,
        }
    }

    /// The session that a request belongs to: its connection, or over HTTP what the client calls it, if it does.
    fn session(&self, context: &RequestContext<RoleServer>) -> Option<String> {
        let named = || {
            let head = context.extensions.get::<hyper::http::request::Parts>()?;
            let name = head.headers.get(SESSION_HEADER)?.to_str().ok()?;
            (1..=SESSION_BYTES_MAX).contains(&name.len()).then(|| format!("client {name}"))
        };
        self.session.clone().or_else(named)
    }

    /// The ports that it stands on.
    pub fn app(&self) -> &App {
        &self.app
    }
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let mut capabilities = ServerCapabilities::builder()
            .enable_tools()
            .enable_prompts()
            .enable_resources()
            .enable_completions()
            .enable_skills_with_directory_read()
            .build();
        if let Some(resources) = capabilities.resources.as_mut().filter(|_| self.changes.can_be_told()) {
            resources.subscribe = Some(true);
            resources.list_changed = Some(true);
        }
        ServerConfig::new(capabilities)
            .with_server_info(Implementation::new("skillc", env!("CARGO_PKG_VERSION")))
            .with_instructions(INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(self.tools.to_vec()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let caller = Asking { client: client_name(&context), session: self.session(&context) };
        let arguments = request.arguments.unwrap_or_default();
        let done = tokio::select! {
            done = call(&self.app, &self.room, &self.tools, &request.name, arguments, caller) => done,
            // Nobody reads this any more; a search ends, any other call goes on, and whatever it writes is whole.
            () = context.ct.cancelled() => return Err(ErrorData::internal_error("cancelled", None)),
        };
        let unknown = || ErrorData::invalid_params(format!("unknown tool '{}'", request.name), None);
        done.map(Into::into).ok_or_else(unknown)
    }

    async fn list_skills(
        &self,
        request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListSkillsResult, ErrorData> {
        let cursor = request.and_then(|request| request.cursor);
        let list = move |app: &App, shelf: &Shelf| serve::entries(app, shelf, cursor.as_deref());
        self.work(list, refusal).await.map(skills::skill_page)
    }

    async fn get_skill(
        &self,
        request: GetSkillRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<GetSkillResult, ErrorData> {
        let get = move |app: &App, shelf: &Shelf| serve::entry(app, shelf, &request.uri);
        self.work(get, refusal).await.map(|entry| skills::one_skill(&entry))
    }

    async fn read_resource_directory(
        &self,
        request: ReadResourceDirectoryRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceDirectoryResult, ErrorData> {
        let read = move |app: &App, shelf: &Shelf| {
            serve::directory(app, shelf, &request.uri, request.cursor.as_deref())
        };
        self.work(read, refusal).await.map(resources::directory_page)
    }

    async fn list_resources(
        &self,
        request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let cursor = request.and_then(|request| request.cursor);
        let list = move |app: &App, shelf: &Shelf| resources::skill_files(app, shelf, cursor.as_deref());
        self.work(list, refusal).await.map(resources::resource_page)
    }

    async fn list_resource_templates(
        &self,
        request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        only_page(request)?;
        Ok(resources::templates())
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let uri = request.uri.clone();
        let read = async move |app: &App, shelf: &Shelf| serve::read(app, shelf, &uri).await;
        let refuse = |failure: &Failure| read_refusal(failure, &request.uri);
        let file = self.logged_work(&context, read, refuse).await?;
        Ok(resources::contents(request.uri, file).into())
    }

    async fn list_prompts(
        &self,
        request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        only_page(request)?;
        Ok(prompts::prompts())
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        let wanted = prompts::wanted(request)?;
        let use_skill = async move |app: &App, shelf: &Shelf| Ok(prompts::message(app, shelf, &wanted).await);
        self.logged_work(&context, use_skill, refusal).await?.map(Into::into)
    }

    async fn complete(
        &self,
        request: CompleteRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        let (wanted, typed) = complete::wanted(&request)?;
        let complete = move |app: &App, shelf: &Shelf| complete::completed(app, shelf, &wanted, &typed);
        self.work(complete, refusal).await
    }

    fn accepted_subscription_filter(&self, requested: &SubscriptionFilter) -> Option<SubscriptionFilter> {
        // The answer says what will be told, so the watch has to have begun before it.
        self.changes.begin().then(|| acceptable(requested))
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        tokio::select! {
            () = announce(self.changes.listen(), &context) => {}
            // Nobody waits for the end of a stream that nobody can cancel any more.
            () = self.input_ended() => {}
        }
        Ok(())
    }

    async fn on_initialized(&self, context: NotificationContext<RoleServer>) {
        if self.changes.can_be_told() {
            let changes = self.changes.clone();
            self.subscriptions.announce(changes.listen(), context.peer);
            tokio::task::spawn_blocking(move || changes.begin());
        }
    }

    #[allow(deprecated)]
    async fn subscribe(
        &self,
        request: SubscribeRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        if !self.subscriptions.add(request.uri) {
            return Err(ErrorData::invalid_params("too many subscriptions", None));
        }
        let changes = self.changes.clone();
        blocking(move || Ok(changes.begin()), refusal).await.map(drop)
    }

    #[allow(deprecated)]
    async fn unsubscribe(
        &self,
        request: UnsubscribeRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        self.subscriptions.remove(&request.uri);
        Ok(())
    }
}

/// Refuses any cursor: a list that fits on one page hands out none.
fn only_page(request: Option<PaginatedRequestParams>) -> Result<(), ErrorData> {
    match request.and_then(|request| request.cursor) {
        None => Ok(()),
        Some(cursor) => Err(ErrorData::invalid_params(format!("unknown cursor '{cursor}'"), None)),
    }
}

/// By which a client that has sessions of its own names the one of a request.
const SESSION_HEADER: &str = "mcp-session-id";
/// Bytes of such a name: what servers give is a UUID.
const SESSION_BYTES_MAX: usize = 256;

/// The name of a client that gives none.
const UNKNOWN: &str = "unknown";
/// Characters of a client's name and version that are logged: it may give any text, with each call.
const CLIENT_CHARS_MAX: usize = 200;

/// `name/version` of the client, as it gives them. Without a handshake that is remembered, as over HTTP with requests that
/// do not say it themselves, its `User-Agent`.
fn client_name(context: &RequestContext<RoleServer>) -> String {
    let named = |client: Implementation| format!("{}/{}", client.name, client.version);
    let name = match (context.meta.client_info(), context.extensions.get::<hyper::http::request::Parts>()) {
        (Some(client), _) => Some(named(client)),
        (None, None) => context.client_info().map(named),
        (None, Some(head)) => {
            let agent = head.headers.get(hyper::header::USER_AGENT).and_then(|agent| agent.to_str().ok());
            agent.map(str::to_owned)
        }
    };
    name.map_or_else(|| UNKNOWN.to_owned(), |name| name.chars().take(CLIENT_CHARS_MAX).collect())
}
