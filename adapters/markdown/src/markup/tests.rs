//! Tests that `markup` finds everything, and that no text harms it.

use proptest::prelude::*;
use skillc_domain::document::Document;
use skillc_domain::frontmatter::Opening;
use skillc_domain::markup::{Markup, RegionKind};
use std::ops::Range;

fn markup(text: &str) -> Markup {
    super::markup(text, Opening::Either)
}

fn document(text: &str) -> Document {
    crate::headings::document(text, Opening::Either)
}

/// Formats each link as `kind target "title" 'text' ‹span› ‹target's span›`.
fn links(text: &str) -> Vec<String> {
    let slice = |span: &Option<Range<usize>>| span.clone().map_or("", |span| &text[span]);
    let shown = |link: &skillc_domain::markup::Link| {
        let (span, written) = (&text[link.span.clone()], slice(&link.target_span));
        format!("{:?} {} {:?} {:?} ‹{span}› ‹{written}›", link.kind, link.target, link.title, link.text)
    };
    markup(text).links.iter().map(shown).collect()
}

/// Each region as its kind and its content.
fn regions(text: &str) -> Vec<(RegionKind, &str)> {
    markup(text).regions.into_iter().map(|region| (region.kind, &text[region.span])).collect()
}

fn missing(text: &str) -> Vec<(String, &str)> {
    markup(text).missing_labels.into_iter().map(|(label, span)| (label, &text[span])).collect()
}

#[test]
fn links_of_every_kind_are_found() {
    let text = "[é *b* `c`](u/é.md \"t\") [r][l] [l][] [l] <https://x.y/é> <a@b.c>\n\n[l]: <v w> 't\nu'\n";
    assert_eq!(
        links(text),
        [
            "Inline u/é.md \"t\" \"é b c\" ‹[é *b* `c`](u/é.md \"t\")› ‹u/é.md›",
            "Reference v w \"t\\nu\" \"r\" ‹[r][l]› ‹›",
            "Reference v w \"t\\nu\" \"l\" ‹[l][]› ‹›",
            "Reference v w \"t\\nu\" \"l\" ‹[l]› ‹›",
            "Autolink https://x.y/é \"\" \"https://x.y/é\" ‹<https://x.y/é>› ‹https://x.y/é›",
            "Autolink mailto:a@b.c \"\" \"a@b.c\" ‹<a@b.c>› ‹›",
        ]
    );
}

#[test]
fn an_image_in_a_link_is_both() {
    assert_eq!(
        links("![a *b*](a 't') [![b\nc](b)](b) ![d][d]\n\n[d]: e"),
        [
            "Image a \"t\" \"a b\" ‹![a *b*](a 't')› ‹a›",
            "Inline b \"\" \"b c\" ‹[![b\nc](b)](b)› ‹b›",
            "Image b \"\" \"b c\" ‹![b\nc](b)› ‹b›",
            "Image e \"\" \"d\" ‹![d][d]› ‹›",
        ]
    );
}

#[test]
fn links_in_headings_tables_and_quotes_are_found() {
    let text =
        "# [a](a)\n\n[b](b)\n---\n|[c](c)|\n|-|\n|[d](d\\|e)|\n\n> - [e\n> - f](f)\n>   [g\n>   h](h)\n";
    let found: Vec<_> = markup(text).links.into_iter().map(|link| (link.text, link.target)).collect();
    let expected = [("a", "a"), ("b", "b"), ("c", "c"), ("d", "d|e"), ("g h", "h")];
    assert_eq!(found, expected.map(|(text, target)| (text.to_owned(), target.to_owned())));
}

