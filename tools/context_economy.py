#!/usr/bin/env python3
"""Measures how many bytes an agent reads to reach a section: through skc's stub and tools, and by reading the files itself.

  context_economy.py FOLDER [--skc PATH] [--other PATH] [--work DIR] [--skills N] [--sections N]

FOLDER holds skills at any depth; those with a second Markdown file count. Draws skills and, in each, sections, the same on
every run, in two halves of different skills. Sections with sections below them are not drawn. For each section the agent reads the stub, or
knows the skill from its entry in the list of `skc catalog`. It calls skc_search with the heading, takes the result that names the
file and the heading (or asks again with a higher limit, where the reply says so), and calls skc_show with both as they were given. Without
skc it reads SKILL.md and then the file of the section. Prints, for each half, bytes on each way, their quotients, and in how many
cases the very section was shown. --other names another program with the commands build, search and show, which is measured by its
command line in the same way, and has no limits.

Exit status: 0 when both halves are within the limits below, 1 when one is not.
"""
import argparse, json, os, random, re, shutil, subprocess, sys

sys.dont_write_bytecode = True
from skc import RELEASE, Site, work_folder

QUOTIENT_MOST = 0.10
REACHED_LEAST = 0.995
SEED = 17
MISSES_SHOWN = 5
MANY = 200                      # the limit of a search that is asked again, as its reply says


def headings(text):
    """(line, level, text) of each ATX heading outside of code fences and front matter; lines count from 1."""
    fence, inside, lines = None, False, text.split("\n")
    for number, line in enumerate(lines, 1):
        if number == 1 and line.rstrip() == "---" and "---" in [other.rstrip() for other in lines[1:]]:
            inside = True
            continue
        if inside:
            inside = line.rstrip() != "---"
            continue
        mark = re.match(r" {0,3}(`{3,}|~{3,})(.*)", line)
        if fence:
            if mark and mark[1][0] == fence[0] and len(mark[1]) >= len(fence) and not mark[2].strip():
                fence = None
            continue
        if mark and not ("`" in mark[2] and mark[1][0] == "`"):
            fence = mark[1]
            continue
        heading = re.match(r"(#{1,6})[ \t]+(.*?)(?:[ \t]+#+)?[ \t\r]*$", line)
        if heading and re.search(r"\w", heading[2]) and not re.search(r"[*_`\[\]<>\\&]", heading[2]):
            yield number, len(heading[1]), heading[2]


def leaves(path, body):
    """The sections of a file that have no subsections; the questions are about these."""
    found = list(headings(body))
    for (line, level, text), after in zip(found, found[1:] + [(0, 0, "")]):
        if after[1] <= level:
            yield path, line, text


def named(text):
    """The file and the section of each result, as the text of a search gives them."""
    return [tuple(line.split("#", 1)) for line in text.split("\n") if "#" in line and not line.startswith(" ")]


def markdown_files(folder):
    for place, inner, files in os.walk(folder):
        inner[:] = sorted(name for name in inner if not name.startswith("."))
        for name in sorted(files):
            if name.lower().endswith(".md") and not name.startswith("."):
                path = os.path.join(place, name)
                try:
                    with open(path, encoding="utf-8", newline="") as file:
                        yield os.path.relpath(path, folder), file.read()
                except UnicodeDecodeError:
                    continue


def drawn(top, skills_most, sections_most):
    """Skills in a random order, each with some of its sections: (folder, files, [(file, line, heading)])."""
    rng = random.Random(SEED)
    folders = sorted(place for place, _, files in os.walk(top) if "SKILL.md" in files)
    rng.shuffle(folders)
    found = []
    for folder in folders:
        if len(found) == skills_most:
            break
        files = dict(markdown_files(folder))
        sections = [leaf for path, body in files.items() for leaf in leaves(path, body)]
        if len(files) > 1 and len(sections) >= sections_most:
            found.append((folder, files, rng.sample(sections, sections_most)))
    return found


