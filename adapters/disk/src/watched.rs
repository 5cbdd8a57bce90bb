//! Skills whose surveys are cached while their folders are watched (adr/0023).
//!
//! Only Linux reports a change before the call that made it returns. Elsewhere nothing is cached.

#[cfg(not(target_os = "linux"))]
pub use crate::files::DiskSkillFiles as WatchedSkillFiles;
#[cfg(target_os = "linux")]
pub use linux::WatchedSkillFiles;

#[cfg(target_os = "linux")]
mod linux {
    use crate::files::{DiskSkillFiles, DiskSkillTree};
    use crate::survey_cache::SurveyCache;
    use skillc_domain::digest::Digest;
    use skillc_domain::freshness::SummarizedSurvey;
    use skillc_domain::path::RelPath;
    use skillc_domain::survey::{ListedFiles, Survey};
    use skillc_ports::error::PortError;
    use skillc_ports::files::{FileContent, SkillFiles, SkillTree};
    use std::path::Path;
    use std::sync::Arc;

    /// Skills on the local file system, for a long-running process.
    #[derive(Default)]
    pub struct WatchedSkillFiles {
        surveys: Arc<SurveyCache>,
    }

    struct WatchedTree {
        tree: DiskSkillTree,
        surveys: Arc<SurveyCache>,
    }

    impl SkillFiles for WatchedSkillFiles {
        fn open(&self, root: &Path) -> Result<Box<dyn SkillTree>, PortError> {
            Ok(Box::new(WatchedTree { tree: DiskSkillTree::open(root)?, surveys: self.surveys.clone() }))
        }

        fn digest(&self, bytes: &[u8]) -> Digest {
            DiskSkillFiles.digest(bytes)
        }
    }

    impl SkillTree for WatchedTree {
        fn survey(&self) -> Result<Survey, PortError> {
            self.tree.survey()
        }

        fn listing(&self) -> Result<ListedFiles, PortError> {
            self.tree.listing()
        }

        fn hidden(&self) -> Result<Vec<RelPath>, PortError> {
            self.tree.hidden()
        }

        fn cached_survey(&self) -> Option<Arc<SummarizedSurvey>> {
            self.surveys.survey(self.tree.root())
        }

        fn read(&self, path: &RelPath, bytes_max: u64) -> Result<FileContent, PortError> {
            let content = self.tree.read(path, bytes_max)?;
            self.surveys.check(self.tree.root(), path, &content.stamp);
            Ok(content)
        }

        fn digest(&self, path: &RelPath) -> Result<Digest, PortError> {
            self.tree.digest(path)
        }

        fn is_folder(&self, path: &RelPath) -> Result<bool, PortError> {
            self.tree.is_folder(path)
        }
    }
}
