//! RFC-0015:C-ARCHIVE: other programs read the archives of skc, and skc reads theirs.

use crate::site::Site;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

fn is_here(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok()
}

fn run(folder: &Path, line: &[&str]) -> Output {
    let done = Command::new(line[0]).args(&line[1..]).current_dir(folder).output().unwrap();
    assert!(done.status.success(), "{line:?}: {}", String::from_utf8_lossy(&done.stderr));
    done
}

fn scene() -> Site {
    let site = Site::new();
    site.write_skill("demo", "# Demo\n");
    site.write("demo", "references/größe.md", "Größe\n".repeat(1000));
    site.write("demo", "scripts/run.sh", "#!/bin/sh\n");
    site.write("demo", "empty.txt", "");
    site
}

/// The files below a folder with their permissions.
fn files(folder: &Path) -> Vec<(String, Vec<u8>, u32)> {
    use std::os::unix::fs::PermissionsExt;
    let entries = walkdir::WalkDir::new(folder).sort_by_file_name().into_iter().map(Result::unwrap);
    let file = |entry: walkdir::DirEntry| {
        let name = entry.path().strip_prefix(folder).unwrap().to_string_lossy().into_owned();
        let mode = entry.metadata().unwrap().permissions().mode() & 0o777;
        (name, fs::read(entry.path()).unwrap(), mode)
    };
    entries.filter(|entry| entry.file_type().is_file()).map(file).collect()
}

/// RFC-0015:C-ARCHIVE
#[test]
fn other_programs_read_an_archive_of_skc() {
    let site = scene();
    site.skc(["pack", "demo"]).ok();
    let project = site.project();
    let python = "import sys, zipfile\n\
                  archive = zipfile.ZipFile('demo.skill')\n\
                  assert archive.testzip() is None\n\
                  archive.extractall('python')\n\
                  print(*(f'{i.filename} {i.external_attr >> 16 & 0o777:o}' for i in archive.infolist()), sep='\\n')\n";
    let listed = run(&project, &["python3", "-X", "utf8", "-c", python]).stdout;
    assert_eq!(
        String::from_utf8(listed).unwrap(),
        "demo/SKILL.md 644\ndemo/empty.txt 644\ndemo/references/größe.md 644\ndemo/scripts/run.sh 755\n"
    );
    let bytes =
        |folder: &Path| files(folder).into_iter().map(|(name, bytes, _)| (name, bytes)).collect::<Vec<_>>();
    let source = bytes(&site.skill("demo"));
    assert_eq!(bytes(&project.join("python/demo")), source);
    if is_here("unzip") {
        run(&project, &["unzip", "-t", "demo.skill"]);
        run(&project, &["unzip", "-q", "demo.skill", "-d", "unzip"]);
        assert_eq!(bytes(&project.join("unzip/demo")), source);
        let run_sh = files(&project.join("unzip/demo")).into_iter().find(|(name, ..)| name.ends_with(".sh"));
        assert_eq!(run_sh.unwrap().2 & 0o111, 0o111);
    }
    if is_here("bsdtar") {
        fs::create_dir(project.join("bsdtar")).unwrap();
        run(&project, &["bsdtar", "-x", "-f", "demo.skill", "-C", "bsdtar"]);
        assert_eq!(bytes(&project.join("bsdtar/demo")), source);
    }
}

/// RFC-0015:C-CHECK
#[test]
fn an_archive_of_another_program_is_read() {
    let site = scene();
    let store = site.project().join(".skillc/skills");
    let accepts = |archive: &str| {
        fs::rename(store.join(archive), site.project().join(archive)).unwrap();
        let run = site.skc(["pack", "--check", archive, "--for", "claude"]).ok();
        assert!(run.out.starts_with(&format!("{archive}: 4 files, ")), "{}", run.out);
    };
    run(&store, &["python3", "-m", "zipfile", "-c", "python.zip", "demo"]);
    accepts("python.zip");
    // When writing to a pipe, sizes follow the contents.
    let streamed = "import sys, shutil, zipfile, os\n\
                    out = os.fdopen(os.open('streamed.zip', os.O_WRONLY | os.O_CREAT, 0o644), 'wb')\n\
                    out.seekable = lambda: False\n\
                    archive = zipfile.ZipFile(out, 'w', zipfile.ZIP_DEFLATED)\n\
                    for folder, _, names in os.walk('demo'):\n\
                    \x20   for name in names: archive.write(os.path.join(folder, name))\n\
                    archive.close()\n";
    run(&store, &["python3", "-X", "utf8", "-c", streamed]);
    accepts("streamed.zip");
    if is_here("zip") {
        run(&store, &["zip", "-q", "-r", "info.zip", "demo"]);
        accepts("info.zip");
    }
    if is_here("bsdtar") {
        run(&store, &["bsdtar", "-a", "-c", "-f", "bsdtar.zip", "demo"]);
        accepts("bsdtar.zip");
    }
}
