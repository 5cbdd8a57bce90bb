#!/usr/bin/env python3
"""Compares the specification's verdict of `skc lint` with that of `skills-ref`, the specification's own validator.

  spec_agreement.py FOLDER [--skc PATH] [--work DIR] [--markdown FILE]

FOLDER holds skills at any depth: each folder with a SKILL.md directly inside is one; hidden folders are
skipped, and nothing in FOLDER is changed. Each skill is judged by both; the report says how often they agree,
and groups the others by kind, each with its number and an example. Where both call a skill invalid, it says of
how many the validator gave up on YAML that `skc` reads. `--markdown` writes the kinds as a table.

Exit status: 0 when every difference is of a kind that is explained below, 1 when one is not. Needs skills-ref.
"""
import argparse, json, os, re, sys
from collections import Counter, defaultdict
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

try:
    from skills_ref.validator import validate
except ImportError:
    sys.exit("spec_agreement.py needs skills-ref: pip install skills-ref")

sys.dont_write_bytecode = True
from skc import RELEASE, Site, work_folder

JOBS = 2
MESSAGE_CHARS = 120


@dataclass(frozen=True)
class Kind:
    """A way in which the two verdicts differ: what only one of them says, and the reason."""
    said: str                   # a pattern of the message, of whoever calls the skill invalid
    validator: str
    skc: str
    why: str


TYPES = "the validator checks the type of no field but name, description and compatibility"
DIALECT = "the validator reads strictyaml, a part of YAML; the specification says YAML"

# The message is skc's where the validator calls the skill valid, and the validator's where skc does.
SKC_IS_STRICTER = [
    Kind(r"allowed-tools is a list", "valid", "invalid: allowed-tools is a list, not text",
         "the specification: a space-separated string; " + TYPES),
    Kind(r"license is ", "valid", "invalid: license is a list or a mapping", "the specification: a name or a file; " + TYPES),
    Kind(r"metadata '.*' is a ", "valid", "invalid: a value within metadata is a list or a mapping",
         "the specification: a map from string keys to string values; " + TYPES),
    Kind(r"metadata is ", "valid", "invalid: metadata is text or a list", "the specification: a map; " + TYPES),
    Kind(r"compatibility is empty", "valid", "invalid: compatibility is empty",
         "the specification: 1 to 500 characters if provided; the validator checks the upper bound only"),
    Kind(r"(name|description) is empty", "valid", "invalid: a plain `null` or `~` is no text",
         "strictyaml keeps every scalar as text; to YAML these two are nothing"),
    Kind(r"name '.*' (contains|does not match) ", "valid", "invalid: a name with other code points",
         "the validator normalises name and folder to NFKC and cuts blanks around a name; the specification does neither"),
]
VALIDATOR_IS_STRICTER = [
    Kind(r"found unexpected end|properly closed|must be a YAML mapping|Missing required field",
         "invalid: it reads less of the front matter", "valid",
         "the validator ends the front matter at the first `---` anywhere, also within a value; the specification at a "
         "line"),
    Kind(r"JSONesque", "invalid: flow style is disallowed", "valid", DIALECT),
    Kind(r"disallowed (anchor|tag|alias)", "invalid: anchors, aliases and tags are disallowed", "valid", DIALECT),
    Kind(r"Invalid YAML in frontmatter", "invalid: YAML that strictyaml does not read", "valid", DIALECT),
]


# --- both verdicts -------------------------------------------------------------------------------------

@dataclass
class Skill:
    """One skill with both verdicts. A verdict without a reason means that the skill is valid."""
    path: str
    validator: list
    skc: list


def skill_folders(top):
    """Every folder with a SKILL.md directly inside, sorted, without hidden folders."""
    for folder, inner, files in os.walk(top):
        inner[:] = sorted(name for name in inner if not name.startswith("."))
        if "SKILL.md" in files:
            yield os.path.abspath(folder)


def validator_says(path):
    try:
        return [" ".join(line.split()) for line in validate(Path(path))]
    except Exception as error:  # it lets errors of its YAML parser and of decoding through
        return ["%s: %s" % (type(error).__name__, " ".join(str(error).split()))]


