#!/usr/bin/env python3
"""Builds a folder of real skills into one store and reports the results.

  corpus_report.py FOLDER [--skc PATH] [--work DIR] [--keep]

FOLDER holds skills at any depth: each folder with a SKILL.md directly inside is one; hidden folders are
skipped. Copies go into one store; a folder name that is taken gets -2, -3. The report says how many were
built, which were refused with which code, whether the stubs say what the sources say (to PyYAML, another
YAML parser than skc's), and whether every command that a stub names can be run.

Exit status: 0 when everything wanted holds, 1 when something does not. Needs PyYAML.
"""
import argparse, json, os, re, shlex, shutil, sys
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

try:
    import yaml
except ImportError:
    sys.exit("corpus_report.py needs PyYAML: pip install pyyaml")

sys.dont_write_bytecode = True
from skc import RELEASE, Site, named, work_folder

BUILT_LEAST_PERCENT = 99.5      # of those whose front matter PyYAML reads
STUB_LINES_MOST = 100           # RFC-0001:C-CONSTRAINTS
JOBS = 2
EXAMPLES = 3
LONGEST_BUILD_S = 3600          # `build --all` over thousands of skills


# --- the store -----------------------------------------------------------------------------------------

def skill_folders(top):
    """Every folder with a SKILL.md directly inside, sorted, without hidden folders."""
    for folder, inner, files in os.walk(top):
        inner[:] = sorted(name for name in inner if not name.startswith("."))
        if "SKILL.md" in files:
            yield folder


def lay_out(top, store):
    """Copies each skill into `store` under its folder's name; returns {name: original folder}."""
    placed = {}
    for folder in skill_folders(top):
        base = os.path.basename(os.path.abspath(folder))
        name, number = base, 1
        while name in placed:
            number += 1
            name = "%s-%d" % (base, number)
        shutil.copytree(folder, os.path.join(store, name), symlinks=True)
        placed[name] = folder
    return placed


# --- front matter, as PyYAML reads it ------------------------------------------------------------------

FRONT = re.compile(r"\A---[ \t]*\r?\n(.*?)^---[ \t]*\r?(?:\n|\Z)", re.S | re.M)


def front_matter(path):
    """(name, description) as text, or None if PyYAML does not read both as plain values."""
    try:
        with open(path, encoding="utf-8-sig", newline="") as file:
            found = FRONT.match(file.read())
        if not found:
            return None
        values = yaml.safe_load(found.group(1))
        # As written: `name: 1.10` is the text "1.10", whatever type a YAML version takes it for.
        words = yaml.load(found.group(1), yaml.BaseLoader)
    except (OSError, UnicodeDecodeError, ValueError, yaml.YAMLError, RecursionError):
        return None
    if not isinstance(values, dict) or not isinstance(words, dict):
        return None
    both = []
    for key in ("name", "description"):
        if values.get(key) is None or not isinstance(words.get(key), str) or not words[key].strip():
            return None
        both.append(words[key])
    return tuple(both)


# --- commands that a stub names ------------------------------------------------------------------------

def body_of(stub):
    found = FRONT.match(stub)
    return stub[found.end():] if found else stub


def cut_comment(line):
    """The line without a shell comment. A # inside quotes or inside a word does not start a comment."""
    quote = ""
    for i, char in enumerate(line):
        if quote:
            quote = "" if char == quote else quote
        elif char in "'\"":
            quote = char
        elif char == "#" and i > 0 and line[i - 1].isspace():
            return line[:i].rstrip()
    return line.rstrip()


def commands_of(stub):
    """The command lines that begin with `skc `, from code blocks and inline code, each once, in order."""
    found, fence = {}, ""
    for line in body_of(stub).splitlines():
        text = line.strip()
        mark = re.match(r"(```+|~~~+)", text)
        if mark and not fence:
            fence = mark.group(1)
        elif mark and text.startswith(fence) and not text.strip("`~"):
            fence = ""
        elif fence:
            text = re.sub(r"^[$>] ", "", text)
            if text.startswith("skc "):
                found[cut_comment(text)] = True
        else:
            for _, code in re.findall(r"(`+)(.+?)\1(?!`)", line):
                if code.strip().startswith("skc "):
                    found[cut_comment(code.strip())] = True
    return list(found)