class Server:
    """Runs `skc mcp` for a site and calls its tools as an agent does."""

    def __init__(self, site):
        self.child = subprocess.Popen([site.skc, "mcp", "--tools", "read"], cwd=site.project, env=site.env,
                                      stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.number = 0

    def call(self, tool, **arguments):
        """Calls a tool; returns the text that the model reads, and the data."""
        self.number += 1
        meta = {"io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientCapabilities": {},
                "io.modelcontextprotocol/clientInfo": {"name": "economy", "version": "1"}}
        params = {"name": tool, "arguments": arguments, "_meta": meta}
        line = json.dumps({"jsonrpc": "2.0", "id": self.number, "method": "tools/call", "params": params})
        self.child.stdin.write(line.encode() + b"\n")
        self.child.stdin.flush()
        result = json.loads(self.child.stdout.readline())["result"]
        text = "".join(block.get("text", "") for block in result["content"])
        return text, result.get("structuredContent") or {}

    def end(self):
        self.child.stdin.close()
        self.child.wait()


class Agent:
    """An agent that uses the tools of skc. Each step returns the text that it reads."""

    def __init__(self, site):
        self.site, self.server = site, Server(site)
        block = site.run("catalog", "--max-entries", "100000", "--max-bytes", str(16 << 20)).out
        entries = re.findall(r" *<skill>.*?</skill>\n", block, re.DOTALL)
        self.entries = {re.search("<path>(.*)</path>", entry)[1]: len(entry.encode()) for entry in entries}

    def entry(self, name):
        return self.entries[os.path.join(self.site.source(name), "SKILL.md")]

    def search(self, name, path, line, heading):
        """Returns the text of all searches, and the name of the section that the agent chooses."""
        found, results = "", []
        for more in ({}, {"limit": MANY}):
            text, _ = self.server.call("skc_search", skill=name, query=heading, **more)
            found += text
            results = named(text)
            meant = [(file, section) for file, section in results
                     if file == path and section in (heading, "%s (line %d)" % (heading, line))]
            if meant or not re.search("more.*: raise", text):
                return found, meant or results[:1]
        return found, results[:1]

    def show(self, name, file, section, expected):
        """Returns the text, and whether it is that of the expected file and line."""
        text, shown = self.server.call("skc_show", skill=name, file=file, section=section)
        return text, (shown.get("file"), shown.get("start_line")) == expected[:2]

    def end(self):
        self.server.end()


class OtherAgent:
    """The same by the command line of another program, which names a result as `file#heading (score: …)`. Its text is the expected one
    if the file has it at the expected line."""

    def __init__(self, site):
        self.site = site

    def entry(self, _):
        return 0

    def search(self, name, path, _, heading):
        text = self.site.run("search", name, heading).out
        results = [tuple(line.rsplit(" (score:", 1)[0].split("#", 1)) for line in text.split("\n")
                   if "#" in line and " (score:" in line and not line.startswith(" ")]
        meant = [result for result in results if result == (path, heading)]
        return text, meant or results[:1]

    def show(self, name, file, section, expected):
        text = self.site.run("show", name, "--section", section, "--file", file).out
        return text, bool(text.strip()) and file == expected[0] and expected[2].lstrip().startswith(text.strip())

    def end(self):
        pass


def measure(site, agent, half):
    sums = dict(entry=0, stub=0, search=0, show=0, plain=0, sections=0, reached=0)
    misses = []
    for name, files, sections in half:
        for path, line, heading in sections:
            found, meant = agent.search(name, path, line, heading)
            shown, is_reached = "", False
            if meant:
                text = files[path].split("\n", line - 1)[-1]
                shown, is_reached = agent.show(name, *meant[0], (path, line, text))
            sums["entry"] += agent.entry(name)
            sums["stub"] += os.path.getsize(site.stub(name))
            sums["search"] += len(found.encode())
            sums["show"] += len(shown.encode())
            sums["plain"] += len(files["SKILL.md"].encode()) + (len(files[path].encode()) if path != "SKILL.md" else 0)
            sums["sections"] += 1
            sums["reached"] += is_reached
            if not is_reached:
                misses.append("%s %s:%d '%s' -> %s" % (name, path, line, heading, meant))
    return sums, misses


def report(label, sums, misses):
    count, read = sums["sections"], sums["search"] + sums["show"]
    by_stub, by_entry = ((sums[key] + read) / sums["plain"] for key in ("stub", "entry"))
    reached = sums["reached"] / count
    print("%s: %d sections; entry %d, stub %d, search %d, show %d, reading files %d bytes on average"
          % (label, count, *(sums[key] // count for key in ("entry", "stub", "search", "show", "plain"))))
    print("  quotient by the stub %.3f%s, reached %.3f"
          % (by_stub, ", by the entry %.3f" % by_entry if sums["entry"] else "", reached))
    for miss in misses[:MISSES_SHOWN]:
        print("  missed", miss)
    return by_stub <= QUOTIENT_MOST and reached >= REACHED_LEAST


def built(site, drawn_skills):
    """The skills of both halves that the site's program can build, each with its name there and its drawn sections."""
    halves = [], []
    for number, (folder, files, sections) in enumerate(drawn_skills):
        name = re.sub(r"[^a-z0-9-]", "-", os.path.basename(folder).lower())
        if os.path.exists(site.source(name)):
            name = "%s-%d" % (name, number)
        shutil.copytree(folder, site.source(name), symlinks=True)
        if site.run("build", name, "--target", os.path.join(site.work, "agent")).status == 0:
            halves[number % 2].append((name, files, sections))
    return halves


def measured(label, site, agent_of, drawn_skills):
    """Whether both halves are within the limits."""
    halves = built(site, drawn_skills)
    agent = agent_of(site)
    good = [report("%shalf %d" % (label, at), *measure(site, agent, half)) for at, half in enumerate(halves, 1)]
    agent.end()
    return all(good)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("--skc", default=RELEASE)
    parser.add_argument("--other")
    parser.add_argument("--work")
    parser.add_argument("--skills", type=int, default=300)
    parser.add_argument("--sections", type=int, default=3)
    given = parser.parse_args()
    skills = drawn(given.folder, given.skills, given.sections)
    with work_folder(given.work, "economy") as work:
        site = Site(given.skc, os.path.join(work, "own"))
        # The names of the skills differ from those of their numbered folders.
        with open(os.path.join(site.project, ".skillc", "config.toml"), "w") as config:
            config.write("[discovery]\nlenient = true\n")
        is_good = measured("", site, Agent, skills)
        if given.other:
            measured("other program, ", Site(given.other, os.path.join(work, "other")), OtherAgent, skills)
    sys.exit(0 if is_good else 1)


if __name__ == "__main__":
    main()
