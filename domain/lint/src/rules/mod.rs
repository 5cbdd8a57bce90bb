//! The rules, each in a file of its own.

use super::rule::Rule;

/// Declares the modules and the list in one.
macro_rules! rules {
    ($($module:ident),* $(,)?) => {
        $(pub mod $module;)*
        /// Every rule, by id. A further one is one file and one line here.
        pub const RULES: &[&Rule] = &[$(&$module::RULE),*];
    };
}

rules! {
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
    skl501_invisible_characters,
    skl502_bidi_controls,
    skl503_mixed_script_name,
    skl504_hidden_directive,
    skl505_prompt_injection,
    skl506_concealment,
    skl507_description_injection,
    skl508_fetch_into_shell,
    skl509_remote_instructions,
    skl510_raw_ip_url,
    skl511_insecure_url,
    skl512_url_exfiltration,
    skl513_data_upload,
    skl514_secret,
    skl515_decode_and_execute,
    skl516_encoded_payload,
    skl517_destructive_command,
    skl518_privilege,
    skl519_persistence,
    skl520_agent_config_write,
    skl521_broad_tools,
    skl522_dynamic_context,
    skl523_unpinned_installer,
    skl524_archive_or_binary,
    skl525_link_leaves_skill,
    skl526_text_out_of_view,
    skl527_credential_path,
    skl528_environment_harvest,
    skl529_dynamic_code,
    skl530_tls_off,
    skl531_hidden_file_run,
    skl532_active_document,
    skl534_impersonation,
    skl535_self_propagation,
    skl536_trigger_baiting,
    skl537_typosquat,
    skl538_suspicious_host,
    skl539_tools_exceeded,
    skl540_data_uri,
    skl541_cross_skill_relay,
    skl542_system_prompt_leak,
    skl543_risky_command,
    skl544_path_climbs,
}

/// The rule of an id or a name, in any case of letters.
pub fn find(wanted: &str) -> Option<&'static Rule> {
    let wanted = wanted.trim();
    RULES
        .iter()
        .copied()
        .find(|rule| rule.id.eq_ignore_ascii_case(wanted) || rule.name.eq_ignore_ascii_case(wanted))
}
