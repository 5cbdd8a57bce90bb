//! MCP servers whose program is missing.

use crate::app::App;
use crate::doctor::check::HealthCheck;
use crate::doctor::finding::{FindingSeverity, HealthFinding};
use crate::doctor::scene::HealthScene;
use skillc_domain::text::shell::quote;
use skillc_ports::{ClientConfig, ClientServer};
use std::path::Path;

pub static CHECK: HealthCheck = HealthCheck {
    id: "dead-server",
    title: "MCP servers whose program does not exist",
    why: "the client starts without the server's tools",
    find,
};

/// File extensions of programs; a program may also have none.
const ENDS: &[&str] = if cfg!(windows) { &[".exe", ".cmd", ".bat", ".com"] } else { &[] };

fn find(scene: &HealthScene) -> Vec<HealthFinding> {
    let configs = scene.app.ports.client_configs.read();
    configs.iter().flat_map(|config| of_config(&scene.app, config)).collect()
}

fn of_config(app: &App, config: &ClientConfig) -> Vec<HealthFinding> {
    let servers = config.servers.as_deref().unwrap_or_default();
    let dead = servers.iter().filter(|server| is_dead(app, server));
    dead.map(|server| finding(config, server)).collect()
}

fn finding(config: &ClientConfig, server: &ClientServer) -> HealthFinding {
    let what = format!("server '{}' starts '{}', which does not exist", server.name, server.command);
    let program = Path::new(&server.command).file_stem().unwrap_or_default();
    let fix = match program == "skc" {
        true => format!("skc mcp config {} --write", config.client),
        false => format!("${{EDITOR:-vi}} {}", quote(&config.file.to_string_lossy())),
    };
    HealthFinding::new(FindingSeverity::Error, &config.file, what, fix)
}

/// Whether the program of a server cannot be started. One whose path depends on a variable is not checked.
fn is_dead(app: &App, server: &ClientServer) -> bool {
    let command = server.command.as_str();
    if command.contains(['$', '%']) || command.starts_with('~') {
        return false;
    }
    let is_program = |path: &Path| {
        let with_end =
            |end: &&str| {
                app.ports.inspector.is_program(&path.with_file_name(format!(
                    "{}{end}",
                    path.file_name().unwrap_or_default().to_string_lossy()
                )))
            };
        app.ports.inspector.is_program(path) || ENDS.iter().any(with_end)
    };
    if command.contains(['/', std::path::MAIN_SEPARATOR]) {
        return !is_program(&server.folder.join(command));
    }
    let folders = &app.call.environment.program_folders;
    !server.has_own_path && !folders.iter().any(|folder| is_program(&folder.join(command)))
}
