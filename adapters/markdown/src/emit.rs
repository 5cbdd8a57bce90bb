//! Writes front matter.

use serde::{Serialize, Serializer};
use serde_saphyr::DoubleQuoted;

/// Writes a block with both `---` lines.
///
/// Each value is one line in double quotes with unprintable characters escaped, which YAML 1.1, YAML 1.2 and line-based
/// readers all read alike.
pub fn front_matter(fields: &[(&str, &str)]) -> String {
    let yaml = serde_saphyr::to_string(&Fields(fields)).expect("a mapping of texts has a YAML form");
    format!("---\n{yaml}---\n")
}

struct Fields<'a>(&'a [(&'a str, &'a str)]);

impl Serialize for Fields<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(key, value)| (key, DoubleQuoted(value))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::yaml;
    use proptest::prelude::*;

    fn written_and_read(name: &str, description: &str) -> Vec<(String, String)> {
        let text = front_matter(&[("name", name), ("description", description)]);
        let front = yaml::front_matter(&text).unwrap().unwrap();
        let read = |(key, value): &(_, _)| (text_of(key), text_of(value));
        front.fields.iter().map(read).collect()
    }

    fn text_of(node: &skillc_domain::frontmatter::Node) -> String {
        node.text().unwrap_or_else(|| panic!("{node:?}")).to_owned()
    }

    fn fields(name: &str, description: &str) -> Vec<(String, String)> {
        vec![("name".into(), name.into()), ("description".into(), description.into())]
    }

    #[test]
    fn each_value_is_one_line_in_double_quotes() {
        assert_eq!(
            front_matter(&[
                ("name", "rust"),
                ("description", "Say \"hi\":\n---\n# not a comment\u{2028}é 🦀")
            ]),
            "---\nname: \"rust\"\ndescription: \"Say \\\"hi\\\":\\n---\\n# not a comment\\Lé 🦀\"\n---\n"
        );
        assert_eq!(yaml::front_matter(&front_matter(&[])).unwrap().unwrap().fields, []);
    }

    /// RFC-0001:C-STUB
    #[test]
    fn a_description_survives_the_stub_unchanged() {
        let long = "word ".repeat(20_000 / 5) + "end";
        for text in [
            "",
            " ",
            "a\n",
            "a\n\n",
            "\n a",
            "\ta\t",
            "\r\n",
            "it's \"so\": yes # no",
            "yes",
            "null",
            "~",
            "1:30",
            "0x1F",
            "2026-01-01",
            "---",
            "x\n---\ny",
            "...",
            "%YAML",
            "@x",
            "`x`",
            "- a",
            "? a",
            "*a",
            "&a b",
            "!!int 1",
            "{a: b}",
            "[",
            "|",
            ">-",
            "<<",
            "\\",
            "\\n",
            "\u{85}\u{2028}\u{2029}\u{feff}\u{7f}\u{80}\u{9f}\0\u{1b}\u{fffe}\u{ffff}\u{10ffff}",
            "日本語 🦀 👩‍👩‍👧",
            &long,
        ] {
            assert_eq!(written_and_read(text, text), fields(text, text), "{text:?}");
        }
    }

    proptest! {
        /// RFC-0001:C-STUB
        #[test]
        fn any_text_comes_back_from_the_front_matter_that_was_written(
            name in any::<String>(),
            description in prop::collection::vec(any::<char>(), 0..200),
        ) {
            let description: String = description.into_iter().collect();
            let text = front_matter(&[("name", &name), ("description", &description)]);
            prop_assert_eq!(text.lines().count(), 4);
            prop_assert_eq!(written_and_read(&name, &description), fields(&name, &description));
        }
    }
}
