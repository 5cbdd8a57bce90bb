//! The server on a Unix socket that only its user can reach. Framing is that of standard input and output.

use crate::heard::Heard;
use crate::listen::{Listening, cannot_listen};
use crate::places::Places;
use crate::server::Server;
use crate::stdio::serve_streams;
use crate::stop::stopped;
use skillc_domain::fault::Fault;
use std::fs::{self, Metadata, Permissions};
use std::io;
use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{UnixListener, UnixSocket, UnixStream};
use tokio::task::{JoinSet, yield_now};
use tokio::time::sleep;

/// Clients at a time; as many as over HTTP.
const CLIENTS_MAX: usize = 256;
/// How long a client has to be quiet to make room for another one, when there is no room: agents that are at work ask every
/// few seconds, and one that comes back can connect again.
const QUIET_MAX: Duration = Duration::from_secs(5 * 60);
/// Connections that the system keeps waiting.
const BACKLOG: u32 = 128;
/// The only mode that our sockets have.
const MODE: u32 = 0o600;
/// Pause after a connection that could not be taken, as where there are no more descriptors.
const PAUSE: Duration = Duration::from_millis(100);

/// Serves until the process is told to end.
///
/// # Errors
/// E103 where something stands at the path that is no dead socket of ours, and where none can be made.
pub async fn serve_socket(server: Server, path: &Path, told: impl FnOnce(&Listening)) -> Result<(), Fault> {
    let path = server.app().places.cwd.join(path);
    let socket = match clear(&path).await.and_then(|()| Socket::bind(&path)) {
        Ok(socket) => socket,
        Err(error) => return Err(cannot_listen(&path.display(), &error)),
    };
    let stopped = stopped();
    told(&Listening { address: path.display().to_string(), token: None });
    tokio::select! {
        () = accept(&socket.listener, &server) => {}
        () = stopped => {}
    }
    Ok(())
}

/// Takes away a socket of ours that nobody answers on; anything else at the path stays and is an error.
async fn clear(path: &Path) -> io::Result<()> {
    let found = match fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        found => found?,
    };
    if !found.file_type().is_socket() || found.mode() & 0o777 != MODE {
        return Err(io::Error::other("the path exists and is not a socket of skc"));
    }
    match UnixStream::connect(path).await {
        Ok(_) => Err(io::Error::other("another server is listening there")),
        // Whoever may connect to a socket of this mode owns it.
        Err(error) if error.kind() == io::ErrorKind::ConnectionRefused && is_still(path, &found) => {
            fs::remove_file(path)
        }
        Err(error) => Err(error),
    }
}

async fn accept(listener: &UnixListener, server: &Server) {
    let places = Places::new(CLIENTS_MAX, QUIET_MAX);
    let mut clients = JoinSet::new();
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            places.send_away_a_stranger();
            sleep(PAUSE).await;
            continue;
        };
        while clients.try_join_next().is_some() {}
        let (place, mut leave) = places.take().await;
        let server = server.clone();
        clients.spawn(async move {
            let (input, output) = stream.into_split();
            let place = Arc::new(place);
            tokio::select! {
                () = serve_streams(server, Heard::new(input, place.clone()), output) => {}
                () = leave.told() => {}
            }
        });
        yield_now().await;
    }
}

/// A socket that goes with the value.
struct Socket {
    listener: UnixListener,
    path: PathBuf,
    own: Metadata,
}

impl Socket {
    /// A socket at a path where nothing is. Nobody can connect before its mode is set: it does not listen until then.
    fn bind(path: &Path) -> io::Result<Self> {
        let socket = UnixSocket::new_stream()?;
        socket.bind(path)?;
        fs::set_permissions(path, Permissions::from_mode(MODE))?;
        let listener = socket.listen(BACKLOG)?;
        Ok(Self { listener, path: path.to_owned(), own: fs::symlink_metadata(path)? })
    }
}

impl Drop for Socket {
    fn drop(&mut self) {
        if is_still(&self.path, &self.own) {
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Whether the same file stands at a path.
fn is_still(path: &Path, known: &Metadata) -> bool {
    fs::symlink_metadata(path).is_ok_and(|now| (now.dev(), now.ino()) == (known.dev(), known.ino()))
}
