//! Embeds skills between the calls of a server, on a thread of its own.

use super::embedding::embed_missing;
use super::strategy::MeaningModel;
use crate::app::App;
use crate::executor::runtime;
use skillc_ports::{Quiet, SkillIndex};
use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread;

/// Starts to embed those of the given skills that have no vector, unless another call already has. After a failure,
/// the next call tries again.
pub fn embed_in_background(
    app: &App,
    index: &Arc<dyn SkillIndex>,
    model: &MeaningModel,
    skills: Vec<String>,
) {
    if app.state.is_embedding.swap(true, Ordering::AcqRel) {
        return;
    }
    let (index, model, state) = (index.clone(), model.clone(), app.state.clone());
    thread::spawn(move || {
        let ids: HashSet<&str> = skills.iter().map(String::as_str).collect();
        if let Ok(runtime) = runtime(false) {
            let _ = runtime.block_on(embed_missing(index.as_ref(), &model, &ids, None, &Quiet));
        }
        state.is_embedding.store(false, Ordering::Release);
    });
}
