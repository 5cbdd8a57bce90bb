//! The anchors of a Markdown file: the places that a link can lead to.

use crate::cut_sample::CutSample;
use crate::slug::{anchors, slug, wide_anchors};
use skillc_domain::markup::{CodeBlock, Markup, RegionKind};
use std::cell::OnceCell;
use std::collections::{BTreeMap, HashSet};

/// All anchors of a file: those of its headings, by the rules of RFC-0008 and of GitHub; those that headings define
/// themselves (`{#here}`); and those in its HTML (`id`, `name`).
pub struct Anchors {
    all: HashSet<String>,
    /// Anchors by their letters and digits, built on the first miss; `None` if several anchors share them.
    by_letters: OnceCell<BTreeMap<String, Option<String>>>,
    /// The numbered ones by what follows the number, built on the first miss; `None` as above.
    by_title: OnceCell<BTreeMap<String, Option<String>>>,
}

impl Anchors {
    /// Collects the anchors of a text with these cut samples, in linear time.
    pub fn of(text: &str, markup: &Markup, samples: &[CutSample]) -> Self {
        let headings = || markup.headings.iter().map(|heading| named(&heading.text).0);
        let mut all = anchors(headings());
        all.extend(wide_anchors(headings()));
        all.extend(markup.headings.iter().filter_map(|heading| named(&heading.text).1).map(str::to_owned));
        // Everything after an unclosed fence was meant as text, and so may be what is between fences that do not pair.
        // SKL210 reports those that can be told.
        let is_meant = |block: &&CodeBlock| {
            block.is_fenced && (!samples.is_empty() || !block.is_closed || has_section(text, block))
        };
        for block in markup.code_blocks.iter().filter(is_meant) {
            let lines = text.get(block.span.clone()).unwrap_or_default().lines();
            let headings: Vec<&str> = lines.filter_map(heading_text).collect();
            all.extend(anchors(headings.iter().copied()));
            all.extend(wide_anchors(headings.into_iter()));
        }
        for region in markup.regions.iter().filter(|region| region.kind == RegionKind::Html) {
            all.extend(ids(text.get(region.span.clone()).unwrap_or_default()).map(str::to_owned));
        }
        Self { all, by_letters: OnceCell::new(), by_title: OnceCell::new() }
    }

    /// Whether an anchor leads somewhere. The empty one and `top` lead to the beginning; those for lines or words are
    /// interpreted by the viewer.
    pub fn holds(&self, anchor: &str) -> bool {
        let is_viewers = anchor.is_empty() || anchor.eq_ignore_ascii_case("top") || anchor.starts_with(":~:");
        is_viewers
            || is_lines(anchor)
            || self.all.contains(anchor)
            || self.all.contains(&without_marks(anchor))
            // GitHub puts this before every anchor of a page.
            || anchor.strip_prefix("user-content-").is_some_and(|own| self.all.contains(own))
    }

    /// The anchor that differs from a wrong one only in punctuation and case, or in a number before it, or the only one
    /// that continues it.
    pub fn suggest(&self, anchor: &str) -> Option<&str> {
        let by_letters =
            self.by_letters.get_or_init(|| by_key(self.all.iter().map(|anchor| (letters(anchor), anchor))));
        let key = letters(anchor);
        if let Some(found) = by_letters.get(&key) {
            return found.as_deref().filter(|found| !found.is_empty());
        }
        if let Some(Some(found)) = self.numbered().get(&key) {
            return Some(found);
        }
        let mut longer = by_letters.range(key.clone()..).take_while(|(other, _)| other.starts_with(&key));
        let only = longer.next().filter(|_| key.chars().count() >= LETTERS_MIN && longer.next().is_none());
        only.and_then(|(_, found)| found.as_deref())
    }

    /// The anchors of headings with a number, by the letters after it: `4-plan` by `plan`.
    fn numbered(&self) -> &BTreeMap<String, Option<String>> {
        self.by_title.get_or_init(|| {
            let numbered = self.all.iter().filter(|anchor| anchor.starts_with(|c: char| c.is_ascii_digit()));
            let by_title = numbered.map(|anchor| (letters(without_number(anchor)), anchor));
            by_key(by_title.filter(|(title, _)| !title.is_empty()))
        })
    }
}

/// Anchors by a key; `None` if several that cannot belong to one heading share it.
fn by_key<'a>(anchors: impl Iterator<Item = (String, &'a String)>) -> BTreeMap<String, Option<String>> {
    let mut by_key: BTreeMap<String, Option<String>> = BTreeMap::new();
    for (key, anchor) in anchors {
        let closer =
            |known: &mut Option<String>| *known = known.take().and_then(|known| closer(known, anchor));
        by_key.entry(key).and_modify(closer).or_insert_with(|| Some(anchor.clone()));
    }
    by_key
}

/// An anchor without the number of its heading: `plan` for `4-plan`.
pub fn without_number(anchor: &str) -> &str {
    anchor.trim_start_matches(|c: char| c.is_ascii_digit() || c == '-')
}

