//! The list of all rules, and the modules of the rules about form, structure and links.

use crate::rule::{Rule, rule_list};
use crate::security;

rule_list! {
    /// SKL001 to SKL499, by id. Adding a rule takes one file and one line here.
    FORM:
    skl001_skip_compiled,
    skl002_unused_directive,
    skl100_frontmatter_valid,
    skl101_name_required,
    skl102_name_format,
    skl103_name_length,
    skl104_name_match_dir,
    skl105_description_required,
    skl106_description_nonempty,
    skl107_description_length,
    skl108_description_triggers,
    skl109_frontmatter_known,
    skl110_allowed_tools_known,
    skl111_field_type,
    skl112_name_double_hyphen,
    skl113_compatibility_length,
    skl114_yaml_ambiguous_scalar,
    skl115_byte_order_mark,
    skl116_yaml_tab,
    skl117_yaml_comment_cut,
    skl118_duplicate_key,
    skl119_markup_in_metadata,
    skl120_reserved_name,
    skl121_description_person,
    skl122_description_short,
    skl123_vague_name,
    skl124_client_field_value,
    skl125_unreachable_skill,
    skl126_yaml_double_escape,
    skl201_skill_size,
    skl202_heading_h1,
    skl203_heading_match_name,
    skl204_heading_first_h1,
    skl205_heading_hierarchy,
    skl206_code_block_language,
    skl207_line_length,
    skl208_body_tokens,
    skl209_placeholder,
    skl210_unclosed_code_block,
    skl211_reference_without_contents,
    skl212_reference_tokens,
    skl213_backslash_path,
    skl214_user_path,
    skl215_empty_body,
    skl301_link_file_exists,
    skl302_link_anchor_exists,
    skl303_link_no_escape,
    skl304_reference_depth,
    skl305_generic_link_text,
    skl306_undefined_label,
    skl307_empty_link,
    skl401_no_orphans,
    skl402_file_not_mentioned,
    skl403_similar_descriptions,
    skl404_same_name,
    skl405_package_size,
    skl406_path_case,
    skl407_named_file_exists,
    skl408_installed_files,
    skl409_eval_file_valid,
    skl410_eval_mixed_spelling,
    skl411_eval_id_unique,
    skl412_trigger_queries_balanced,
    skl413_trigger_query_copied,
}

/// Every rule, by id.
pub static RULES: &[&Rule] = &{
    let mut all = [FORM[0]; FORM.len() + security::rules::RULES.len()];
    let mut at = 1;
    while at < all.len() {
        all[at] = if at < FORM.len() { FORM[at] } else { security::rules::RULES[at - FORM.len()] };
        at += 1;
    }
    all
};

/// Looks up a rule by id or name, ignoring case.
pub fn find(name: &str) -> Option<&'static Rule> {
    let name = name.trim();
    RULES
        .iter()
        .copied()
        .find(|rule| rule.id.eq_ignore_ascii_case(name) || rule.name.eq_ignore_ascii_case(name))
}
