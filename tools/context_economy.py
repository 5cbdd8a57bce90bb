#!/usr/bin/env python3
"""Measures what an agent takes in to reach a section: through skc's stub and tools, and by reading files itself.

  context_economy.py FOLDER [--skc PATH] [--work DIR] [--skills N] [--sections N]

FOLDER holds skills at any depth; those with a second Markdown file count. Draws skills and, in each, sections, the same on
every run, in two halves of different skills. Sections with sections below them are not drawn. For each section the agent reads the stub, calls skc_search with its heading,
takes the result that names the file and the heading (or asks again with a higher limit, where the reply says so), and calls skc_show with both as they were given. Without skc it reads
SKILL.md and then the file of the section. Prints, for each half, bytes on both ways, their quotient, and in how many cases
the very section was shown.

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
    """The sections of a file without sections below them: what a question is about."""
    found = list(headings(body))
    for (line, level, text), after in zip(found, found[1:] + [(0, 0, "")]):
        if after[1] <= level:
            yield path, line, text


def named(text):
    """The file and the section of each result, as the text of a search names them."""
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
    """`skc mcp` of a site, as an agent calls it."""

    def __init__(self, site):
        self.child = subprocess.Popen([site.skc, "mcp", "--tools", "read"], cwd=site.project, env=site.env,
                                      stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.number = 0

    def call(self, tool, **arguments):
        """The text that the model reads, and the data."""
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


def measure(site, server, half):
    sums = dict(stub=0, search=0, show=0, plain=0, sections=0, reached=0)
    misses = []
    for name, folder, files, sections in half:
        with open(site.stub(name), "rb") as stub:
            stub_bytes = len(stub.read())
        for path, line, heading in sections:
            found_text, meant = "", []
            for more in ({}, {"limit": MANY}):
                text, _ = server.call("skc_search", skill=name, query=heading, **more)
                found_text += text
                results = named(text)
                meant = [(file, section) for file, section in results
                         if file == path and section in (heading, "%s (line %d)" % (heading, line))]
                if meant or "more hold the words: raise" not in text:
                    break
            meant = meant or results[:1]
            shown_text, shown = "", {}
            if meant:
                file, section = meant[0]
                shown_text, shown = server.call("skc_show", skill=name, file=file, section=section)
            plain = len(files["SKILL.md"].encode()) + (len(files[path].encode()) if path != "SKILL.md" else 0)
            sums["stub"] += stub_bytes
            sums["search"] += len(found_text.encode())
            sums["show"] += len(shown_text.encode())
            sums["plain"] += plain
            sums["sections"] += 1
            if shown.get("file") == path and shown.get("start_line") == line:
                sums["reached"] += 1
            else:
                misses.append("%s %s:%d '%s' -> %s:%s" % (name, path, line, heading, shown.get("file"), shown.get("start_line")))
    return sums, misses


def report(label, sums, misses):
    count = sums["sections"]
    taken = sums["stub"] + sums["search"] + sums["show"]
    quotient, reached = taken / sums["plain"], sums["reached"] / count
    print("%s: %d sections; stub %d, search %d, show %d, reading files %d bytes on average; quotient %.3f, reached %.3f"
          % (label, count, *(sums[key] // count for key in ("stub", "search", "show", "plain")), quotient, reached))
    for miss in misses[:MISSES_SHOWN]:
        print("  missed", miss)
    return quotient <= QUOTIENT_MOST and reached >= REACHED_LEAST


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("--skc", default=RELEASE)
    parser.add_argument("--work")
    parser.add_argument("--skills", type=int, default=300)
    parser.add_argument("--sections", type=int, default=3)
    given = parser.parse_args()
    with work_folder(given.work, "economy") as work:
        site = Site(given.skc, work)
        skills = []
        for number, (folder, files, sections) in enumerate(drawn(given.folder, given.skills, given.sections)):
            name = "%03d-%s" % (number, re.sub(r"[^a-z0-9-]", "-", os.path.basename(folder).lower()))
            shutil.copytree(folder, site.source(name), symlinks=True)
            if site.run("build", name, "--target", os.path.join(site.work, "agent")).status == 0:
                skills.append((name, folder, files, sections))
        server = Server(site)
        halves = [skills[0::2], skills[1::2]]
        good = [report("half %d" % at, *measure(site, server, half)) for at, half in enumerate(halves, 1)]
        server.end()
    sys.exit(0 if all(good) else 1)


if __name__ == "__main__":
    main()
