//! The server over HTTP: authentication, size limits and timeouts. Requests are independent; a session is only a name
//! that identifies a client for cancellation and for the skills it has loaded.

use crate::cancellation::PendingRequests;
use crate::framing::{self, Line};
use crate::http_head::SESSION_HEADER;
use crate::listening::{Listening, cannot_listen};
use crate::server::Server;
use crate::shutdown::shutdown_signal;
use crate::slots::{Eviction, Slot, Slots};
use crate::token::{Credentials, TOKEN_FILE, Token};
use http_body_util::{BodyExt, Full, combinators::BoxBody};
use hyper::body::{Bytes, Incoming};
use hyper::header::{CONNECTION, CONTENT_TYPE, HeaderValue, WWW_AUTHENTICATE};
use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use rmcp::model::{ClientJsonRpcMessage, ClientRequest};
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use skillc_domain::fault::Fault;
use std::convert::Infallible;
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::{JoinSet, yield_now};
use tokio::time::{sleep, timeout};

/// The only path that is served.
const PATH: &str = "/mcp";
/// Largest request body in bytes: ample for a query and a few paths.
const BODY_BYTES_MAX: usize = 1024 * 1024;
/// Bytes read of a larger body, so that its sender gets to read the refusal.
const BODY_BYTES_DRAINED_MAX: usize = 16 * BODY_BYTES_MAX;
/// Largest request head in bytes.
const HEAD_BYTES_MAX: usize = 64 * 1024;
/// Timeout of a head, and then of a body: over loopback both arrive at once.
const READ_TIME_MAX: Duration = Duration::from_secs(10);
/// Timeout of a response: ten times the longest build of the bench.
const RESPONSE_TIME_MAX: Duration = Duration::from_secs(120);
/// Longest life of a connection without the token: time for a head and for its refusal.
const UNTRUSTED_TIME_MAX: Duration = Duration::from_secs(12);
/// Concurrent connections, each with one request at a time: a quarter of the descriptors that most systems give a
/// process.
const CONNECTIONS_MAX: usize = 256;
/// Time for pending responses at shutdown.
const GRACE: Duration = Duration::from_secs(2);
/// Pause after a failed accept, for example when descriptors have run out.
const PAUSE: Duration = Duration::from_millis(100);

type HttpResponse = Response<BoxBody<Bytes, Infallible>>;
type Service = StreamableHttpService<Server, NeverSessionManager>;

/// The service behind the token.
struct Endpoint {
    service: Service,
    token: Token,
    pending: PendingRequests,
    random: Box<dyn Fn() -> u128 + Send + Sync>,
}

/// The path of the token file.
pub fn token_file(server: &Server) -> PathBuf {
    server.app().call.places.own.join(TOKEN_FILE)
}

/// Serves until a signal asks the process to end.
///
/// # Errors
/// E100 for an address that other machines can reach, unless that is allowed; E102 for an unsafe token; E103 if the
/// address is not available.
pub async fn serve_http(
    server: Server,
    address: SocketAddr,
    is_remote_allowed: bool,
    on_listening: impl FnOnce(&Listening),
) -> Result<(), Fault> {
    if !is_remote_allowed && !address.ip().to_canonical().is_loopback() {
        let message = format!("other machines can reach '{address}'; add --allow-remote to allow that");
        return Err(Fault::invalid_option(message));
    }
    let file = token_file(&server);
    let token = Token::of_file(&file, || server.app().ports.clock.random())?;
    let listener = TcpListener::bind(address).await.map_err(|error| cannot_listen(&address, &error))?;
    let bound = listener.local_addr().map_err(|error| cannot_listen(&address, &error))?;
    let config = config(bound.ip());
    let stop = config.cancellation_token.clone();
    let clock = server.app().ports.clock.clone();
    let random = Box::new(move || clock.random());
    let service = Service::new(move || Ok(server.clone()), Arc::default(), config);
    let signal = shutdown_signal();
    on_listening(&Listening { address: format!("http://{bound}{PATH}"), token: Some(file) });

    let endpoint = Arc::new(Endpoint { service, token, pending: PendingRequests::default(), random });
    let mut connections = JoinSet::new();
    tokio::select! {
        () = accept(&listener, &endpoint, &mut connections) => {}
        () = signal => {}
    }
    drop(listener);
    stop.cancel();
    let _ = timeout(GRACE, async { while connections.join_next().await.is_some() {} }).await;
    Ok(())
}