#[test]
fn a_target_has_its_place_where_it_stands_literally() {
    assert_eq!(
        links("[a](a) [b]( <b c> 'b c') [c](c&amp;c) [d](d\\)d) [e](%20) [f]()"),
        [
            "Inline a \"\" \"a\" ‹[a](a)› ‹a›",
            "Inline b c \"b c\" \"b\" ‹[b]( <b c> 'b c')› ‹b c›",
            "Inline c&c \"\" \"c\" ‹[c](c&amp;c)› ‹›",
            "Inline d)d \"\" \"d\" ‹[d](d\\)d)› ‹›",
            "Inline %20 \"\" \"e\" ‹[e](%20)› ‹%20›",
            "Inline  \"\" \"f\" ‹[f]()› ‹›",
        ]
    );
    let text = "[a](a)";
    assert_eq!(markup(text).links[0].target_span, Some(4..5));
}

#[test]
fn links_in_html_are_found_with_their_tag() {
    assert_eq!(
        links(
            "x <A title=\"é\" HREF='u&amp;v'>y</A> <img src=é.png><br/>\n\n<p>\n<a\r\nhref = \"z\">z</a href='no'>"
        ),
        [
            "Html u&v \"é\" \"\" ‹<A title=\"é\" HREF='u&amp;v'>› ‹›",
            "Html é.png \"\" \"\" ‹<img src=é.png>› ‹é.png›",
            "Html z \"\" \"\" ‹<a\r\nhref = \"z\">› ‹z›",
        ]
    );
    assert_eq!(
        links("> <div>\n> é <a\n> href=x>\n\n> y <a title=u\n> href=u>\n"),
        ["Html x \"\" \"\" ‹<a\n> href=x>› ‹x›", "Html u \"u\" \"\" ‹<a title=u\n> href=u>› ‹›",]
    );
}

#[test]
fn no_link_comes_from_code_comments_or_front_matter() {
    for text in [
        "---\nx: <a href=x> [a](b)\n---\n`[a](b) <a href=x>`\n",
        "```html\n<a href=x> [a](b) [c][d]\n```\n\n    [a](b) [c][d] <a href=x>\n",
        "<!-- <a href=x> [a](b) [c][d] -->\n\nb <!-- <a href=x> [a](b) [c][d] --> ``[c][d]``\n",
        "<script>\nlet x = '<a href=x>';\n</script>\n\\[a](b) <a href='x\n",
    ] {
        let found = markup(text);
        assert_eq!((found.links, found.missing_labels), (vec![], vec![]), "{text}");
    }
}

#[test]
fn a_definition_is_listed_whether_or_not_it_is_used() {
    let text = "---\na: b\n---\n[é]: /u 't'\n[É]: /v\n> [b c]:\n> <x y>\n\n```\n[d]: e\n```\n[f]: g h\n";
    let found = markup(text).definitions;
    let shown: Vec<_> =
        found.iter().map(|d| (&d.label[..], &d.target[..], &d.title[..], &text[d.span.clone()])).collect();
    assert_eq!(shown, [("é", "/u", "t", "[é]: /u 't'"), ("b c", "x y", "", "[b c]:\n> <x y>")]);
}

#[test]
fn a_label_is_missing_where_a_link_was_meant() {
    assert_eq!(
        missing("[é][b] ![c][] [d] [e](f) [g][h] [x][^1] [ ] a[0]\n\n[h]: i"),
        [("b".to_owned(), "[é][b]"), ("c".to_owned(), "![c][]"),]
    );
    assert_eq!(missing("[a [b][x] c][y]"), [("y".to_owned(), "[a [b][x] c][y]"), ("x".to_owned(), "[b][x]")]);
}

/// Each code block as its info, its content, and whether it is fenced and closed.
fn code(text: &str) -> Vec<(String, &str, bool, bool)> {
    let blocks = markup(text).code_blocks.into_iter();
    blocks.map(|block| (block.info, &text[block.span], block.is_fenced, block.is_closed)).collect()
}

