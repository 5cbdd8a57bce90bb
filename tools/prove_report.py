#!/usr/bin/env python3
"""Runs `skc prove` on skills of a folder, among all its others; prints a table, the times and the lowest scores.

  prove_report.py FOLDER [--skc PATH] [--work DIR] [--skills N] [--model DIR] [--json FILE]

FOLDER holds skills at any depth; all of them are in the catalog. Draws N of them (50), the same on every run. With --model, a folder with the
files of the embedding model, meaning counts too; its vectors are computed first, and not timed.

Exit status: 1 if a proof crashes or takes longer than the thirty seconds that RFC-0016 allows.
"""
import argparse, json, os, random, sys, time

sys.dont_write_bytecode = True
from skc import RELEASE, Site, work_folder

SEED = 17
LIMIT_S = 30
LOWEST_SHOWN = 10


def drawn(top, most):
    folders = sorted(place for place, _, files in os.walk(top) if "SKILL.md" in files)
    return sorted(random.Random(SEED).sample(folders, min(most, len(folders))))


def percent(score):
    return "-" if score is None else "%d" % int(score * 100 + 1e-9)


def row(reply, seconds):
    loads, chosen, reached = (reply[key] for key in ("loads", "chosen", "reached"))
    calls, size = reached["calls"] or {}, reached["bytes"] or {}
    return [reply["skill"], percent(reply["score"]), "%d/%d" % (loads["loading"], loads["clients"]),
            "%d/%d" % (chosen["headings"]["right"], chosen["headings"]["total"]),
            "%d/%d" % (reached["reached"], reached["measured"]),
            "%s, %s" % (calls.get("median", "-"), calls.get("worst", "-")),
            "%s, %s" % (size.get("median", "-"), size.get("worst", "-")), "%.1f" % seconds]


def print_lowest(replies):
    known = [reply for reply in replies if reply["score"] is not None]
    for reply in sorted(known, key=lambda reply: reply["score"])[:LOWEST_SHOWN]:
        print("\n%s: %s %% by %s" % (reply["skill"], percent(reply["score"]), reply["weakest"]))
        for drop in reply["loads"]["dropped_by"][:2]:
            print("  not loaded by %s: %s" % (drop["client"], drop["why"]))
        if reply["reached"].get("reason"):
            print("  " + reply["reached"]["reason"])
        for lost in reply["chosen"]["lost"][:3]:
            print("  '%s': won by %s, itself %s" % (lost["query"], lost["winner"], lost["rank"]))
        for far in reply["reached"]["far"][:2]:
            print("  %s:%d '%s': %s calls" % (far["file"], far["line"], far["section"], far["calls"]))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("--skc", default=RELEASE)
    parser.add_argument("--work")
    parser.add_argument("--skills", type=int, default=50)
    parser.add_argument("--model")
    parser.add_argument("--json")
    given = parser.parse_args()
    top = os.path.abspath(given.folder)
    with work_folder(given.work, "prove") as work:
        site = Site(given.skc, work)
        os.makedirs(os.path.join(site.home, ".skillc"), exist_ok=True)
        with open(os.path.join(site.home, ".skillc", "config.toml"), "w") as config:
            config.write("[discovery]\nroots = [%s]\nlenient = true\n" % json.dumps(top))
        if given.model:
            site.run("model", "install", "--from", os.path.abspath(given.model), limit_s=600)
            site.run("find", "warm", "--index", limit_s=3600)
        replies, slowest, crashes = [], 0.0, 0
        print("seed %d" % SEED)
        print("| skill | score | loads | chosen | reached | calls (median, worst) | bytes (median, worst) | s |")
        print("|---|---|---|---|---|---|---|---|")
        for folder in drawn(top, given.skills):
            start = time.monotonic()
            answer = site.run("prove", folder, "--format", "json")
            seconds = time.monotonic() - start
            slowest = max(slowest, seconds)
            if answer.status != 0:
                crashes += 1
                print("| %s | %s |" % (os.path.basename(folder), answer.brief()))
                continue
            replies.append(json.loads(answer.out))
            print("| %s |" % " | ".join(row(replies[-1], seconds)), flush=True)
        print_lowest(replies)
    print("\n%d proved, %d failed, slowest %.1f s" % (len(replies), crashes, slowest))
    if given.json:
        with open(given.json, "w") as out:
            json.dump(replies, out)
    sys.exit(1 if crashes or slowest > LIMIT_S else 0)


if __name__ == "__main__":
    main()
