//! Making vectors beside the calls of a server, on a thread of its own.

use super::meaning::embed_missing;
use crate::app::App;
use skillc_ports::{Quiet, SkillIndex};
use std::collections::HashSet;
use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread};

/// Goes on with the vectors of these skills, unless that is being done already. What fails is tried again by the next
/// call.
pub fn embed_beside(app: &App, index: &Arc<dyn SkillIndex>, skills: Vec<String>) {
    if app.state.is_embedding.swap(true, Ordering::AcqRel) {
        return;
    }
    let (index, embedder, state) = (index.clone(), app.ports.embedder.clone(), app.state.clone());
    thread::spawn(move || {
        let ids: HashSet<&str> = skills.iter().map(String::as_str).collect();
        let _ = drive(embed_missing(index.as_ref(), embedder.as_ref(), &ids, None, &Quiet));
        state.is_embedding.store(false, Ordering::Release);
    });
}

struct Unpark(Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

/// Drives a future to its end on this thread.
fn drive<F: Future>(future: F) -> F::Output {
    let waker = Waker::from(Arc::new(Unpark(thread::current())));
    let mut context = Context::from_waker(&waker);
    let mut future = pin!(future);
    loop {
        match future.as_mut().poll(&mut context) {
            Poll::Ready(done) => return done,
            Poll::Pending => thread::park(),
        }
    }
}
