//! Pagination. A cursor contains the last name of its page, so that no entry is repeated or skipped when files are
//! added or removed between two calls.

use base64::prelude::{BASE64_URL_SAFE_NO_PAD, Engine};
use skillc_domain::fault::Fault;

/// The prefix of a decoded cursor, which distinguishes cursors from other base64 texts.
const MARK: &str = "after ";

/// One page of a sorted list.
#[derive(Debug)]
pub struct Page<T> {
    /// In order.
    pub items: Vec<T>,
    /// The cursor of the next page; `None` on the last page.
    pub next: Option<String>,
}

impl<T> Page<T> {
    /// A page of at most `most` items from a list sorted by `name`.
    ///
    /// # Errors
    /// E100 for an unknown cursor.
    pub fn cut(
        sorted: Vec<T>,
        name: impl Fn(&T) -> &str,
        cursor: Option<&str>,
        most: usize,
    ) -> Result<Self, Fault> {
        let after = cursor.map(name_in).transpose()?;
        let start = after.map_or(0, |after| sorted.partition_point(|item| name(item) <= after.as_str()));
        let mut items: Vec<T> = sorted.into_iter().skip(start).take(most + 1).collect();
        let has_more = items.len() > most;
        items.truncate(most);
        let next = items.last().filter(|_| has_more).map(|last| cursor_after(name(last)));
        Ok(Self { items, next })
    }
}

fn cursor_after(name: &str) -> String {
    BASE64_URL_SAFE_NO_PAD.encode(format!("{MARK}{name}"))
}

fn name_in(cursor: &str) -> Result<String, Fault> {
    let bytes = BASE64_URL_SAFE_NO_PAD.decode(cursor).ok();
    let text = bytes.and_then(|bytes| String::from_utf8(bytes).ok());
    let name = text.and_then(|text| text.strip_prefix(MARK).map(str::to_owned));
    name.ok_or_else(|| Fault::unknown_cursor(format!("unknown cursor '{cursor}'")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pages(names: &[&str], most: usize) -> Vec<Vec<String>> {
        let (mut pages, mut cursor) = (Vec::new(), None);
        loop {
            let sorted: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
            let page = Page::cut(sorted, |name| name.as_str(), cursor.as_deref(), most).unwrap();
            pages.push(page.items);
            cursor = page.next;
            if cursor.is_none() {
                return pages;
            }
        }
    }

    /// RFC-0007:C-MCP-RESOURCES
    #[test]
    fn pages_follow_one_another_without_gap_or_repeat() {
        assert_eq!(pages(&["a", "b", "c"], 2), [vec!["a", "b"], vec!["c"]]);
        assert_eq!(pages(&["a", "b"], 2), [vec!["a", "b"]]);
        assert_eq!(pages(&[], 2), [Vec::<String>::new()]);
    }

    #[test]
    fn a_page_goes_on_where_its_last_name_is_gone() {
        let cursor = cursor_after("b");
        let page = Page::cut(vec!["a", "c", "d"], |name| name, Some(&cursor), 1).unwrap();
        assert_eq!(page.items, ["c"]);
    }

    /// RFC-0007:C-MCP-RESOURCES
    #[test]
    fn a_cursor_that_no_page_gave_is_refused() {
        for cursor in ["", "x", "é", "YWZ0ZXI", "////"] {
            let page = Page::cut(vec!["a"], |name| name, Some(cursor), 1);
            assert!(matches!(page, Err(Fault::InvalidOption { .. })), "{cursor}");
        }
    }
}
