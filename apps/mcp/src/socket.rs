//! The server on a Unix socket that only its user can connect to. The framing is that of standard input and output.

use crate::activity::ActivityReader;
use crate::listening::{Listening, cannot_listen};
use crate::server::Server;
use crate::shutdown::shutdown_signal;
use crate::slots::Slots;
use crate::stdio::serve_streams;
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

/// Concurrent clients; as many as over HTTP.
const CLIENTS_MAX: usize = 256;
/// Idle time after which a full server may evict a client: working agents ask every few seconds, and an evicted one can
/// connect again.
const IDLE_MAX: Duration = Duration::from_secs(5 * 60);
/// Pending connections in the queue of the system.
const BACKLOG: u32 = 128;
/// The mode of our sockets; a socket with another mode is not ours.
const MODE: u32 = 0o600;
/// Pause after a failed accept, for example when descriptors have run out.
const PAUSE: Duration = Duration::from_millis(100);

/// Serves until a signal asks the process to end.
///
/// # Errors
/// E103 if the path is taken by anything but a dead socket of ours, or the socket cannot be created.
pub async fn serve_socket(
    server: Server,
    path: &Path,
    on_listening: impl FnOnce(&Listening),
) -> Result<(), Fault> {
    let path = server.app().call.places.cwd.join(path);
    let socket = match clear(&path).await.and_then(|()| Socket::bind(&path)) {
        Ok(socket) => socket,
        Err(error) => return Err(cannot_listen(&path.display(), &error)),
    };
    let signal = shutdown_signal();
    on_listening(&Listening { address: path.display().to_string(), token: None });
    tokio::select! {
        () = accept(&socket.listener, &server) => {}
        () = signal => {}
    }
    Ok(())
}

/// Removes a dead socket of ours; anything else at the path is an error and stays.
async fn clear(path: &Path) -> io::Result<()> {
    let found = match fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        found => found?,
    };
    if !found.file_type().is_socket() || found.mode() & 0o777 != MODE {
        return Err(io::Error::other("the path exists and is not a socket of a skc server"));
    }
    match UnixStream::connect(path).await {
        Ok(_) => Err(io::Error::other("another server is listening there")),
        // Only the owner gets this far: the mode keeps others from connecting.
        Err(error) if error.kind() == io::ErrorKind::ConnectionRefused && is_still(path, &found) => {
            fs::remove_file(path)
        }
        Err(error) => Err(error),
    }
}

async fn accept(listener: &UnixListener, server: &Server) {
    let slots = Slots::new(CLIENTS_MAX, IDLE_MAX);
    let mut clients = JoinSet::new();
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            slots.evict_untrusted();
            sleep(PAUSE).await;
            continue;
        };
        while clients.try_join_next().is_some() {}
        let (slot, mut eviction) = slots.take().await;
        let server = server.clone();
        clients.spawn(async move {
            let (input, output) = stream.into_split();
            // Held to the end: the reader is dropped before the last responses are written.
            let slot = Arc::new(slot);
            tokio::select! {
                () = serve_streams(server, ActivityReader::new(input, slot.clone()), output) => {}
                () = eviction.wait() => {}
            }
        });
        yield_now().await;
    }
}

/// A listening socket, removed on drop.
struct Socket {
    listener: UnixListener,
    path: PathBuf,
    own: Metadata,
}

impl Socket {
    /// Binds a socket at a free path. It does not listen, and so accepts no one, before its mode is set.
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

/// Whether the path still leads to the same file.
fn is_still(path: &Path, known: &Metadata) -> bool {
    fs::symlink_metadata(path).is_ok_and(|now| (now.dev(), now.ino()) == (known.dev(), known.ino()))
}
