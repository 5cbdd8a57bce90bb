#!/usr/bin/env python3
"""Grows a home to many skills, many files and many events, and lets many clients and processes use it at once.

    python3 tools/scale.py [--skc PATH] [--work DIR] [--skills 100,300] [--files 300] [--events 2000]
        [--clients 16] [--processes 8] [--seconds 8] [--svg FILE]

Prints a table of CPU times for each number of skills, the growth of memory of a server, and the longest time of each command.
Fails if an answer is wrong, an event is lost, or a server's memory grows by more than a quarter and 16 MiB after its first third.
The long form is `--skills 1000,10000,100000 --files 10000 --events 1000000 --clients 200 --processes 64 --seconds 600`; with 100,000
skills on two cores 200 clients are more than one server answers in time.
"""

import argparse
import collections
import http.client
import json
import math
import os
import random
import resource
import sqlite3
import subprocess
import sys
import threading
import time

from skc import RELEASE, Site, work_folder

# Skills are about one of so many topics, each with a word of its own.
ADJECTIVES = "quick careful nightly monthly signed remote local legacy shared draft".split()
NOUNS = "invoice report ledger badge photo parcel ticket recipe schedule contract".split()
VERBS = "merges checks prints sorts archives exports imports renames compares signs".split()

# A scan ends at 32,768 folders below one folder of skills (RFC-0010), so more skills are spread over several.
FOLDER_SKILLS = 30000

# Of the home's skills, those that are built and asked for sections.
BUILT = 20


class Wrong(Exception):
    """An answer that is not what it must be."""


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as file:
        file.write(text)


def word(number):
    """A word that only the skill of this number has; neither split nor stemmed."""
    return "zq%dkx" % number


def name(number):
    return "skill-%06d" % number


def folder_of(site, number):
    """The folder of a skill: in the home's store, or in one that the configuration names."""
    more = number // FOLDER_SKILLS
    place = "more/%d" % more if more else ".skillc/skills"
    return os.path.join(site.home, place, name(number))


def write_skill(site, number):
    pick = random.Random(number)
    what = "%s the %s %s" % (pick.choice(VERBS), pick.choice(ADJECTIVES), pick.choice(NOUNS))
    write(os.path.join(folder_of(site, number), "SKILL.md"),
          "---\nname: %s\ndescription: It %s of kind %s. Use when %s is named.\n---\n\n# Start\n\nText.\n\n## Part\n\nAbout %s.\n"
          % (name(number), what, word(number), word(number), word(number)))


