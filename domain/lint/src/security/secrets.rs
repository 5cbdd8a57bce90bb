//! Forms of keys and tokens, by the service that issues them.
//!
//! Prefixes, lengths and alphabets are facts about the services, checked on 2026-11-21 against the pattern set named
//! in each row. Lengths are lower bounds, since services lengthen their tokens. Values that are shorter or obviously
//! made up are recognized by [`super::secret_value::is_made_up`].

use crate::rule::Pattern;

/// A kind of secret.
#[derive(Clone, Copy, Debug)]
pub struct SecretKind {
    /// The name used in messages.
    pub name: &'static str,
    /// The pattern set against which the form was checked.
    #[expect(dead_code, reason = "says where the form was checked")]
    pub source: &'static str,
    /// The pattern; its first group, if there is one, is the secret.
    pub pattern: Pattern,
}

/// The default configuration of gitleaks, commit 009e025.
const GITLEAKS: &str = "gitleaks 009e025";
/// The plugins of detect-secrets, release 1.5.0.
const DETECT: &str = "detect-secrets 1.5.0";
/// The service's own documentation.
const OWN: &str = "the service's documentation";

const fn kind(
    name: &'static str,
    source: &'static str,
    needles: fn() -> &'static [&'static str],
    regex: &'static str,
) -> SecretKind {
    SecretKind { name, source, pattern: Pattern { needles, regex } }
}

