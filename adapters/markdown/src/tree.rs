//! Builds nodes from YAML parser events, keeping scalars as written and expanding aliases.

use granit_parser::{Event, ScalarStyle, Tag as Written};
use skillc_domain::frontmatter::{FrontMatterFlaw, Node, Position, Tag, Value};
use skillc_domain::limits::FRONT_MATTER_BYTES_MAX;
use std::collections::HashMap;
use std::ops::Range;

/// Maximum nesting of lists and mappings: ten times the deepest of 3,344 published skills, and safe for recursion.
const DEPTH_MAX: usize = 64;
/// Nodes and bytes of text that aliases may add: four times the limit of front matter, which allows repetition but not
/// exponential growth.
const ALIAS_COST_MAX: usize = 4 * FRONT_MATTER_BYTES_MAX;

/// A tree under construction: closed nodes become children of the innermost open collection.
#[derive(Default)]
pub struct NodeTree {
    open: Vec<OpenCollection>,
    anchors: HashMap<usize, AnchoredNode>,
    alias_cost: usize,
    root: Option<Node>,
}

/// A list, or a mapping whose keys and values alternate.
struct OpenCollection {
    at: Position,
    /// The range of its opening bracket; empty without one.
    span: Range<usize>,
    anchor: usize,
    tag: Option<Tag>,
    children: Vec<Node>,
}

struct AnchoredNode {
    node: Node,
    cost: usize,
    depth: usize,
}

impl NodeTree {
    /// Handles the next event, with its position and byte range in the file.
    pub fn take(
        &mut self,
        event: Event<'_>,
        at: Position,
        span: Range<usize>,
    ) -> Result<(), FrontMatterFlaw> {
        match event {
            Event::Scalar(text, style, anchor, tag) => {
                let is_plain = style == ScalarStyle::Plain && tag.is_none();
                let tag = tag.as_deref().and_then(type_of);
                self.close(Node { value: scalar(&text, is_plain), at, span, tag }, anchor);
                Ok(())
            }
            Event::SequenceStart(_, anchor, tag) | Event::MappingStart(_, anchor, tag) => {
                check_depth(self.open.len() + 1, at)?;
                let tag = tag.as_deref().and_then(type_of);
                self.open.push(OpenCollection { at, span, anchor, tag, children: Vec::new() });
                Ok(())
            }
            Event::SequenceEnd => {
                self.close_collection(span, Value::List);
                Ok(())
            }
            Event::MappingEnd => {
                self.close_collection(span, |children| Value::Map(pairs(children)));
                Ok(())
            }
            Event::Alias(anchor) => self.alias(anchor, at, span),
            Event::DocumentStart(..) if self.root.is_some() => Err(flaw("unexpected second document", at)),
            // Starts and ends of stream and document; other events need options that are off.
            _ => Ok(()),
        }
    }

    /// The root after the last event; `None` for an empty document.
    pub fn into_root(self) -> Option<Node> {
        self.root
    }

    /// Without a closing bracket, it ends with its last child.
    fn close_collection(&mut self, closing: Range<usize>, value: impl FnOnce(Vec<Node>) -> Value) {
        let Some(OpenCollection { at, span: opening, anchor, tag, children }) = self.open.pop() else {
            return;
        };
        let last = if closing.is_empty() { children.last().map(|child| &child.span) } else { Some(&closing) };
        let span = opening.start..last.map_or(opening.end, |last| last.end);
        self.close(Node { value: value(children), at, span, tag }, anchor);
    }

    /// Anchor 0 stands for none.
    fn close(&mut self, node: Node, anchor: usize) {
        if anchor != 0 {
            let (cost, depth) = measure(&node);
            self.anchors.insert(anchor, AnchoredNode { node: node.clone(), cost, depth });
        }
        match self.open.last_mut() {
            Some(parent) => parent.children.push(node),
            None => self.root = Some(node),
        }
    }

    fn alias(&mut self, anchor: usize, at: Position, span: Range<usize>) -> Result<(), FrontMatterFlaw> {
        let Some(AnchoredNode { node, cost, depth }) = self.anchors.get(&anchor) else {
            return Err(flaw("alias refers to a node that contains it", at));
        };
        check_depth(self.open.len() + depth, at)?;
        self.alias_cost += cost;
        if self.alias_cost > ALIAS_COST_MAX {
            return Err(flaw("aliases expand to too much content", at));
        }
        let (value, tag) = (node.value.clone(), node.tag.clone());
        self.close(Node { value, at, span, tag }, 0);
        Ok(())
    }
}

/// The type that a tag names; `None` for a bare `!`, which only marks a scalar as text, like quotes.
fn type_of(tag: &Written) -> Option<Tag> {
    Some(match tag.core_suffix() {
        Some("str") => Tag::Str,
        Some("int") => Tag::Int,
        Some("float") => Tag::Float,
        Some("bool") => Tag::Bool,
        Some("null") => Tag::Null,
        Some("seq") => Tag::List,
        Some("map") => Tag::Map,
        _ => Some(tag.original()).filter(|written| written != "!").map(Tag::Other)?,
    })
}

