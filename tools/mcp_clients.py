"""Clients of other makers, against `skc mcp`: the conformance suite over HTTP, the Inspector over standard input and output, and the
SDKs and agent frameworks of the scripts in `SCRIPTS` over both. Versions are pinned; they are installed into a folder of their own.

Where npm or pip cannot be reached it says so and ends well, unless SKC_REQUIRE_CLIENTS=1 is set.
"""

import argparse
import http.server
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import venv
from pathlib import Path

HERE = Path(__file__).resolve().parent
SHIPPED = HERE.parent / "apps" / "cli" / "skill" / "using-skc"
NODE = ["node@22.23.3", "@modelcontextprotocol/conformance@0.2.0-alpha.12", "@modelcontextprotocol/inspector@2.12.0"]
PYTHON = ["mcp==2.3.0", "fastmcp==4.1.2"]
NODE_CLIENTS = ["@modelcontextprotocol/sdk@1.32.2", "@modelcontextprotocol/client@2.4.0", "@ai-sdk/mcp@2.0.99",
                "@mastra/mcp@2.0.0", "@mastra/core@1.71.0"]
OLDER_CLIENTS = ["@mastra/mcp@0.14.4", "@mastra/core@0.24.9", "zod@4.6.7", "mcp-remote@0.15.1"]
GEMINI = ["@google/gemini-cli-core@0.61.0"]
AGENTS = ["openai-agents==0.24.0", "pydantic-ai-slim[mcp]==2.68.0", "langchain-mcp-adapters==0.3.2", "mcp-use==1.7.1"]

# What runs each script: the folder of its packages below that of all clients.
SCRIPTS = {
    "mcp_python_clients.py": "venv",
    "mcp_agent_clients.py": "venv-agents",
    "mcp_node_clients.mjs": "node-clients",
    "mcp_older_clients.mjs": "node-older",
    "mcp_gemini_client.mjs": "gemini",
}
# Some frameworks send telemetry by default.
SILENT = {"MCP_USE_ANONYMIZED_TELEMETRY": "false", "MASTRA_TELEMETRY_DISABLED": "1"}

# Scenarios that a product can pass: the others need tools of fixed names. Least number of checks that each has to have run.
SCENARIOS = {
    "server-initialize": 1,
    "ping": 1,
    "dns-rebinding-protection": 2,
    "caching": 8,
    "http-header-validation": 14,
    "tools-list": 1,
    "resources-list": 1,
    "prompts-list": 1,
    "completion-complete": 1,
    "sep-2164-resource-not-found": 4,
    "sep-2640-skills-enumeration": 32,
    "sep-2640-skills-manifest": 6,
    "sep-2640-skills-directory": 7,
}

SKILL = """---
name: {name}
description: Tells how {name} works. Use when asked about {name}.
license: MIT
metadata:
  version: "1.0"
---
# {name}

## Usage

Call it with words.

See [the reference](references/details.md).
"""


class Unreachable(Exception):
    """A package cannot be downloaded."""


def run(command, **options):
    return subprocess.run(command, capture_output=True, text=True, timeout=600, **options)


def npm_install(folder, packages, *options):
    """Installs packages once. A folder is complete when it has the file that is written last."""
    if (folder / "installed").exists():
        return
    folder.mkdir(parents=True, exist_ok=True)
    if not shutil.which("npm"):
        raise Unreachable("there is no npm")
    done = run(["npm", "install", "--no-fund", "--no-audit", *options, "--prefix", str(folder), *packages])
    if done.returncode:
        raise Unreachable(f"npm: {done.stderr[-600:]}")
    (folder / "installed").touch()


def pip_install(folder, packages):
    if (folder / "installed").exists():
        return
    venv.create(folder, with_pip=True, clear=True)
    done = run([folder / "bin" / "python", "-m", "pip", "install", "-q", *packages])
    if done.returncode:
        raise Unreachable(f"pip: {done.stderr[-600:]}")
    (folder / "installed").touch()


def install(folder):
    npm_install(folder / "node", NODE)
    npm_install(folder / "node-clients", NODE_CLIENTS)
    npm_install(folder / "node-older", OLDER_CLIENTS)
    npm_install(folder / "gemini", GEMINI, "--ignore-scripts")
    pip_install(folder / "venv", PYTHON)
    pip_install(folder / "venv-agents", AGENTS)


class Site:
    """A home directory and a project with three skills. Two are built, and one of these is the skill that ships with skc."""

    def __init__(self, skc, folder):
        self.skc = str(skc)
        self.home, self.project = folder / "home", folder / "project"
        self.home.mkdir()
        for name in ("demo", "other"):
            skill = self.project / ".skillc" / "skills" / name
            (skill / "references" / "deep").mkdir(parents=True)
            (skill / "SKILL.md").write_text(SKILL.format(name=name))
            (skill / "references" / "details.md").write_text("# Details\n\nAll of them.\n")
            (skill / "references" / "deep" / "more.txt").write_text("More.\n")
        self.env = {"PATH": os.environ["PATH"], "HOME": str(self.home), "SKILLC_HOME": str(self.home)}
        shutil.copytree(SHIPPED, self.project / ".skillc" / "skills" / SHIPPED.name)
        for name in ("demo", SHIPPED.name):
            built = run([self.skc, "build", name], cwd=self.project, env=self.env)
            assert built.returncode == 0, built.stderr


