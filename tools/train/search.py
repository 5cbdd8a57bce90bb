"""A reimplementation of skc's search for measurements: words by FTS5, vectors, and both as one score (RFC-0011:C-SCORE)."""
import math
import re
import sqlite3
from pathlib import Path

import numpy as np

WORDS_RS = Path(__file__).resolve().parents[2] / "domain/skill/src/discovery/words.rs"
TEXT_WEIGHTS, SAID_WEIGHTS = (4.0, 2.0, 0.5, 0.5), (3.0, 1.0)
CANDIDATES, SCORED_BY_WORDS, WORDS_MAX, WORD_SCORE_MAX, FURTHER = 100, 1000, 64, 2.2, 1000
LATIN_LAST = "\u024f"
STOP_WORDS = set(re.findall(r'"([a-z]+)"', WORDS_RS.read_text(encoding="utf-8").split("STOP_WORDS")[1].split("];")[0]))
CJK = r"\u1100-\u11ff\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3031-\u3035\u3038-\u303c\u3041-\u3096\u3099-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3105-\u312f\u3131-\u318e\u31a0-\u31bf\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97c\uac00-\ud7fb\uf900-\ufaff\uff66-\uffdc"
SEPARATE = re.compile(f"(?<=[{CJK}])(?=\\w)|(?<=\\w)(?=[{CJK}])")


def separated(text):
    """The text with CJK characters separated into words of their own."""
    return SEPARATE.sub("\u200b", text)


def words(request):
    """The words to search for: without stop words, unless only those remain."""
    found = []
    for run in re.findall(r"[^\W_]+", request.lower()):
        for part in re.findall(f"[{CJK}]+|[^{CJK}]+", run):
            is_pairs = re.match(f"[{CJK}]", part) and len(part) > 2
            found += [part[at:at + 2] for at in range(len(part) - 1)] if is_pairs else [part]
    found = list(dict.fromkeys(found))[:WORDS_MAX]
    return [word for word in found if word not in STOP_WORDS] or found


def weight(rows, holding):
    return math.log(1 + (rows + FURTHER - holding + 0.5) / (holding + 0.5))


def says_only_the_language(word, rows):
    """Whether a word of another script than the Latin one is held by no skill, and so does not count."""
    return not rows and min(word) > LATIN_LAST


def own_weight(rows, holding):
    value = math.log((rows - holding + 0.5) / (holding + 0.5))
    return value if value > 0 else 1e-6


class Words:
    """The scores of skills by words."""

    def __init__(self, skills):
        self.count = len(skills)
        self.names = [skill.name.lower() for skill in skills]
        self.db = sqlite3.connect(":memory:")
        tokenize = "tokenize='porter unicode61 remove_diacritics 2'"
        self.db.execute(f"CREATE VIRTUAL TABLE texts USING fts5(name, description, headings, body, content='', {tokenize})")
        self.db.execute(f"CREATE VIRTUAL TABLE said USING fts5(name, description, content='', {tokenize})")
        for at, skill in enumerate(skills):
            name, description, headings, body = map(separated, (skill.name, skill.description, skill.headings, skill.body))
            self.db.execute("INSERT INTO texts(rowid, name, description, headings, body) VALUES (?,?,?,?,?)",
                            (at + 1, name, description, headings, body))
            self.db.execute("INSERT INTO said(rowid, name, description) VALUES (?,?,?)", (at + 1, name, description))

    def _rows(self, table, word, weights):
        marks = ",".join("?" * len(weights))
        phrase = '"' + separated(word) + '"'
        rows = self.db.execute(f"SELECT rowid, -bm25({table}, {marks}) FROM {table} WHERE {table} MATCH ?", (*weights, phrase))
        return rows.fetchall()

    def shares(self, request, alone):
        """The score of each skill as a part of the highest; 0 if no word matches. `alone` adds name and description."""
        scores, highest = np.zeros(self.count), 0.0
        for word in words(request):
            for table, weights in (("texts", TEXT_WEIGHTS), ("said", SAID_WEIGHTS))[:1 + alone]:
                rows = self._rows(table, word, weights)
                if says_only_the_language(word, rows):
                    break
                ours, own = weight(self.count, len(rows)), own_weight(self.count, len(rows))
                for row, score in rows:
                    scores[row - 1] += ours * min(max(score / own, 0), WORD_SCORE_MAX)
                highest += ours * WORD_SCORE_MAX
        return scores / highest if highest else scores

    def tiers(self, request):
        """1 for a skill whose name begins with a one-word request, 2 for one that is named, else 0."""
        text = request.strip().removeprefix("$").lower()
        prefix = not re.search(r"\s", text)
        return np.array([2 if name == text else 1 if prefix and name.startswith(text) else 0 for name in self.names])


def best(scores, count=CANDIDATES):
    """The scores of the best skills, 0 for the others; and which skills these are."""
    order = np.argsort(-scores, kind="stable")[:count]
    inside = np.zeros(len(scores), dtype=bool)
    inside[order] = scores[order] > 0
    return np.where(inside, scores, 0.0), inside


def place(scores, inside):
    """The position of a score between the lowest and the highest of the best ones."""
    if not inside.any():
        return np.zeros(len(scores))
    low, high = scores[inside].min(), scores[inside].max()
    return np.where(inside, (scores - low) / (high - low) if high > low else 1.0, 0.0)


def fused(shares, cosines, part=0.4, scale=(0.0, 1.0), relative=False):
    """One score: `part` words and the rest meaning. `scale` (a, b) turns a cosine into (cosine - a) / b. Skills that either contributes
    have both scores; `relative` places each between the least and the best of its own hundred instead."""
    words_best, words_in = best(shares)
    near, near_in = best(np.maximum(cosines, 1e-9))
    if relative:
        return part * place(words_best, words_in) + (1 - part) * place(near, near_in)
    scored, _ = best(shares, SCORED_BY_WORDS)
    near = np.clip((np.maximum(cosines, 1e-9) - scale[0]) / scale[1], 0, 1)
    return np.where(words_in | near_in, part * scored + (1 - part) * near, 0.0)


def ranked(scores, tiers):
    """The first ten skills, best first."""
    order = np.lexsort((np.arange(len(scores)), -scores, -tiers))
    return order[:10].tolist()


def quality(results, relevant):
    """nDCG@10 and hit@1."""
    gain = sum(1 / math.log2(at + 2) for at, result in enumerate(results) if result in relevant)
    ideal = sum(1 / math.log2(at + 2) for at in range(min(10, len(relevant))))
    return gain / ideal, float(bool(results) and results[0] in relevant)


def interval(values, seed=1, draws=2000):
    """The mean and its 95 % bootstrap interval."""
    values = np.asarray(values, dtype=float)
    draws = np.random.default_rng(seed).integers(0, len(values), (draws, len(values)))
    low, high = np.percentile(values[draws].mean(1), [2.5, 97.5])
    return values.mean(), low, high
