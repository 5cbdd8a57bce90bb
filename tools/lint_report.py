#!/usr/bin/env python3
"""Lints every skill below a folder; reports how often each rule fires, what was slow and what failed.

  lint_report.py FOLDER --skc PATH                    table of rules
  lint_report.py FOLDER --skc PATH --sample 50 --seed 7 [--family SKL5]
                                                      findings to judge by hand: at least three of each rule that fired
  lint_report.py FOLDER --skc PATH --fix [--unsafe]   on a copy: what --fix changes, whether a second run changes
                                                      more, and whether front matter keeps its values (needs PyYAML)
"""
import argparse, collections, concurrent.futures, json, os, random, shutil, subprocess, sys, tempfile

SECONDS_MAX = 60


def run(skc, line, home):
    env = {**os.environ, "SKILLC_HOME": home}
    return subprocess.run([skc, *line], capture_output=True, env=env, cwd=home, timeout=SECONDS_MAX)


def skill_folders(top):
    """Every folder with a SKILL.md directly inside, sorted, without hidden folders."""
    for folder, inner, files in os.walk(top):
        inner[:] = sorted(name for name in inner if not name.startswith("."))
        if "SKILL.md" in files:
            yield folder


def lint(skc, skill, home, extra=()):
    try:
        done = run(skc, ["lint", skill, "--format", "json", "--distrust", "--force", *extra], home)
    except subprocess.TimeoutExpired:
        return skill, None, "time-out"
    if b"a fault in skc itself" in done.stderr or done.returncode not in (0, 1):
        return skill, None, done.stderr.decode(errors="replace")[:300]
    try:
        return skill, json.loads(done.stdout), None
    except ValueError:
        return skill, None, done.stderr.decode(errors="replace")[:300]


def lint_all(args, home, extra=()):
    skills = list(skill_folders(args.folder))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(lambda s: lint(args.skc, s, home, extra), skills))


def table(results):
    fired, skills, severity, names = collections.Counter(), collections.Counter(), {}, {}
    for _, reply, _ in results:
        rules = collections.Counter(d["rule"] for d in (reply or {}).get("diagnostics", []))
        fired.update(rules)
        skills.update(rules.keys())
        for d in (reply or {}).get("diagnostics", []):
            severity[d["rule"]], names[d["rule"]] = d["severity"], d["name"]
    broken = [(s, why) for s, reply, why in results if reply is None]
    print(f"{len(results)} skills, {len(broken)} broken, {sum(1 for _, r, _ in results if r and not r['diagnostics'])} clean")
    for skill, why in broken:
        print("  broken:", skill, why)
    print("| rule | name | severity | findings | skills |\n|---|---|---|---|---|")
    for rule in sorted(fired):
        print(f"| {rule} | {names[rule]} | {severity[rule]} | {fired[rule]} | {skills[rule]} |")
    verdicts = collections.Counter()
    for _, reply, _ in results:
        for skill in (reply or {}).get("skills", []):
            verdicts.update((v["profile"], v["standing"]) for v in skill["verdicts"])
    for (profile, standing), count in sorted(verdicts.items()):
        print(f"{profile}: {standing} {count}")


def sample(args, results):
    by_rule = collections.defaultdict(list)
    for skill, reply, _ in results:
        for d in (reply or {}).get("diagnostics", []):
            if d["rule"].startswith(args.family):
                by_rule[d["rule"]].append((skill, d))
    rng = random.Random(args.seed)
    drawn = []
    for rule in sorted(by_rule):
        rng.shuffle(by_rule[rule])
        drawn += by_rule[rule][:3]
        by_rule[rule] = by_rule[rule][3:]
    rest = [found for rule in sorted(by_rule) for found in by_rule[rule]]
    rng.shuffle(rest)
    drawn += rest[: max(0, args.sample - len(drawn))]
    print(f"seed {args.seed}: {len(drawn)} findings")
    for at, (skill, d) in enumerate(sorted(drawn, key=lambda f: f[1]["rule"])):
        print(f"\n[{at}] {d['rule']} {d['name']} {skill}/{d['file']}:{d['line']}:{d['column']}\n    {d['message']}")
        path = os.path.join(skill, d["file"])
        try:
            lines = open(path, encoding="utf-8").read().split("\n")
        except (OSError, UnicodeDecodeError):
            continue
        for n in range(max(0, d["line"] - args.around - 1), min(len(lines), d["line"] + args.around)):
            print("    %s%5d| %s" % (">" if n + 1 == d["line"] else " ", n + 1, lines[n][:220]))


def front_matter(path):
    import yaml

    text = open(path, encoding="utf-8-sig", newline="").read()
    parts = text.split("---", 2)
    if not text.startswith("---") or len(parts) < 3:
        return None
    try:
        return yaml.load(parts[1], Loader=yaml.BaseLoader)
    except yaml.YAMLError:
        return "unreadable"


def digest(folder):
    found = {}
    for where, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(where, name)
            if not os.path.islink(path):
                found[path] = open(path, "rb").read()
    return found


def fix(args, home):
    copy = os.path.join(home, "copy")
    shutil.copytree(args.folder, copy, symlinks=True)
    args.folder = copy
    skills = list(skill_folders(copy))
    fronts = {s: front_matter(os.path.join(s, "SKILL.md")) for s in skills}
    before = digest(copy)
    extra = ["--fix"] + (["--unsafe"] if args.unsafe else [])
    first = lint_all(args, home, extra)
    once = digest(copy)
    lint_all(args, home, extra)
    twice = digest(copy)
    fixed = collections.Counter()
    for _, reply, why in first:
        if reply is None:
            print("broken:", why)
            continue
        for line in reply["skills"][0]["fixed"]:
            fixed[line.split(": ", 1)[1]] += 1
    print(f"files changed {sum(before[p] != once.get(p) for p in before)} of {len(before)}, by a second run {sum(once[p] != twice.get(p) for p in once)}")
    for what, count in fixed.most_common():
        print(f"  {count:5d} {what}")
    changed = collections.Counter()
    for s in skills:
        now = front_matter(os.path.join(s, "SKILL.md"))
        if now != fronts[s]:
            reply = next(r for k, r, _ in first if k == s)
            why = sorted({line.split(": ", 1)[1] for line in reply["skills"][0]["fixed"] if line.startswith("SKILL.md")})
            was = "unreadable before" if fronts[s] in (None, "unreadable") else "other values"
            changed[(was, "; ".join(why))] += 1
    print("front matter that reads otherwise (as text, PyYAML):")
    for (was, why), count in changed.most_common():
        print(f"  {count:5d} {was}: {why}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("--skc", required=True)
    parser.add_argument("--sample", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--family", default="SKL5")
    parser.add_argument("--around", type=int, default=2)
    parser.add_argument("--fix", action="store_true")
    parser.add_argument("--unsafe", action="store_true")
    args = parser.parse_args()
    args.skc, args.folder = os.path.abspath(args.skc), os.path.abspath(args.folder)
    with tempfile.TemporaryDirectory() as home:
        if args.fix:
            return fix(args, home)
        results = lint_all(args, home, ["--profile", "all"])
        if args.sample:
            sample(args, results)
        else:
            table(results)


if __name__ == "__main__":
    sys.exit(main())
