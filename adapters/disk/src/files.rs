//! Reads skills below an open folder.

use crate::sandbox;
use crate::survey::{hidden, listing, survey};
use cap_std::fs::Dir;
use sha2::{Digest as _, Sha256};
use skillc_domain::digest::Digest;
use skillc_domain::path::RelPath;
use skillc_domain::survey::{ListedFiles, Survey};
use skillc_fs::read_bounded;
use skillc_ports::error::{ErrorKind, PortError};
use skillc_ports::files::{FileContent, SkillFiles, SkillTree};
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// Bytes hashed at a time; larger blocks are no faster.
const BLOCK_BYTES: usize = 64 * 1024;

/// Skills on the local file system.
#[derive(Clone, Copy, Debug, Default)]
pub struct DiskSkillFiles;

/// One skill's folder, held open.
#[derive(Debug)]
pub struct DiskSkillTree {
    root: Dir,
}

impl DiskSkillTree {
    pub(crate) fn open(root: &Path) -> Result<Self, PortError> {
        Ok(Self { root: sandbox::open_folder(root)? })
    }

    #[cfg(target_os = "linux")]
    pub(crate) fn root(&self) -> &Dir {
        &self.root
    }
}

impl SkillFiles for DiskSkillFiles {
    fn open(&self, root: &Path) -> Result<Box<dyn SkillTree>, PortError> {
        Ok(Box::new(DiskSkillTree::open(root)?))
    }

    fn digest(&self, bytes: &[u8]) -> Digest {
        Digest(Sha256::digest(bytes).into())
    }
}

impl SkillTree for DiskSkillTree {
    fn survey(&self) -> Result<Survey, PortError> {
        survey(&self.root)
    }

    fn listing(&self) -> Result<ListedFiles, PortError> {
        listing(&self.root)
    }

    fn hidden(&self) -> Result<Vec<RelPath>, PortError> {
        hidden(&self.root)
    }

    fn read(&self, path: &RelPath, bytes_max: u64) -> Result<FileContent, PortError> {
        let (file, metadata) = sandbox::open_regular(&self.root, Path::new(path.as_str()))?;
        let too_large = || PortError::new(ErrorKind::TooLarge, format!("read '{path}'"));
        if metadata.len() > bytes_max {
            return Err(too_large());
        }
        let expected = usize::try_from(metadata.len()).unwrap_or(0);
        let read = read_bounded(file, bytes_max, expected);
        let bytes = read.map_err(|e| PortError::io(format!("read '{path}'"), e))?.ok_or_else(too_large)?;
        Ok(FileContent { bytes, stamp: sandbox::stamp(&metadata) })
    }

    fn digest(&self, path: &RelPath) -> Result<Digest, PortError> {
        let (file, metadata) = sandbox::open_regular(&self.root, Path::new(path.as_str()))?;
        digest_of(file, metadata.len()).map_err(|e| PortError::io(format!("read '{path}'"), e))
    }

    fn is_folder(&self, path: &RelPath) -> Result<bool, PortError> {
        match sandbox::metadata(&self.root, Path::new(path.as_str())) {
            Ok(metadata) => Ok(metadata.is_dir()),
            Err(e) if sandbox::is_escape(&e) => Err(sandbox::port_error(Path::new(path.as_str()), e)),
            Err(_) => Ok(false),
        }
    }
}

