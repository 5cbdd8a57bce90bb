#!/usr/bin/env python3
"""Kills builds at random moments and checks that every later command answers correctly.

  kill_builds.py [--skc PATH] [--kills 80] [--files 2000] [--work DIR] [--keep] [--seed N]

Three kinds in turn: a first build, a build after editing 30 files, a build after one edit. Each is killed
with SIGKILL at a moment spread over the time that such a build takes, until so many kills met a build that
was still running. After each kill:

  - outline, list, show and search answer from the state that the sources are in, or show and search say
    E002; never another code, a panic, or a mixture of two states (every source file carries the number of
    the generation in which it was last written);
  - once the first command has run, stub, manifest and index are of one generation;
  - the database is sound (`integrity_check`, and FTS5's own);
  - the next build succeeds, and then every command answers with what the sources say.

Exit status: 0 when all of it holds, 1 when something does not.
"""
import argparse, glob, json, os, random, re, shutil, signal, sqlite3, statistics, sys, time
from dataclasses import dataclass, field

sys.dont_write_bytecode = True
from skc import RELEASE, Site, work_folder

SKILL = "killed"
MARKED_FILES = 30               # carry the generation, and are edited together
COMMON = "commonmark"           # stands beside the generation in every marked file
GENERATION = re.compile(r"generation(\d{4,})")
TRIES_A_KILL = 6                # give up when so many times the wanted kills were tried
TIMINGS = 5                     # builds of each kind whose median is the time to spread over
POLL_S = 0.0002                 # how often a build that is to be killed is watched
OVERSHOOT = 1.05                # the last moments of a build are met too
RUNTIME_FILES = re.compile(r"SKILL\.md|\.skillc-meta/(manifest\.json|search-[0-9a-f]{16}\.db|logs\.db.*|.*lock.*)")


# --- the skill -----------------------------------------------------------------------------------------

