//! Calls that an operation must not make, because they would cost time. The fakes fail the test when they are called.

use crate::contract::machines::block_on;
use crate::rfc_0004::app;
use crate::site::skill_md;
use mockall::mock;
use skillc_domain::digest::Digest;
use skillc_domain::document::Document;
use skillc_domain::frontmatter::{FrontMatter, FrontMatterFlaw, Opening};
use skillc_domain::markup::Markup;
use skillc_markdown::MarkdownReader;
use skillc_memory::MemoryMachine;
use skillc_ops::find::FindMode;
use skillc_ops::verb::build::{Build, BuildRequest};
use skillc_ops::verb::find::{Find, FindRequest};
use skillc_ops::verb::search::{Search, SearchRequest};
use skillc_ops::verb::show::{Show, ShowRequest};
use skillc_ops::{App, Operation, call};
use skillc_ports::{DocumentReader, Embedder, ModelId, PortError};
use std::sync::Arc;

mock! {
    Embedder {}
    impl Embedder for Embedder {
        fn model(&self) -> Result<ModelId, PortError>;
        fn embed(&self, text: &str) -> Result<Vec<f32>, PortError>;
    }
}

mock! {
    Parser {
        fn parse(&self);
    }
}

/// Counts the texts that are parsed.
impl DocumentReader for MockParser {
    fn document(&self, text: &str, opening: Opening) -> Document {
        self.parse();
        MarkdownReader.document(text, opening)
    }

    fn markup(&self, _: &str, _: Opening) -> Markup {
        self.parse();
        Markup::default()
    }

    fn front_matter(&self, _: &str) -> Result<Option<FrontMatter>, FrontMatterFlaw> {
        self.parse();
        Ok(None)
    }

    fn write_front_matter(&self, _: &[(&str, &str)]) -> String {
        String::new()
    }
}

fn machine() -> MemoryMachine {
    let machine = MemoryMachine::new();
    machine.write("/project/.skillc/skills/review/SKILL.md", skill_md("review", "# Steps\n\nRead twice.\n"));
    machine
}

#[track_caller]
fn done<O: Operation>(app: &App, request: O::Request) -> O::Reply {
    let answer = block_on(call::<O>(app, request));
    answer.reply.unwrap_or_else(|| panic!("{:?}", answer.failures))
}

/// RFC-0004:C-FRESHNESS
#[test]
fn a_fresh_index_is_read_without_parsing_a_file() {
    let mut app = app(&machine());
    let skill = || "review".to_owned();
    done::<Build>(&app, BuildRequest { skill: vec![skill()], ..BuildRequest::default() });
    let mut parser = MockParser::new();
    parser.expect_parse().never();
    Arc::make_mut(&mut app.ports).reader = Arc::new(parser);
    let show = ShowRequest { skill: skill(), section: "steps".to_owned(), ..ShowRequest::default() };
    assert_eq!(done::<Show>(&app, show).section, "Steps");
    let search = SearchRequest { skill: skill(), query: vec!["twice".to_owned()], limit: 5 };
    assert_eq!(done::<Search>(&app, search).results.len(), 1);
}

fn find(mode: FindMode, embedder: MockEmbedder) -> usize {
    let mut app = app(&machine());
    Arc::make_mut(&mut app.ports).embedders = Arc::new(skillc_ports::SameEmbedder::new(embedder));
    done::<Find>(&app, FindRequest { query: vec!["review".to_owned()], mode, ..FindRequest::default() }).count
}

/// An embedder with an installed model.
fn embedder() -> MockEmbedder {
    let mut embedder = MockEmbedder::new();
    embedder.expect_model().returning(|| Ok(ModelId { name: "m".to_owned(), digest: Digest([1; 32]) }));
    embedder
}

/// RFC-0011:C-FIND
#[test]
fn a_search_by_words_embeds_nothing() {
    let mut unused = embedder();
    unused.expect_embed().never();
    assert_eq!(find(FindMode::Lexical, unused), 1);
    let mut used = embedder();
    let unit = || (0..384).map(|at| if at == 0 { 1.0 } else { 0.0 }).collect();
    used.expect_embed().times(1..).returning(move |_| Ok(unit()));
    assert_eq!(find(FindMode::Semantic, used), 1);
}