/// The digest of a file of this many bytes, as far as is known. A short one is read in one call.
fn digest_of(mut file: File, len: u64) -> std::io::Result<Digest> {
    let mut hasher = Sha256::new();
    let room = usize::try_from(len).map_or(BLOCK_BYTES, |len| BLOCK_BYTES.min(len + 1));
    let (mut block, mut hashed) = (vec![0; room], 0);
    loop {
        match file.read(&mut block) {
            Ok(0) => return Ok(Digest(hasher.finalize().into())),
            Ok(count) => {
                hasher.update(&block[..count]);
                hashed += count as u64;
                // A full block, or less than the size, says nothing about the end.
                if hashed == len && count < block.len() {
                    return Ok(Digest(hasher.finalize().into()));
                }
            }
            Err(e) if e.kind() == std::io::ErrorKind::Interrupted => {}
            Err(e) => return Err(e),
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::symlink;
    use std::os::unix::net::UnixListener;
    use std::process::Command;
    use tempfile::TempDir;

    /// A folder with a skill `s` and a secret file next to it.
    struct Scene(TempDir);

    impl Scene {
        fn new() -> Self {
            let scene = Self(TempDir::new().unwrap());
            fs::create_dir_all(scene.0.path().join("s/refs")).unwrap();
            fs::write(scene.0.path().join("secret"), "secret").unwrap();
            scene.write("SKILL.md", "body")
        }

        fn write(self, path: &str, text: &str) -> Self {
            fs::write(self.path(path), text).unwrap();
            self
        }

        fn link(self, to: &str, path: &str) -> Self {
            symlink(to, self.path(path)).unwrap();
            self
        }

        fn path(&self, path: &str) -> std::path::PathBuf {
            self.0.path().join("s").join(path)
        }

        fn tree(&self) -> Box<dyn SkillTree> {
            DiskSkillFiles.open(&self.path("")).unwrap()
        }

        fn read(&self, path: &str) -> Result<String, ErrorKind> {
            let content = self.tree().read(&RelPath::parse(path).unwrap(), 100).map_err(|e| e.kind)?;
            Ok(String::from_utf8(content.bytes).unwrap())
        }
    }

    fn fifo(path: &Path) {
        assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
    }

    /// RFC-0007:C-FILES
    #[test]
    fn a_link_planted_after_the_build_is_not_followed() {
        let scene = Scene::new().write("refs/a.md", "a");
        let tree = scene.tree();
        let path = RelPath::parse("refs/a.md").unwrap();
        assert_eq!(tree.read(&path, 10).unwrap().bytes, b"a");
        fs::remove_file(scene.path("refs/a.md")).unwrap();
        symlink("../../secret", scene.path("refs/a.md")).unwrap();
        assert_eq!(tree.read(&path, 10).unwrap_err().kind, ErrorKind::Escapes);
        assert_eq!(tree.digest(&path).unwrap_err().kind, ErrorKind::Escapes);
        fs::remove_dir_all(scene.path("refs")).unwrap();
        symlink("..", scene.path("refs")).unwrap();
        let outside = RelPath::parse("refs/secret").unwrap();
        assert_eq!(tree.read(&outside, 10).unwrap_err().kind, ErrorKind::Escapes);
        assert!(tree.is_folder(&RelPath::parse("refs").unwrap()).is_err());
    }

    /// RFC-0002:C-OPEN
    #[test]
    fn a_path_outside_the_skill_is_refused_even_if_absent() {
        let scene = Scene::new().link("/", "root").link("../nothing", "gone").link("/etc/passwd", "abs");
        for path in ["root/etc/passwd", "root/no/such/file", "gone", "abs"] {
            assert_eq!(scene.read(path), Err(ErrorKind::Escapes), "{path}");
        }
    }

    /// RFC-0002:C-OPEN
    #[test]
    fn open_reads_a_hidden_file_that_is_named() {
        let scene = Scene::new().write(".hidden", "h").link("../SKILL.md", "refs/inner");
        assert_eq!(scene.read(".hidden"), Ok("h".into()));
        assert_eq!(scene.read("refs/inner"), Ok("body".into()), "a link that stays inside is followed");
    }

    /// RFC-0002:C-OPEN
    #[test]
    fn a_path_that_leads_nowhere_is_not_found() {
        let scene = Scene::new().link("loop", "loop").link("nothing", "dangling");
        let long = "x".repeat(300);
        for path in ["missing", "SKILL.md/x", "loop", "dangling", &long] {
            assert_eq!(scene.read(path), Err(ErrorKind::NotFound), "{path}");
        }
        assert_eq!(scene.read("refs"), Err(ErrorKind::NotAFile));
        assert_eq!(scene.read(""), Err(ErrorKind::NotAFile));
    }

    /// RFC-0007:C-FILES
    #[test]
    fn a_pipe_or_folder_called_md_is_not_opened() {
        let scene = Scene::new().link("pipe.md", "to-pipe.md").link("/dev/zero", "device");
        fifo(&scene.path("pipe.md"));
        fs::create_dir(scene.path("folder.md")).unwrap();
        let _socket = UnixListener::bind(scene.path("socket.md")).unwrap();
        for path in ["pipe.md", "to-pipe.md", "folder.md", "socket.md"] {
            assert_eq!(scene.read(path), Err(ErrorKind::NotAFile), "{path}");
            assert!(scene.tree().digest(&RelPath::parse(path).unwrap()).is_err());
        }
        let listed: Vec<_> = scene.tree().survey().unwrap().files.into_iter().map(|f| f.path).collect();
        assert_eq!(listed, [RelPath::parse("SKILL.md").unwrap()]);
    }

    /// A FIFO replaces a file between the check and the opening.
    #[test]
    fn opening_never_waits_for_a_writer() {
        let scene = Scene::new();
        fifo(&scene.path("pipe.md"));
        let tree = sandbox::open_folder(&scene.path("")).unwrap();
        let opened = tree.open_with("pipe.md", &sandbox::reading_options()).unwrap();
        assert!(!opened.metadata().unwrap().is_file());
    }

    #[test]
    fn a_file_is_read_up_to_the_bound() {
        let scene = Scene::new().write("hundred", &"x".repeat(100)).write("more", &"x".repeat(101));
        assert_eq!(scene.read("hundred").unwrap().len(), 100);
        assert_eq!(scene.read("more"), Err(ErrorKind::TooLarge));
        let growing = scene.tree().read(&RelPath::parse("more").unwrap(), u64::MAX).unwrap();
        assert_eq!(growing.bytes.len(), 101);
    }

    #[test]
    fn a_read_has_the_stamp_of_the_survey_and_both_digests_agree() {
        let scene = Scene::new().write("big", &"abc".repeat(100_000)).link("big", "link");
        let tree = scene.tree();
        let big = RelPath::parse("big").unwrap();
        let content = tree.read(&big, u64::MAX).unwrap();
        let survey = tree.survey().unwrap();
        assert_eq!(survey.get(&big).unwrap().stamp, content.stamp);
        assert_eq!(survey.get(&RelPath::parse("link").unwrap()).unwrap().stamp, content.stamp);
        assert_eq!(tree.digest(&big).unwrap(), DiskSkillFiles.digest(&content.bytes));
        let of_nothing = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        assert_eq!(DiskSkillFiles.digest(b"").to_string(), of_nothing);
    }

    #[test]
    fn a_folder_is_one_also_behind_a_link_and_hidden() {
        let scene = Scene::new().link("refs", "link");
        fs::create_dir(scene.path(".h")).unwrap();
        let is_folder = |path: &str| scene.tree().is_folder(&RelPath::parse(path).unwrap()).unwrap();
        assert!(is_folder("refs") && is_folder("link") && is_folder(".h") && is_folder(""));
        assert!(!is_folder("SKILL.md") && !is_folder("nothing"));
    }

    #[test]
    fn an_open_skill_stays_the_same_folder_when_its_path_leads_elsewhere() {
        let scene = Scene::new();
        let tree = scene.tree();
        fs::rename(scene.path(""), scene.0.path().join("moved")).unwrap();
        fs::create_dir(scene.path("")).unwrap();
        fs::write(scene.path("SKILL.md"), "another").unwrap();
        assert_eq!(tree.read(&RelPath::parse("SKILL.md").unwrap(), 100).unwrap().bytes, b"body");
        assert_eq!(tree.survey().unwrap().files.len(), 1);
        assert_eq!(DiskSkillFiles.open(&scene.path("nothing")).err().unwrap().kind, ErrorKind::NotFound);
        assert_eq!(DiskSkillFiles.open(&scene.path("SKILL.md")).err().unwrap().kind, ErrorKind::NotFound);
    }
}