def listed_title(stub):
    """The first section that the stub lists; '' if it lists none.

    An entry of SKILL.md is a title as it stands. One below "References" may carry a description.
    """
    references = False
    listing = False
    for line in body_of(stub).splitlines():
        if line == "## Top Sections":
            listing = True
            continue
        entry = re.match(r"\s*[-*] (.*\S)", line) if listing else None
        if not entry:
            continue
        title = entry.group(1)
        if title == "References":
            references = True
        elif references and re.search(r"\.md( — |$)", title):
            continue                                    # a file without a heading shows its path
        elif not title.startswith("… ("):
            return title.split(" — ")[0] if references else title
    return ""


def fill(word, title, name):
    """An argument with its placeholders replaced; None if there is no value for one of them."""
    def replace(found):
        what = found.group(1).lower()
        if re.search(r"head|section|title", what):
            return title or "\0"
        if re.search(r"path|file", what):
            return "SKILL.md"
        if re.search(r"query|word|text|term|keyword", what):
            words = re.findall(r"\w{2,}", title or name)
            return words[0] if words else "the"
        if re.search(r"skill|name", what):
            return name
        if re.search(r"dir|folder", what):
            return "."
        return "1" if re.search(r"^(n|num|number|count|lines|limit|level|depth)", what) else "\0"
    filled = re.sub(r"<([a-z][a-z _-]*)>", replace, word, flags=re.I)
    return None if "\0" in filled else filled


def arguments(command, title, name):
    """The arguments to run a stub's command with, or the reason why it cannot be run."""
    command = re.sub(r" \[--[^\]]*\]", "", command)     # an option shown as optional
    try:
        words = shlex.split(command)[1:]
    except ValueError as error:
        return None, "not a shell line (%s): %s" % (error, command)
    filled = [fill(word, title, name) for word in words]
    if None in filled:
        return None, None if not title else "unknown placeholder: %s" % command
    if len(filled) == 1 and not filled[0].startswith("-"):
        filled.append("--help")                         # a verb that is only mentioned
    return filled, None


# --- the report ----------------------------------------------------------------------------------------

@dataclass
class Skill:
    """One skill and everything that was found out about it."""
    name: str
    front: tuple | None
    is_built: bool = False
    code: str = ""                                      # of its refusal
    message: str = ""
    stub_lines: int = 0
    difference: str = ""
    commands: int = 0
    skipped: int = 0                                    # commands that need a section where none is listed
    failures: list = field(default_factory=list)
    crashes: list = field(default_factory=list)


def build_all(site):
    """Builds the store; returns the run and the refusals in its JSON."""
    answer = site.run("build", "--all", "--format", "json", limit_s=LONGEST_BUILD_S)
    try:
        reply = json.loads(answer.out)
        failed = {row.get("skill"): row for row in reply.get("failed", [])}
        built = {row.get("skill") if isinstance(row, dict) else row for row in reply.get("built", [])}
    except (ValueError, AttributeError, TypeError):
        return answer, {}, None
    return answer, failed, built


def look_at_refusal(site, skill):
    """Builds one refused skill again, to get its code and exit status."""
    answer = site.run("build", *named(skill.name))
    if answer.is_crash:
        skill.crashes.append(answer.brief())
    skill.is_built = answer.status == 0 and os.path.isfile(site.stub(skill.name))
    skill.code = "" if skill.is_built else answer.code or "no code"
    skill.message = answer.err.strip().splitlines()[0] if answer.err.strip() else ""


def look_at_stub(site, skill):
    with open(site.stub(skill.name), encoding="utf-8", errors="replace", newline="") as file:
        stub = file.read()
    skill.stub_lines = len(stub.splitlines())
    told = front_matter(site.stub(skill.name))
    if skill.front and told != skill.front:
        skill.difference = difference(skill.front, told)
    title = listed_title(stub)
    for command in commands_of(stub):
        run_command(site, skill, command, title)


def run_command(site, skill, command, title):
    args, reason = arguments(command, title, skill.name)
    if args is None:
        skill.skipped += reason is None
        skill.failures += [reason] if reason else []
        return
    skill.commands += 1
    answer = site.run(*args)
    if answer.is_crash:
        skill.crashes.append(answer.brief())
    if answer.status != 0:
        skill.failures.append(answer.brief())


def difference(source, stub):
    if stub is None:
        return "the stub's front matter is not read at all"
    for key, was, now in zip(("name", "description"), source, stub):
        if was != now:
            at = next((i for i, (a, b) in enumerate(zip(was, now)) if a != b), min(len(was), len(now)))
            return "%s differs at character %d: %r became %r" % (key, at, was[at:at + 40], now[at:at + 40])
    return ""


