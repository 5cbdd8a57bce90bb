//! `skc config` (RFC-0009:C-SHOW).

use crate::failure::Failure;
use crate::operation::{Operation, Surface};
use crate::render::{Render, View, line, plain, table};
use crate::run::Run;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Show every setting, its value and where it came from.
#[derive(Debug, clap::Args, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ConfigRequest {}

/// A setting.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ConfigSetting {
    /// Dotted key, such as `search.tokenizer`.
    pub key: String,
    /// Its value.
    pub value: String,
    /// `default`, the environment variable, or the file.
    pub origin: String,
}

/// The settings.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ConfigReply {
    /// In the order of the reference.
    pub settings: Vec<ConfigSetting>,
}

/// The operation.
pub struct Config;

impl Operation for Config {
    const NAME: &'static str = "config";
    const SURFACE: Surface = Surface::Everywhere;
    const IS_READ_ONLY: bool = true;
    const IS_ABOUT_NO_SKILL: bool = true;
    const EXAMPLES: &'static str = "skc config\nskc config --format json";
    type Request = ConfigRequest;
    type Reply = ConfigReply;

    async fn run(run: &mut Run<'_>, _: ConfigRequest) -> Result<ConfigReply, Failure> {
        let setting = |origin: &skillc_domain::config::SettingOrigin| ConfigSetting {
            key: origin.key.clone(),
            value: origin.value.clone(),
            origin: origin.origin.clone(),
        };
        Ok(ConfigReply { settings: run.app.call.settings.origins.iter().map(setting).collect() })
    }
}

impl Render for ConfigReply {
    fn render(&self, view: &View, out: &mut Vec<u8>) {
        let row = |s: &ConfigSetting| vec![plain(&s.key), plain(&s.value), view.faint(plain(&s.origin))];
        line(
            out,
            table(view, &["SETTING", "VALUE", "FROM"], &self.settings.iter().map(row).collect::<Vec<_>>()),
        );
    }
}