fn scalar(text: &str, is_plain: bool) -> Value {
    match text {
        "" | "~" | "null" | "Null" | "NULL" if is_plain => Value::Null,
        _ => Value::Scalar { text: text.to_owned(), is_plain },
    }
}

fn pairs(children: Vec<Node>) -> Vec<(Node, Node)> {
    let mut children = children.into_iter();
    std::iter::from_fn(|| Some((children.next()?, children.next()?))).collect()
}

/// Cost (nodes plus bytes of text) and depth of a node; recursion is bounded by `DEPTH_MAX`.
fn measure(node: &Node) -> (usize, usize) {
    let sum = |(cost, depth): (usize, usize), child: &Node| {
        let (child_cost, child_depth) = measure(child);
        (cost + child_cost, depth.max(child_depth + 1))
    };
    let own = 1 + node.tag.as_ref().map_or(0, |tag| tag.written().len());
    match &node.value {
        Value::Null => (own, 0),
        Value::Scalar { text, .. } => (own + text.len(), 0),
        Value::List(items) => items.iter().fold((own, 1), sum),
        Value::Map(fields) => fields.iter().flat_map(|(key, value)| [key, value]).fold((own, 1), sum),
    }
}

pub fn flaw(message: impl Into<String>, at: Position) -> FrontMatterFlaw {
    FrontMatterFlaw { message: message.into(), at: Some(at) }
}

fn check_depth(depth: usize, at: Position) -> Result<(), FrontMatterFlaw> {
    if depth <= DEPTH_MAX {
        return Ok(());
    }
    Err(flaw(format!("nested deeper than {DEPTH_MAX} levels"), at))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::yaml::tests::{check, read_yaml, refused};

    #[test]
    fn an_alias_repeats_its_anchor() {
        check("a: &x {b: [c]}\nd: *x\ne: &y z\n*y : 1", &["a: {b: [c]}", "d: {b: [c]}", "e: z", "z: 1"]);
        assert_eq!(refused("a: &x [*x]"), "2:8 alias refers to a node that contains it");
    }

    #[test]
    fn a_tag_stands_with_its_value() {
        let yaml = "a: !!int \"3\"\nb: !!seq [!!str 1]\nc: ! x\nd: !mine {}\ne: &x !!bool true\nf: *x\n\
                    g: !<tag:yaml.org,2002:null> ''\nh: !!binary x\ni: !!map {}\nj: 1\nk: !!float 1";
        let tags: Vec<_> = read_yaml(yaml).unwrap().fields.into_iter().map(|(_, value)| value.tag).collect();
        let other = |written: &str| Some(Tag::Other(written.to_owned()));
        let (bool, list) = (Some(Tag::Bool), Some(Tag::List));
        let expected = [
            Some(Tag::Int),
            list,
            None,
            other("!mine"),
            bool.clone(),
            bool,
            Some(Tag::Null),
            other("!!binary"),
            Some(Tag::Map),
            None,
            Some(Tag::Float),
        ];
        assert_eq!(tags, expected);
    }

    #[test]
    fn aliases_that_grow_beyond_all_use_are_refused() {
        let tower: String = (1..30).map(|i| format!("a{i}: &a{i} [*a{0}, *a{0}]\n", i - 1)).collect();
        assert!(refused(&format!("a0: &a0 lol\n{tower}")).ends_with("aliases expand to too much content"));
        let long = "x".repeat(30_000);
        let repeats = format!("a: &a {long}\nb: [{}]", "*a, ".repeat(8_000));
        assert!(refused(&repeats).ends_with("aliases expand to too much content"));
        let tagged = format!("a: &a !{long} x\nb: [{}]", "*a, ".repeat(8_000));
        assert!(refused(&tagged).ends_with("aliases expand to too much content"));
    }

    #[test]
    fn nesting_beyond_all_use_is_refused() {
        let nested = |depth: usize| format!("a: {}{}", "[".repeat(depth), "]".repeat(depth));
        assert!(read_yaml(&nested(DEPTH_MAX - 1)).is_ok());
        assert_eq!(refused(&nested(DEPTH_MAX)), "2:67 nested deeper than 64 levels");
        for yaml in [nested(10_000), "- ".repeat(10_000), "? ".repeat(10_000), "a: {".repeat(10_000)] {
            refused(&yaml);
        }
        let stairs: String = (1..200).map(|i| format!("a{i}: &a{i} [*a{}]\n", i - 1)).collect();
        assert!(refused(&format!("a0: &a0 x\n{stairs}")).ends_with("nested deeper than 64 levels"));
    }
}
