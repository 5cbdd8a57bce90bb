//! A stream of which its place hears: the first whole line makes the connection known.

use crate::places::Place;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use tokio::io::{AsyncRead, ReadBuf};

/// The input of a connection.
pub struct Heard<R> {
    input: R,
    place: Arc<Place>,
}

impl<R> Heard<R> {
    /// The same input, of which a place hears.
    pub fn new(input: R, place: Arc<Place>) -> Self {
        Self { input, place }
    }
}

impl<R: AsyncRead + Unpin> AsyncRead for Heard<R> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let read = ready!(Pin::new(&mut self.input).poll_read(context, buffer));
        if buffer.filled()[before..].contains(&b'\n') {
            self.place.is_heard();
        }
        Poll::Ready(read)
    }
}