/// All kinds of secrets, one per row.
pub static KINDS: &[SecretKind] = &[
    kind(
        "AWS access key",
        GITLEAKS,
        || &["AKIA", "ASIA", "ABIA", "ACCA"],
        r"(?-u)\b((?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16})\b",
    ),
    kind(
        "AWS secret key",
        DETECT,
        || &["secret_access_key", "secretaccesskey", "aws_secret"],
        r#"(?i-u)(?:secret_?access_?key|aws_secret\w*)["']?\s*[:=]{1,2}>?\s*["']?([a-z0-9/+]{40})\b"#,
    ),
    kind(
        "GitHub token",
        GITLEAKS,
        || &["ghp_", "gho_", "ghu_", "ghs_", "ghr_"],
        r"(?-u)\b(gh[pousr]_[A-Za-z0-9]{30,255})\b",
    ),
    kind("GitHub token", GITLEAKS, || &["github_pat_"], r"(?-u)\b(github_pat_[A-Za-z0-9_]{50,255})\b"),
    kind(
        "GitLab token",
        DETECT,
        || &["glpat-", "gldt-", "glft-", "glsoat-", "glrt-", "glcbt-", "glptt-", "gloas-", "glagent-"],
        r"(?-u)\b(gl(?:pat|dt|ft|soat|rt|cbt|ptt|oas|agent)-[A-Za-z0-9_.-]{20,300})",
    ),
    kind("Google API key", GITLEAKS, || &["AIza"], r"(?-u)\b(AIza[\w-]{35})"),
    kind("Google OAuth secret", OWN, || &["GOCSPX-"], r"(?-u)\b(GOCSPX-[\w-]{24,})"),
    kind("Google OAuth token", OWN, || &["ya29."], r"(?-u)\b(ya29\.[\w-]{40,})"),
    kind(
        "Slack token",
        GITLEAKS,
        || &["xoxb-", "xoxp-", "xoxa-", "xoxs-", "xoxr-", "xoxo-", "xoxe-", "xoxe.", "xapp-"],
        r"(?-u)\b((?:xox[abeoprs]|xoxe\.xox[bp]|xapp)-[A-Za-z0-9-]{20,})",
    ),
    kind(
        "Slack webhook",
        DETECT,
        || &["hooks.slack.com/"],
        r"(?-u)\b(hooks\.slack\.com/(?:services|workflows|triggers)/[A-Z][A-Z0-9]{6,}/[A-Z0-9]{6,}/[A-Za-z0-9]{16,})",
    ),
    kind(
        "Discord webhook",
        OWN,
        || &["discord.com/api/webhooks/", "discordapp.com/api/webhooks/"],
        r"(?-u)\b(discord(?:app)?\.com/api/webhooks/\d{17,20}/[\w-]{60,})",
    ),
    kind(
        "Microsoft Teams webhook",
        GITLEAKS,
        || &["webhook.office.com"],
        r"(?-u)\b(\w+\.webhook\.office\.com/webhookb2/[0-9a-f-]{36}@[0-9a-f-]{36}/IncomingWebhook/[0-9a-f]{32}/[0-9a-f-]{36})",
    ),
    kind(
        "OpenAI key",
        GITLEAKS,
        || &["sk-proj-", "sk-svcacct-", "sk-admin-", "T3BlbkFJ"],
        r"(?-u)\b(sk-(?:(?:proj|svcacct|admin)-[\w-]{32,}|[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20}))",
    ),
    kind("Anthropic key", GITLEAKS, || &["sk-ant-"], r"(?-u)\b(sk-ant-(?:\w{3,12}-)?[\w-]{32,})"),
    kind("OpenRouter key", OWN, || &["sk-or-v1-"], r"(?-u)\b(sk-or-v1-[0-9a-f]{48,})"),
    kind(
        "API key",
        GITLEAKS,
        || &["\"sk-", "'sk-", "=sk-", " sk-", "`sk-", ":sk-", "\nsk-"],
        r"(?-u)(?:^|[\s\x22'`=:])(sk-[A-Za-z0-9]{32,64})\b",
    ),
    kind(
        "Stripe live key",
        GITLEAKS,
        || &["sk_live_", "rk_live_", "sk_prod_", "rk_prod_"],
        r"(?-u)\b([sr]k_(?:live|prod)_[A-Za-z0-9]{16,})",
    ),
    kind("Stripe webhook secret", OWN, || &["whsec_"], r"(?-u)\b(whsec_[A-Za-z0-9+/]{28,})"),
    kind("npm token", GITLEAKS, || &["npm_"], r"(?-u)\b(npm_[A-Za-z0-9]{36})\b"),
    kind(
        "npm token",
        DETECT,
        || &["_authToken"],
        r#"(?-u)_authToken\s*=\s*["']?([0-9a-f]{8}-[0-9a-f-]{27})\b"#,
    ),
    kind(
        "PyPI token",
        DETECT,
        || &["pypi-Ag"],
        r"(?-u)\b(pypi-Ag(?:EIcHlwaS5vcmc|ENdGVzdC5weXBpLm9yZw)[\w-]{50,})",
    ),
    kind("RubyGems token", GITLEAKS, || &["rubygems_"], r"(?-u)\b(rubygems_[0-9a-f]{48})\b"),
    kind(
        "Hugging Face token",
        GITLEAKS,
        || &["hf_", "api_org_"],
        r"(?-u)\b((?:hf|api_org)_[A-Za-z]{34,40})\b",
    ),
    kind("Replicate token", OWN, || &["r8_"], r"(?-u)\b(r8_[A-Za-z0-9]{37,40})\b"),
    kind("Groq key", OWN, || &["gsk_"], r"(?-u)\b(gsk_[A-Za-z0-9]{48,60})\b"),
    kind("Perplexity key", GITLEAKS, || &["pplx-"], r"(?-u)\b(pplx-[A-Za-z0-9]{40,})\b"),
    kind("SendGrid key", DETECT, || &["SG."], r"(?-u)\b(SG\.[\w-]{22}\.[\w-]{43})"),
    kind("Mailgun key", GITLEAKS, || &["key-"], r"(?-u)(?:^|[\s\x22'`=:])(key-[0-9a-f]{32})\b"),
    kind(
        "Mailchimp key",
        DETECT,
        || &["-us1", "-us2", "-us3", "-us4", "-us5", "-us6", "-us7", "-us8", "-us9"],
        r"(?-u)\b([0-9a-f]{32}-us[0-9]{1,2})\b",
    ),
    kind("Brevo key", GITLEAKS, || &["xkeysib-"], r"(?-u)\b(xkeysib-[0-9a-f]{64}-\w{16})\b"),
    kind("Twilio key", GITLEAKS, || &["twilio"], r"(?i-u)twilio(?u:[^\n])*?\b((?-i:SK)[0-9a-f]{32})\b"),
    kind(
        "Twilio token",
        OWN,
        || &["twilio_auth", "twilio_token", "auth_token"],
        r#"(?i-u)(?:twilio\w*|auth_token)["']?\s*[:=]\s*["']?([0-9a-f]{32})\b"#,
    ),
    kind("Telegram bot token", DETECT, || &[":AA"], r"(?-u)\b(\d{8,10}:AA[\w-]{32,34})\b"),
    kind(
        "Discord bot token",
        DETECT,
        || &["discord", "bot_token", "bottoken", "client.run", "client.login", "bot.run"],
        r"(?-u)\b([MNO][A-Za-z\d_-]{23,27}\.[A-Za-z\d_-]{6}\.[A-Za-z\d_-]{27,38})",
    ),
    kind("Azure storage key", DETECT, || &["AccountKey="], r"(?i-u)\bAccountKey=([a-z0-9+/]{86}==)"),
    kind(
        "Azure client secret",
        GITLEAKS,
        || &["Q~"],
        r"(?-u)(?:^|[\s\x22'`=:,(>])([\w.~]{3}\dQ~[\w.~-]{31,34})(?:$|[\s\x22'`,;)<])",
    ),
    kind(
        "DigitalOcean token",
        GITLEAKS,
        || &["dop_v1_", "doo_v1_", "dor_v1_"],
        r"(?-u)\b(do[opr]_v1_[0-9a-f]{64})\b",
    ),
    kind(
        "Shopify token",
        GITLEAKS,
        || &["shpat_", "shpca_", "shppa_", "shpss_"],
        r"(?-u)\b(shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32})\b",
    ),
    kind("Square token", GITLEAKS, || &["sq0atp-", "sq0csp-"], r"(?-u)\b(sq0(?:atp|csp)-[\w-]{22,60})"),
    kind("Databricks token", GITLEAKS, || &["dapi"], r"(?-u)\b(dapi[0-9a-f]{32}(?:-\d)?)\b"),
    kind("Doppler token", GITLEAKS, || &["dp.pt."], r"(?-u)\b(dp\.pt\.[A-Za-z0-9]{43})\b"),
    kind("Linear key", GITLEAKS, || &["lin_api_"], r"(?-u)\b(lin_api_[A-Za-z0-9]{40})\b"),
    kind(
        "Notion token",
        GITLEAKS,
        || &["ntn_", "secret_"],
        r"(?-u)\b(ntn_\d{11}[A-Za-z0-9]{35}|secret_[A-Za-z0-9]{43})\b",
    ),
    kind("Vault token", GITLEAKS, || &["hvs.", "hvb."], r"(?-u)\b(hv[sb]\.[\w-]{24,300})"),
    kind("Postman key", GITLEAKS, || &["PMAK-"], r"(?-u)\b(PMAK-[0-9a-fA-F]{24}-[0-9a-fA-F]{34})\b"),
    kind("PlanetScale token", GITLEAKS, || &["pscale_"], r"(?-u)\b(pscale_(?:tkn|oauth|pw)_[\w=.-]{32,64})"),
    kind("Sentry token", GITLEAKS, || &["sntrys_", "sntryu_"], r"(?-u)\b(sntry[su]_[\w+/=]{50,})"),
    kind("New Relic key", GITLEAKS, || &["NRAK-"], r"(?-u)\b(NRAK-[A-Z0-9]{27})\b"),
    kind("Atlassian token", GITLEAKS, || &["ATATT3"], r"(?-u)\b(ATATT3[\w=-]{60,})"),
    kind(
        "Fly.io token",
        GITLEAKS,
        || &["fo1_", "fm2_", "fm1"],
        r"(?-u)\b(fo1_[\w-]{43}|fm[12][ar]?_[A-Za-z0-9+/]{100,})",
    ),
    kind(
        "Supabase secret key",
        OWN,
        || &["sb_secret_", "sbp_"],
        r"(?-u)\b(sb_secret_[\w-]{20,}|sbp_[0-9a-f]{40})\b",
    ),
    kind("Tailscale key", OWN, || &["tskey-"], r"(?-u)\b(tskey-\w+-[\w-]{20,})"),
    kind("age key", GITLEAKS, || &["AGE-SECRET-KEY-1"], r"(?-u)(AGE-SECRET-KEY-1[0-9A-Z]{58})"),
    kind("JSON web token", DETECT, || &["eyJ"], r"(?-u)\b(eyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{20,})"),
    kind(
        "private key",
        GITLEAKS,
        || &["PRIVATE KEY"],
        r"(?-u)(-----BEGIN [A-Z ]*PRIVATE KEY(?: BLOCK)?-----(?:\s|\\n|\\r|[\x22',+])*(?:[\w-]+: ?[\x20-~]+\s+)*[A-Za-z0-9+/=]{40,}(?:\s|\\n|\\r|[\x22',+])*[A-Za-z0-9+/=\s\\]*)",
    ),
    kind(
        "password in an address",
        GITLEAKS,
        || {
            &[
                "postgres://",
                "postgresql://",
                "postgresql+",
                "mysql://",
                "mysql+",
                "mariadb://",
                "mongodb://",
                "mongodb+srv://",
                "redis://",
                "rediss://",
                "amqp://",
                "amqps://",
                "mssql://",
                "sqlserver://",
                "ftp://",
                "smtp://",
                "smtps://",
                "ldap://",
                "ldaps://",
                "clickhouse://",
                "nats://",
            ]
        },
        r"(?i-u)\b((?:postgres(?:ql)?|mysql|mariadb|mongodb(?:\+srv)?|rediss?|amqps?|mssql|sqlserver|s?ftps?|smtps?|ldaps?|clickhouse|nats)(?:\+\w+)?://[\w.%+-]*:[!#%&()+,.0-9;=?A-Z\\^_a-z|~-]{6,}@[\w.-]+)",
    ),
    kind(
        "bearer token",
        GITLEAKS,
        || &["bearer "],
        r"(?i-u)\bbearer\s+([A-Za-z0-9_~+/-]{24,200})(?:[\s\x22'`,;)]|$)",
    ),
    kind(
        "hard-coded secret",
        GITLEAKS,
        || {
            &[
                "api_key",
                "apikey",
                "api-key",
                "access_key",
                "accesskey",
                "auth_key",
                "private_key",
                "secret_key",
                "secretkey",
                "client_secret",
                "secret=",
                "secret =",
                "secret:",
                "secret\":",
                "secret':",
                "token=",
                "token =",
                "token:",
                "token\":",
                "token':",
                "password=",
                "password =",
                "password:",
                "password\":",
                "password':",
                "passwd=",
                "passwd =",
                "passwd:",
                "passwd\":",
                "passwd':",
                "credential=",
                "credential =",
                "credential:",
                "credential\":",
                "credential':",
                "credentials=",
                "credentials =",
                "credentials:",
                "credentials\":",
                "credentials':",
            ]
        },
        r#"(?i-u)(?:\b|[_-])(?:(?:api|access|auth|secret|private|client|app|consumer|signing|encryption|master|service)[_-]?(?:key|secret|token)|secret|token|passw(?:or)?d|passwd|credentials?)["']?\s*(?:=|:|:=|=>)\s*["']([!#-&(-~]{10,200})["']"#,
    ),
];

/// The patterns of all kinds, in the same order.
pub const PATTERNS: [Pattern; KINDS.len()] = {
    let mut patterns = [KINDS[0].pattern; KINDS.len()];
    let mut at = 0;
    while at < KINDS.len() {
        patterns[at] = KINDS[at].pattern;
        at += 1;
    }
    patterns
};