def measured(site, *words):
    """Runs a command; returns its output, CPU time and wall time in seconds, and its peak memory in MiB."""
    start = time.monotonic()
    child = subprocess.Popen([site.skc, *words], cwd=site.project, env=site.env, stdin=subprocess.DEVNULL,
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    said = {}
    reader = threading.Thread(target=lambda: said.update(err=child.stderr.read()))
    reader.start()
    out = child.stdout.read().decode("utf-8", "replace")
    reader.join()
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    wall = time.monotonic() - start
    if child.returncode != 0:
        raise Wrong("%s: status %s: %s" % (" ".join(words), child.returncode, said["err"].decode()[:300]))
    return out, usage.ru_utime + usage.ru_stime, wall, usage.ru_maxrss / 1024


def growth(site, sizes):
    """The table: for each number of skills, the CPU time of each command."""
    rows, there = {}, 0
    for size in sizes:
        for number in range(there, size):
            write_skill(site, number)
        there = size
        folders = ['"~/more/%d"' % more for more in range(1, (size - 1) // FOLDER_SKILLS + 1)]
        write(os.path.join(site.home, ".skillc/config.toml"), "[discovery]\nroots = [%s]\n" % ", ".join(folders))
        folder = folder_of(site, size - 1)
        # Names are those of stores alone.
        last = name(min(size, FOLDER_SKILLS) - 1)
        commands = {
            "list": ["list", "--format", "json"],
            "find, first": ["find", word(size - 1), "--format", "json"],
            "find": ["find", word(size // 2), "--format", "json"],
            "build": ["build", last],
            "load": ["load", "--path", folder],
            "show": ["show", last, "--section", "Part"],
            "stats": ["stats", last, "--format", "json"],
            "doctor": ["doctor", "--format", "json"],
        }
        for command, words in commands.items():
            # The first call of a new home fills caches; the second is what users wait for.
            runs = [measured(site, *words) for _ in range(1 if command in ("find, first", "list", "doctor") else 3)]
            out, cpu, wall, memory = min(runs, key=lambda run: run[1])
            expected = {"find, first": word(size - 1), "find": word(size // 2), "show": word(min(size, FOLDER_SKILLS) - 1), "load": word(size - 1)}
            if expected.get(command, "") not in out:
                raise Wrong("%s of %s skills: %s" % (command, size, out[:300]))
            rows.setdefault(command, {})[size] = (cpu, wall, memory)
            print("%7d skills  %-12s %9.1f ms CPU %9.1f ms %7.0f MiB"
                  % (size, command, cpu * 1000, wall * 1000, memory), flush=True)
    return rows


def many_files(site, count):
    """A skill of many files is built, edited, built again and read."""
    folder = site.source("many-files")
    write(os.path.join(folder, "SKILL.md"),
          "---\nname: many-files\ndescription: Has many files. Use when testing.\n---\n\n# Start\n\nSee [all](references/).\n")
    for number in range(count):
        write(os.path.join(folder, "references", "%02d" % (number % 100), "f%05d.md" % number),
              "# Heading %d\n\nText about %s.\n\n%s\n" % (number, word(number), "More words of a plain text. " * 20))
    edited = os.path.join(folder, "references/00/f00000.md")
    steps = [("build", ["build", "many-files"]), ("build again", ["build", "many-files"])]
    steps += [("build after an edit", ["build", "many-files"])]
    steps += [("search", ["search", "many-files", word(count - 1)]), ("show", ["show", "many-files", "--section", "Heading %d" % (count - 1)])]
    steps += [("outline", ["outline", "many-files"]), ("sources", ["sources", "many-files"])]
    for step, words in steps:
        if step == "build after an edit":
            write(edited, "# Heading 0\n\nEdited %s.\n" % word(count))
        out, cpu, wall, memory = measured(site, *words)
        if step in ("search", "show") and ("Heading %d" % (count - 1)) not in out:
            raise Wrong("%s of %d files: %s" % (step, count, out[:300]))
        print("%7d files   %-20s %9.1f ms CPU %9.1f ms %7.0f MiB" % (count, step, cpu * 1000, wall * 1000, memory), flush=True)


def many_events(site, count):
    """A log of many events is counted and added to."""
    skill = name(0)
    measured(site, "build", skill)
    measured(site, "show", skill, "--section", "Part")
    log = next(path for path in (os.path.join(root, "logs.db") for root, _, files in os.walk(site.home) if "logs.db" in files)
               if skill in path)
    before = events(site, skill)
    db = sqlite3.connect(log)
    table = db.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE '%event_id%'").fetchone()[0]
    columns = [row[1] for row in db.execute("PRAGMA table_info(%s)" % table) if row[1] != "id"]
    key = db.execute("SELECT typeof(event_id) FROM %s LIMIT 1" % table).fetchone()[0]
    fresh = "printf('019c%%08x-7000-8000-%%012x', 0, n)" if key == "text" else "unhex(printf('019c%%028x', n))"
    picked = ", ".join(fresh.replace("%%", "%") if column == "event_id" else '"%s"' % column for column in columns)
    db.execute("WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < %d) "
               "INSERT INTO %s (%s) SELECT %s FROM (SELECT * FROM %s LIMIT 1), c"
               % (count, table, ", ".join('"%s"' % c for c in columns), picked, table))
    db.commit()
    db.close()
    for step, words in [("stats", ["stats", skill, "--format", "json"]), ("show", ["show", skill, "--section", "Part"])]:
        out, cpu, wall, memory = measured(site, *words)
        if step == "stats" and json.loads(out)["data"]["total_accesses"] < before + count:
            raise Wrong("events are lost: %s" % out[:300])
        print("%7d events  %-20s %9.1f ms CPU %9.1f ms %7.0f MiB" % (count, step, cpu * 1000, wall * 1000, memory), flush=True)


def events(site, skill):
    """The events of a skill in its log."""
    return json.loads(site.run("stats", skill, "--format", "json").out)["data"]["total_accesses"]


class Clock:
    """The times of calls by name, from several threads."""

    def __init__(self):
        self.lock, self.times, self.wrong = threading.Lock(), collections.defaultdict(list), []

    def add(self, what, seconds):
        with self.lock:
            self.times[what].append(seconds)

    def fail(self, text):
        with self.lock:
            self.wrong.append(text)

    def report(self, title):
        for what, times in sorted(self.times.items()):
            times.sort()
            at = lambda share: times[min(len(times) - 1, int(len(times) * share))] * 1000
            print("%s  %-14s %8d calls  median %8.1f ms  99 %% %8.1f ms  longest %8.1f ms"
                  % (title, what, len(times), at(0.5), at(0.99), times[-1] * 1000), flush=True)
        if self.wrong:
            raise Wrong("%s: %d wrong answers, such as: %s" % (title, len(self.wrong), self.wrong[0]))


def memory_of(pid):
    with open("/proc/%d/status" % pid) as file:
        return next(int(line.split()[1]) / 1024 for line in file if line.startswith("VmRSS"))


def many_clients(site, count, skills, seconds):
    """Clients of one server over HTTP, each with a session of its own, call tools until the time is up."""
    for number in range(BUILT):
        measured(site, "build", name(number))
    before = {number: events(site, name(number)) for number in range(BUILT)}
    server = subprocess.Popen([site.skc, "mcp", "--http", "127.0.0.1:0"], cwd=site.project, env=site.env,
                              stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    try:
        address = next(part for line in server.stderr for part in line.split() if part.startswith("http://"))
        threading.Thread(target=server.stderr.read, daemon=True).start()
        host = address.split("/")[2]
        with open(os.path.join(site.home, ".skillc/mcp-token")) as file:
            token = file.read().strip()
        clock, used, lock = Clock(), collections.Counter(), threading.Lock()
        end = time.monotonic() + seconds

        def client(seed):
            try:
                talk(host, token, seed, skills, end, clock, lambda number: add(used, lock, number))
            except Exception as error:  # noqa: BLE001 (whatever it is, it is reported)
                clock.fail("client %d: %r" % (seed, error))

        threads = [threading.Thread(target=client, args=(seed,)) for seed in range(count)]
        [thread.start() for thread in threads]
        sizes = []
        while any(thread.is_alive() for thread in threads):
            time.sleep(min(1, seconds / 20))
            sizes.append(memory_of(server.pid))
        [thread.join() for thread in threads]
    finally:
        server.terminate()
        server.wait()
    early, late = max(sizes[: max(1, len(sizes) // 3)]), max(sizes[len(sizes) * 2 // 3 :] or sizes)
    print("server: %.0f MiB at most in the first third, %.0f MiB in the last" % (early, late), flush=True)
    clock.report("%d clients" % count)
    for number in range(BUILT):
        # `stats` counts itself after it has counted the others.
        expected, found = before[number] + 1 + used[number], events(site, name(number))
        if found != expected:
            raise Wrong("%s has %d events, not %d" % (name(number), found, expected))
    if late > early * 1.25 + 16:
        raise Wrong("the server's memory grows: %.0f MiB, then %.0f MiB" % (early, late))
    print("%d clients: %d uses of the skills that are counted, and as many events" % (count, sum(used.values())), flush=True)


def add(counter, lock, number):
    with lock:
        counter[number] += 1


def talk(host, token, seed, skills, end, clock, on_used):
    """One client until the end."""
    connection = http.client.HTTPConnection(host, timeout=120)
    headers = {"Authorization": "Bearer " + token, "Content-Type": "application/json",
               "Accept": "application/json, text/event-stream"}

    def post(message):
        connection.request("POST", "/mcp", json.dumps(message), headers)
        response = connection.getresponse()
        body = response.read().decode()
        if response.status not in (200, 202):
            raise Wrong("status %d: %s" % (response.status, body[:200]))
        session = response.headers.get("mcp-session-id")
        if session:
            headers["Mcp-Session-Id"] = session
        data = [line[5:] for line in body.splitlines() if line.startswith("data:") and "{" in line]
        return json.loads(data[-1] if data else body) if body.strip() else {}

    post({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "scale", "version": "1"}}})
    post({"jsonrpc": "2.0", "method": "notifications/initialized"})
    pick, id = random.Random(seed), 0
    while time.monotonic() < end:
        id += 1
        number = pick.randrange(BUILT)
        any_number = pick.randrange(skills)
        tool, arguments, expected = pick.choice([
            ("skill_search", {"query": word(any_number)}, name(any_number)),
            ("skill_load", {"name": name(any_number), "force": True}, word(any_number)),
            ("skc_show", {"skill": name(number), "section": "Part"}, word(number)),
            ("skc_show", {"skill": name(number), "section": "Part"}, word(number)),
        ])
        start = time.monotonic()
        reply = post({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": tool, "arguments": arguments}})
        clock.add(tool, time.monotonic() - start)
        # Each use of a skill is an event of it.
        if tool == "skc_show":
            on_used(number)
        if tool == "skill_load" and any_number < BUILT:
            on_used(any_number)
        if expected not in json.dumps(reply):
            clock.fail("%s %s: %s" % (tool, arguments, json.dumps(reply)[:400]))


def many_processes(site, count, skills, seconds):
    """Processes of mixed commands at once, readers and writers, until the time is up."""
    before = {number: events(site, name(number)) for number in range(BUILT)}
    clock, used, lock = Clock(), collections.Counter(), threading.Lock()
    end = time.monotonic() + seconds

    def worker(seed):
        pick = random.Random(seed)
        own = "own-%03d" % seed
        write(os.path.join(site.source(own), "SKILL.md"),
              "---\nname: %s\ndescription: Is mine. Use when testing.\n---\n\n# Mine\n\nText.\n" % own)
        edits, logged = 0, 0
        while time.monotonic() < end:
            number, any_number = pick.randrange(BUILT), pick.randrange(skills)
            command, expected = pick.choice([
                (["show", name(number), "--section", "Part"], word(number)),
                (["show", name(number), "--section", "Part"], word(number)),
                (["search", name(number), word(number)], "Part"),
                (["find", word(any_number)], name(any_number)),
                (["list"], ""),
                (["build", own], own),
                (["build", own, "--copy", "--force"], own),
                (["undeploy", own], own),
                (["edit"], ""),
            ])
            if command == ["edit"]:
                edits += 1
                write(os.path.join(site.source(own), "references", "r%d.md" % edits), "# Part %d\n\nText.\n" % edits)
                continue
            start = time.monotonic()
            answer = site.run(*command)
            clock.add(command[0], time.monotonic() - start)
            if answer.status != 0 or expected not in answer.out + answer.err:
                clock.fail(answer.brief())
            if command[0] in ("show", "search"):
                add(used, lock, number)
            logged += command[-1] == own or "--copy" in command
        # A skill of one's own has no event of others.
        answer = site.run("stats", own, "--format", "json")
        if answer.status == 0 and logged and json.loads(answer.out)["data"]["total_accesses"] != logged:
            clock.fail("%s: %d commands, %s" % (own, logged, answer.out[:200]))

    threads = [threading.Thread(target=worker, args=(seed,)) for seed in range(count)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    clock.report("%d processes" % count)
    for number in range(BUILT):
        expected, found = before[number] + 1 + used[number], events(site, name(number))
        if found != expected:
            raise Wrong("%s has %d events, not %d" % (name(number), found, expected))
    problems = json.loads(site.run("doctor", "--format", "json").out)["findings"]
    broken = [finding for finding in problems if finding.get("severity") == "error" or finding.get("level") == "error"]
    if broken:
        raise Wrong("doctor: %s" % broken[0])
    print("%d processes: %d events of shared skills, none lost" % (count, sum(used.values())), flush=True)


def plot(rows, path):
    """Draws the table with logarithmic axes."""
    sizes = sorted({size for times in rows.values() for size in times})
    top = max(cpu for times in rows.values() for cpu, _, _ in times.values())
    low = min(cpu for times in rows.values() for cpu, _, _ in times.values())
    left, right, upper, lower = 70, 560, 20, 340
    decades = range(math.floor(math.log10(low * 1000)), math.ceil(math.log10(top * 1000)) + 1)

    def x(size):
        span = math.log10(sizes[-1] / sizes[0]) or 1
        return left + (right - left) * math.log10(size / sizes[0]) / span

    def y(ms):
        return lower - (lower - upper) * (math.log10(ms) - decades[0]) / (decades[-1] - decades[0])

    out = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 700 390" font-family="sans-serif" font-size="12">',
           '<rect width="700" height="390" fill="white"/>']
    for decade in decades:
        ms = 10 ** decade
        out.append('<path d="M%d %.1fH%d" stroke="#ddd"/><text x="%d" y="%.1f" text-anchor="end">%g ms</text>'
                   % (left, y(ms), right, left - 6, y(ms) + 4, ms))
    for size in sizes:
        out.append('<path d="M%.1f %dV%d" stroke="#ddd"/><text x="%.1f" y="%d" text-anchor="middle">%s</text>'
                   % (x(size), upper, lower, x(size), lower + 18, format(size, ",")))
    out.append('<text x="%d" y="%d" text-anchor="middle">skills in the home</text>' % ((left + right) // 2, lower + 40))
    colors = "#1b6ca8 #c0392b #27864b #8e44ad #b9770e #16a085 #555555 #d35400".split()
    used = []
    for (command, times), color in sorted(zip(rows.items(), colors), key=lambda row: row[0][1][sizes[-1]][0]):
        points = " ".join("%.1f,%.1f" % (x(size), y(cpu * 1000)) for size, (cpu, _, _) in sorted(times.items()))
        out.append('<polyline points="%s" fill="none" stroke="%s" stroke-width="2"/>' % (points, color))
        at = y(times[sizes[-1]][0] * 1000)
        at = min([at] + [other - 14 for other in used])
        used.append(at)
        out.append('<text x="%d" y="%.1f" fill="%s">%s</text>' % (right + 8, at + 4, color, command))
    write(path, "\n".join(out) + "\n</svg>\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--skc", default=RELEASE)
    parser.add_argument("--work")
    parser.add_argument("--skills", default="100,300")
    parser.add_argument("--files", type=int, default=300)
    parser.add_argument("--events", type=int, default=2000)
    parser.add_argument("--clients", type=int, default=16)
    parser.add_argument("--processes", type=int, default=8)
    parser.add_argument("--seconds", type=float, default=8)
    parser.add_argument("--svg")
    given = parser.parse_args()
    sizes = [int(size) for size in given.skills.split(",")]
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    with work_folder(given.work, "scale") as work:
        site = Site(given.skc, work)
        try:
            rows = growth(site, sizes)
            if given.svg:
                plot(rows, os.path.abspath(given.svg))
            many_files(site, given.files)
            many_events(site, given.events)
            many_clients(site, given.clients, sizes[-1], given.seconds)
            many_processes(site, given.processes, sizes[-1], given.seconds)
        except Wrong as wrong:
            print("WRONG:", wrong)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