def skc_says(site, path):
    answer = site.run("lint", path, "--profile", "spec", "--format", "json")
    try:
        verdict = next(v for v in json.loads(answer.out)["skills"][0]["verdicts"] if v["profile"] == "spec")
    except (ValueError, KeyError, IndexError, StopIteration):
        return ["no verdict: " + answer.brief()]
    reasons = [reason["message"] for reason in verdict["reasons"]]
    return reasons if verdict["standing"] != "valid" else []


def judge_all(site, top):
    """Both verdicts of every skill. A folder keeps its name even if the skill has another one, so both see the same."""
    paths = list(skill_folders(top))
    with ThreadPoolExecutor(JOBS) as pool:
        said = list(pool.map(lambda path: skc_says(site, path), paths))
    return [Skill(path, validator_says(path), reasons) for path, reasons in zip(paths, said)]


# --- the report ----------------------------------------------------------------------------------------

def kind_of(skill):
    """The kind of a difference; None if no kind explains it."""
    kinds, reasons = (VALIDATOR_IS_STRICTER, skill.validator) if skill.validator else (SKC_IS_STRICTER, skill.skc)
    for kind in kinds:
        if any(re.search(kind.said, reason) for reason in reasons):
            return kind
    return None


def print_pair(skill):
    print("      %s" % skill.path)
    for who, reasons in (("skills-ref", skill.validator), ("skc", skill.skc)):
        print("        %-10s %s" % (who, "; ".join(reasons)[:MESSAGE_CHARS] if reasons else "valid"))


def report(skills):
    """Prints the tables; returns the kinds with their skills, and the skills that no kind explains."""
    both = Counter((not s.validator, not s.skc) for s in skills)
    print("%-52s %d" % ("skills", len(skills)))
    print("%-52s %d" % ("both say valid", both[True, True]))
    print("%-52s %d" % ("both say invalid", both[False, False]))
    print("%-52s %d" % ("they differ", both[True, False] + both[False, True]))
    groups, unexplained = defaultdict(list), []
    for skill in skills:
        if bool(skill.validator) != bool(skill.skc):
            kind = kind_of(skill)
            groups[kind].append(skill) if kind else unexplained.append(skill)
    for kind, group in sorted(groups.items(), key=lambda item: -len(item[1])):
        print("  %4d  skills-ref %s, skc %s" % (len(group), kind.validator, kind.skc))
        print_pair(group[0])
    if unexplained:
        print("  %4d  not explained" % len(unexplained))
        for skill in unexplained:
            print_pair(skill)
    unread(skills)
    return groups, unexplained


def unread(skills):
    """Skills that both call invalid, the validator only because it cannot read their YAML."""
    gave_up = [s for s in skills if s.validator and s.skc and any("YAML" in line for line in s.validator)
               and not any("cannot be read" in reason for reason in s.skc)]
    print("%-52s %d" % ("both say invalid, but the validator for its dialect", len(gave_up)))
    reasons = Counter(re.sub(r"'[^']*'", "'…'", re.sub(r"\d+", "N", s.skc[0])) for s in gave_up)
    for reason, count in reasons.most_common():
        print("  %4d  skc: %s" % (count, reason))


def markdown(groups, total):
    """The kinds as a table, including those without a skill."""
    lines = ["| skills-ref says | skc says | of %s skills | why |" % format(total, ","), "|---|---|---|---|"]
    for kind in SKC_IS_STRICTER + VALIDATOR_IS_STRICTER:
        lines.append("| %s | %s | %d | %s |" % (kind.validator, kind.skc, len(groups.get(kind, [])), kind.why))
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("--skc", default=RELEASE)
    parser.add_argument("--work", help="where the home of the runs is; must be new or empty (else a temporary folder)")
    parser.add_argument("--markdown", metavar="FILE", help="also write the kinds as a Markdown table")
    args = parser.parse_args()
    with work_folder(args.work, "agreement") as work:
        skills = judge_all(Site(args.skc, work), args.folder)
    groups, unexplained = report(skills)
    if args.markdown:
        with open(args.markdown, "w", encoding="utf-8") as file:
            file.write(markdown(groups, len(skills)))
    sys.exit(1 if unexplained or not skills else 0)


if __name__ == "__main__":
    main()