def examine(site, names):
    """Builds the store, then checks each skill; returns the skills and notes about the build itself."""
    skills = [Skill(name, front_matter(os.path.join(site.source(name), "SKILL.md"))) for name in names]
    answer, failed, built = build_all(site)
    notes = []
    if built is None:
        notes.append("`build --all --format json` gave no JSON; each skill was built alone: " + answer.brief())
    for skill in skills:
        skill.is_built = os.path.isfile(site.stub(skill.name)) and skill.name not in failed
    unlike = [s.name for s in skills if built is not None and (s.name in built) != s.is_built]
    if unlike:
        notes.append("`build --all` and the runtime disagree about %d skills: %s" % (len(unlike), unlike[:EXAMPLES]))
    with ThreadPoolExecutor(JOBS) as pool:
        list(pool.map(lambda s: look_at_refusal(site, s), [s for s in skills if not s.is_built]))
        list(pool.map(lambda s: look_at_stub(site, s), [s for s in skills if s.is_built]))
    crashes = [answer.brief()] if answer.is_crash else []
    return skills, notes, crashes


class Report:
    """The lines of the table, and whether every requirement was met."""

    def __init__(self):
        self.holds = True

    def line(self, what, value, wanted="", holds=None):
        self.holds &= holds is not False
        verdict = {None: "", True: "ok", False: "MISS"}[holds]
        print(("%-52s %-22s %-18s %s" % (what, value, wanted, verdict)).rstrip())

    def examples(self, lines):
        lines = list(lines)
        for line in lines[:EXAMPLES]:
            print("    " + line)
        if len(lines) > EXAMPLES:
            print("    … %d more" % (len(lines) - EXAMPLES))


def report(skills, notes, crashes):
    out = Report()
    read = [s for s in skills if s.front]
    built = [s for s in skills if s.is_built]
    read_and_built = [s for s in read if s.is_built]
    percent = 100.0 * len(read_and_built) / max(1, len(read))
    out.line("skills found", len(skills), "> 0", bool(skills))
    out.line("front matter with name and description to PyYAML", len(read))
    out.line("  of these built", "%d (%.2f %%)" % (len(read_and_built), percent),
             ">= %.1f %%" % BUILT_LEAST_PERCENT, percent >= BUILT_LEAST_PERCENT)
    out.line("built although PyYAML does not read it", len(built) - len(read_and_built))
    refusals(out, [s for s in skills if not s.is_built])
    differing = [s for s in read_and_built if s.difference]
    out.line("stubs that PyYAML reads back to the source's words",
             "%d of %d" % (len(read_and_built) - len(differing), len(read_and_built)), "all", not differing)
    for skill in differing:
        print("    %s: %s" % (skill.name, skill.difference))
    long = [s for s in built if s.stub_lines > STUB_LINES_MOST]
    out.line("stubs of more than %d lines" % STUB_LINES_MOST, len(long), "none", not long)
    out.examples("%s: %d" % (s.name, s.stub_lines) for s in long)
    failing = [s for s in built if s.failures]
    out.line("stubs that name a command that fails", len(failing), "none", not failing)
    out.examples("%s: %s" % (s.name, s.failures[0]) for s in failing)
    commands = sum(s.commands for s in built)
    out.line("  commands run", commands, "> 0", commands > 0 or not built)
    mute = [s for s in built if not s.commands]
    out.line("  stubs that name no command", len(mute), "none", not mute)
    out.line("  commands that need a section, none listed", sum(s.skipped for s in built))
    crashed = crashes + [crash for s in skills for crash in s.crashes]
    out.line("panics, and statuses other than 0 and 1", len(crashed), "none", not crashed)
    out.examples(crashed)
    for note in notes:
        print("note: " + note)
    return out.holds


def refusals(out, refused):
    by_code = defaultdict(list)
    for skill in refused:
        by_code[skill.code].append(skill)
    out.line("refused", len(refused))
    for code, group in sorted(by_code.items()):
        readable = sum(s.front is not None for s in group)
        out.line("  " + code, len(group), "%d read by PyYAML" % readable if readable else "")
        # Those that another parser reads are the ones to look at.
        group.sort(key=lambda s: s.front is None)
        for skill in group[:EXAMPLES]:
            print("      %s: %s" % (skill.name, skill.message[:140]))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("--skc", default=RELEASE)
    parser.add_argument("--work", help="where the store is laid out; must be new or empty (else a temporary folder)")
    parser.add_argument("--keep", action="store_true", help="leave the store, and say where it is")
    args = parser.parse_args()
    with work_folder(args.work, "corpus", args.keep) as work:
        site = Site(args.skc, work)
        names = list(lay_out(args.folder, site.skills))
        holds = report(*examine(site, names))
    sys.exit(0 if holds else 1)


if __name__ == "__main__":
    main()
