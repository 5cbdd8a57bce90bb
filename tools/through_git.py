#!/usr/bin/env python3
"""Commits skills to a git repository each, clones it as a colleague would, and checks what works in the clone.

  through_git.py FOLDER... [--skc PATH] [--work DIR] [--keep] [--list]

For every skill below the FOLDERs: a repository with the skill in `skills/`; `skc init --in-place`, `skc build --all`, everything
committed; a clone for another home, built there. In the clone no link leads into the first repository and no file names it, no log
was committed, every script is in the base directory that skc names and beside the stub, byte for byte and with its permissions. Then
the skill is switched off by the name of its folder, and must be gone from every surface: find, catalog, load, the deployed links, and all that the MCP server
offers (tools, resources, prompts); after `enable` it is back. Skills are read leniently, so that those whose name is not that of
their folder are seen as well. A skill that is not built is counted with the reason.
"""
import argparse, json, os, re, select, shutil, subprocess, sys, time
from collections import Counter
from find_scripts import BASE, is_same, others, skills_below
from skc import RELEASE, Site, work_folder

GIT = ["git", "-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "init.defaultBranch=main", "-c", "core.autocrlf=false"]
SERVER_S = 60
DESCRIPTION = re.compile(r"(?m)^description:\s*(.*(?:\n[ \t]+.*)*)")
NAME = re.compile(r"(?m)^name:\s*[\"']?([^\"'\n]*[^\"'\s])")


class Clone(Site):
    """A home directory with one repository in it."""

    def __init__(self, skc, work):
        self.skc, self.work = os.path.abspath(skc), work
        self.home = os.path.join(work, "home")
        self.project = os.path.join(self.home, "repository")
        self.skills = os.path.join(self.project, "skills")
        self.env = {"PATH": os.environ["PATH"], "HOME": self.home, "SKILLC_HOME": self.home, "NO_COLOR": "1", "LC_ALL": "C.UTF-8"}
        os.makedirs(os.path.join(self.home, ".claude"))

    def git(self, *args, cwd=None):
        subprocess.run([*GIT, *args], cwd=cwd or self.project, env=self.env, check=True, capture_output=True)


class Server:
    """`skc mcp` on stdio."""

    def __init__(self, site):
        self.process = subprocess.Popen([site.skc, "mcp"], cwd=site.project, env=site.env, stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.number, self.rest = 0, b""
        hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "through-git", "version": "0"}}
        self.call("initialize", hello)
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def send(self, message):
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()

    def call(self, method, params):
        """Sends a request with a new id and returns the whole reply."""
        self.number += 1
        self.send({"jsonrpc": "2.0", "id": self.number, "method": method, "params": params})
        end = time.monotonic() + SERVER_S
        while True:
            while b"\n" in self.rest:
                line, self.rest = self.rest.split(b"\n", 1)
                reply = json.loads(line)
                if reply.get("id") == self.number:
                    return reply
            if not select.select([self.process.stdout], [], [], max(0, end - time.monotonic()))[0]:
                raise TimeoutError(method)
            part = os.read(self.process.stdout.fileno(), 1 << 16)
            if not part:
                raise EOFError(method)
            self.rest += part

    def tool(self, name, arguments):
        reply = self.call("tools/call", {"name": name, "arguments": arguments})
        return reply.get("result", {}), "error" in reply or reply.get("result", {}).get("isError", False)

    def listed(self, method, key):
        entries, cursor = [], None
        while True:
            result = self.call(method, {"cursor": cursor} if cursor else {}).get("result", {})
            entries += result.get(key, [])
            cursor = result.get("nextCursor")
            if not cursor:
                return entries

    def close(self):
        self.process.stdin.close()
        self.process.wait(20)


def words(description):
    """A request that should find the skill: the first words of its description."""
    return " ".join(re.findall(r"\w[\w'-]+", description)[:12]) or "skill"


def surfaces(site, name, own, description):
    """Where a reader or an agent sees a skill, by its folder's name or its own: surface → whether it is there."""
    query = words(description)
    found = lambda *argv: site.run(*argv, "--format", "json")
    names = lambda answer: not {name, own}.isdisjoint(re.findall(r'"name":\s*"([^"]+)"', answer.out))
    seen = {
        "find": names(found("find", query, "--limit", "20")),
        "catalog": names(found("catalog")),
        "load": any(site.run("load", "--", given).status == 0 for given in (name, own)),
        "link .claude": os.path.lexists(os.path.join(site.project, ".claude", "skills", name)),
    }
    server = Server(site)
    try:
        result, _ = server.tool("skill_search", {"query": query, "limit": 20})
        said = json.dumps(result)
        seen["skill_search"] = '"%s"' % name in said or '"%s"' % own in said or "/%s/SKILL.md" % name in said
        for tool, arguments in (("skill_load", {"name": own}), ("skc_outline", {"skill": name}), ("skc_sources", {"skill": name}),
                                ("skc_open", {"skill": name, "path": "SKILL.md"}), ("skc_search", {"skill": name, "query": query})):
            seen[tool] = not server.tool(tool, arguments)[1]
        uris = [entry["uri"] for entry in server.listed("resources/list", "resources")]
        seen["resources/list"] = any("/%s/" % given in uri for uri in uris for given in (name, own))
        read = ["error" not in server.call("resources/read", {"uri": "skill://%s/SKILL.md" % given}) for given in (name, own)]
        seen["resources/read"] = any(read)
        prompt = {"type": "ref/prompt", "name": "use_skill"}
        seen["prompts/get"] = "error" not in server.call("prompts/get", {"name": prompt["name"], "arguments": {"name": own}})
        completed = server.call("completion/complete", {"ref": prompt, "argument": {"name": "name", "value": own}})
        seen["completion"] = own in completed.get("result", {}).get("completion", {}).get("values", [])
        server.close()
    finally:
        server.process.kill()
    return seen


