#!/usr/bin/env python3
"""A quick check of this folder with the standard library alone: the requests are complete, and the split is unchanged."""
import gzip
import hashlib
import re
import sys
from collections import Counter

import corpus
import queries

KINDS = {"s", "g", "x", "n", "word", "typo", "long", *(f"l:{code}" for code in "de es fr it ja ko nl pl pt ru zh".split())}
HARD_SHARE = 0.5
REQUESTS = 12_000
FRESH, UNANSWERED = 240, 60
JUDGED_REQUESTS, JUDGED_COLUMNS = 150, 9


def faults(rows):
    """The errors in the requests, which are given as (repository, path, name, kind, text)."""
    found = [f"line {at + 2} is not five filled columns" for at, row in enumerate(rows) if len(row) != 5 or not all(row)]
    if found:
        return found
    kinds = Counter(kind for *_, kind, _ in rows)
    found += [f"unknown kind '{kind}'" for kind in kinds if kind not in KINDS]
    if len(rows) < REQUESTS:
        found.append(f"{len(rows)} requests are fewer than {REQUESTS}")
    if (kinds["s"] + kinds["g"] + kinds["x"]) / max(1, len(rows)) < HARD_SHARE - 0.01:
        found.append("less than half are situations and goals")
    found += [f"twice: {row}" for row, count in Counter(rows).items() if count > 1]
    return found


def measuring_faults():
    """What is wrong with the requests that are only measured with, and with their grades."""
    fresh = queries.fresh()
    found = [] if sum(bool(place) for place, *_ in fresh) == FRESH else [f"there are not {FRESH} fresh requests"]
    if sum(kind == "none" for _, _, kind, _ in fresh) != UNANSWERED:
        found.append(f"there are not {UNANSWERED} requests that no skill answers")
    rows = [line.split("\t") for line in gzip.decompress((corpus.HERE / "judged.tsv.gz").read_bytes()).decode().split("\n")[1:-1]]
    if any(len(row) != JUDGED_COLUMNS or row[5] not in ("0", "1", "2") for row in rows):
        found.append("a judged pair has no grade")
    if len({(row[0], row[2]) for row in rows}) != JUDGED_REQUESTS:
        found.append(f"there are not {JUDGED_REQUESTS} judged requests")
    return found


def main():
    rows = corpus.rows()
    found = faults(rows) + measuring_faults()
    described, asked = corpus.invented()
    if len({skill.name for skill in described}) < len(described) or len({request.skill for request in asked}) < len(described):
        found.append("an invented skill is there twice or has no request")
    skills = sorted({(repository, path) for repository, path, *_ in rows})
    test, stop = corpus.split_sizes(Counter(repository for repository, _ in skills))
    if test & stop:
        found.append("repositories for the test and for stopping overlap")
    if faults([("a/b", "SKILL.md", "a", "s", "")]) == []:
        found.append("an empty request is not noticed")
    body, headings = corpus.split_text("---\nname: a\n---\n# One\n```\n# no\n```\n## Two ##\n")
    if headings != "One\nTwo" or not body.startswith("# One"):
        found.append("headings are not read as they were")
    export = (corpus.HERE / "export.py").read_text(encoding="utf-8")
    pinned = re.search(r'DELTA_SHA256 = "([0-9a-f]*)"', export)[1]
    delta = corpus.HERE / "skills.delta.safetensors"
    if delta.exists() and hashlib.sha256(delta.read_bytes()).hexdigest() != pinned:
        found.append("the stored difference is not the pinned one")
    print("\n".join(found) or f"{len(rows)} requests for {len(skills)} skills and {len(asked)} for {len(described)} invented ones are whole")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
