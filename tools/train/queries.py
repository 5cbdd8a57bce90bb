#!/usr/bin/env python3
"""Writes the measuring requests as files for `skc eval discovery --queries`; needs the standard library alone.

  queries.py --corpus FILE --out FOLDER

`test.jsonl` has the 300 requests drawn from the repositories left out of training, `fresh.jsonl` the 240 of fresh.tsv.gz,
`languages.jsonl` those in other languages for the repositories left out, and `none.jsonl` those that no skill answers. FOLDER/corpus holds
each skill in a folder of its number. A skill of the same name as the right one is right as well.
"""
import argparse
import gzip
import json
import sys
from pathlib import Path

import corpus

FRESH = corpus.HERE / "fresh.tsv.gz"


def fresh():
    """Rows (repository, path, kind, text) of the fresh requests; without a repository, no skill answers."""
    with gzip.open(FRESH, "rt", encoding="utf-8", newline="") as lines:
        rows = [line.rstrip("\n").split("\t") for line in lines]
    return [(repository, path, kind, text) for repository, path, _, kind, text in rows[1:]]


def kind_of(kind):
    """`languages`, `hard` or `easy`."""
    return "languages" if ":" in kind else "hard" if kind in corpus.HARD else "easy"


def sets(skills):
    """Rows (text, number of the skill or None, kind) of each set."""
    ids = {(skill.repository, skill.path): skill.id for skill in skills}
    repository = {skill.id: skill.repository for skill in skills}
    test, _ = corpus.split(skills)
    left_out = [request for request in corpus.requests(skills) if repository[request.skill] in test]
    unanswered = [text for place, _, _, text in fresh() if not place]
    row = lambda request: (request.text, request.skill, kind_of(request.kind))
    return {
        "test": [row(request) for request in corpus.test_requests(left_out)],
        "languages": [row(request) for request in left_out if request.kind.startswith("l:")],
        "fresh": [(text, ids[place, path], kind_of(kind)) for place, path, kind, text in fresh() if place],
        "none": [(text, None, ("tuned", "kept")[at % 2]) for at, text in enumerate(unanswered)],
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    skills = corpus.skills(given.corpus)
    names = {}
    for skill in skills:
        names.setdefault(skill.name.lower(), []).append(skill.id)
    name = {skill.id: skill.name.lower() for skill in skills}
    for title, rows in sets(skills).items():
        given.out.mkdir(parents=True, exist_ok=True)
        lines = [json.dumps({"query": text, "relevant": names[name[skill]] if skill is not None else [], "kind": kind}, ensure_ascii=False)
                 for text, skill, kind in rows]
        (given.out / f"{title}.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    with gzip.open(given.corpus, "rt", encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            folder = given.out / "corpus" / str(row["id"])
            folder.mkdir(parents=True, exist_ok=True)
            (folder / "SKILL.md").write_text(row["skill_md"], encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
