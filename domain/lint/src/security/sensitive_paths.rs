//! Paths and commands that give access to private data: keys, passwords, sessions, environment variables, personal
//! files.

use crate::security::context_window;
use std::ops::Range;

/// Whether a path is part of a URL on another machine. Metadata services of clouds do not count.
pub fn is_remote(text: &str, path: &Range<usize>) -> bool {
    let line = context_window::line(text, path.start);
    let word = text[line.start..path.end].rsplit([' ', '"', '\'', '`', '(']).next().unwrap_or_default();
    word.contains("://") && !word.contains("169.254.") && !word.contains("metadata.google")
}

/// Literals; every path that [`PATHS`] matches contains one of them.
pub const PATH_NEEDLES: &[&str] = &[
    ".ssh",
    "id_rsa",
    "id_ed25519",
    "id_ecdsa",
    "id_dsa",
    "/.aws",
    ".aws/",
    "\\.aws",
    "\".aws\"",
    "'.aws'",
    ".azure",
    "gcloud",
    "application_default",
    ".kube",
    ".docker",
    "netrc",
    ".npmrc",
    ".pypirc",
    "git-credentials",
    ".gnupg",
    "password-store",
    ".pgpass",
    ".my.cnf",
    ".env",
    "/etc/shadow",
    "/etc/sudoers",
    "login data",
    "cookies.sqlite",
    "/cookies",
    "key4.db",
    "logins.json",
    "local state",
    "keychain",
    "find-generic-password",
    "find-internet-password",
    "secret-tool",
    "_history",
    "wallet",
    ".bitcoin",
    ".ethereum",
    "keystore",
    "gh/hosts",
    ".credentials",
    "auth.json",
    ".cargo",
    ".vault-token",
    ".databrickscfg",
    ".s3cfg",
    "rclone.conf",
    "ntds.dit",
    "/proc/self/environ",
    "secrets/kubernetes",
    "metadata.google",
    "meta-data/iam",
    "cmdkey",
    "export-secret-",
    "config view",
    "configure get",
    "reg save",
    "consolehost_history",
    "1password",
    "bitwarden",
    ".mozilla",
    "google/chrome",
    "google-chrome",
    "leveldb",
];

