#!/usr/bin/env python3
"""Reports nDCG@10 on the judged requests: words alone, all-MiniLM-L6-v2 beside words, and `skills` beside words; needs numpy alone.

`judged.tsv.gz` has a line for each request and skill that is among the first ten of one of the three: the set, the kind, the request,
repository and path of the skill, its grade (2 answers the request, 1 helps with part of it, 0 neither), and its place by each of the
three. A skill that the request was written for is graded 2 even if none of them found it.
"""
import csv
import gzip
import io
import math
import sys
from collections import defaultdict

import corpus
import search

JUDGED = corpus.HERE / "judged.tsv.gz"
SYSTEMS = ("words", "minilm", "skills")


def judged():
    """Rows as dictionaries, by request."""
    text = gzip.decompress(JUDGED.read_bytes()).decode()
    requests = defaultdict(list)
    for row in csv.DictReader(io.StringIO(text, newline=""), delimiter="\t", quoting=csv.QUOTE_NONE):
        requests[row["set"], row["request"]].append(row)
    return requests


def quality(rows, system):
    """nDCG@10 with the gain 2^grade - 1; 0 if nothing answers the request."""
    gain = lambda grade, place: (2 ** int(grade) - 1) / math.log2(place + 1)
    own = sum(gain(row["grade"], int(row[system])) for row in rows if row[system])
    ideal = sum(gain(grade, at + 1) for at, grade in enumerate(sorted((row["grade"] for row in rows), reverse=True)[:10]))
    return own / ideal if ideal else 0.0


def main():
    requests = judged()
    values = {system: [quality(rows, system) for rows in requests.values()] for system in SYSTEMS}
    sets = [title for title, _ in requests]
    shown = lambda found: "{:.3f} [{:.3f}, {:.3f}]".format(*search.interval(found))
    print(f"{sum(map(len, requests.values()))} judgments, {len(requests)} requests")
    for title in ("all", *sorted(set(sets))):
        chosen = [at for at, own in enumerate(sets) if title in ("all", own)]
        of = lambda system: [values[system][at] for at in chosen]
        cells = [f"{system} {shown(of(system))}" for system in SYSTEMS]
        gains = [f"skills to {other} {shown([a - b for a, b in zip(of('skills'), of(other))])}" for other in SYSTEMS[:2]]
        print(f"{title} ({len(chosen)}): " + "; ".join(cells + gains))


if __name__ == "__main__":
    sys.exit(main())