#[test]
fn code_blocks_have_their_info_and_their_fences() {
    let fenced = |info: &str, text, is_closed| (info.to_owned(), text, true, is_closed);
    let indented = |text| (String::new(), text, false, true);
    assert_eq!(
        code("a\n\n  ~~~  sh é\n  b `c`\n  ~~~~\n"),
        [fenced("sh é", "  ~~~  sh é\n  b `c`\n  ~~~~", true)]
    );
    assert_eq!(code("    a\n\n    b\n\n\nc\n"), [indented("    a\n\n    b")]);
    assert_eq!(code("- - ```\r\n    a\r\n    ```\r\n"), [fenced("", "- - ```\r\n    a\r\n    ```", true)]);
    assert_eq!(code("> ```\n> ```\n"), [fenced("", "> ```\n> ```", true)]);
    assert_eq!(code("\u{feff}```\n"), [fenced("", "```", false)]);
    assert_eq!(code("```a&amp;b"), [fenced("a&b", "```a&amp;b", false)]);
    assert_eq!(code("> ~~~ ~\n> ```\n>\nb"), [fenced("~", "> ~~~ ~\n> ```\n>", false)]);
    assert_eq!(code("````\n```\n\n"), [fenced("", "````\n```", false)]);
    assert_eq!(code("```\n\n\n```"), [fenced("", "```\n\n\n```", true)]);
}

#[test]
fn regions_are_code_comments_and_other_html() {
    use RegionKind::{CodeBlock, Comment, Html, InlineCode};
    assert_eq!(
        regions("a `` b ` `` <i> é <!-- c\nd --> </i>\n\n```\n`x` <!-- y -->\n```\n"),
        [
            (InlineCode, "`` b ` ``"),
            (Html, "<i>"),
            (Comment, "<!-- c\nd -->"),
            (Html, "</i>"),
            (CodeBlock, "```\n`x` <!-- y -->\n```"),
        ]
    );
    assert_eq!(
        regions("<div>\n<!-- é -->\n<!--\nb\n--> c\n</div>\n\n<!-- d -->\n"),
        [
            (Html, "<div>"),
            (Comment, "<!-- é -->"),
            (Comment, "<!--\nb\n-->"),
            (Html, "c\n</div>"),
            (Comment, "<!-- d -->"),
        ]
    );
    assert_eq!(
        regions("<?php a ?>\n<!DOCTYPE x>\n\n<!-- open\n\n# b\n"),
        [(Html, "<?php a ?>"), (Html, "<!DOCTYPE x>"), (Comment, "<!-- open\n\n# b"),]
    );
    assert_eq!(
        regions("> <!-- a\n> b -->\n> <p>\n\n<p><!-- open\n\nend -->"),
        [(Comment, "<!-- a\n> b -->"), (Html, "<p>"), (Html, "<p>"), (Comment, "<!-- open"),]
    );
    assert_eq!(regions("\u{feff}---\nx: <!-- a -->\n---\n\\`a\\` \\<!-- -->\n"), []);
}

#[test]
fn all_places_count_the_front_matter() {
    let text = "\u{feff}---\r\nname: é\r\n---\r\n# a `b`\r\n[c](d)\r\n<!-- e -->\r\n\r\n[f]: g\r\n";
    let found = markup(text);
    assert_eq!(found.headings, document(text).headings);
    assert_eq!((found.front_matter, found.lines), (document(text).front_matter, 8));
    assert_eq!(links(text), ["Inline d \"\" \"c\" ‹[c](d)› ‹d›"]);
    assert_eq!(regions(text), [(RegionKind::InlineCode, "`b`"), (RegionKind::Comment, "<!-- e -->")]);
    assert_eq!(&text[found.definitions[0].span.clone()], "[f]: g");
}

