//! Configuration files of MCP clients that cannot be read.

use crate::doctor::check::HealthCheck;
use crate::doctor::finding::{FindingSeverity, HealthFinding};
use crate::doctor::scene::HealthScene;
use skillc_domain::text::shell::quote;

pub static CHECK: HealthCheck = HealthCheck {
    id: "client-config",
    title: "configuration files of clients that cannot be read",
    why: "the client starts without any of its servers, or not at all",
    find,
};

fn find(scene: &HealthScene) -> Vec<HealthFinding> {
    let configs = scene.app.ports.client_configs.read().into_iter();
    let broken = configs.filter_map(|config| {
        let message = config.servers.err()?;
        let fix = format!("${{EDITOR:-vi}} {}", quote(&config.file.to_string_lossy()));
        Some(HealthFinding::new(FindingSeverity::Error, &config.file, message, fix))
    });
    broken.collect()
}
