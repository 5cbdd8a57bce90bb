//! Files that a program copied from a documentation site.

use crate::finding::Finding;
use crate::view::SkillView;
use skillc_domain::format::is_markdown;
use skillc_domain::path::RelPath;
use std::collections::BTreeSet;

/// The rules about text that the site's authors wrote for their own readers.
const RULES: [&str; 7] = ["SKL209", "SKL210", "SKL213", "SKL301", "SKL302", "SKL303", "SKL307"];
/// What begins a line, or ends a block, in such files: the page's address, and a tag of GitBook.
const MARKS: [&str; 5] = ["**URL:** ", "{% endhint %}", "{% endtab %}", "{% endcode %}", "{% content-ref "];
/// Number of marks that show it.
const MARKS_MIN: usize = 3;

/// The findings in such files about what was copied.
pub fn in_scraped<'f>(
    view: &SkillView<'_>,
    findings: &'f mut [Finding],
) -> impl Iterator<Item = &'f mut Finding> {
    let is_about = |finding: &Finding| RULES.contains(&finding.rule.id);
    let text = |path: &RelPath| view.file(path).and_then(|file| file.text.as_deref());
    let paths: BTreeSet<&RelPath> =
        findings.iter().filter(|finding| is_about(finding)).map(|finding| &finding.issue.path).collect();
    let scraped = paths.into_iter().filter(|path| text(path).is_some_and(|text| is_scraped(path, text)));
    let scraped: BTreeSet<RelPath> = scraped.cloned().collect();
    findings.iter_mut().filter(move |finding| is_about(finding) && scraped.contains(&finding.path))
}

fn is_scraped(path: &RelPath, text: &str) -> bool {
    let is_marked = |line: &&str| MARKS.iter().any(|mark| line.trim_start().starts_with(mark));
    // Files with all pages of a site: `llms.md`, `llms-full.md`.
    let is_of_pages = path.name() == "llms.md" || path.name().starts_with("llms-");
    is_markdown(path)
        && path.as_str() != "SKILL.md"
        && (is_of_pages || text.lines().filter(is_marked).take(MARKS_MIN).count() == MARKS_MIN)
}

#[cfg(test)]
mod tests {
    use super::is_scraped;
    use skillc_domain::path::RelPath;

    #[test]
    fn a_file_of_pages_is_known_by_its_name_or_its_marks() {
        let page = "# Page\n\n**URL:** https://example.org/page\n\nText.\n\n";
        for (path, text, expected) in [
            ("references/llms-full.md", "# Pages\n".to_owned(), true),
            ("references/api.md", page.repeat(3), true),
            ("references/api.md", page.repeat(2), false),
            ("references/guide.md", "{% hint %}\nText.\n{% endhint %}\n".repeat(3), true),
            ("SKILL.md", page.repeat(3), false),
            ("scripts/llms-tool.py", page.repeat(3), false),
            ("references/llmstxt.md", page.repeat(2), false),
        ] {
            assert_eq!(is_scraped(&RelPath::parse(path).unwrap(), &text), expected, "{path} {text}");
        }
    }
}
