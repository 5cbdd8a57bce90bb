"""A home directory, a project and the `skc` that runs there, shared by the tools of this folder.

Nothing of the caller's environment reaches the program but PATH, and it never sees the real home.
"""
import os, re, shutil, subprocess, sys, tempfile
from contextlib import contextmanager
from dataclasses import dataclass

RELEASE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "target", "release", "skc")
ENDLESS_S = 120                 # a command that takes longer hangs


@dataclass
class Answer:
    """The output and exit status of one run; `status` is None for a run that hung."""
    argv: list
    status: int | None
    out: str
    err: str

    @property
    def code(self):
        """The diagnostic code on stderr, such as E011; '' if there is none."""
        found = re.search(r"error\[([A-Z]+\d+)\]", self.err)
        return found.group(1) if found else ""

    @property
    def is_crash(self):
        """Whether a run ended with a panic, a signal, a hang, or a status that no skc command has."""
        return self.status not in (0, 1) or "panicked" in self.err

    def brief(self):
        said = (self.err.strip() or self.out.strip()).splitlines()
        return "`%s` ended with %s: %s" % (" ".join(self.argv), self.status, said[0][:160] if said else "(nothing)")


class Site:
    """Uses `<work>/home` as the home directory and `<work>/home/proj` as the project."""

    def __init__(self, skc, work):
        self.skc = os.path.abspath(skc)
        if not os.access(self.skc, os.X_OK):
            raise SystemExit("no program at %s; run `cargo build --release`, or name one with --skc" % self.skc)
        self.work = os.path.abspath(work)
        self.home = os.path.join(self.work, "home")
        self.project = os.path.join(self.home, "proj")
        self.skills = os.path.join(self.project, ".skillc", "skills")
        self.env = {"PATH": os.environ.get("PATH", "/usr/bin:/bin"), "HOME": self.home,
                    "SKILLC_HOME": self.home, "NO_COLOR": "1", "LC_ALL": "C.UTF-8"}
        os.makedirs(self.skills, exist_ok=True)
        open(os.path.join(self.project, ".skillc", "config.toml"), "w").close()

    def source(self, name):
        return os.path.join(self.skills, name)

    def runtime(self, name):
        return os.path.join(self.project, ".skillc", "runtime", name)

    def stub(self, name):
        return os.path.join(self.runtime(name), "SKILL.md")

    def manifest(self, name):
        return os.path.join(self.runtime(name), ".skillc-meta", "manifest.json")

    def start(self, *args):
        """Starts a run without waiting for it or reading its output."""
        quiet = subprocess.DEVNULL
        return subprocess.Popen([self.skc, *args], cwd=self.project, env=self.env,
                                stdin=quiet, stdout=quiet, stderr=quiet)

    def run(self, *args, limit_s=ENDLESS_S):
        """Runs a command and waits for its end."""
        argv = ["skc", *args]
        try:
            done = subprocess.run([self.skc, *args], cwd=self.project, env=self.env, stdin=subprocess.DEVNULL,
                                  capture_output=True, timeout=limit_s)
        except subprocess.TimeoutExpired as hung:
            return Answer(argv, None, "", "hung; stderr so far: %r" % hung.stderr)
        except ValueError as bad:                       # a NUL in an argument: no program ever sees it
            return Answer(argv, 1, "", str(bad))
        return Answer(argv, done.returncode, done.stdout.decode("utf-8", "replace"),
                      done.stderr.decode("utf-8", "replace"))


@contextmanager
def work_folder(asked, what, is_kept=False):
    """The folder `asked` for, which must be new or empty, or else a temporary one. Removes it at the end, or prints its path."""
    if asked and os.path.isdir(asked) and os.listdir(asked):
        sys.exit("%s is not empty" % asked)
    work = asked or tempfile.mkdtemp(prefix="skc-%s-" % what)
    try:
        yield work
    finally:
        if is_kept:
            print("kept:", work)
        else:
            shutil.rmtree(work, ignore_errors=True)


def named(name):
    """A skill's name as an argument, even if it looks like an option."""
    return ["--", name] if name.startswith("-") else [name]
