//! The server: its capabilities, and the handler of each request.

use crate::announce::{Subscriptions, announce, supported};
use crate::call::{CALLS_MAX, ClientIdentity, call};
use crate::changes::Changes;
use crate::http_head::HttpHead;
use crate::tools::{ToolSet, tool_list};
use crate::work::{blocking, error_data, read_error_data};
use crate::{complete, prompts, resources, skills};
use rmcp::ErrorData;
use rmcp::RoleServer;
use rmcp::ServerHandler;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CompleteRequestParams, CompleteResult, ErrorCode,
    GetPromptRequestParams, GetPromptResponse, GetSkillRequestParams, GetSkillResult, Implementation,
    InitializeRequestParams, InitializeResult, ListPromptsResult, ListResourceTemplatesResult,
    ListResourcesResult, ListSkillsResult, ListToolsResult, PaginatedRequestParams,
    ReadResourceDirectoryRequestParams, ReadResourceDirectoryResult, ReadResourceRequestParams,
    ReadResourceResponse, ServerCapabilities, ServerConfig, SubscribeRequestParams, SubscriptionFilter, Tool,
    UnsubscribeRequestParams,
};
use rmcp::service::{NotificationContext, RequestContext, SubscriptionContext};
use skillc_domain::reader::Reader;
use skillc_ops::failure::Failure;
use skillc_ops::serve::{self, ServedSkills};
use skillc_ops::workspace::LiveApp;
use skillc_ops::{App, Caller};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use tokio::sync::{Semaphore, watch};

/// The server over one set of ports. A clone serves another client.
#[derive(Clone)]
pub struct Server {
    app: Arc<LiveApp>,
    tools: Arc<Vec<Tool>>,
    set: ToolSet,
    skills: Arc<ServedSkills>,
    changes: Arc<Changes>,
    subscriptions: Subscriptions,
    permits: Arc<Semaphore>,
    connections: Arc<AtomicU64>,
    /// The session of this connection; `None` over HTTP, where each request names its own.
    session: Option<String>,
    /// Closed when the input of this connection ends.
    input: Option<watch::Receiver<()>>,
}

impl Server {
    /// A server over these ports. Every caller counts as an agent, even before it gives its name.
    pub fn new(app: LiveApp, set: ToolSet) -> Self {
        let app = app.with(|call| {
            call.caller = Caller::Agent(UNKNOWN.to_owned());
            call.reader = Reader::Agent(set.names());
        });
        let (app, skills) = (Arc::new(app), Arc::new(ServedSkills::default()));
        let changes = Arc::new(Changes::new(app.clone(), skills.clone()));
        let permits = Arc::new(Semaphore::new(CALLS_MAX));
        Self {
            app,
            tools: Arc::new(tool_list(set)),
            set,
            skills,
            changes,
            subscriptions: Subscriptions::default(),
            permits,
            connections: Arc::default(),
            session: None,
            input: None,
        }
    }

