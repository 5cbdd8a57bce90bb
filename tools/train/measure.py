#!/usr/bin/env python3
"""Measures the encoder, with bootstrap intervals: words alone, the base model and ours, each alone and combined with words.

  measure.py --corpus FILE --base FOLDER --model FOLDER --queries FILE [--out FILE]

`--model` holds skills.safetensors as export.py makes it. Two sets: QUERIES ({"query", "relevant", "kind"}), and the
requests drawn from the repositories left out, each to be found among all skills, twins counting as equally right. The
share of words is chosen on the repositories for stopping.
"""
import argparse
import json
import sys
from pathlib import Path

import numpy as np
import torch

import corpus
import export
import search
from encoder import Encoder

PARTS = (0.1, 0.2, 0.3, 0.4, 0.5)
TWIN = 0.95


def dequantised(path):
    """The weights in a file of export.py as float32."""
    tensors = export.read(path.read_bytes())
    scales = {name[:-6]: tensor for name, tensor in tensors.items() if name.endswith(".scale")}
    return {name: torch.from_numpy(tensor.astype(np.float32) * scales[name][:, None] if name in scales else tensor.copy())
            for name, tensor in tensors.items() if not name.endswith(".scale")}


class Bench:
    """Skills with their vectors from each encoder, and their words."""

    def __init__(self, skills, encoders):
        self.skills, self.words, self.encoders = skills, search.Words(skills), encoders
        self.vectors = {name: encoder.embed([skill.meaning for skill in skills]).numpy() for name, encoder in encoders.items()}
        self.seen = {}

    def add(self, texts):
        """Embeds texts and looks up their words."""
        texts = [text for text in dict.fromkeys(texts) if text not in self.seen]
        asked = {name: encoder.embed(texts).numpy() @ self.vectors[name].T for name, encoder in self.encoders.items()}
        for at, text in enumerate(texts):
            self.seen[text] = {"alone": self.words.shares(text, True), "beside": self.words.shares(text, False),
                               "tiers": self.words.tiers(text)} | {name: rows[at] for name, rows in asked.items()}

    def results(self, text, method):
        """The first ten results of a method: (kind, encoder, share of words)."""
        kind, name, part, *scale = method
        seen = self.seen[text]
        if kind == "words":
            scores = seen["alone"]
        elif kind == "vectors":
            scores = seen[name]
        else:
            scores = search.fused(seen["beside"], seen[name], part, scale[0] if scale else (0, 1), kind == "relative")
        return search.ranked(scores, seen["tiers"])

    def qualities(self, asked, method):
        return np.array([search.quality(self.results(text, method), relevant) for text, relevant, _ in asked])


def twins(skills, base):
    """For each skill, the skills that are equally right: they have its name or almost its text."""
    names = {}
    for at, skill in enumerate(skills):
        names.setdefault(skill.name.lower(), set()).add(at)
    near = base @ base.T > TWIN
    return [names[skill.name.lower()] | set(np.flatnonzero(near[at]).tolist()) for at, skill in enumerate(skills)]


def sets(given, skills, equal):
    """The measuring queries, the requests of the test, and those for choosing the share of words."""
    at = {skill.id: index for index, skill in enumerate(skills)}
    rows = [json.loads(line) for line in given.queries.read_text(encoding="utf-8").splitlines() if line.strip()]
    queries = [(row["query"], {at[number] for number in row["relevant"]}, row["kind"]) for row in rows]
    test, stop = corpus.split(skills)
    asked = corpus.requests(skills)
    of = lambda part: [request for request in asked if skills[at[request.skill]].repository in part]
    as_rows = lambda chosen: [(request.text, equal[at[request.skill]], request.group) for request in chosen]
    return queries, as_rows(corpus.test_requests(of(test))), as_rows(corpus.test_requests(of(stop)))


def table(bench, asked, methods, reference):
    """A Markdown table with one method per line, for all queries and for each kind."""
    kinds = sorted({kind for *_, kind in asked})
    lines = [f"| method | all nDCG@10 [95 %] | hit@1 | {' | '.join(kinds)} | to reference [95 %] |", "|---" * (len(kinds) + 4) + "|"]
    first = bench.qualities(asked, methods[reference])
    for label, method in methods.items():
        values = bench.qualities(asked, method)
        every, hit = search.interval(values[:, 0]), values[:, 1].mean()
        delta = search.interval(values[:, 0] - first[:, 0])
        cells = []
        for kind in kinds:
            chosen = np.array([row[2] == kind for row in asked])
            cells.append("{:.3f} [{:.3f}, {:.3f}]".format(*search.interval(values[chosen, 0])))
        cells = [label, "{:.3f} [{:.3f}, {:.3f}]".format(*every), f"{hit:.3f}", *cells, "{:+.3f} [{:+.3f}, {:+.3f}]".format(*delta)]
        lines.append(f"| {' | '.join(cells)} |")
    counts = ", ".join(f"{kind} {sum(row[2] == kind for row in asked)}" for kind in kinds)
    return "\n".join([f"{len(asked)} requests ({counts})", "", *lines])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("--corpus", "--base", "--model", "--queries"):
        parser.add_argument(name, type=Path, required=True)
    parser.add_argument("--out", type=Path)
    given = parser.parse_args()
    torch.set_num_threads(2)
    skills = corpus.skills(given.corpus)
    ours = Encoder(given.base, dtype=torch.bfloat16, weights=dequantised(given.model / "skills.safetensors"))
    bench = Bench(skills, {"base": Encoder(given.base, dtype=torch.bfloat16), "ours": ours})
    queries, test, choosing = sets(given, skills, twins(skills, bench.vectors["base"]))
    bench.add([text for text, *_ in queries + test + choosing])
    chosen = {kind: max(PARTS, key=lambda part: bench.qualities(choosing, (kind, "ours", part))[:, 0].mean())
              for kind in ("share", "relative")}
    methods = {"words alone": ("words", None, 1), "MiniLM alone": ("vectors", "base", 0), "ours alone": ("vectors", "ours", 0),
               "MiniLM hybrid (as skc: share, 0.4)": ("share", "base", 0.4), "MiniLM hybrid, min-max, 0.4": ("relative", "base", 0.4),
               "ours hybrid (share, 0.4)": ("share", "ours", 0.4), "ours hybrid, min-max, 0.4": ("relative", "ours", 0.4),
               f"ours hybrid, share, {chosen['share']} chosen": ("share", "ours", chosen["share"]),
               f"ours hybrid, min-max, {chosen['relative']} chosen": ("relative", "ours", chosen["relative"])}
    reference = "MiniLM hybrid (as skc: share, 0.4)"
    text = "\n\n".join(f"## {title}\n\n{table(bench, asked, methods, reference)}"
                       for title, asked in (("Queries", queries), ("Repositories left out", test), ("For choosing", choosing)))
    print(text)
    if given.out:
        given.out.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