class Served:
    """Runs `skc mcp --http` behind a proxy that adds the token, because the suite cannot send one."""

    def __init__(self, site):
        command = [site.skc, "mcp", "--http", "127.0.0.1:0"]
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
        self.child = subprocess.Popen(command, cwd=site.project, env=site.env, **pipes)
        told = self.child.stderr.readline()
        port = int(re.search(r":(\d+)/mcp", told)[1])
        self.address = f"http://127.0.0.1:{port}/mcp"
        self.token = (site.home / ".skillc" / "mcp-token").read_text().strip()
        self.proxy = http.server.ThreadingHTTPServer(("127.0.0.1", 0), proxy(port, self.token))
        self.proxy.daemon_threads = True
        threading.Thread(target=self.proxy.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.proxy.server_address[1]}/mcp"

    def end(self):
        self.proxy.shutdown()
        self.child.terminate()
        out = self.child.communicate(timeout=30)[0]
        return self.child.returncode, out


def proxy(port, token):
    class Handler(http.server.BaseHTTPRequestHandler):
        """Forwards one request per connection unchanged, except that it adds the token."""

        def pass_on(self):
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            kept = [f"{k}: {v}" for k, v in self.headers.items() if k.lower() not in ("connection", "authorization")]
            head = [self.requestline, *kept, f"Authorization: Bearer {token}", "Connection: close", "", ""]
            with socket.create_connection(("127.0.0.1", port)) as server:
                server.sendall("\r\n".join(head).encode("latin-1") + body)
                while part := server.recv(65536):
                    self.wfile.write(part)
                    self.wfile.flush()
            self.close_connection = True

        do_GET = do_POST = do_DELETE = do_OPTIONS = pass_on

        def log_message(self, *_):
            pass

    return Handler


def conformance(programs, env, url):
    for scenario, least in SCENARIOS.items():
        with tempfile.TemporaryDirectory() as out:
            command = ["conformance", "server", "--url", url, "--scenario", scenario, "-o", out]
            done = run(command, env=env, cwd=programs)
        text = done.stdout + done.stderr
        passed = re.search(r"Passed:\s*(\d+)/(\d+)", text)
        is_well = done.returncode == 0 and passed and passed[1] == passed[2] and int(passed[1]) >= least
        yield f"conformance {scenario}", is_well, passed[0] if passed else "", text


def inspector(env, site):
    server = ["mcp-inspector", "--cli", site.skc, "mcp"]
    uri = "skill://demo/SKILL.md"
    for name, args in {
        "skills/list --verify": ["--method", "skills/list", "--verify"],
        "tools/list --strict": ["--method", "tools/list", "--strict"],
        "tools/call": ["--method", "tools/call", "--tool-name", "skc_outline", "--tool-arg", "skill=demo"],
        "resources/read": ["--method", "resources/read", "--uri", uri],
        "prompts/list": ["--method", "prompts/list"],
    }.items():
        done = run([*server, *args], env=env, cwd=site.project)
        yield f"inspector {name}", done.returncode == 0, "", done.stdout + done.stderr


def scripts(folder, site, served):
    """Runs the scripts. Each prints one line per check and stops at its first failure."""
    for script, packages in SCRIPTS.items():
        if script.endswith(".py"):
            command = [folder / packages / "bin" / "python", HERE / script]
        else:
            # Packages are looked for beside the script.
            shutil.copy(HERE / script, folder / packages)
            command = [folder / "node" / "node_modules" / ".bin" / "node", folder / packages / script]
        done = run([*command, site.skc, served.address, served.token], env={**site.env, **SILENT}, cwd=site.project)
        for line in done.stdout.splitlines():
            print(f"     {line}")
        yield script, done.returncode == 0, "", done.stdout + done.stderr


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--skc", type=Path, default=HERE.parent / "target" / "release" / "skc")
    parser.add_argument("--work", type=Path, default=Path(tempfile.gettempdir()) / "skc-mcp-clients")
    asked = parser.parse_args()
    work = asked.work.resolve()
    try:
        install(work)
    except (Unreachable, subprocess.SubprocessError) as error:
        print(f"clients cannot be installed: {error}")
        return 1 if os.environ.get("SKC_REQUIRE_CLIENTS") == "1" else 0
    failed = 0
    with tempfile.TemporaryDirectory(prefix="skc-mcp-") as folder:
        site = Site(asked.skc.resolve(), Path(folder))
        programs = work / "node" / "node_modules" / ".bin"
        env = {**site.env, "PATH": f"{programs}:{site.env['PATH']}"}
        served = Served(site)
        checks = [conformance(programs, env, served.url), inspector(env, site), scripts(work, site, served)]
        for name, is_well, number, text in (check for part in checks for check in part):
            print(f"{'ok  ' if is_well else 'FAIL'} {name} {number}".rstrip(), flush=True)
            if not is_well:
                failed += 1
                print(text[-4000:])
        status, out = served.end()
        if (status, out) != (0, ""):
            failed += 1
            print(f"FAIL the server ended with {status} and said {out!r}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
