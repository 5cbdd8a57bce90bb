//! The server over HTTP: who may come in, what is read of a request, and how long all may take. Without sessions: each
//! request stands for itself.

use crate::framing::{self, Line};
use crate::listen::{Listening, cannot_listen};
use crate::places::{Leave, Place, Places};
use crate::server::Server;
use crate::stop::stopped;
use crate::token::{Shown, TOKEN_FILE, Token};
use http_body_util::{BodyExt, Full, combinators::BoxBody};
use hyper::body::{Bytes, Incoming};
use hyper::header::{CONNECTION, CONTENT_TYPE, HeaderValue, WWW_AUTHENTICATE};
use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
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

/// The one path.
const PATH: &str = "/mcp";
/// Bytes of a request's body: a query and a few paths, with room.
const BODY_BYTES_MAX: usize = 1024 * 1024;
/// Bytes that are read of a larger one, so that its sender comes to read that it is too large.
const BODY_BYTES_DRAINED_MAX: usize = 16 * BODY_BYTES_MAX;
/// Bytes of the head of a request.
const HEAD_BYTES_MAX: usize = 64 * 1024;
/// How long a head, and then a body, may take to come: over loopback it is at once.
const READ_TIME_MAX: Duration = Duration::from_secs(10);
/// How long an answer may take: the longest build of the bench, ten times over.
const ANSWER_TIME_MAX: Duration = Duration::from_secs(120);
/// How long a connection may last that has not shown the token: a head, and an answer that refuses it.
const STRANGER_TIME_MAX: Duration = Duration::from_secs(12);
/// Connections at a time; each has one request at a time. When a further one comes, the oldest goes that has not shown the
/// token; if all have, it waits. A quarter of the descriptors that most systems give a process.
const CONNECTIONS_MAX: usize = 256;
/// How long answers may take that are still to come when the server is told to end.
const GRACE: Duration = Duration::from_secs(2);
/// Pause after a connection that could not be taken, as where there are no more descriptors.
const PAUSE: Duration = Duration::from_millis(100);

type Answer = Response<BoxBody<Bytes, Infallible>>;
type Service = StreamableHttpService<Server, NeverSessionManager>;

/// What each request is held against.
struct Door {
    service: Service,
    token: Token,
}

/// Where the token is.
pub fn token_file(server: &Server) -> PathBuf {
    server.app().places.own.join(TOKEN_FILE)
}

/// Serves until the process is told to end.
///
/// # Errors
/// E100 for an address that other machines reach, unless that is allowed; E102 for a token that is none; E103 where the
/// address cannot be had.
pub async fn serve_http(
    server: Server,
    address: SocketAddr,
    is_remote_allowed: bool,
    told: impl FnOnce(&Listening),
) -> Result<(), Fault> {
    if !is_remote_allowed && !address.ip().to_canonical().is_loopback() {
        let message = format!("other machines can reach '{address}'; add --allow-remote to allow that");
        return Err(Fault::invalid_option(message));
    }
    let file = token_file(&server);
    let token = Token::of_file(&file, || server.app().clock.random())?;
    let listener = TcpListener::bind(address).await.map_err(|error| cannot_listen(&address, &error))?;
    let bound = listener.local_addr().map_err(|error| cannot_listen(&address, &error))?;
    let config = config(bound.ip());
    let stop = config.cancellation_token.clone();
    let service = Service::new(move || Ok(server.clone()), Arc::default(), config);
    let stopped = stopped();
    told(&Listening { address: format!("http://{bound}{PATH}"), token: Some(file) });

    let door = Arc::new(Door { service, token });
    let mut connections = JoinSet::new();
    tokio::select! {
        () = accept(&listener, &door, &mut connections) => {}
        () = stopped => {}
    }
    drop(listener);
    stop.cancel();
    let _ = timeout(GRACE, async { while connections.join_next().await.is_some() {} }).await;
    Ok(())
}

/// Stateless, JSON where one answer is all, and only names and pages of this machine.
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
        // Any name of the machine may lead here; pages of other origins and callers without the token stay out.
        return config.disable_allowed_hosts();
    }
    let mut hosts = config.allowed_hosts.clone();
    hosts.push(bound.to_string());
    config.with_allowed_hosts(hosts)
}

