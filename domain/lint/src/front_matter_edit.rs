//! Which changes of front matter a fix may make: a safe fix must preserve the parsed values.

use crate::fix::Safety;
use skillc_domain::frontmatter::{FrontMatter, FrontMatterFlaw, Node, Value};

/// The result of reading front matter; `None` if the text has none.
pub type FrontMatterRead = Result<Option<FrontMatter>, FrontMatterFlaw>;

/// Whether a fix may turn the front matter `old` of a text into `new`. A safe fix must preserve its meaning, and any
/// fix must leave it readable. If it was unreadable before, everything before the flaw must stay readable.
pub fn is_allowed_edit(text: &str, old: &FrontMatterRead, new: &FrontMatterRead, safety: Safety) -> bool {
    match (old, new) {
        (Ok(None), Ok(_)) | (Err(_), Ok(Some(_))) => true,
        (Ok(Some(old)), Ok(Some(new))) => {
            safety == Safety::Unsafe || are_same_fields(text, &old.fields, &new.fields)
        }
        (Err(old), Err(new)) => {
            old.at.map(|at| (at.line, at.column)) <= new.at.map(|at| (at.line, at.column))
        }
        (Ok(_), Err(_)) | (Ok(Some(_)) | Err(_), Ok(None)) => false,
    }
}

fn are_same_fields(text: &str, old: &[(Node, Node)], new: &[(Node, Node)]) -> bool {
    let is_same = |((old, a), (new, b)): (&(Node, Node), &(Node, Node))| {
        says_same(text, old, new) && says_same(text, a, b)
    };
    old.len() == new.len() && old.iter().zip(new).all(is_same)
}

/// Whether two values have the same meaning. A value that is not text may become its source text, and a list of words
/// may become these words, since that is how clients read them.
fn says_same(text: &str, old: &Node, new: &Node) -> bool {
    match (&old.value, &new.value) {
        (Value::Null, Value::Null) => true,
        (Value::Scalar { text: old, .. }, Value::Scalar { text: new, .. }) => old == new,
        (Value::List(old), Value::List(new)) => {
            old.len() == new.len() && old.iter().zip(new).all(|(old, new)| says_same(text, old, new))
        }
        (Value::Map(old), Value::Map(new)) => are_same_fields(text, old, new),
        (value, Value::Scalar { text: new, .. }) => {
            text.get(old.span.clone()) == Some(new.as_str()) || words(value).is_some_and(|old| old == *new)
        }
        _ => false,
    }
}

fn words(value: &Value) -> Option<String> {
    let Value::List(items) = value else { return None };
    Some(items.iter().map(Node::text).collect::<Option<Vec<_>>>()?.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use skillc_domain::frontmatter::Position;

    fn node(value: Value) -> Node {
        Node { value, at: Position { line: 1, column: 1 }, span: 0..0, tag: None }
    }

    fn text(text: &str, is_plain: bool) -> Node {
        node(Value::Scalar { text: text.to_owned(), is_plain })
    }

    fn front(value: Node) -> FrontMatterRead {
        Ok(Some(FrontMatter { fields: vec![(text("k", true), value)] }))
    }

    fn flaw(line: u32) -> FrontMatterRead {
        Err(FrontMatterFlaw { message: String::new(), at: Some(Position { line, column: 1 }) })
    }

    fn may(old: &FrontMatterRead, new: &FrontMatterRead, safety: Safety) -> bool {
        is_allowed_edit("[a, b]", old, new, safety)
    }

    #[test]
    fn quotes_are_form_and_words_are_not() {
        let list = front(Node { span: 0..6, ..node(Value::List(vec![text("a", true), text("b", true)])) });
        assert!(may(&front(text("a", true)), &front(text("a", false)), Safety::Safe));
        assert!(may(&list, &front(text("a b", true)), Safety::Safe));
        assert!(may(&list, &front(text("[a, b]", false)), Safety::Safe));
        assert!(!may(&list, &front(text("a", true)), Safety::Safe));
        assert!(!may(&front(text("a", true)), &front(text("b", true)), Safety::Safe));
        assert!(may(&front(text("a", true)), &front(text("b", true)), Safety::Unsafe));
        assert!(!may(&front(node(Value::Map(Vec::new()))), &front(node(Value::Null)), Safety::Safe));
    }

    #[test]
    fn a_front_matter_stays_readable_as_far_as_it_was() {
        assert!(may(&flaw(2), &flaw(3), Safety::Safe));
        assert!(may(&flaw(2), &front(text("", true)), Safety::Safe));
        assert!(!may(&flaw(2), &flaw(1), Safety::Unsafe));
        assert!(!may(&flaw(2), &Ok(None), Safety::Unsafe));
        assert!(may(&Ok(None), &Ok(None), Safety::Safe));
        assert!(!may(&Ok(None), &flaw(1), Safety::Unsafe));
    }
}