/// A path to credentials. The first group is the path, or a command that prints credentials.
pub const PATHS: &str = r#"(?ix-u) (
      (?: \.ssh \b (?: [/\\] [\w.*-]+ | [/\\] )?
        | id_(?:rsa|ed25519|ecdsa|dsa) \b (?:\.pub\b)?
        | ["'/\\] \.aws \b (?: ["']?[\x20\t]*[/\\,][\x20\t]*["']? (?:credentials|config) \b )? | \.azure ["']?[\x20\t]*[/\\,][\x20\t]*["']? (?:accessTokens|azureProfile|msal_token|service_principal)[\w.]* | \.config ["']?[\x20\t]*[/\\,][\x20\t]*["']? gcloud \b [\w/\\.-]* | application_default_credentials(?:\.json)?
        | \.kube ["']?[\x20\t]*[/\\,][\x20\t]*["']? config \b | \.docker ["']?[\x20\t]*[/\\,][\x20\t]*["']? config\.json | [._]netrc \b | \.npmrc \b | \.pypirc \b | \.git-credentials \b | \.gnupg \b [/\\\w.-]*
        | \.password-store \b | \.pgpass \b | \.my\.cnf \b | /etc/shadow \b | /etc/sudoers \b | login\.keychain(?:-db)? | Library/Keychains\b[\w./-]* | \.config ["']?[\x20\t]*[/\\,][\x20\t]*["']? gh [/\\] hosts\.yml
        | \.claude ["']?[\x20\t]*[/\\,][\x20\t]*["']? \.credentials\.json | \.codex ["']?[\x20\t]*[/\\,][\x20\t]*["']? auth\.json | \.cargo ["']?[\x20\t]*[/\\,][\x20\t]*["']? credentials(?:\.toml)? | \.vault-token \b | \.databrickscfg \b | \.s3cfg \b | rclone\.conf \b
        | \.(?:bash|zsh|python|psql|mysql|node_repl)_history \b | consolehost_history\.txt | wallet\.dat | \.bitcoin \b | \.ethereum ["']?[\x20\t]*[/\\,][\x20\t]*["']? keystore
        | (?:Login\ Data|Local\ State|cookies\.sqlite|key4\.db|logins\.json) \b | (?:Chrome|Chromium|Firefox|Brave|Edge|Default) [/\\] (?:[\w\x20.]+[/\\])? Cookies \b
        | ntds\.dit \b | /proc/(?:self|\d+|\$\w+|\*)/environ \b | /var/run/secrets/kubernetes\.io [\w/.-]*
        | metadata\.google\.internal/[\w/-]*token | 169\.254\.169\.254/[\w./-]*(?:security-credentials|identity)[\w./-]* )
    | \b security \s+ (?: find-(?:generic|internet)-password | dump-keychain | export ) \b | \b secret-tool \s+ (?:lookup|search) \b | \b cmdkey \s+ /list \b | \bgpg2? \s [\x20-~]*? --export-secret-(?:sub)?keys? | \bkubectl \s+ config \s+ view \s [\x20-~]*? --raw \b | \baws \s+ configure \s+ get \s+ aws_(?:secret_access_key|session_token) | \breg(?:\.exe)? \s+ save \s+ HKLM\\+(?:SAM|SYSTEM|SECURITY)\b
    | (?: ^ | [\s"'`/@=(:<] ) \.env (?: \.(?:local|production|prod|staging|development|dev) )? (?: $ | [\s"'`),;:|&>\]] ) )"#;

/// Literals; everything that [`ENVIRONMENT`] matches contains one of them.
pub const ENVIRONMENT_NEEDLES: &[&str] = &[
    "env |",
    "env|",
    "printenv",
    "env >",
    "env>",
    "(env)",
    "`env`",
    "env)",
    "export -p",
    "declare -x",
    "declare -p",
    "set |",
    "set >",
    "os.environ",
    "process.env",
    " env:",
    "env:*",
    "env:\\",
    "getenvironmentvariables",
    "env.to_h",
    "%env",
    "system.getenv()",
    "os.environ()",
    "environ()",
    "\nenv",
    "env::vars",
    "compgen",
    "-p process.env",
    "-p \"process.env",
    "env::vars",
    "compgen",
    "-p process.env",
    "-p \"process.env",
];

/// An expression for the whole environment of a process, as opposed to a single variable.
pub const ENVIRONMENT: &str = r#"(?ix-u) ( (?: ^ | [\n;&|] | \$\( | <\( | (?-x:[`"'] ?) ) \s* (?:sudo\s+)? (?: /usr/bin/ )? (?: env | printenv ) \s* (?: \| | > | \) | ` | " | ' | $ | \n | ; | && | \# | 2> )
    | \b(?: export\s+-p | declare\s+-[xp] ) \s* (?: \| | > | \) | $ | \n )
    | (?: ^ | [\n;&|(] ) \s* set \s* (?: \| | >\s ) 
    | \b(?: dict | str | repr | print | json\.dumps? | list | sorted | pprint | dumps ) \( \s* (?:dict\()? \s* os\.environ \b \s* [,)] | \{ \s* \*\* os\.environ \s* \} | \bos\.environ\.(?:items|values) \( | \bin\ os\.environ \s* : | \b(?:str|dict)\(os\.environ\)
    | \bos\.environ\.copy\(\) | \bos\.environ\._data | [:=(,\[] \s* os\.environ \s* (?: [,;})\]\n] | $ ) | \bjson \s* = \s* os\.environ \b | \bdata \s* = \s* os\.environ \b
    | \b(?: JSON\.stringify | Object\.(?:entries|keys|values|assign|fromEntries) | console\.(?:log|table|dir) | util\.inspect ) \( \s* (?:\{\},\s*)? process\.env \s* [,)] | \{ \s* \.\.\.process\.env \s* \} | [:=(,\[] \s* process\.env \s* (?: [,;})\]\n] | $ )
    | \b(?: Get-ChildItem | gci | dir | ls | Get-Item ) \s+ (?:-Path\s+)? env: (?:\\)?\*? | GetEnvironmentVariables\(\) | \bENV\.to_h \b | %ENV \b | System\.getenv\(\) | \benv::vars\(\) | \bos\.Environ\(\) | \bcompgen \s+ -[ev]\b | \bnode \s+ (?:-p|-pe|--print) \s+ [\x22']? process\.env \b )"#;