async fn accept(listener: &TcpListener, door: &Arc<Door>, connections: &mut JoinSet<()>) {
    // A known connection that is idle ends by itself: no head comes.
    let places = Places::new(CONNECTIONS_MAX, Duration::MAX);
    loop {
        let stream = match listener.accept().await {
            Ok((stream, _)) => stream,
            Err(_) => {
                places.send_away_a_stranger();
                sleep(PAUSE).await;
                continue;
            }
        };
        while connections.try_join_next().is_some() {}
        let (place, leave) = places.take().await;
        connections.spawn(converse(stream, door.clone(), Arc::new(place), leave));
        // However many come at once, each is looked at before the next: what it sent already counts.
        yield_now().await;
    }
}

/// One connection, to its end or the server's, or until it has to make room.
async fn converse(stream: TcpStream, door: Arc<Door>, place: Arc<Place>, mut leave: Leave) {
    // Without it an event of a stream waits for the acknowledgement of the last one, 40 ms.
    let _ = stream.set_nodelay(true);
    let stop = door.service.config.cancellation_token.clone();
    let visitor = place.clone();
    let answer = service_fn(move |request| {
        let (door, visitor) = (door.clone(), visitor.clone());
        async move { Ok::<_, Infallible>(door.answer(request, &visitor).await) }
    });
    let mut http = hyper::server::conn::http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(READ_TIME_MAX).max_buf_size(HEAD_BYTES_MAX);
    let mut connection = pin!(http.serve_connection(TokioIo::new(stream), answer));
    tokio::select! {
        // A client that breaks off has nothing to be told.
        _ = &mut connection => {}
        () = leave.told() => {}
        () = stranger_for_too_long(&place) => {}
        () = stop.cancelled() => {
            connection.as_mut().graceful_shutdown();
            let _ = connection.await;
        }
    }
}

/// Resolves when a connection has had its time and has not shown the token; never for one that has.
async fn stranger_for_too_long(place: &Place) {
    sleep(STRANGER_TIME_MAX).await;
    if place.is_known() {
        std::future::pending().await
    }
}

impl Door {
    /// Who has not shown the token before is refused once, and then has to connect again.
    async fn answer(&self, request: Request<Incoming>, visitor: &Place) -> Answer {
        let mut answer = self.answer_visitor(request, visitor).await;
        if !visitor.is_known() {
            answer.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
        }
        answer
    }

    async fn answer_visitor(&self, request: Request<Incoming>, visitor: &Place) -> Answer {
        if request.uri().path() != PATH {
            return plain(StatusCode::NOT_FOUND, "not found; the server is at /mcp");
        }
        match self.token.shown(request.headers()) {
            Shown::Right => visitor.is_heard(),
            Shown::Nothing => return unauthorized("Bearer realm=\"skillc\""),
            Shown::Wrong => return unauthorized("Bearer realm=\"skillc\", error=\"invalid_token\""),
        }
        let (head, body) = request.into_parts();
        let body = match timeout(READ_TIME_MAX, whole(body)).await {
            Ok(Ok(body)) => body,
            Ok(Err(status)) => return plain(status, "the body exceeds the limit of 1 MiB"),
            Err(_) => return plain(StatusCode::REQUEST_TIMEOUT, "the body took too long"),
        };
        if let Line::Refused(error) = framing::read(&body) {
            return json(StatusCode::BAD_REQUEST, serde_json::to_vec(&error).unwrap_or_default());
        }
        let answer = self.service.handle(Request::from_parts(head, Full::new(body)));
        let late = |_| plain(StatusCode::SERVICE_UNAVAILABLE, "the answer took too long");
        timeout(ANSWER_TIME_MAX, answer).await.unwrap_or_else(late)
    }
}

/// All of a body, or the status that refuses it.
async fn whole(mut body: Incoming) -> Result<Bytes, StatusCode> {
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

fn unauthorized(challenge: &'static str) -> Answer {
    let mut answer = plain(StatusCode::UNAUTHORIZED, "missing or wrong token");
    answer.headers_mut().insert(WWW_AUTHENTICATE, HeaderValue::from_static(challenge));
    answer
}

fn plain(status: StatusCode, text: &'static str) -> Answer {
    answer(status, "text/plain; charset=utf-8", Bytes::from_static(text.as_bytes()))
}

fn json(status: StatusCode, body: Vec<u8>) -> Answer {
    answer(status, "application/json", body.into())
}

fn answer(status: StatusCode, kind: &'static str, body: Bytes) -> Answer {
    let mut answer = Response::new(Full::new(body).boxed());
    *answer.status_mut() = status;
    answer.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    answer
}
