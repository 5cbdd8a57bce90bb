//! How a log waits for others who hold it.

use rusqlite::Connection;
use std::thread::sleep;
use std::time::Duration;

/// How long a log may be held by another process: no writer of ours needs more than milliseconds, and a command waits for
/// its log before it ends. The index waits longer.
pub const LOG_BUSY_TIMEOUT: Duration = Duration::from_secs(5);

/// The pause between two tries, about as long as a writer holds the log. SQLite's own pauses grow to 100 ms: among many
/// writers, who has lost a few times then loses to everyone who comes later, for seconds.
const PAUSE: Duration = Duration::from_millis(2);

/// Lets a connection wait, and then fail as busy.
pub fn wait_for_others(db: &Connection) -> rusqlite::Result<()> {
    db.busy_handler(Some(pause))
}

/// After so many pauses for one lock; whether to try again.
fn pause(pauses: i32) -> bool {
    let is_worth_it = PAUSE * pauses.unsigned_abs() < LOG_BUSY_TIMEOUT;
    if is_worth_it {
        sleep(PAUSE);
    }
    is_worth_it
}