    /// Runs blocking work on a thread of its own; it shares the permits of tool calls.
    async fn work<T: Send + 'static>(
        &self,
        work: impl FnOnce(&App, &ServedSkills) -> Result<T, Failure> + Send + 'static,
        refuse: impl FnOnce(&Failure, Reader) -> ErrorData,
    ) -> Result<T, ErrorData> {
        let (app, skills) = (self.app.clone(), self.skills.clone());
        let permit = self.permits.clone().acquire_owned().await;
        let permitted = move || {
            let _permit = permit;
            work(&app.current(), &skills)
        };
        blocking(permitted, refuse, self.app().call.reader).await
    }

    /// Runs work that is logged under the name of the client.
    async fn logged_work<T: Send + 'static>(
        &self,
        context: &RequestContext<RoleServer>,
        work: impl AsyncFnOnce(&App, &ServedSkills) -> Result<T, Failure> + Send + 'static,
        refuse: impl FnOnce(&Failure, Reader) -> ErrorData,
    ) -> Result<T, ErrorData> {
        let caller = Caller::Agent(client_name(context));
        let runtime = tokio::runtime::Handle::current();
        let logged = move |app: &App, skills: &ServedSkills| {
            let mut app = App::clone(app);
            app.call.caller = caller;
            runtime.block_on(work(&app, skills))
        };
        self.work(logged, refuse).await
    }

    /// The server for the client of one connection, with a session of its own. The caller drops the sender when the
    /// input of that client ends.
    pub(crate) fn connected(&self) -> (Self, watch::Sender<()>) {
        let number = self.connections.fetch_add(1, Ordering::Relaxed);
        let (open, input) = watch::channel(());
        (Self { session: Some(format!("connection {number}")), input: Some(input), ..self.clone() }, open)
    }

    /// Resolves when the input of the client ends; never over HTTP.
    async fn input_ended(&self) {
        match self.input.clone() {
            // Nothing is ever sent: the sender is dropped.
            Some(mut input) => while input.changed().await.is_ok() {},
            None => std::future::pending().await,
        }
    }

    fn is_over_http(&self) -> bool {
        self.input.is_none()
    }

    /// The session of a request: its connection, or over HTTP the session that the client names, if any.
    fn session(&self, context: &RequestContext<RoleServer>) -> Option<String> {
        let named = || {
            let name = HttpHead::of(context)?.session?;
            (1..=SESSION_BYTES_MAX).contains(&name.len()).then(|| format!("client {name}"))
        };
        self.session.clone().or_else(named)
    }

    /// The ports of the server, with the settings of its start.
    pub fn app(&self) -> &App {
        self.app.initial()
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
        if let Some(resources) = capabilities.resources.as_mut().filter(|_| self.changes.is_supported()) {
            resources.subscribe = Some(true);
            resources.list_changed = Some(true);
        }
        ServerConfig::new(capabilities)
            .with_server_info(Implementation::new("skillc", env!("CARGO_PKG_VERSION")))
            .with_instructions(self.set.instructions())
    }

    async fn initialize(
        &self,
        request: InitializeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<InitializeResult, ErrorData> {
        context.peer.set_peer_info(request.clone());
        let mut info = self.negotiate_initialize(&request)?;
        // Requests over HTTP are independent, so a notification of this generation would have no stream to use.
        if let Some(resources) = info.capabilities.resources.as_mut().filter(|_| self.is_over_http()) {
            resources.subscribe = None;
            resources.list_changed = None;
        }
        Ok(info)
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
        let caller = ClientIdentity { client: client_name(&context), session: self.session(&context) };
        let arguments = request.arguments.unwrap_or_default();
        let done = tokio::select! {
            done = call(&self.app, &self.permits, &self.tools, &request.name, arguments, caller) => done,
            // The client ignores this error. A search stops; any other call goes on, and its writes are atomic.
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
        let list = move |app: &App, skills: &ServedSkills| serve::entries(app, skills, cursor.as_deref());
        self.work(list, error_data).await.map(skills::skill_page)
    }

    async fn get_skill(
        &self,
        request: GetSkillRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<GetSkillResult, ErrorData> {
        let get = move |app: &App, skills: &ServedSkills| serve::entry(app, skills, &request.uri);
        self.work(get, error_data).await.map(|entry| skills::one_skill(&entry))
    }

    async fn read_resource_directory(
        &self,
        request: ReadResourceDirectoryRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceDirectoryResult, ErrorData> {
        let read = move |app: &App, skills: &ServedSkills| {
            serve::folder(app, skills, &request.uri, request.cursor.as_deref())
        };
        self.work(read, error_data).await.map(resources::folder_page)
    }

    async fn list_resources(
        &self,
        request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let cursor = request.and_then(|request| request.cursor);
        let list =
            move |app: &App, skills: &ServedSkills| resources::skill_files(app, skills, cursor.as_deref());
        self.work(list, error_data).await.map(resources::resource_page)
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
        let read = async move |app: &App, skills: &ServedSkills| serve::read(app, skills, &uri).await;
        let refuse = |failure: &Failure, reader| read_error_data(failure, &request.uri, reader);
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
        let arguments = prompts::arguments(request)?;
        let use_skill =
            async move |app: &App, skills: &ServedSkills| Ok(prompts::message(app, skills, &arguments).await);
        self.logged_work(&context, use_skill, error_data).await?.map(Into::into)
    }

    async fn complete(
        &self,
        request: CompleteRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        let (target, typed) = complete::target(&request)?;
        let complete =
            move |app: &App, skills: &ServedSkills| complete::completed(app, skills, &target, &typed);
        self.work(complete, error_data).await
    }

    fn accepted_subscription_filter(&self, requested: &SubscriptionFilter) -> Option<SubscriptionFilter> {
        // The response promises notifications, so the watch has to start before it.
        self.changes.start().then(|| supported(requested))
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        tokio::select! {
            () = announce(self.changes.subscribe(), &context) => {}
            // Once the input has ended, the client cannot cancel the subscription any more.
            () = self.input_ended() => {}
        }
        Ok(())
    }

    async fn on_initialized(&self, context: NotificationContext<RoleServer>) {
        if self.changes.is_supported() {
            let changes = self.changes.clone();
            self.subscriptions.announce(changes.subscribe(), context.peer);
            tokio::task::spawn_blocking(move || changes.start());
        }
    }

    #[allow(deprecated)]
    async fn subscribe(
        &self,
        request: SubscribeRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        if self.is_over_http() {
            return Err(ErrorData::new(ErrorCode::METHOD_NOT_FOUND, "no subscriptions over HTTP", None));
        }
        if !self.subscriptions.add(request.uri) {
            return Err(ErrorData::invalid_params("too many subscriptions", None));
        }
        let changes = self.changes.clone();
        blocking(move || Ok(changes.start()), error_data, self.app().call.reader).await.map(drop)
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

/// Longest session name in bytes; usually it is a UUID.
const SESSION_BYTES_MAX: usize = 256;

/// The name of a client that gives none.
const UNKNOWN: &str = "unknown";
/// Characters of a client's name and version that are logged: a client may send any text with each call.
const CLIENT_CHARS_MAX: usize = 200;

/// `name/version` of the client. For an HTTP request that does not state them, its `User-Agent`.
fn client_name(context: &RequestContext<RoleServer>) -> String {
    let named = |client: Implementation| format!("{}/{}", client.name, client.version);
    let name = match (context.meta.client_info(), HttpHead::of(context)) {
        (Some(client), _) => Some(named(client)),
        (None, None) => context.client_info().map(named),
        (None, Some(head)) => head.user_agent,
    };
    name.map_or_else(|| UNKNOWN.to_owned(), |name| name.chars().take(CLIENT_CHARS_MAX).collect())
}
