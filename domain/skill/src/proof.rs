//! The inputs of a proof of a skill (RFC-0016:C-PROVE): the queries, sections and steps that are measured, and the
//! figures computed from them.

use crate::discovery::words::{is_common, is_single_cjk, is_stop_word, without_common_terms, words};
use std::collections::BTreeSet;

/// Maximum number of queries made from headings; one more would change the rate by less than a fortieth.
pub const HEADING_QUERIES_MAX: usize = 40;
/// Maximum number of queries from the author's own file: twenty times what the specification's guide recommends.
pub const OWN_QUERIES_MAX: usize = 400;
/// Maximum number of sections to reach; even among many files they take only a few seconds.
pub const PROVED_SECTIONS_MAX: usize = 200;
/// Maximum number of calls for reaching a section: a search, the same search with a higher limit, and the text.
pub const REACHED_CALLS_MAX: u32 = 3;
/// Number of distinctive words that a heading needs to serve as a request. A single one, such as "Errors", could mean
/// any skill.
const TELLING_WORDS_MIN: usize = 2;

/// Names of files with trigger queries, as spelled by the specification's guide and other tools.
pub const QUERY_FILES: [&str; 5] = [
    "eval_queries.json",
    "eval-queries.json",
    "trigger_eval.json",
    "trigger_evals.json",
    "trigger-eval.json",
];

/// Whether a file of a skill holds trigger queries. It must be at the top level or in `evals`.
pub fn is_query_file(path: &str) -> bool {
    QUERY_FILES.contains(&path.strip_prefix("evals/").unwrap_or(path))
}

/// Selects headings that are specific enough to serve as requests: without duplicates, evenly distributed.
pub fn heading_queries<'a>(headings: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let mut seen = BTreeSet::new();
    let is_telling = |heading: &&str| {
        let says_nothing =
            |word: &String| is_stop_word(word) || is_common(word) || is_number(word) || is_single_cjk(word);
        words(&without_common_terms(heading)).iter().filter(|word| !says_nothing(word)).count()
            >= TELLING_WORDS_MIN
    };
    let telling =
        headings.into_iter().filter(is_telling).filter(|heading| seen.insert(heading.to_lowercase()));
    evenly(telling.map(str::to_owned).collect(), HEADING_QUERIES_MAX)
}

fn is_number(word: &str) -> bool {
    word.chars().all(|c| c.is_ascii_digit())
}

/// At most `max` values at even distances, in their order.
pub fn evenly<T>(all: Vec<T>, max: usize) -> Vec<T> {
    let count = all.len();
    if count <= max {
        return all;
    }
    let mut drawn = (0..max).map(|at| at * count / max).peekable();
    all.into_iter().enumerate().filter_map(|(at, value)| drawn.next_if_eq(&at).map(|_| value)).collect()
}

/// A ratio from 0 to 1; `None` if the whole is 0.
pub fn share(part: usize, whole: usize) -> Option<f64> {
    let number = |count: usize| f64::from(u32::try_from(count).unwrap_or(u32::MAX));
    (whole > 0).then(|| number(part) / number(whole))
}

/// The median and the maximum of some values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spread {
    /// The median; the lower one of two middle values.
    pub median: u64,
    /// The maximum.
    pub worst: u64,
}

impl Spread {
    /// Computes both; `None` for no values.
    pub fn of(mut values: Vec<u64>) -> Option<Self> {
        values.sort_unstable();
        let worst = *values.last()?;
        Some(Self { median: values[(values.len() - 1) / 2], worst })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC-0016:C-PROVE
    #[test]
    fn a_heading_is_a_request_only_with_two_words_that_say_something() {
        let headings = [
            "Overview",
            "Errors",
            "Merge scanned invoices",
            "How to use it",
            "When to Use",
            "Step 12",
            "merge Scanned invoices",
        ];
        assert_eq!(heading_queries(headings), ["Merge scanned invoices"]);
        let many: Vec<String> = (0..200).map(|at| format!("marmot{at} whistle{at}")).collect();
        let drawn = heading_queries(many.iter().map(String::as_str));
        assert_eq!((drawn.len(), drawn[0].as_str()), (HEADING_QUERIES_MAX, "marmot0 whistle0"));
        assert_eq!(drawn[39], "marmot195 whistle195");
    }

    /// RFC-0016:C-PROVE
    #[test]
    fn headings_that_every_skill_has_are_no_requests_in_any_language() {
        for heading in [
            "概述",
            "使用方法",
            "注意事项",
            "示例",
            "快速开始",
            "3. 输出格式说明",
            "工作流程与步骤",
            "常見問題",
            "故障排除指南",
            "概要",
            "使い方",
            "はじめに",
            "使い方と注意点",
            "いつ使うか",
            "エラー処理の手順",
            "よくある質問",
            "コマンド一覧",
            "사용 방법",
            "주의사항",
            "Step 1: 输出",
            "使用场景（推荐）",
        ] {
            assert_eq!(heading_queries([heading]), [""; 0], "{heading}");
        }
        for heading in [
            "合并扫描发票",
            "代理服务器配置",
            "請求書の照合",
            "鯨の歌を録音する",
            "고래 노래 녹음",
            "生成 PDF 发票",
        ] {
            assert_eq!(heading_queries([heading]), [heading], "{heading}");
        }
    }

    /// RFC-0016:C-PROVE
    #[test]
    fn trigger_queries_are_found_at_the_top_and_in_evals() {
        for (path, expected) in [
            ("eval_queries.json", true),
            ("evals/eval_queries.json", true),
            ("evals/trigger_eval.json", true),
            ("evals/evals.json", false),
            ("data/eval_queries.json", false),
        ] {
            assert_eq!(is_query_file(path), expected, "{path}");
        }
    }

    #[test]
    fn no_whole_has_no_share_and_no_values_have_no_spread() {
        assert_eq!((share(1, 4), share(0, 0)), (Some(0.25), None));
        assert_eq!(Spread::of(vec![3, 1, 9, 2]), Some(Spread { median: 2, worst: 9 }));
        assert_eq!(Spread::of(Vec::new()), None);
    }
}
