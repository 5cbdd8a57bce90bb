//! SKL519: programs that persist and start again after the work is done.

use crate::security::code_context::{self, Language, CodeContext};
use crate::rule::{Check, Example, Origin, Pattern, Rule, Severity, Tier};
use crate::one_line::one_line;
use crate::view::{PatternHit, LintFile};
use crate::{FileView, Report};
use skillc_domain::text::lines;
use crate::security::{context_window, flow, hits};

pub static RULE: Rule = Rule {
    id: "SKL519",
    name: "persistence",
    severity: Severity::Warning,
    tier: Tier::Harms,
    origin: Origin::Field("SkillSpector RA2, Snyk agent-scan W013, Cisco TOOL_ABUSE_SYSTEM_MODIFICATION"),
    why: "Startup files, timers and services keep running with all rights of the user after the skill is gone.",
    fix: "Do the work on request; if something has to be permanent, say so and let the user set it up.",
    params: &[],
    patterns: &[
        // Timers and services.
        Pattern {
            needles: || &[
                "crontab",
                "/etc/cron",
                "cron.d",
                "systemctl",
                "launchctl",
                "launchagents",
                "launchdaemons",
                "schtasks",
                "register-scheduledtask",
                "new-service",
                "sc create",
                "sc.exe create",
                "update-rc.d",
                "rc.local",
                "init.d",
                "loginitems",
                "login item",
                "pm2 startup",
                "autostart",
                "at now",
                "systemd/",
                "chkconfig",
                "rc-update",
                "@reboot",
                "crontab(",
            ],
            regex: r#"(?ix-u) \bcrontab \s+ (?: - (?: \s | $ | ["'`] ) | -u \s+ [!-~]+ \s+ [!-~]+ | (?:/|\./|~|\$|<)[!-~]+ | [\w.-]+\.(?:txt|cron|tab)\b | -e\b ) | \| \s* crontab\b | (?: >>? | \btee \s+ (?:-a\s+)? | \bcp \s [\x20-~]*? \s | \bmv \s [\x20-~]*? \s | \bln \s [\x20-~]*? \s ) \s* ["']? (?: /etc/cron[!-~]* | /var/spool/cron[!-~]* | [!-~]*/?systemd/(?:system|user)/[!-~]+ | /etc/init\.d/[!-~]+ | /etc/rc\.local | [!-~]*Launch(?:Agents|Daemons)/[!-~]* | [!-~]*/autostart/?[!-~]* )
                | \bsystemctl \s+ (?:--\w+\s+)* (?:enable|link) \s [\x20-~]+ | \blaunchctl \s+ (?:load|bootstrap|enable|submit) \s [\x20-~]+ | \bschtasks(?:\.exe)? \s+ /create [\x20-~]* | \bregister-scheduledtask \b [\x20-~]* | \bnew-service \s [\x20-~]+ | \bsc(?:\.exe)? \s+ create \s [\x20-~]+ | \b(?:update-rc\.d|chkconfig|rc-update) \s+ [\x20-~]+ | \bpm2 \s+ startup\b
                | \blogin\ items?\b [\x20-~]*? \b(?:make|add|new)\b | \bmake\ (?:new\ )?login\ item\b | @reboot \s [\x20-~]+ | \bCronTab\( [\x20-~]*"#,
        },
        // Files that shells and systems read at startup.
        Pattern {
            needles: || &[
                "bashrc",
                "zshrc",
                "_profile",
                ".profile",
                "zprofile",
                "zshenv",
                "config.fish",
                "/etc/profile",
                "/etc/environment",
                ".xinitrc",
                ".xprofile",
                "$profile",
                "bash_login",
                "bash_aliases",
                "ld.so.preload",
            ],
            regex: r#"(?ix-u) (?: >>? | \btee \s+ (?:-a\s+|--append\s+)? | \bsed \s+ [\x20-~]*?-i [\x20-~]*? | \b(?:cp|mv|ln) \s [\x20-~]*? \s | \b(?:add-content|set-content|out-file) \s [\x20-~]*? ) \s* ["']? [!-~]*? (?: \.?bashrc | \.?zshrc | \.(?:bash_|z)profile | \.profile | \.zshenv | config\.fish | /etc/profile[!-~]* | /etc/environment | \.xinitrc | \.xprofile | \$PROFILE | \.bash_login | \.bash_aliases | ld\.so\.preload ) \b [!-~]*
                | \b(?: open | appendFile(?:Sync)? | writeFile(?:Sync)? | Path | expanduser | write_text | join ) \( [\x20-~]*? (?: \.bashrc | \.zshrc | \.bash_profile | \.zprofile | \.profile\b | \.zshenv | config\.fish ) [\x20-~]*? (?: ["'`]\s*,\s*["']a | append | write | ["'`]\s*\) )"#,
        },
        // Keys of the Windows registry, and its startup folder.
        Pattern {
            needles: || &[
                "currentversion\\run",
                "currentversion\\\\run",
                "start menu\\programs\\startup",
                "winlogon",
                "shell:startup",
                "\\programs\\startup",
            ],
            regex: r#"(?ix-u) \b(?: reg(?:\.exe)? \s+ add | new-itemproperty | set-itemproperty | openkey | setvalueex | createkey | copy-item | copy | shutil\.copy\w*\( ) \b [\x20-~]*? (?: CurrentVersion\\+Run(?:Once)? | Winlogon | \\Programs\\+Startup | shell:startup ) [\x20-~]* | >>? \s* ["']? [\x20-~]*? \\Programs\\Startup [\x20-~]*"#,
        },
        // Keys that grant access to the machine, and hooks of a repository.
        Pattern {
            needles: || &[
                "authorized_keys",
                ".git/hooks",
                "core.hookspath",
                " alias.",
                "core.fsmonitor",
                "core.sshcommand",
                "init.templatedir",
                "nohup ",
                "setsid ",
                "disown",
            ],
            regex: r#"(?ix-u) (?: >>? | \btee \s+ (?:-a\s+)? | \b(?:cp|mv|ln|install) \s [\x20-~]*? \s ) \s* ["']? [!-~]*? (?: authorized_keys | \.git/hooks/[\w-]+ ) \b | \b(?: open | appendFile(?:Sync)? | writeFile(?:Sync)? ) \( [\x20-~]*? (?:authorized_keys|\.git/hooks/) [\x20-~]* | \bgit \s+ config \s+ --global \s+ core\.hookspath [\x20-~]* | \bgit \s+ config \s+ (?: --[a-z]+ \s+ )* (?: alias\.[\w-]+ \s+ \\?["']?! | (?: core\.fsmonitor | core\.sshCommand | init\.templateDir ) \s ) [\x20-~]+"#,
        },
        // By a program, in several steps.
        Pattern {
            needles: || &[
                "bashrc\"",
                "bashrc'",
                "zshrc\"",
                "zshrc'",
                "profile\"",
                "profile'",
                "launchagents",
                "authorized_keys",
                "autostart",
                "zshenv",
                "cron.d",
                "systemd/user",
            ],
            regex: r#"(?x-u) ["'] (?: [!-~]*/ )? (?: \.bashrc | \.zshrc | \.bash_profile | \.zprofile | \.zshenv | \.profile | authorized_keys | LaunchAgents(?:/[!-~]*)? | autostart(?:/[!-~]*)? | cron\.d(?:/[!-~]*)? | systemd/user(?:/[!-~]*)? ) ["']"#,
        },
        // An order in words.
        Pattern {
            needles: || &[
                "cron job",
                "cronjob",
                "crontab",
                "startup",
                "start-up",
                "launch agent",
                "scheduled task",
                "systemd serv",
                "systemd unit",
                "systemd timer",
                "bashrc",
                "zshrc",
                "shell profile",
                "on every boot",
                "at boot",
                "at login",
                "every login",
                "background service",
                "authorized_keys",
                "git hook",
                "daemon",
            ],
            regex: r"(?ix-u) \b(?:add|append|install|create|register|write|put|set\ up|schedule|insert|configure|place)\b (?u:[^.,\n])*? (?: \b(?:a\ )?cron\ ?(?:job|entry|tab) | launch\ agent | scheduled\ task | (?:startup|start-up|login)\ (?:items?|entry) | (?:to|in|into)\ (?:your\ |the\ user's\ |their\ |the\ )?(?:`?~?/?\.(?:bashrc|zshrc|profile|bash_profile)|shell\ (?:profile|startup|config\w*|rc)) | authorized_keys | systemd\ (?:service|unit|timer) | (?:that|which)\ (?:runs?|starts?)\ (?:at|on)\ (?:every\ )?(?:boot|login|startup) )",
        },
    ],
    good: &[Example::new(&[(
        "SKILL.md",
        crate::skill_md!("```sh\ncrontab -l\ncrontab -l | grep -v demo | crontab -\nsystemctl status demo\nsource ~/.bashrc\n```\n"),
    )])],
    bad: &[Example::new(&[(
        "SKILL.md",
        crate::skill_md!("```sh\necho 'alias demo=\"demo --fast\"' >> ~/.zshrc\n```\n"),
    )])],
    check: Check::File(check),
};

/// Index of the pattern for orders in words.
const WORDS: usize = 5;
/// Index of the pattern for files that a program names first and writes later.
const STEPS: usize = 4;
/// Functions and commands that write.
const SINKS: &[&str] = &[
    ".write(",
    "write_text(",
    "writefilesync(",
    "appendfilesync(",
    "writefile(",
    ", \"a\"",
    ", 'a'",
    "open(\"a",
    "open('a",
    "(\"w\"",
    "('w'",
    ", \"w\"",
    ", 'w'",
    "copy(",
    "copyfile",
];

fn check(view: &FileView<'_>, report: &mut Report<'_>) {
    let file = view.file;
    let Some(text) = file.text.as_deref() else { return };
    let found = hits::executable(file, &RULE).filter(|hit| is_meant(file, text, hit));
    let places: Vec<_> =
        found.map(|hit| hit.span.start..hit.span.start + file.slice(&hit.span).trim_end().len()).collect();
    hits::once(report, places.into_iter(), |span| {
        format!("'{}' persists after the task", one_line(file.slice(span)))
    });
}

/// Commands that run another one in a container.
const CONTAINERS: [&str; 4] = ["docker exec", "podman exec", "kubectl exec", "docker compose exec"];

/// Whether a command is the argument of one that runs it in a container. What follows unquoted on the line may be run by
/// the shell outside.
fn is_in_container(text: &str, hit: &PatternHit) -> bool {
    let before = &text[context_window::line(text, hit.span.start).start..hit.span.start];
    let argument = CONTAINERS.iter().filter_map(|command| before.rsplit_once(command)).next();
    argument.is_some_and(|(start, argument)| {
        let is_quoted = ['"', '\''].iter().any(|quote| argument.matches(*quote).count() % 2 == 1);
        !start.contains('#') && is_quoted && ![";", "&&", "||"].iter().any(|sign| argument.contains(sign))
    })
}

fn is_meant(file: &LintFile, text: &str, hit: &PatternHit) -> bool {
    if is_in_container(text, hit) {
        return false;
    }
    match code_context::context_at(file, hit.span.start) {
        CodeContext::Prose => hit.pattern == WORDS && code_context::is_order(text, hit.span.start),
        CodeContext::FrontMatterState | CodeContext::Block(Language::Data) => false,
        CodeContext::Block(_) | CodeContext::File(_) if hit.pattern == STEPS => {
            flow::reaches(text, &hit.span, SINKS).is_some()
        }
        CodeContext::Inline | CodeContext::Block(_) | CodeContext::File(_) => {
            hit.pattern < STEPS && !is_removal(text, hit)
        }
    }
}

/// Whether a line takes an entry out of the table of jobs: `crontab -l | grep -v demo | crontab -`.
fn is_removal(text: &str, hit: &PatternHit) -> bool {
    let line = &text[lines::around(text, hit.span.start)];
    line.contains("crontab") && line.contains("grep -v") && !["echo", "printf", "cat "].iter().any(|adds| line.contains(adds))
}
