//! Detects skills about security, which show what attackers do.

use crate::security::terms::{count_terms, has_term};
use crate::view::SkillView;

/// Words in a name or description that indicate attacks or defense against them.
const SECURITY: &str = "\
    security|cybersecurity|pentest*|penetration|vulnerab*|exploit*|attack*|malware|malicious|injection*|jailbreak*|\
    red team*|redteam*|owasp|threat*|forensic*|hacking|hacker|ctf|bug bounty|privilege escalation|dangerous|\
    adversarial|phishing|xss|sqli|incident response|siem|detection*|guardrail*|hardening|audit*|sast|fuzz*|\
    metasploit|burp*|reverse engineer*|offensive|payload*|secrets|shellcode|firmware|safety";

/// Number of such words that make a description one about security; a single one occurs in many lists of topics.
const WORDS_MIN: usize = 2;

/// Whether the skill's name or description says that it is about security.
pub fn is_about_security(view: &SkillView<'_>) -> bool {
    let fields = view.files.iter().find(|file| file.is_skill_md()).and_then(|file| file.fields());
    let described = fields.and_then(|fields| fields.get("description")).and_then(|node| node.text());
    has_term(&view.context.folder.replace(['-', '_'], " "), SECURITY)
        || described.is_some_and(|text| count_terms(text, SECURITY) >= WORDS_MIN)
}
