//! A reader that marks its connection as active at each whole line.

use crate::slots::Slot;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use tokio::io::{AsyncRead, ReadBuf};

/// The input of a connection.
pub struct ActivityReader<R> {
    input: R,
    slot: Arc<Slot>,
}

impl<R> ActivityReader<R> {
    /// Wraps the input of the connection that holds a slot.
    pub fn new(input: R, slot: Arc<Slot>) -> Self {
        Self { input, slot }
    }
}

impl<R: AsyncRead + Unpin> AsyncRead for ActivityReader<R> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let read = ready!(Pin::new(&mut self.input).poll_read(context, buffer));
        if buffer.filled()[before..].contains(&b'\n') {
            self.slot.mark_active();
        }
        Poll::Ready(read)
    }
}