/// Texts of which the parser accepts some as markup, to prove that it does not try each one at each position.
const HOSTILE: &[&str] = &[
    "<!--",
    "<!-- ",
    "<!-- -->",
    "<a href=",
    "<a href=x>",
    "<a\n",
    "[a][",
    "[a][b]",
    "[a]",
    "<",
    "![",
    "![a",
    "](u)",
    "[a](u",
    "`",
    "``a`",
    "*a _b ",
    "> ",
    "- ",
    "&amp;",
    "\\",
    "<?",
    "<!x",
    "<![CDATA[",
    "~~~\n",
    "```\n\n",
    "[a]: b\n",
    "<div>\n",
    "<div>\n\n",
    "<script>",
    "|",
    "a|b\n-|-\n",
    "\"",
    "<x \"",
    "<x y='",
    "é",
    "[é]: <é\n",
    "\r",
    "\t",
];

#[test]
fn hostile_texts_are_taken_apart() {
    for piece in HOSTILE {
        let text = piece.repeat(20_000 / piece.len());
        check(&text);
        check(&format!("[a]: b\n\n{text}"));
        check(&format!("<p>\n> {text}"));
    }
    let deep = "- ".repeat(300) + "[é](é) <a href=é>\n<!-- é\n";
    check(&format!("[a](\n{deep}\n<a href=\n{deep}>\n\n<!--\n{deep}").repeat(20));
    let images = "![a".repeat(5_000) + &"](u)".repeat(5_000);
    assert_eq!(check(&images).links.len(), 5_000);
    let tag = format!("<a title={} {}>", "é".repeat(10_000), "href=x src=y title=z ".repeat(10_000));
    assert_eq!(check(&tag).links.len(), 2);
}

/// Checks what must hold for every text.
fn check(text: &str) -> Markup {
    let found = markup(text);
    assert_eq!(found.headings, document(text).headings);
    assert_eq!(found.front_matter, document(text).front_matter);
    let mut end = found.body_start();
    for region in &found.regions {
        assert!(end <= region.span.start && region.span.start < region.span.end, "{text:?} {found:?}");
        end = region.span.end;
        let slice = &text[region.span.clone()];
        assert_eq!(region.kind == RegionKind::Comment, slice.starts_with("<!--"), "{slice:?}");
    }
    assert!(found.links.is_sorted_by_key(|link| link.span.start), "{text:?} {found:?}");
    for link in &found.links {
        let target = link.target_span.clone();
        assert!(target.clone().is_none_or(|at| link.span.start <= at.start && at.end <= link.span.end));
        assert!(target.is_none_or(|at| text[at] == link.target), "{text:?} {link:?}");
        assert!(!text[link.span.clone()].is_empty());
        let is_hidden =
            matches!(found.region_at(link.span.start), Some(RegionKind::Comment | RegionKind::CodeBlock));
        assert!(!is_hidden, "{text:?} {link:?}");
    }
    let others = found.code_blocks.iter().map(|block| &block.span);
    let others = others.chain(found.definitions.iter().map(|definition| &definition.span));
    for span in others.chain(found.missing_labels.iter().map(|(_, span)| span)) {
        assert!(!text[span.clone()].trim().is_empty());
    }
    found
}

proptest! {
    /// RFC-0004:C-FORMATS
    #[test]
    fn headings_are_those_of_the_document_and_parts_lie_in_order(
        parts in prop::collection::vec(
            prop::sample::select(vec![
                "# ", "\n", "\n\n", "\r\n", "\r", "a", "---\n", "===", "> ", "- ", "    ", "\t", "```", "~~~", "<div>",
                "<p\n", "<a href=", "'x'>", "é", "<!--", "-->", "--!>", "<script>", "</script>", "|", "`", "*", "[",
                "](u)", "![", "][", "]", "[]", "](", "<", ">", ")", "\"t\"", "\u{feff}", "\0", "\\", "&amp;", "~~",
                "1. ", "[a]: /u", "[a]", "<x@y.z>", "<http://z>", "🦀", "<title>", "<?", "<![CDATA[",
            ]),
            0..60,
        ),
    ) {
        check(&parts.concat());
    }

    #[test]
    fn no_text_makes_the_reader_panic(text in any::<String>()) {
        check(&text);
    }
}
