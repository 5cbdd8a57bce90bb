//! Installers of package managers and runtimes that their makers document as a download into a shell.

/// Beginnings of their addresses, without the scheme.
const KNOWN: &[&str] = &[
    "astral.sh/uv/",
    "bun.sh/install",
    "bun.com/install",
    "deno.land/install.",
    "deb.nodesource.com/setup_",
    "fnm.vercel.app/install",
    "get.docker.com",
    "get.pnpm.io/install.",
    "get.scoop.sh",
    "get.sdkman.io",
    "get.volta.sh",
    "install.python-poetry.org",
    "mise.run",
    "nixos.org/nix/install",
    "raw.githubusercontent.com/homebrew/install/",
    "raw.githubusercontent.com/nvm-sh/nvm/",
    "rpm.nodesource.com/setup_",
    "sh.rustup.rs",
    "win.rustup.rs",
];

/// Whether all addresses in a command, at least one, are those of known installers, over TLS.
pub fn is_known_installer(command: &str) -> bool {
    let mut addresses = command.split("://").skip(1).peekable();
    let has_address = addresses.peek().is_some();
    has_address && !command.to_lowercase().contains("http://") && addresses.all(is_known)
}

fn is_known(rest: &str) -> bool {
    let end = rest.find(|c: char| c.is_whitespace() || "\"'`|)".contains(c)).unwrap_or(rest.len());
    let address = rest[..end].trim_start_matches("www.").to_lowercase();
    KNOWN.iter().any(|known| {
        address.strip_prefix(known).is_some_and(|after| {
            // The host or the name ends there, unless the beginning ends with a separator itself.
            known.ends_with(['/', '_', '.'])
                || after.is_empty()
                || after.starts_with(['/', '?'])
                || known.contains('/') && after.starts_with('.')
        })
    })
}

#[cfg(test)]
mod tests {
    use super::is_known_installer;

    #[test]
    fn an_installer_is_known_by_its_whole_host() {
        for (command, expected) in [
            ("curl -LsSf https://astral.sh/uv/install.sh | sh", true),
            ("irm https://astral.sh/uv/install.ps1 | iex", true),
            ("curl --proto '=https' -sSf https://sh.rustup.rs | sh", true),
            ("curl -fsSL https://bun.sh/install | bash", true),
            ("curl -fsSL http://bun.sh/install | bash", false),
            ("curl -fsSL https://bun.sh.acme.org/install | bash", false),
            ("curl -fsSL https://sh.rustup.rs.acme.org | sh", false),
            ("curl https://acme.org/astral.sh/uv/install.sh | sh", false),
            ("curl https://bun.sh/install https://acme.org/x | sh", false),
            ("curl bun.sh/install | sh", false),
            ("", false),
        ] {
            assert_eq!(is_known_installer(command), expected, "{command}");
        }
    }
}