/// Stateless, plain JSON for single responses, and only host names and origins of this machine.
fn config(bound: IpAddr) -> StreamableHttpServerConfig {
    let origins = ["localhost", "127.0.0.1", "[::1]"];
    let origins =
        origins.iter().flat_map(|host| ["http", "https"].map(|scheme| format!("{scheme}://{host}:*")));
    let config = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .with_max_request_body_bytes(BODY_BYTES_MAX)
        .with_allowed_origins(origins);
    if bound.is_unspecified() {
        // Clients may use any name of this machine; origins and the token are still checked.
        return config.disable_allowed_hosts();
    }
    let mut hosts = config.allowed_hosts.clone();
    hosts.push(bound.to_string());
    config.with_allowed_hosts(hosts)
}

async fn accept(listener: &TcpListener, endpoint: &Arc<Endpoint>, connections: &mut JoinSet<()>) {
    // Idle trusted connections are not evicted: they end by the timeout of their next head.
    let slots = Slots::new(CONNECTIONS_MAX, Duration::MAX);
    loop {
        let stream = match listener.accept().await {
            Ok((stream, _)) => stream,
            Err(_) => {
                slots.evict_untrusted();
                sleep(PAUSE).await;
                continue;
            }
        };
        while connections.try_join_next().is_some() {}
        let (slot, eviction) = slots.take().await;
        connections.spawn(serve_connection(stream, endpoint.clone(), Arc::new(slot), eviction));
        // Each connection is polled before the next is accepted, so that a token it has already sent counts.
        yield_now().await;
    }
}

/// Serves one connection until it ends, is evicted, or the server shuts down.
async fn serve_connection(
    stream: TcpStream,
    endpoint: Arc<Endpoint>,
    slot: Arc<Slot>,
    mut eviction: Eviction,
) {
    // Otherwise each event of a stream waits for the acknowledgement of the last one, about 40 ms.
    let _ = stream.set_nodelay(true);
    let stop = endpoint.service.config.cancellation_token.clone();
    let own_slot = slot.clone();
    let respond = service_fn(move |request| {
        let (endpoint, slot) = (endpoint.clone(), own_slot.clone());
        async move { Ok::<_, Infallible>(endpoint.respond(request, &slot).await) }
    });
    let mut http = hyper::server::conn::http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(READ_TIME_MAX).max_buf_size(HEAD_BYTES_MAX);
    let mut connection = pin!(http.serve_connection(TokioIo::new(stream), respond));
    tokio::select! {
        // An error means that the client disconnected.
        _ = &mut connection => {}
        () = eviction.wait() => {}
        () = untrusted_timeout(&slot) => {}
        () = stop.cancelled() => {
            connection.as_mut().graceful_shutdown();
            let _ = connection.await;
        }
    }
}

/// Resolves after `UNTRUSTED_TIME_MAX` if the connection is still untrusted; otherwise never.
async fn untrusted_timeout(slot: &Slot) {
    sleep(UNTRUSTED_TIME_MAX).await;
    if slot.is_trusted() {
        std::future::pending().await
    }
}

impl Endpoint {
    /// Closes the connection after a request that leaves it untrusted.
    async fn respond(&self, request: Request<Incoming>, slot: &Slot) -> HttpResponse {
        let mut response = self.check_and_serve(request, slot).await;
        if !slot.is_trusted() {
            response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
        }
        response
    }

