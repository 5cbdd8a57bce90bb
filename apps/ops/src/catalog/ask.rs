//! What is asked of the catalog.

use skillc_domain::discovery::roots::Which;
use skillc_domain::discovery::skill::SkillScope;

/// What is asked of the catalog. The default is what an agent is to see.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ask {
    /// Which folders of skills.
    pub roots: Which,
    /// Skills of one scope only.
    pub scope: Option<SkillScope>,
    /// Whether skills that nobody may see are in it all the same, as a switchboard needs them.
    pub with_hidden: bool,
    /// Whether the skills that ship with the program are in it.
    pub with_builtin: bool,
    /// Whether skills that only `Which::All` takes in are counted.
    pub counts_elsewhere: bool,
    /// Whether everything is looked at anew, whatever is remembered.
    pub is_anew: bool,
}
