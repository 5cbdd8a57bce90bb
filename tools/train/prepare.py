#!/usr/bin/env python3
"""Makes requests.tsv.gz from the writers' files, without requests that are near one of the measuring queries.

  prepare.py --corpus FILE --base FOLDER --queries FILE WRITTEN...

WRITTEN are files of `skill id<TAB>kind<TAB>request`. A request is left out when its cosine with a query (by the base
model) is at least 0.75, or when it and the query share at least 60 % of all their words; and when it repeats another.
"""
import argparse
import gzip
import json
import re
from pathlib import Path

import corpus
from encoder import Encoder

COSINE, WORDS = 0.75, 0.6
LITTLE = set("a an and are as at be can do for from get have how i in into is it its me my of on or our so that the their "
             "them then this to up us was we what when which with you your need want please help make".split())


def words(text):
    return {word for word in re.findall(r"\w+", text.lower()) if word not in LITTLE}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("--corpus", "--base", "--queries"):
        parser.add_argument(name, type=Path, required=True)
    parser.add_argument("written", type=Path, nargs="+")
    given = parser.parse_args()
    skills = {skill.id: skill for skill in corpus.skills(given.corpus)}
    rows, faulty = [], 0
    for path in sorted(given.written):
        for line in path.read_text(encoding="utf-8").splitlines():
            parts = [part.strip() for part in line.split("\t")]
            if len(parts) == 3 and parts[0].isdigit() and int(parts[0]) in skills and parts[2]:
                rows.append((int(parts[0]), parts[1], re.sub(r"\s+", " ", parts[2])))
            else:
                faulty += bool(line.strip())
    with given.queries.open(encoding="utf-8") as lines:
        queries = [json.loads(line)["query"] for line in lines if line.strip()]
    encoder = Encoder(given.base)
    near = (encoder.embed([text for _, _, text in rows]) @ encoder.embed(queries).T).max(1).values.tolist()
    asked = [words(query) for query in queries]
    kept, seen, left = [], set(), {"cosine": 0, "words": 0, "repeated": 0}
    for (number, kind, text), cosine in zip(rows, near):
        own = words(text)
        share = max(len(own & other) / max(1, len(own | other)) for other in asked)
        reason = "cosine" if cosine >= COSINE else "words" if share >= WORDS else "repeated" if (number, text) in seen else None
        if reason:
            left[reason] += 1
        else:
            kept.append((skills[number], kind, text))
        seen.add((number, text))
    kept.sort(key=lambda row: (row[0].repository, row[0].path))
    text = "repository\tpath\tname\tkind\trequest\n" + "".join(
        f"{skill.repository}\t{skill.path}\t{skill.name}\t{kind}\t{request}\n" for skill, kind, request in kept)
    with open(corpus.REQUESTS, "wb") as raw, gzip.GzipFile("", "wb", 9, raw, mtime=0) as packed:
        packed.write(text.encode())
    print(f"{len(rows)} written, {faulty} faulty lines, left out {left}, {len(kept)} kept of {len({r[0].id for r in kept})} skills")


if __name__ == "__main__":
    main()
