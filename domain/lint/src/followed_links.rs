//! The links in a file that a reader is expected to follow.

use crate::cut_sample::is_in_rest;
use crate::view::LintFile;
use skillc_domain::markup::{Link, LinkKind};

/// The links of a file, except autolinks, which are URLs even without a scheme, and links in the rest of a sample that
/// a fence inside it cut in two.
pub fn followed_links(file: &LintFile) -> impl Iterator<Item = &Link> {
    written_links(file).filter(|link| link.kind != LinkKind::Autolink)
}

/// The links of a file that are not part of a sample.
pub fn written_links(file: &LintFile) -> impl Iterator<Item = &Link> {
    let links = file.markup.iter().flat_map(|markup| &markup.links);
    links.filter(|link| !is_in_rest(&file.cut_samples, link.span.start))
}
