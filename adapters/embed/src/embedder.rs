//! Computes embeddings of texts.

use crate::check::{check_lengths, check_receipt, model_error};
use crate::network::{self, PIECES, POSITIONS};
use crate::tokens::WordPieces;
use crate::weights;
use rten::{Model, NodeId, RunOptions, ThreadPool, ValueOrView};
use rten_tensor::NdTensor;
use rten_tensor::prelude::*;
use skillc_domain::digest::Digest;
use skillc_domain::model::{EmbeddingModel, MODELS, ModelFlaw, TOKENIZER};
use skillc_ports::{Embedder, Embedders, ErrorKind, ModelId, NoModel, PortError};
use std::error::Error;
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

/// The embedders of all models below the folder of a `DiskModelStore`.
pub struct DiskEmbedders {
    all: Vec<(&'static EmbeddingModel, Arc<BertEmbedder>)>,
}

impl DiskEmbedders {
    /// Uses the models below this folder.
    pub fn new(models: &Path) -> Self {
        let embedder = |model: &'static EmbeddingModel| {
            (model, Arc::new(BertEmbedder::new(model, models.join(model.name))))
        };
        Self { all: MODELS.iter().copied().map(embedder).collect() }
    }
}

impl Embedders for DiskEmbedders {
    fn of(&self, model: &'static EmbeddingModel) -> Arc<dyn Embedder> {
        let known = self.all.iter().find(|(known, _)| *known == model);
        match known {
            Some((_, embedder)) => embedder.clone(),
            None => Arc::new(NoModel),
        }
    }
}

/// A model from a folder of a `DiskModelStore`, loaded on first use.
pub struct BertEmbedder {
    files: &'static EmbeddingModel,
    folder: PathBuf,
    loaded: Mutex<Option<Arc<LoadedModel>>>,
}

struct LoadedModel {
    pieces: WordPieces,
    model: Model,
    inputs: [NodeId; 2],
    output: NodeId,
}

impl BertEmbedder {
    /// Uses the files of a model in this folder, which need not exist yet.
    pub fn new(model: &'static EmbeddingModel, folder: impl Into<PathBuf>) -> Self {
        Self { files: model, folder: folder.into(), loaded: Mutex::new(None) }
    }

    /// One thread loads the model; others wait for it.
    fn loaded(&self) -> Result<Arc<LoadedModel>, PortError> {
        let mut loaded = self.loaded.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(loaded) = loaded.as_ref() {
            return Ok(loaded.clone());
        }
        self.model()?;
        let fresh = LoadedModel::open(self.files, &self.folder).map_err(|error| {
            PortError::new(ErrorKind::Corrupt, format!("load the model in '{}'", self.folder.display()))
                .caused_by(error)
        })?;
        Ok(loaded.insert(Arc::new(fresh)).clone())
    }

    fn failed(&self, error: Box<dyn Error + Send + Sync>) -> PortError {
        PortError::new(ErrorKind::Failed, "compute the vector of a text").caused_by(error)
    }
}

impl Embedder for BertEmbedder {
    fn model(&self) -> Result<ModelId, PortError> {
        if !self.folder.exists() {
            let doing = format!("open the model in '{}'", self.folder.display());
            return Err(PortError::new(ErrorKind::NotFound, doing));
        }
        check_lengths(self.files, &self.folder)?;
        check_receipt(self.files, &self.folder)?;
        let weights = self.files.weights();
        let digest = Digest::from_hex(weights.sha256)
            .ok_or_else(|| model_error(&self.folder, ModelFlaw::Foreign { file: weights.name }))?;
        Ok(ModelId { name: self.files.name.to_owned(), digest })
    }

    fn embed(&self, text: &str) -> Result<Vec<f32>, PortError> {
        self.loaded()?.embed(text, None).map_err(|e| self.failed(e))
    }

    fn reads(&self, text: &str) -> Result<bool, PortError> {
        Ok(self.loaded()?.pieces.unread_part(text) * 100.0 <= f64::from(self.files.unread_percent_max))
    }

    /// Runs one text per processor: a batch in one run would be padded to its longest text.
    fn embed_all(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, PortError> {
        let loaded = self.loaded()?;
        let workers = thread::available_parallelism().map_or(1, usize::from).min(texts.len());
        let next = AtomicUsize::new(0);
        let work = || {
            let options =
                RunOptions::default().with_thread_pool(Some(ThreadPool::with_num_threads(1).into()));
            let mut done = Vec::new();
            while let Some((at, text)) = next_text(&next, texts) {
                done.push((at, loaded.embed(text, Some(options.clone()))?));
            }
            Ok(done)
        };
        let done: Result<Vec<Vec<_>>, _> = thread::scope(|scope| {
            let threads: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
            threads
                .into_iter()
                .map(|t| t.join().unwrap_or_else(|_| Err("a thread ended early".into())))
                .collect()
        });
        let mut vectors = vec![Vec::new(); texts.len()];
        for (at, vector) in done.map_err(|e| self.failed(e))?.into_iter().flatten() {
            vectors[at] = vector;
        }
        Ok(vectors)
    }
}

/// The next text and its index.
fn next_text<'a>(next: &AtomicUsize, texts: &[&'a str]) -> Option<(usize, &'a str)> {
    let at = next.fetch_add(1, Ordering::Relaxed);
    texts.get(at).map(|text| (at, *text))
}

impl LoadedModel {
    fn open(model: &EmbeddingModel, folder: &Path) -> Result<Self, Box<dyn Error + Send + Sync>> {
        let network =
            || network::build(weights::read(BufReader::new(File::open(folder.join(model.weights().name))?))?);
        let (pieces, model) = thread::scope(|scope| {
            let pieces = scope.spawn(|| WordPieces::parse(&std::fs::read(folder.join(TOKENIZER.name))?));
            let model = network();
            (pieces.join().unwrap_or_else(|_| Err("a thread ended early".into())), model)
        });
        let (pieces, model) = (pieces?, model?);
        let inputs = [model.node_id(PIECES)?, model.node_id(POSITIONS)?];
        let output = model.output_ids().first().copied().ok_or("the network has no output")?;
        Ok(Self { pieces, model, inputs, output })
    }

    fn embed(
        &self,
        text: &str,
        options: Option<RunOptions>,
    ) -> Result<Vec<f32>, Box<dyn Error + Send + Sync>> {
        let pieces = self.pieces.of(text);
        let positions: Vec<i32> = (0..).take(pieces.len()).collect();
        let inputs = [pieces, positions].map(|numbers| NdTensor::from_data([numbers.len()], numbers));
        let inputs =
            self.inputs.iter().zip(&inputs).map(|(&id, tensor)| (id, ValueOrView::from(tensor.view())));
        let [vector] = self.model.run_n(inputs.collect(), [self.output], options)?;
        let vector: NdTensor<f32, 2> = vector.try_into()?;
        Ok(vector.to_vec())
    }
}
