#!/usr/bin/env python3
"""Runs the steps of a composite GitHub action locally, as a runner would.

  run_action.py [--action DIR] [--cwd DIR] [INPUT=VALUE ...]

DIR holds action.yml (else the one of this repository). Inputs that are not given have their defaults; unknown ones are
refused, and so is an expression inside a script, where a runner would put what a caller gives between the lines of it.
Steps run one after the other in --cwd, with GITHUB_OUTPUT, GITHUB_PATH and RUNNER_TEMP; the first that fails ends the
run. Outputs of the action are printed at the end.

Exit status: that of the last step. Needs PyYAML.
"""
import argparse, os, re, subprocess, sys, tempfile
from pathlib import Path

import yaml

EXPRESSION = re.compile(r"\$\{\{\s*([\w.-]+)\s*\}\}")
SHELLS = {"bash": ["bash", "--noprofile", "--norc", "-eo", "pipefail"]}


class Runner:
    """The state of one run of an action: its inputs, the outputs of its steps, and the files that they write to."""

    def __init__(self, action, given, cwd, temp):
        self.action, self.cwd, self.temp = action, cwd, temp
        self.known = {"github.action_path": str(action.parent), "github.workspace": str(cwd)}
        self.spec = yaml.safe_load(action.read_text())
        self.known.update(("inputs." + name, value) for name, value in self.inputs(given).items())
        self.path = os.environ["PATH"]

    def inputs(self, given):
        declared = self.spec.get("inputs", {})
        for name in given.keys() - declared.keys():
            raise SystemExit("the action has no input %r" % name)
        missing = [n for n, i in declared.items() if i.get("required") and "default" not in i and n not in given]
        if missing:
            raise SystemExit("inputs that are required: " + ", ".join(missing))
        return {name: str(given.get(name, about.get("default", ""))) for name, about in declared.items()}

    def filled(self, text):
        """A text with its expressions replaced. A missing output of a step is empty; any other unknown name is an error."""
        def value(match):
            name = match.group(1)
            if name in self.known or name.startswith("steps."):
                return self.known.get(name, "")
            raise SystemExit("no such value: %s" % name)
        return EXPRESSION.sub(value, str(text))

    def run(self):
        for at, step in enumerate(self.spec["runs"]["steps"]):
            status = self.step(at, step)
            if status != 0:
                return status
        return 0

    def step(self, at, step):
        if "${{" in step["run"]:
            raise SystemExit("step %d has an expression in its script" % at)
        script, output, path = (Path(self.temp, "%d-%s" % (at, name)) for name in ("run.sh", "output", "path"))
        script.write_text(step["run"])
        output.touch()
        path.touch()
        env = {**os.environ, "PATH": self.path, "GITHUB_OUTPUT": str(output), "GITHUB_PATH": str(path),
               "RUNNER_TEMP": self.temp, "GITHUB_WORKSPACE": str(self.cwd), "GITHUB_ACTIONS": "true", "CI": "true"}
        env.update((name, self.filled(value)) for name, value in step.get("env", {}).items())
        print("== %s" % step.get("name", at), flush=True)
        status = subprocess.run(SHELLS[step["shell"]] + [str(script)], cwd=self.cwd, env=env).returncode
        self.path = os.pathsep.join(reversed([self.path, *path.read_text().split("\n")[:-1]]))
        for line in output.read_text().splitlines():
            name, _, value = line.partition("=")
            self.known["steps.%s.outputs.%s" % (step.get("id", at), name)] = value
        return status

    def outputs(self):
        return {name: self.filled(about["value"]) for name, about in self.spec.get("outputs", {}).items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--action", type=Path, default=Path(__file__).resolve().parent.parent)
    parser.add_argument("--cwd", type=Path, default=Path.cwd())
    parser.add_argument("inputs", nargs="*", metavar="INPUT=VALUE")
    args = parser.parse_args()
    given = dict(word.split("=", 1) for word in args.inputs)
    with tempfile.TemporaryDirectory() as temp:
        runner = Runner(args.action.resolve() / "action.yml", given, args.cwd.resolve(), temp)
        status = runner.run()
        print("== status %d" % status)
        for name, value in runner.outputs().items():
            print("%s: %s" % (name, value))
    return status


if __name__ == "__main__":
    sys.exit(main())