class Source:
    """The files of the skill, and the generation of each marked file."""

    def __init__(self, folder, files, seed):
        self.folder, self.files = folder, files
        self.rng = random.Random(seed)
        self.words = ["".join(self.rng.choice("bdfgklmnprstvz") + self.rng.choice("aeiou") for _ in range(3))
                      for _ in range(2000)]
        self.generation = 1
        self.of = {}
        step = max(1, files // MARKED_FILES)
        self.marked = [self.path(i) for i in range(0, files, step)][:MARKED_FILES]
        for i in range(files):
            self.write(self.path(i), self.text(i))
        for path in self.marked:
            self.mark(path)

    @staticmethod
    def path(i):
        return "references/part%02d/file%04d.md" % (i // 40, i) if i else "SKILL.md"

    def text(self, i):
        sections = ["## Part %d\n\n%s\n" % (n, " ".join(self.rng.choices(self.words, k=120))) for n in range(4)]
        return "# File %04d\n\n%s" % (i, "\n".join(sections))

    def write(self, path, text):
        place = os.path.join(self.folder, path)
        os.makedirs(os.path.dirname(place), exist_ok=True)
        with open(place, "w", encoding="utf-8") as file:
            file.write(text)

    def mark(self, path):
        """Rewrites one file with the current generation."""
        number = self.marked.index(path)
        word = "generation%04d" % self.generation
        front = ""
        if path == "SKILL.md":
            front = "---\nname: %s\ndescription: A skill of %s. Use when killing builds.\n---\n" % (SKILL, word)
        body = self.text(number)
        self.write(path, "%s%s\n\n## Mark %d\n\n%s %s\n\n## Heading of %s\n\nEnd.\n"
                   % (front, body, number, COMMON, word, word))
        self.of[path] = self.generation

    def next_generation(self, count):
        """Rewrites this many marked files. SKILL.md, whose description reaches the stub, is always one of them."""
        self.generation += 1
        others = self.rng.sample(self.marked[1:], count - 1)
        for path in ["SKILL.md", *others]:
            self.mark(path)


# --- what the runtime holds ----------------------------------------------------------------------------

@dataclass
class Published:
    """The stub, manifest and index on disk; None for a missing one."""
    stub_generation: int | None = None
    manifest_hash: str | None = None
    index_hash: str | None = None
    index_generation: int | None = None
    faults: list = field(default_factory=list)


def read_published(site, scratch):
    seen = Published()
    try:
        with open(site.stub(SKILL), encoding="utf-8") as file:
            found = GENERATION.search(file.read().split("\n---", 1)[0])
        seen.stub_generation = int(found.group(1)) if found else 0
    except FileNotFoundError:
        pass
    try:
        with open(site.manifest(SKILL), encoding="utf-8") as file:
            seen.manifest_hash = json.load(file)["source_hash"]
    except FileNotFoundError:
        pass
    except (ValueError, KeyError) as error:
        seen.faults.append("manifest is not whole: %r" % error)
    read_index(site, scratch, seen)
    return seen


def read_index(site, scratch, seen):
    """Reads a copy of the index with its journal, because opening the database itself would repair it before skc has to."""
    shutil.rmtree(scratch, ignore_errors=True)
    os.makedirs(scratch)
    found = glob.glob(os.path.join(glob.escape(site.runtime(SKILL)), ".skillc-meta", "search-*.db*"))
    for file in found:
        if re.search(r"\.db(-journal|-wal|-shm)?$", file):
            shutil.copy(file, scratch)
    databases = glob.glob(os.path.join(glob.escape(scratch), "*.db"))
    if not databases:
        return
    connection = sqlite3.connect(databases[0])
    try:
        if not connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
            return                                      # created, and nothing committed: no index yet
        sound = connection.execute("PRAGMA integrity_check").fetchone()[0]
        if sound != "ok":
            seen.faults.append("integrity_check: %s" % sound)
        meta = dict(connection.execute("SELECT key, value FROM index_meta"))
        seen.index_hash = meta.get("source_hash")
        check_full_text(connection, seen)
        texts = connection.execute("SELECT content FROM sections WHERE file = 'SKILL.md'")
        said = {int(n) for (text,) in texts for n in GENERATION.findall(text)}
        seen.index_generation = said.pop() if len(said) == 1 else None
        if said:
            seen.faults.append("the index holds several generations of SKILL.md")
    except sqlite3.Error as error:
        seen.faults.append("the database cannot be read: %s" % error)
    finally:
        connection.close()


def check_full_text(connection, seen):
    try:
        connection.execute("INSERT INTO sections(sections, rank) VALUES('integrity-check', 1)")
        connection.rollback()
    except sqlite3.Error as error:
        seen.faults.append("FTS5's integrity-check: %s" % error)


def disagreement(seen):
    """Why the three are not of one build; '' if they are, or if none exists."""
    parts = {"stub": seen.stub_generation, "manifest": seen.manifest_hash, "index": seen.index_hash}
    missing = [name for name, value in parts.items() if value is None]
    if len(missing) == 3:
        return ""
    if missing:
        return "only some of the runtime is there, without: " + ", ".join(missing)
    if seen.manifest_hash != seen.index_hash:
        return "manifest and index have different source hashes"
    if seen.stub_generation != seen.index_generation:
        return "the stub is of generation %s, the index of %s" % (seen.stub_generation, seen.index_generation)
    return ""


# --- what the commands say -----------------------------------------------------------------------------

class Truth:
    """Runs commands and compares their answers with the sources."""

    def __init__(self, site, source):
        self.site, self.source = site, source

    def outline(self):
        answer = self.site.run("outline", SKILL)
        wanted = "Heading of generation%04d" % self.source.of["SKILL.md"]
        return answer, [] if wanted in answer.out else ["outline lacks %r" % wanted]

    def list(self):
        answer = self.site.run("list", "--format", "json")
        try:
            json.loads(answer.out)
        except ValueError:
            return answer, ["list gave no JSON"]
        return answer, [] if SKILL in answer.out else ["list does not name the skill"]

    def show(self):
        number = self.source.rng.randrange(len(self.source.marked))
        answer = self.site.run("show", SKILL, "--section", "Mark %d" % number)
        said = {int(n) for n in GENERATION.findall(answer.out)}
        true = self.source.of[self.source.marked[number]]
        return answer, [] if said == {true} else ["show says generations %s, the file %d" % (said, true)]

    def search(self):
        """Searches for the word that is in every marked file; each result also shows a generation."""
        answer, results = self.ask(COMMON)
        faults = [] if {r["file"] for r in results} == set(self.source.of) else ["search misses marked files"]
        for result in results:
            said = {int(n) for n in GENERATION.findall(result["snippet"].replace("[MATCH]", "").replace("[/MATCH]", ""))}
            true = self.source.of.get(result["file"])
            if said - {true}:
                faults.append("search says %s is of %s, the file %s" % (result["file"], said, true))
        return answer, faults

    def search_generation(self):
        """Searches for the newest generation's word, which only the files of that generation have."""
        answer, results = self.ask("generation%04d" % self.source.generation)
        true = {path for path, of in self.source.of.items() if of == self.source.generation}
        found = {r["file"] for r in results}
        return answer, [] if found == true else ["search finds %d files of the newest generation, there are %d"
                                                 % (len(found), len(true))]

    def ask(self, word):
        answer = self.site.run("search", SKILL, word, "--limit", "500", "--format", "json")
        try:
            return answer, json.loads(answer.out)["results"]
        except (ValueError, KeyError):
            return answer, []

    def check(self, name, may_refuse):
        """Runs one command; returns (whether it answered, faults)."""
        answer, faults = getattr(self, name)()
        if answer.is_crash:
            return False, ["crash: " + answer.brief()]
        if answer.status == 0:
            return True, faults
        if may_refuse and name not in ("outline", "list") and answer.code == "E002":
            return False, []
        return False, ["refused: " + answer.brief()]


COMMANDS = ["outline", "list", "show", "search", "search_generation"]


# --- the kills -----------------------------------------------------------------------------------------

@dataclass
class Kind:
    """One kind of build: what precedes it, and the results of its kills."""
    name: str
    before: object
    durations_s: list = field(default_factory=list)
    wanted: int = 0
    tries: int = 0
    landed: int = 0
    answered: int = 0
    refused: int = 0
    published: int = 0
    at: list = field(default_factory=list)
    faults: list = field(default_factory=list)

    @property
    def duration_s(self):
        """The duration of recent builds. Builds that end before their kill update it, so that it follows the machine's load."""
        return statistics.median(self.durations_s[-TIMINGS:])


class Killer:
    def __init__(self, site, source):
        self.site, self.source = site, source
        self.truth = Truth(site, source)
        self.scratch = os.path.join(site.work, "look")
        self.leftover = set()

    def first(self):
        shutil.rmtree(self.site.runtime(SKILL), ignore_errors=True)
        self.source.next_generation(2)

    def many(self):
        self.source.next_generation(MARKED_FILES)

    def one(self):
        self.source.next_generation(1)

    def start(self):
        return self.site.start("build", SKILL, "--target", os.path.join(self.site.work, "agent"))

    def time(self, kind):
        """Measures how long such a build takes."""
        for _ in range(TIMINGS):
            kind.before()
            process = self.start()
            began = time.perf_counter()
            if process.wait() != 0:
                raise SystemExit("a build that nobody killed ended with %d: %s"
                                 % (process.returncode, self.site.run("build", SKILL).brief()))
            kind.durations_s.append(time.perf_counter() - began)

    def kill_once(self, kind):
        """Starts one build and kills it. Checks follow only if the build was still running."""
        kind.before()
        kind.tries += 1
        # The golden ratio's multiples are spread evenly however many are taken.
        share = kind.tries * 0.6180339887498949 % 1.0
        process, began = self.start(), time.perf_counter()
        due = began + share * kind.duration_s * OVERSHOOT
        while (left := due - time.perf_counter()) > 0 and process.poll() is None:
            time.sleep(min(left, POLL_S))
        if process.poll() is not None:
            kind.durations_s.append(time.perf_counter() - began)
        process.send_signal(signal.SIGKILL)
        if process.wait() == -signal.SIGKILL:
            kind.landed += 1
            kind.at.append(share * OVERSHOOT)
            faults = self.after(kind)
        else:
            faults = self.rebuild()
        kind.faults += ["kill at %.0f %%: %s" % (share * OVERSHOOT * 100, fault) for fault in faults]

    def after(self, kind):
        """Checks everything after a kill; returns the violations."""
        turn = kind.landed % len(COMMANDS)
        order = COMMANDS[turn:] + COMMANDS[:turn]
        faults = []
        is_published = False
        for position, name in enumerate(order):
            # E002 is the truth about an index of the state before; about one of the state after it is not.
            did_answer, wrong = self.truth.check(name, may_refuse=not is_published)
            faults += wrong
            if name not in ("outline", "list"):
                kind.answered += did_answer
                kind.refused += not did_answer
            if position == 0:
                seen, wrong = self.agreement("after the first command (%s)" % name)
                faults += wrong
                is_published = seen.index_generation == self.source.generation
                kind.published += is_published
        faults += self.agreement("after all commands")[1]
        faults += self.rebuild()
        return faults

    def agreement(self, when):
        """What is published, and what is wrong with it."""
        seen = read_published(self.site, self.scratch)
        why = disagreement(seen)
        return seen, ["%s: %s" % (when, fault) for fault in seen.faults + ([why] if why else [])]

    def rebuild(self):
        """Builds again; from then on every answer has to be correct."""
        answer = self.site.run("build", SKILL, "--target", os.path.join(self.site.work, "agent"))
        if answer.status != 0:
            return ["the next build failed: " + answer.brief()]
        faults = []
        for name in COMMANDS:
            faults += ["after the next build: " + wrong for wrong in self.truth.check(name, may_refuse=False)[1]]
        seen, wrong = self.agreement("after the next build")
        faults += wrong
        if seen.stub_generation != self.source.of["SKILL.md"]:
            faults.append("after the next build: the stub is of generation %s" % seen.stub_generation)
        self.note_leftover()
        return faults

    def note_leftover(self):
        runtime = self.site.runtime(SKILL)
        for folder, _, files in os.walk(runtime):
            for file in files:
                path = os.path.relpath(os.path.join(folder, file), runtime)
                if not RUNTIME_FILES.fullmatch(path):
                    self.leftover.add(path)


def run(site, files, kills, seed):
    """Kills builds of each kind in turn; returns the kinds, and the files that builds left behind."""
    source = Source(site.source(SKILL), files, seed)
    killer = Killer(site, source)
    kinds = [Kind("first build", killer.first), Kind("30 files edited", killer.many), Kind("one edit", killer.one)]
    for position, kind in enumerate(kinds):
        kind.wanted = kills // 3 + (position < kills % 3)
        killer.time(kind)
        print("%s: %.1f ms" % (kind.name, kind.duration_s * 1e3), flush=True)
    while any(is_open(kind) for kind in kinds):
        for kind in kinds:
            if is_open(kind):
                killer.kill_once(kind)
    return kinds, killer.leftover


def is_open(kind):
    return kind.landed < kind.wanted and kind.tries < kind.wanted * TRIES_A_KILL


def spread(shares):
    """The number of kills in each fifth of the build's duration."""
    fifths = [0] * 5
    for share in shares:
        fifths[min(4, int(share * 5))] += 1
    return "/".join(map(str, fifths))


def report(kinds, leftover):
    for kind in kinds:
        print("%-16s %d of %d tries landed, by fifths of the build %s; found published %d; "
              "show and search answered %d, E002 or fault %d; faults %d"
              % (kind.name, kind.landed, kind.tries, spread(kind.at), kind.published, kind.answered,
                 kind.refused, len(kind.faults)))
        for fault in kind.faults[:8]:
            print("    " + fault)
        if len(kind.faults) > 8:
            print("    … %d more" % (len(kind.faults) - 8))
    if leftover:
        print("note: left in the runtime after a finished build: " + ", ".join(sorted(leftover)))
    landed, wanted = sum(k.landed for k in kinds), sum(k.wanted for k in kinds)
    faults = sum(len(k.faults) for k in kinds)
    holds = landed >= wanted and not faults
    print("total: %d kills inside a running build (wanted %d), %d faults: %s"
          % (landed, wanted, faults, "ok" if holds else "MISS"))
    return holds


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--skc", default=RELEASE)
    parser.add_argument("--kills", type=int, default=80)
    parser.add_argument("--files", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--work", help="must be new or empty (else a temporary folder)")
    parser.add_argument("--keep", action="store_true", help="leave the project, and say where it is")
    args = parser.parse_args()
    with work_folder(args.work, "kill", args.keep) as work:
        print("seed %d, %d files, in %s" % (args.seed, args.files, work))
        holds = report(*run(Site(args.skc, work), args.files, args.kills, args.seed))
    sys.exit(0 if holds else 1)


if __name__ == "__main__":
    main()
