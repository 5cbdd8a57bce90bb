// Two clients of `skc mcp` on the TypeScript SDK 1: mastra 0.14, and mcp-remote, through which a client that only knows standard input
// and output reaches a server over HTTP. Run by mcp_clients.py in the folder with their packages, with the program, and the address and token of a
// server over HTTP, in a project with the built skill `demo`. Each check is one line; the first that fails ends the run.

import { spawn } from "node:child_process";
import { appendFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { MCPClient as Mastra } from "@mastra/mcp";

const [skc, address, token] = process.argv.slice(2);
const URI = "skill://demo/SKILL.md";
const SOURCE = ".skillc/skills/demo/SKILL.md";
const headers = { Authorization: `Bearer ${token}` };
// A change is reported within a second.
const PATIENCE_MS = 30_000;

function check(what, holds, seen) {
  console.log(`${holds ? "ok  " : "FAIL"} ${what}`);
  if (!holds) {
    console.log(JSON.stringify(seen, null, 1)?.slice(0, 2000) ?? String(seen));
    process.exit(1);
  }
}

/** What a call returned or threw, as text: what the client shows to the model. */
async function said(call) {
  try {
    return JSON.stringify(await call());
  } catch (error) {
    return `thrown: ${error.message}`;
  }
}

function checkFault(name, text) {
  check(`${name}: a fault has its code`, text.includes("E001") && !text.includes("-32602"), text);
  check(`${name}: and says what to do next`, text.includes("call sk"), text);
}

const within = (promise) => Promise.race([promise, new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))]);

async function mastra() {
  const client = new Mastra({
    servers: {
      pipe: { command: skc, args: ["mcp"], env: process.env },
      http: { url: new URL(address), requestInit: { headers } },
    },
  });
  const tools = await client.getTools();
  for (const name of ["pipe", "http"]) {
    const run = (skill) => tools[`${name}_skc_outline`].execute({ context: { skill } });
    checkFault(`mastra 0.14 by ${name}`, await said(() => run("none")));
    const shown = await said(() => run("demo"));
    check(`mastra 0.14 by ${name}: a call is answered`, shown.includes("Usage"), shown);
  }
  let heard;
  const updated = new Promise((resolve) => (heard = resolve));
  await client.resources.onUpdated("pipe", heard);
  await client.resources.subscribe("pipe", URI);
  appendFileSync(SOURCE, "\n## Heard by mastra 0.14\n\nText.\n");
  const update = await within(updated);
  check("mastra 0.14: an edit is told", update?.uri === URI, update);
  await client.disconnect();
}

/** A client of mcp-remote: JSON-RPC by lines, with the answers by their ids. */
class Remote {
  #answers = new Map();
  #last = 0;

  constructor() {
    const proxy = fileURLToPath(new URL("node_modules/mcp-remote/dist/proxy.js", import.meta.url));
    const options = ["--allow-http", "--transport", "http-only", "--header", `Authorization: Bearer ${token}`];
    this.child = spawn(process.execPath, [proxy, address, ...options], { stdio: ["pipe", "pipe", "ignore"] });
    createInterface({ input: this.child.stdout }).on("line", (line) => {
      const message = JSON.parse(line);
      this.#answers.get(message.id)?.(message);
    });
  }

  send(method, params, id) {
    this.child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
  }

  /** The id of a request and its answer. */
  ask(method, params) {
    const id = ++this.#last;
    const answer = new Promise((resolve) => this.#answers.set(id, resolve));
    this.send(method, params, id);
    return { id, answer: within(answer) };
  }

  outline(skill) {
    return this.ask("tools/call", { name: "skc_outline", arguments: { skill } });
  }
}

async function mcpRemote() {
  const remote = new Remote();
  const hello = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "remote", version: "1" } };
  const { result } = await remote.ask("initialize", hello).answer;
  check("mcp-remote: the server says what it is", result?.instructions.includes("skill_search"), result);
  check("mcp-remote: no subscription is offered", !result.capabilities.resources.subscribe, result.capabilities);
  remote.send("notifications/initialized");
  checkFault("mcp-remote", JSON.stringify((await remote.outline("none").answer)?.result));
  const { id } = remote.outline("demo");
  remote.send("notifications/cancelled", { requestId: id, reason: "no longer wanted" });
  const shown = JSON.stringify((await remote.outline("demo").answer)?.result);
  check("mcp-remote: a call after a cancelled one is answered", shown?.includes("Usage"), shown);
  remote.child.kill();
}

await mastra();
await mcpRemote();
process.exit(0);