    async fn check_and_serve(&self, request: Request<Incoming>, slot: &Slot) -> HttpResponse {
        if request.uri().path() != PATH {
            return plain(StatusCode::NOT_FOUND, "not found; the server is at /mcp");
        }
        match self.token.check(request.headers()) {
            Credentials::Valid => slot.mark_active(),
            Credentials::Missing => return unauthorized("Bearer realm=\"skillc\""),
            Credentials::Invalid => return unauthorized("Bearer realm=\"skillc\", error=\"invalid_token\""),
        }
        let (head, body) = request.into_parts();
        let body = match timeout(READ_TIME_MAX, read_body(body)).await {
            Ok(Ok(body)) => body,
            Ok(Err(status)) => return plain(status, "the body exceeds the limit of 1 MiB"),
            Err(_) => return plain(StatusCode::REQUEST_TIMEOUT, "timed out reading the body"),
        };
        let session = head.headers.get(SESSION_HEADER).and_then(|name| name.to_str().ok()).map(str::to_owned);
        let (mut pending, mut starts_session) = (None, false);
        match framing::parse(&body) {
            Line::Invalid(error) => {
                return json(StatusCode::BAD_REQUEST, serde_json::to_vec(&error).unwrap_or_default());
            }
            Line::Message(message) => {
                starts_session = session.is_none() && is_initialize(&message);
                pending = session.and_then(|session| self.pending.receive(&session, &message));
            }
            Line::Ignored => {}
        }
        let response = self.service.handle(Request::from_parts(head, Full::new(body)));
        let timed_out = |_| plain(StatusCode::SERVICE_UNAVAILABLE, "timed out preparing the response");
        let response = async { timeout(RESPONSE_TIME_MAX, response).await.unwrap_or_else(timed_out) };
        let mut response = match &mut pending {
            None => response.await,
            Some(pending) => tokio::select! {
                response = response => response,
                () = pending.cancelled() => plain(StatusCode::ACCEPTED, ""),
            },
        };
        if starts_session && response.status() == StatusCode::OK {
            response.headers_mut().insert(SESSION_HEADER, self.new_session());
        }
        response
    }

    /// A name that no other session has.
    fn new_session(&self) -> HeaderValue {
        let name = format!("{:032x}", (self.random)());
        HeaderValue::from_str(&name).unwrap_or(HeaderValue::from_static("session"))
    }
}

fn is_initialize(message: &ClientJsonRpcMessage) -> bool {
    matches!(message, ClientJsonRpcMessage::Request(sent) if matches!(sent.request, ClientRequest::InitializeRequest(_)))
}

/// Reads a whole body; the error is the status of the refusal.
async fn read_body(mut body: Incoming) -> Result<Bytes, StatusCode> {
    let (mut all, mut read) = (Vec::new(), 0);
    while let Some(frame) = body.frame().await {
        let Ok(data) = frame.map_err(|_| StatusCode::BAD_REQUEST)?.into_data() else { continue };
        read += data.len();
        if read > BODY_BYTES_DRAINED_MAX {
            break;
        }
        if read > BODY_BYTES_MAX {
            all = Vec::new();
        } else {
            all.extend_from_slice(&data);
        }
    }
    if read > BODY_BYTES_MAX { Err(StatusCode::PAYLOAD_TOO_LARGE) } else { Ok(all.into()) }
}

fn unauthorized(challenge: &'static str) -> HttpResponse {
    let mut response = plain(StatusCode::UNAUTHORIZED, "missing or wrong token");
    response.headers_mut().insert(WWW_AUTHENTICATE, HeaderValue::from_static(challenge));
    response
}

fn plain(status: StatusCode, text: &'static str) -> HttpResponse {
    response(status, "text/plain; charset=utf-8", Bytes::from_static(text.as_bytes()))
}

fn json(status: StatusCode, body: Vec<u8>) -> HttpResponse {
    response(status, "application/json", body.into())
}

fn response(status: StatusCode, content_type: &'static str, body: Bytes) -> HttpResponse {
    let mut response = Response::new(Full::new(body).boxed());
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(content_type));
    response
}