/// Whether a block without a language contains a heading below the first level, as comments of a shell do not look.
fn has_section(text: &str, block: &CodeBlock) -> bool {
    let lines = text.get(block.span.clone()).unwrap_or_default().lines();
    block.info.is_empty() && lines.into_iter().any(|line| line.starts_with("## ") || line.starts_with("### "))
}

/// Minimum number of letters of a truncated anchor that is completed.
const LETTERS_MIN: usize = 5;

/// Of two anchors with the same letters, the longer one, which viewers generate, if both can belong to the same
/// heading.
fn closer(a: String, b: &str) -> Option<String> {
    let is_same = slug(&a) == slug(b);
    is_same.then(|| if (a.len(), a.as_str()) >= (b.len(), b) { a } else { b.to_owned() })
}

/// The letters and digits of an anchor, for finding typos in punctuation or case.
fn letters(anchor: &str) -> String {
    anchor.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// What [`crate::slug::wide_slug`] would make of an anchor if it were a heading. ASCII punctuation stays, so that it
/// has to match.
fn without_marks(anchor: &str) -> String {
    if anchor.is_ascii() {
        return anchor.to_owned();
    }
    anchor.chars().filter(|c| c.is_ascii() || c.is_alphanumeric()).collect()
}

/// Whether an anchor names lines: `L10`, `L10-L20`, `L10C5`.
fn is_lines(anchor: &str) -> bool {
    anchor.strip_prefix('L').is_some_and(|rest| {
        rest.starts_with(|c: char| c.is_ascii_digit())
            && rest.chars().all(|c| c.is_ascii_digit() || "LC-".contains(c))
    })
}

/// Splits a heading into its text and the anchor that it defines itself.
fn named(heading: &str) -> (&str, Option<&str>) {
    let Some((text, anchor)) = heading.strip_suffix('}').and_then(|rest| rest.rsplit_once("{#")) else {
        return (heading, None);
    };
    (text.trim_end(), Some(anchor))
}

/// The values of `id` and `name` attributes in HTML.
fn ids(html: &str) -> impl Iterator<Item = &str> {
    html.match_indices('=').filter(|(at, _)| names_a_place(html[..*at].trim_end())).filter_map(|(at, _)| {
        let value = html[at + 1..].trim_start();
        match value.chars().next()? {
            quote @ ('"' | '\'') => value[1..].split(quote).next(),
            _ => value.split(|c: char| c.is_whitespace() || c == '>').next(),
        }
    })
}

/// Whether a tag ends here with an attribute that defines an anchor.
fn names_a_place(tag: &str) -> bool {
    ["id", "name"].iter().any(|attribute| {
        let Some((before, end)) =
            tag.len().checked_sub(attribute.len()).and_then(|at| tag.split_at_checked(at))
        else {
            return false;
        };
        end.eq_ignore_ascii_case(attribute) && before.ends_with(char::is_whitespace)
    })
}

/// The text of a line if it is a heading.
fn heading_text(line: &str) -> Option<&str> {
    let text = line.trim_start_matches('#');
    (text.len() < line.len()).then(|| text.strip_prefix(' '))?.map(str::trim)
}

#[cfg(test)]
mod tests {
    use super::*;
    use skillc_domain::markup::Region;
    use skillc_domain::section::Heading;

    fn of(headings: &[&str], html: &str) -> Anchors {
        let heading = |text: &&str| Heading { level: 1, text: (*text).to_owned(), line: 1, offset: 0 };
        let regions = vec![Region { kind: RegionKind::Html, span: 0..html.len() }];
        Anchors::of(
            html,
            &Markup { headings: headings.iter().map(heading).collect(), regions, ..Markup::default() },
            &[],
        )
    }

    /// RFC-0008:C-REGISTRY
    #[test]
    fn an_anchor_is_a_heading_in_one_of_two_ways_or_is_named() {
        let anchors = of(
            &["What's new — in 2.0?", "A & B", "Über", "Named {#here}", "A & B", "हिन्दी"],
            "<a id=\"x\"></a> <a name='y'> <p class=id ID = z>",
        );
        for anchor in [
            "whats-new-in-20",
            "whats-new--in-20",
            "a-b",
            "a--b",
            "a-b-1",
            "a--b-1",
            "ber",
            "über",
            "here",
            "named",
            "x",
            "y",
            "z",
            "",
            "top",
            "L10-L20",
            "हिन्दी",
        ] {
            assert!(anchors.holds(anchor), "{anchor}");
        }
        for anchor in ["what's-new", "A-B", "uber", "id", "Lines", "a-b-2"] {
            assert!(!anchors.holds(anchor), "{anchor}");
        }
    }

    #[test]
    fn an_anchor_with_other_signs_is_found_by_its_letters() {
        let anchors = of(&["Getting Started", "C++", "C"], "");
        assert_eq!(anchors.suggest("Getting_Started"), Some("getting-started"));
        assert_eq!(anchors.suggest("C"), Some("c"));
        assert_eq!((anchors.suggest("started"), anchors.suggest("gett")), (None, None));
        assert_eq!(anchors.suggest("getting"), Some("getting-started"));
        assert_eq!(of(&["A & B"], "").suggest("A-B"), Some("a--b"));
        assert_eq!(of(&[], "<a id='ab'></a><a id='a-b'></a>").suggest("A_B"), None);
    }
}
