#!/usr/bin/env python3
"""Measures which lines of the domain crates the tests run: their own tests, and those of `it` whose names contain a FILTER.

    python3 tools/coverage.py [--min 95] [--missed 20] [FILTER…]

Only the domain crates are instrumented, so the tests take as long as ever. The counts are read by `llvm-profdata` and
`llvm-cov` of the toolchain (`rustup component add llvm-tools`). Exits with status 1 below `--min` percent.
"""

import argparse
import collections
import json
import os
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
CRATES = {"skillc_domain": "skillc-domain", "skillc_lint": "skillc-lint"}


def rustc(words):
    """Compiles in the place of rustc, as cargo's wrapper for crates of the workspace."""
    name = words[words.index("--crate-name") + 1] if "--crate-name" in words else None
    # A program that is not instrumented itself has to ask for the runtime that writes the counts of its crates.
    runtime = ["-Clink-arg=-Wl,-u,__llvm_profile_runtime"] if name else []
    flags = ["-Cinstrument-coverage"] if name in CRATES else runtime
    os.execvp(words[0], words + flags)


def llvm(program):
    sysroot = subprocess.check_output(["rustc", "--print", "sysroot"], text=True).strip()
    found = next(pathlib.Path(sysroot).glob(f"lib/rustlib/*/bin/{program}"), None)
    return found or sys.exit(f"{program} is missing: rustup component add llvm-tools")


def run_tests(filters, profiles):
    """Runs the tests and returns the programs that have counters."""
    environment = dict(os.environ, RUSTC_WORKSPACE_WRAPPER=str(pathlib.Path(__file__).resolve()))
    # One file for each program, which all of its processes add to.
    environment["LLVM_PROFILE_FILE"] = f"{profiles}/%4m.profraw"
    programs = []
    own = [word for package in CRATES.values() for word in ("-p", package)]
    for build, words in [(own + ["--lib"], []), (["-p", "skillc-tests", "--test", "it"], filters)]:
        if build[-1] == "it" and not filters:
            continue
        messages = subprocess.run(
            ["cargo", "test", "--no-run", "--message-format=json", "-q", *build],
            cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True, check=True,
        ).stdout
        built = [json.loads(line) for line in messages.splitlines()]
        programs += sorted({m["executable"] for m in built if m.get("executable")})
        done = subprocess.run(["cargo", "test", "-q", *build, "--", *words], cwd=ROOT, env=environment)
        if done.returncode != 0:
            print("some tests failed; what they ran counts all the same", file=sys.stderr)
    return programs


def lines(programs, profiles):
    """The covered and all lines of each file of the domain."""
    merged = profiles / "all.profdata"
    raw = sorted(profiles.glob("*.profraw"))
    subprocess.run([llvm("llvm-profdata"), "merge", "-sparse", *raw, "-o", merged], check=True)
    objects = [word for program in programs for word in ("-object", program)]
    report = subprocess.check_output(
        [llvm("llvm-cov"), "export", "-summary-only", f"-instr-profile={merged}", *objects], text=True
    )
    for file in json.loads(report)["data"][0]["files"]:
        path = pathlib.Path(file["filename"])
        if path.is_relative_to(ROOT / "domain"):
            counts = file["summary"]["lines"]
            yield path.relative_to(ROOT), counts["covered"], counts["count"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--min", type=float, default=0, help="percent of lines of each crate")
    parser.add_argument("--missed", type=int, default=20, help="how many files to list, those with most missed lines first")
    parser.add_argument("filter", nargs="*")
    given = parser.parse_args()
    profiles = ROOT / "target/coverage"
    shutil.rmtree(profiles, ignore_errors=True)
    profiles.mkdir(parents=True)
    files = list(lines(run_tests(given.filter, profiles), profiles))
    for path, covered, count in sorted(files, key=lambda f: f[1] - f[2])[: given.missed]:
        print(f"{count - covered:5} of {count:5} lines missed  {path}")
    crates = collections.defaultdict(lambda: [0, 0])
    for path, covered, count in files:
        sums = crates["/".join(path.parts[:2])]
        sums[0] += covered
        sums[1] += count
    shares = {crate: 100 * covered / count for crate, (covered, count) in crates.items()}
    for crate, share in sorted(shares.items()):
        print(f"{crate}: {share:.1f} % of {crates[crate][1]} lines")
    return 1 if min(shares.values()) < given.min else 0


if __name__ == "__main__":
    # cargo calls its wrapper with the compiler and the compiler's arguments.
    if len(sys.argv) > 1 and pathlib.Path(sys.argv[1]).name == "rustc":
        rustc(sys.argv[1:])
    sys.exit(main())