def names_first(clone, first):
    """The files and link targets of a clone that mention a folder of the first repository."""
    needle = os.fsencode(first)
    for root, folders, files in os.walk(clone):
        for entry in [*folders, *files]:
            path = os.path.join(root, entry)
            if os.path.islink(path):
                target = os.fsencode(os.readlink(path))
                if target.startswith(b"/") or needle in target:
                    yield "link " + os.path.relpath(path, clone)
            elif os.path.isfile(path) and "/.git/" not in path:
                with open(path, "rb") as file:
                    if needle in file.read():
                        yield os.path.relpath(path, clone)


def missing_scripts(site, name, source):
    """The files of a built skill that an agent does not find."""
    wanted = sorted(others(source))
    base = BASE.search(site.run("sources", "--", name).err)
    beside = os.path.join(site.project, ".claude", "skills", name)
    missing = []
    for path in wanted:
        origin = os.path.join(source, path)
        if not base or not is_same(origin, os.path.join(site.project, base.group(1), path)):
            missing.append(path + " (base directory)")
        elif not is_same(origin, os.path.join(beside, path)):
            missing.append(path + " (beside the stub)")
    return missing, len(wanted)


def through(skc, skill, work):
    """Runs one skill; returns (name, reason why it is not built, number of scripts, faults, surfaces before)."""
    first, second = (Clone(skc, os.path.join(work, name)) for name in ("first", "second"))
    folder = os.path.basename(skill)
    shutil.copytree(skill, os.path.join(first.skills, folder))
    first.git("init", "-q")
    first.run("init", "--in-place")
    first.run("config", "set", "discovery.lenient", "true")
    built = first.run("build", "--all")
    runtimes = os.path.join(first.project, ".skillc", "runtime")
    folders = sorted(os.listdir(runtimes)) if os.path.isdir(runtimes) else []
    names = [entry for entry in folders if os.path.isfile(os.path.join(runtimes, entry, "SKILL.md"))]
    if len(names) != 1:
        return folder, built.brief(), 0, [], {}
    name, faults = names[0], []
    first.git("add", "-A")
    first.git("commit", "-q", "-m", "All")
    os.makedirs(os.path.dirname(second.project), exist_ok=True)
    second.git("clone", "-q", first.project, second.project, cwd=second.home)
    faults += ["committed: " + path for path in names_first(second.project, first.home)]
    for root, _, files in os.walk(second.project):
        faults += ["log: " + file for file in files if "/.skillc" in root and re.search(r"\.(db|log|jsonl)(-|$)", file) and "/runtime" not in root]
    again = second.run("build", "--all")
    if again.status != 0:
        return name, None, 0, faults + [again.brief()], {}
    missing, count = missing_scripts(second, name, os.path.join(second.skills, folder))
    faults += ["not found: " + path for path in missing]
    with open(os.path.join(second.skills, folder, "SKILL.md"), encoding="utf-8", errors="replace") as file:
        front = file.read()
    description, own = (re.search(pattern, front) for pattern in (DESCRIPTION, NAME))
    seen_as = (name, own.group(1) if own else name, description.group(1) if description else name)
    before = surfaces(second, *seen_as)
    off = second.run("disable", "--project", "--", name)
    faults += [] if off.status == 0 else [off.brief()]
    faults += ["still in %s" % surface for surface, is_there in surfaces(second, *seen_as).items() if is_there]
    if "disabled" not in second.run("list").out:
        faults.append("list does not mark it as disabled")
    on = second.run("enable", "--project", "--", name)
    faults += [] if on.status == 0 else [on.brief()]
    after = surfaces(second, *seen_as)
    faults += ["not back in %s" % surface for surface, was in before.items() if was and not after[surface]]
    return name, None, count, faults, before


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+")
    parser.add_argument("--skc", default=RELEASE)
    parser.add_argument("--work")
    parser.add_argument("--keep", action="store_true")
    parser.add_argument("--list", action="store_true", help="print each skill that is missing on a surface before it is switched off")
    args = parser.parse_args()
    unbuilt, faulty, scripts, seen, number = Counter(), 0, 0, Counter(), 0
    with work_folder(args.work, "git", args.keep) as work:
        for skill in sorted(path for folder in args.folders for path in skills_below(os.path.abspath(folder))):
            number += 1
            own = os.path.join(work, "%04d" % number)
            try:
                name, reason, count, faults, before = through(args.skc, skill, own)
            except Exception as error:                  # a fault of one skill must not hide those of the others
                name, reason, count, faults, before = os.path.basename(skill), None, 0, ["%s: %s" % (type(error).__name__, error)], {}
            scripts += count
            if reason:
                unbuilt[reason.split(": ", 1)[-1]] += 1
                print("%s: not built: %s" % (name, reason))
            for fault in faults:
                print("%s: %s" % (name, fault))
            faulty += bool(faults)
            seen.update(surface for surface, is_there in before.items() if is_there)
            if args.list and before and not all(before.values()):
                print("%s: before, not in %s" % (name, ", ".join(s for s, there in before.items() if not there)))
            sys.stdout.flush()
            if not args.keep:
                shutil.rmtree(own, ignore_errors=True)
    print("%d repositories, %d not built, %d scripts, %d with faults" % (number, sum(unbuilt.values()), scripts, faulty))
    print("seen before: " + ", ".join("%s %d" % pair for pair in sorted(seen.items())))
    sys.exit(1 if faulty else 0)


if __name__ == "__main__":
    main()
