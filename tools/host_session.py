#!/usr/bin/env python3
"""Talks to `skc host` as an agent runtime would: lists, searches, loads, inspects, and sends invalid requests.

Prints each step with its time, and ends with status 1 when an answer is not what RFC-0012 says.
"""
import argparse, json, os, subprocess, sys, tempfile, threading, time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import skc as shared

FIELDS = {"id", "name", "description", "path", "dir", "scope", "mtimeMs"}


class Connection:
    """One process with one session. Replies are matched by their ids."""

    def __init__(self, site):
        self.process = subprocess.Popen([site.skc, "host"], cwd=site.project, env=site.env,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.answers, self.nameless, self.changed, self.last = {}, [], threading.Condition(), 0
        threading.Thread(target=self.listen, daemon=True).start()

    def listen(self):
        for line in self.process.stdout:
            message = json.loads(line)
            with self.changed:
                for one in message if isinstance(message, list) else [message]:
                    if one["id"] is None:
                        self.nameless.append(one)
                    else:
                        self.answers[one["id"]] = one
                self.changed.notify_all()

    def send(self, line):
        self.process.stdin.write(line if isinstance(line, bytes) else line.encode() + b"\n")
        self.process.stdin.flush()

    def request(self, method, **params):
        self.last += 1
        return {"jsonrpc": "2.0", "id": self.last, "method": method, "params": params}

    def answer(self, id):
        with self.changed:
            if not self.changed.wait_for(lambda: id in self.answers, timeout=shared.ENDLESS_S):
                raise SystemExit("no answer to request %s" % id)
            return self.answers.pop(id)

    def ask(self, method, **params):
        request = self.request(method, **params)
        self.send(json.dumps(request))
        return self.answer(request["id"])

    def refused(self):
        with self.changed:
            if not self.changed.wait_for(lambda: self.nameless, timeout=shared.ENDLESS_S):
                raise SystemExit("no answer to a bad line")
            return self.nameless.pop(0)["error"]["code"]


class Steps:
    """The steps that were tried, and whether each succeeded."""

    def __init__(self):
        self.failed = 0

    def tell(self, name, holds, since):
        print("%-4s %6.1f ms  %s" % ("ok" if holds else "FAIL", (time.monotonic() - since) * 1000, name))
        self.failed += not holds

    def run(self, name, check):
        since = time.monotonic()
        try:
            holds = bool(check())
        except (KeyError, IndexError, TypeError) as odd:
            print("     %s: %r" % (name, odd))
            holds = False
        self.tell(name, holds, since)


def write_skill(folder, name, description):
    os.makedirs(os.path.join(folder, name))
    with open(os.path.join(folder, name, "SKILL.md"), "w", encoding="utf-8") as file:
        file.write("---\nname: %s\ndescription: %s\n---\n# %s\n\nWhat to do.\n" % (name, description, name))


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--skc", default=shared.RELEASE, help="the program (default: the release build)")
    options.add_argument("--work", help="a folder to work in (default: a temporary one)")
    given = options.parse_args()
    with tempfile.TemporaryDirectory(dir=given.work) as work:
        sys.exit(1 if session(shared.Site(given.skc, work)) else 0)


def session(site):
    write_skill(os.path.join(site.project, ".agents", "skills"), "release-notes", "Drafts release notes from commits.")
    write_skill(os.path.join(site.home, ".agents", "skills"), "discord", "Sends a message to a Discord channel.")
    host, steps = Connection(site), Steps()
    ask = lambda method, **params: host.ask(method, **params)["result"]
    code = lambda method, **params: host.ask(method, **params)["error"]["code"]

    listed = ask("skills.list")
    steps.run("skills.list gives both skills, the repository's first",
              lambda: [s["name"] for s in listed["skills"]] == ["release-notes", "discord"] and listed["errors"] == [])
    steps.run("each has the fields of the specification", lambda: all(set(s) == FIELDS for s in listed["skills"]))
    steps.run("skills.list looks again when it is forced",
              lambda: ask("skills.list", cwd=site.project, force_reload=True) == listed)
    steps.run("skill.search finds by words",
              lambda: ask("skill.search", query="release notes")["results"][0]["name"] == "release-notes")
    loaded = ask("skill.load", name="discord")
    steps.run("skill.load gives the context", lambda: loaded["text"].startswith('<skill_context name="discord"'))
    steps.run("a second time it is held back", lambda: ask("skill.load", name="discord")["suppressed"])
    steps.run("its ref brings it back", lambda: ask("skill.load", ref=loaded["ref"])["text"] == loaded["text"])
    steps.run("context.inspect tells what was loaded", lambda: [
        s["name"] for s in ask("context.inspect", include_skills=True)["skills"]["loaded"]] == ["discord"])
    steps.run("an empty query discovers nothing",
              lambda: ask("skill.discovery.search", query="", limit=5) == {"results": []})
    found = host.ask("skill.discovery.search", query="send a message on Discord", limit=5)
    steps.run("discovery answers, or says that there is no model", lambda: (
        found["result"]["results"][0]["name"] == "discord" if "result" in found else found["error"]["data"]["code"]))
    steps.run("an unknown method is -32601", lambda: code("no.such") == -32601)
    steps.run("an unknown parameter is -32602", lambda: code("skills.list", no=1) == -32602)
    steps.run("an unknown skill has a code and a hint", lambda: (
        host.ask("skill.load", name="no-such")["error"]["data"]["code"] == "E071"))
    for line, expected in [(b"no JSON\n", -32700), (b"\xff\n", -32700), (b"[]\n", -32600), (b"7\n", -32600),
                           (b'{"jsonrpc":"2.0","id":1,"method":"' + b"x" * (2 << 20) + b'"}\n', -32600)]:
        host.send(line)
        steps.run("a bad line %r is %d" % (line[:12], expected), lambda: host.refused() == expected)

    requests = [host.request("skill.search", query="release", limit=1) for _ in range(200)]
    since = time.monotonic()
    threading.Thread(target=lambda: [host.send(json.dumps(one)) for one in requests], daemon=True).start()
    answered = [host.answer(one["id"]) for one in requests]
    steps.tell("200 requests at once are all answered", all("result" in one for one in answered), since)
    batch = [host.request("skills.list"), host.request("no.such")]
    host.send(json.dumps(batch))
    steps.run("an array is answered", lambda: "result" in host.answer(batch[0]["id"]) and "error" in host.answer(batch[1]["id"]))

    host.process.stdin.close()
    steps.run("the end of the input ends it with status 0", lambda: host.process.wait(timeout=shared.ENDLESS_S) == 0)
    steps.run("nothing went to standard error", lambda: host.process.stderr.read() == b"")
    return steps.failed


if __name__ == "__main__":
    main()
