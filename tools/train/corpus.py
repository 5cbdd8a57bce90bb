"""Loads the skills and requests, and splits the repositories for training, early stopping and testing."""
import gzip
import json
import random
import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
REQUESTS = HERE / "requests.tsv.gz"
INVENTED = HERE / "invented.tsv.gz"
SEED = 21
# Shares of the skills; a repository that would exceed one by more than SLACK is for training.
TEST_SHARE, STOP_SHARE, SLACK = 0.08, 0.06, 1.1
TEST_REQUESTS = 300
HARD, EASY = ("s", "g", "x"), ("n", "word", "typo", "long")


@dataclass(frozen=True)
class Skill:
    id: int
    name: str
    repository: str
    path: str
    description: str
    body: str
    headings: str

    @property
    def meaning(self):
        """The text that is embedded, as RFC-0011 defines it."""
        return f"{re.sub('[-_]', ' ', self.name)}: {self.description}"


@dataclass(frozen=True)
class Request:
    skill: int
    kind: str
    text: str

    @property
    def group(self):
        return "hard" if self.kind in HARD else "easy" if self.kind in EASY else "languages"


def split_text(markdown):
    """The body and the headings of a SKILL.md."""
    match = re.match(r"\ufeff?---\r?\n.*?\n---[ \t]*(\r?\n|$)", markdown, re.S)
    body, headings, fence = markdown[match.end():] if match else markdown, [], None
    for line in body.splitlines():
        mark = re.match(r" {0,3}(```+|~~~+)", line)
        if mark and (fence is None or line.strip().startswith(fence)):
            fence = None if fence else mark[1][:3]
        elif fence is None and (heading := re.match(r" {0,3}#{1,6}[ \t]+(.*?)[ \t#]*$", line)):
            headings.append(heading[1])
    return body, "\n".join(headings)


def skills(path):
    """The skills of a corpus: lines of {"id", "name", "repo", "path", "description", "skill_md"}, compressed."""
    found = []
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            body, headings = split_text(row["skill_md"])
            found.append(Skill(row["id"], row["name"] or "", row["repo"], row["path"], row["description"] or "", body, headings))
    return found


def rows(path=REQUESTS):
    """The stored requests: (repository, path, name, kind, text)."""
    with gzip.open(path, "rt", encoding="utf-8", newline="") as lines:
        return [tuple(line.rstrip("\n").split("\t")) for line in lines][1:]


def requests(all_skills):
    """The stored requests of these skills."""
    ids = {(skill.repository, skill.path): skill.id for skill in all_skills}
    return [Request(ids[repository, path], kind, text) for repository, path, _, kind, text in rows() if (repository, path) in ids]


def invented():
    """The invented skills, which have no repository and negative numbers, and their requests."""
    found, asked = [], []
    with gzip.open(INVENTED, "rt", encoding="utf-8", newline="") as lines:
        for kind, *texts in (line.rstrip("\n").split("\t") for line in lines):
            if kind == "d":
                found.append(Skill(-1 - len(found), texts[0], "", "", texts[1], "", ""))
            else:
                asked.append(Request(found[-1].id, kind, texts[0]))
    return found, asked


def split(all_skills):
    """The repositories for the test and for early stopping. All others are for training."""
    return split_sizes(Counter(skill.repository for skill in all_skills))


def split_sizes(sizes, seed=SEED):
    """Like `split`, from the number of skills that each repository has."""
    order, count = sorted(sizes), sum(sizes.values())
    random.Random(seed).shuffle(order)
    chosen, taken = {"test": set(), "stop": set()}, {"test": 0, "stop": 0}
    for repository in order:
        for part, share in (("test", TEST_SHARE), ("stop", STOP_SHARE)):
            most = share * count
            if taken[part] < most * 0.9 and taken[part] + sizes[repository] <= most * SLACK:
                chosen[part].add(repository)
                taken[part] += sizes[repository]
                break
    return chosen["test"], chosen["stop"]


def test_requests(all_requests, seed=SEED):
    """The requests of the test, drawn from those of the repositories that training leaves out."""
    order = sorted(all_requests, key=lambda request: (request.skill, request.kind, request.text))
    return random.Random(seed).sample(order, min(TEST_REQUESTS, len(order)))
