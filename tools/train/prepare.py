#!/usr/bin/env python3
"""Writes requests.tsv.gz and invented.tsv.gz from the authors' files, without requests that resemble a measuring query.

  prepare.py --corpus FILE --base FOLDER --queries FILE WRITTEN...

WRITTEN are files of `skill id<TAB>kind<TAB>request`, or of invented skills: `d<TAB>name<TAB>description`, each followed by
its requests, `kind<TAB>request`. A request is left out when its cosine with a query (by the base model) is at least 0.75, or
when it and the query share at least 60 % of all their words; and when it repeats another.
"""
import argparse
import gzip
import json
import re
from collections import Counter
from pathlib import Path

import corpus
from encoder import Encoder

COSINE, WORDS = 0.75, 0.6
KINDS = r"s|g|x|n|word|typo|long|l:[a-z]{2}"
LITTLE = set("a an and are as at be can do for from get have how i in into is it its me my of on or our so that the their "
             "them then this to up us was we what when which with you your need want please help make".split())


def words(text):
    return {word for word in re.findall(r"\w+", text.lower()) if word not in LITTLE}


def written(paths, known):
    """The (owner, kind, text) of each request, the descriptions of invented skills by name, and the number of faulty lines."""
    rows, described, faulty, owner = [], {}, 0, None
    for path in sorted(paths):
        for line in path.read_text(encoding="utf-8").splitlines():
            parts = [re.sub(r"\s+", " ", part).strip() for part in line.split("\t")]
            if len(parts) == 3 and parts[0] == "d":
                owner = None if parts[1] in described else parts[1]
                described.setdefault(parts[1], parts[2])
            elif len(parts) == 3 and parts[0].isdigit() and int(parts[0]) in known and re.fullmatch(KINDS, parts[1]) and parts[2]:
                rows.append((int(parts[0]), parts[1], parts[2]))
            elif len(parts) == 2 and owner and re.fullmatch(KINDS, parts[0]) and parts[1]:
                rows.append((owner, parts[0], parts[1]))
            else:
                faulty += bool(line.strip())
    return rows, described, faulty


def pack(path, lines):
    with open(path, "wb") as raw, gzip.GzipFile("", "wb", 9, raw, mtime=0) as packed:
        packed.write("".join("\t".join(line) + "\n" for line in lines).encode())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("--corpus", "--base", "--queries"):
        parser.add_argument(name, type=Path, required=True)
    parser.add_argument("written", type=Path, nargs="+")
    given = parser.parse_args()
    skills = {skill.id: skill for skill in corpus.skills(given.corpus)}
    rows, described, faulty = written(given.written, skills)
    with given.queries.open(encoding="utf-8") as lines:
        queries = [json.loads(line)["query"] for line in lines if line.strip()]
    encoder = Encoder(given.base)
    near = (encoder.embed([text for _, _, text in rows], 40) @ encoder.embed(queries).T).max(1).values.tolist()
    asked = [words(query) for query in queries]
    kept, seen, left = {}, set(), Counter()
    for (owner, kind, text), cosine in zip(rows, near):
        own = words(text)
        share = max(len(own & other) / max(1, len(own | other)) for other in asked)
        reason = "cosine" if cosine >= COSINE else "words" if share >= WORDS else "repeated" if (owner, text) in seen else None
        if reason:
            left[reason] += 1
        else:
            kept.setdefault(owner, []).append((kind, text))
        seen.add((owner, text))
    real = sorted((skills[owner] for owner in kept if owner in skills), key=lambda skill: (skill.repository, skill.path))
    head = ("repository", "path", "name", "kind", "request")
    pack(corpus.REQUESTS, [head, *((skill.repository, skill.path, skill.name, *row) for skill in real for row in kept[skill.id])])
    pack(corpus.INVENTED, [line for name in sorted(described) if name in kept
                           for line in (("d", name, described[name]), *kept[name])])
    counts = Counter(type(owner).__name__ for owner, requests in kept.items() for _ in requests)
    print(f"{len(rows)} written, {faulty} faulty lines, left out {dict(left)}; {counts['int']} requests of {len(real)} skills, "
          f"{counts['str']} of {len(kept) - len(real)} invented ones")


if __name__ == "__main__":
    main()
