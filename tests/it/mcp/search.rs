//! Searches whose caller is gone (RFC-0007:C-MCP-SERVER).

use super::client::DEADLINE;
use crate::rfc_0004::{app, in_memory};
use crate::site::skill_md;
use async_trait::async_trait;
use serde_json::{Value, json};
use skillc_domain::freshness::{IndexHeader, RecordedFile};
use skillc_domain::lookup::FoundHeading;
use skillc_domain::path::RelPath;
use skillc_domain::plan::IndexState;
use skillc_domain::query::{Hit, Query};
use skillc_domain::section_names::SectionNames;
use skillc_mcp::{Server, ToolSet, serve_streams};
use skillc_memory::MemoryMachine;
use skillc_ops::workspace::LiveApp;
use skillc_ports::{
    ErrorKind, IndexChange, IndexReader, IndexWriter, Patience, PortError, PublishedFile, SectionIndex,
};
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Instant;
use tokio::io::{AsyncWriteExt, duplex, split};

/// An index whose search runs until it is canceled. It signals its beginning and its end.
struct Endless {
    index: Arc<dyn SectionIndex>,
    told: Sender<&'static str>,
}

/// Returns what the index said when it was opened.
struct EndlessReader {
    header: IndexHeader,
    files: Vec<RecordedFile>,
    told: Sender<&'static str>,
}

#[async_trait]
impl SectionIndex for Endless {
    async fn open(&self, index: &Path) -> IndexState<Box<dyn IndexReader>> {
        let reader = match self.index.open(index).await {
            IndexState::Present(reader) => reader,
            other => return other,
        };
        let (header, files) = (reader.header().clone(), reader.files().await.unwrap());
        IndexState::Present(Box::new(EndlessReader { header, files, told: self.told.clone() }))
    }

    async fn writer(&self, index: &Path, change: IndexChange) -> Result<Box<dyn IndexWriter>, PortError> {
        self.index.writer(index, change).await
    }
}

#[async_trait]
impl IndexReader for EndlessReader {
    fn header(&self) -> &IndexHeader {
        &self.header
    }

    async fn files(&self) -> Result<Vec<RecordedFile>, PortError> {
        Ok(self.files.clone())
    }

    async fn published_files(&self) -> Result<Vec<PublishedFile>, PortError> {
        Ok(Vec::new())
    }

    async fn headings(&self, _: &str, _: Option<&RelPath>) -> Result<Vec<FoundHeading>, PortError> {
        Ok(Vec::new())
    }

    async fn all_headings(&self) -> Result<Vec<FoundHeading>, PortError> {
        Ok(Vec::new())
    }

    async fn section_names(&self) -> Result<SectionNames, PortError> {
        Ok(SectionNames::default())
    }

    async fn search(&self, _: &Query, _: u32, patience: &Patience) -> Result<Vec<Hit>, PortError> {
        let _ = self.told.send("begun");
        while !patience.is_over() {
            std::thread::yield_now();
        }
        let _ = self.told.send("ended");
        Err(PortError::new(ErrorKind::OutOfTime, "search"))
    }
}

async fn wait_for(told: &Receiver<&'static str>, what: &str) {
    let start = Instant::now();
    while told.try_recv() != Ok(what) {
        assert!(start.elapsed() < DEADLINE, "not {what}");
        tokio::task::yield_now().await;
    }
}

/// Starts a search on a server, then lets the client do something. The search has to end at once, long before its
/// timeout.
fn ends_after(what_client_does: impl AsyncFnOnce(&mut Option<tokio::io::DuplexStream>)) {
    let machine = MemoryMachine::new();
    machine.write("/project/.skillc/skills/demo/SKILL.md", skill_md("demo", "# Top\n"));
    assert!(in_memory(&machine, "build", json!({ "skill": "demo" })).reply.is_some());
    let (told_sender, told) = channel();
    let mut app = app(&machine);
    let index = Endless { index: app.ports.index.clone(), told: told_sender };
    Arc::make_mut(&mut app.ports).index = Arc::new(index);
    let server = Server::new(LiveApp::fixed(app), ToolSet::All);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let (ours, theirs) = duplex(64 * 1024);
        let (input, output) = split(theirs);
        tokio::spawn(serve_streams(server, input, output));
        let mut client = Some(ours);
        let hello = json!({
            "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "near", "version": "1" },
        });
        send(&mut client, json!({ "id": 0, "method": "initialize", "params": hello })).await;
        let call = json!({ "name": "skc_search", "arguments": { "skill": "demo", "query": "top" } });
        send(&mut client, json!({ "id": 1, "method": "tools/call", "params": call })).await;
        wait_for(&told, "begun").await;
        let start = Instant::now();
        what_client_does(&mut client).await;
        wait_for(&told, "ended").await;
        assert!(start.elapsed().as_secs() < 8, "it ended by itself: {:?}", start.elapsed());
    });
    runtime.shutdown_background();
}

async fn send(client: &mut Option<tokio::io::DuplexStream>, mut message: Value) {
    message["jsonrpc"] = "2.0".into();
    let client = client.as_mut().unwrap();
    client.write_all(format!("{message}\n").as_bytes()).await.unwrap();
}

/// D7, RFC-0007:C-MCP-SERVER
#[test]
fn a_cancelled_search_ends() {
    ends_after(async |client| {
        let cancelled = json!({ "method": "notifications/cancelled", "params": { "requestId": 1 } });
        send(client, cancelled).await;
    });
}

/// D7, RFC-0007:C-MCP-SERVER
#[test]
fn a_search_for_a_client_that_is_gone_ends() {
    ends_after(async |client| drop(client.take()));
}
