#!/usr/bin/env python3
"""Looks for the scripts and assets of built skills with only the stub and the answers of skc, as an agent would.

  find_scripts.py FOLDER [--skc PATH] [--work DIR] [--keep]

Copies every skill below FOLDER that has a file other than .md and .txt into one store, builds all, once with links and once with
--copy, and then follows the stub: it runs the command that the stub names, takes the base directory and the list of files from
its answer, and opens each file in the base directory and, for links, also below the folder of the stub. Both must hold the bytes
and the permission to run that the source has. No script is run.
"""
import argparse, json, os, re, shutil, sys
from skc import RELEASE, Site, named, work_folder

COMMAND = re.compile(r"`skc (sources [^`]+)`")
BASE = re.compile(r"^base directory: (.+)$", re.M)


def skills_below(folder):
    """Folders with a SKILL.md, none inside another."""
    for root, folders, files in os.walk(folder):
        if "SKILL.md" in files:
            folders.clear()
            yield root


def others(skill):
    """The paths of the files that are neither text nor hidden."""
    for root, folders, files in os.walk(skill):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in files:
            if not name.startswith(".") and not name.lower().endswith((".md", ".txt")):
                yield os.path.relpath(os.path.join(root, name), skill)


def is_same(one, other):
    if not os.path.isfile(other) or os.access(one, os.X_OK) != os.access(other, os.X_OK):
        return False
    with open(one, "rb") as a, open(other, "rb") as b:
        return a.read() == b.read()


def follow(site, name, is_link):
    """The files of a skill that an agent does not find, each with the reason."""
    folder = os.path.join(site.project, ".claude", "skills", name)
    with open(os.path.join(folder, "SKILL.md"), encoding="utf-8") as file:
        command = COMMAND.search(file.read())
    wanted = sorted(others(site.source(name)))
    if not command:
        return [(path, "the stub names no command") for path in wanted], wanted
    answer = site.run("sources", *named(name), "--limit", "100000", "--format", "json")
    told = BASE.search(site.run("sources", *named(name)).err)
    listed = {entry["path"] for entry in json.loads(answer.out)["entries"]} if answer.status == 0 else set()
    missed = []
    for path in wanted:
        source = os.path.join(site.source(name), path)
        if path not in listed:
            missed.append((path, "not listed"))
        elif not told or not is_same(source, os.path.join(site.project, told.group(1), path)):
            missed.append((path, "not in the base directory"))
        elif is_link and not is_same(source, os.path.join(folder, path)):
            missed.append((path, "not beside the stub"))
    return missed, wanted


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("--skc", default=RELEASE)
    parser.add_argument("--work")
    parser.add_argument("--keep", action="store_true")
    args = parser.parse_args()
    failed = 0
    with work_folder(args.work, "scripts", args.keep) as work:
        for is_link in (True, False):
            site = Site(args.skc, os.path.join(work, "links" if is_link else "copies"))
            for number, skill in enumerate(sorted(skills_below(args.folder))):
                if any(others(skill)):
                    shutil.copytree(skill, site.source("%s-%03d" % (os.path.basename(skill), number)))
            site.run("build", "--all", *([] if is_link else ["--copy"]), limit_s=1800)
            built = [name for name in sorted(os.listdir(site.skills)) if os.path.isfile(site.stub(name))]
            files = 0
            for name in built:
                missed, wanted = follow(site, name, is_link)
                files += len(wanted)
                failed += len(missed)
                for path, why in missed:
                    print("%s/%s: %s" % (name, path, why))
            print("%s: %d skills, %d not built, %d files" % (
                "links" if is_link else "copies", len(built), len(os.listdir(site.skills)) - len(built), files))
    print("%d not found" % failed)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
