// The TypeScript SDK in both versions, mastra and the AI SDK as clients of `skc mcp`; run by mcp_clients.py in the folder with their
// packages, with the program, and the address and token of a server over HTTP, in a project with the built skill `demo`. Each
// check is one line; the first that fails ends the run.

import { appendFileSync } from "node:fs";
import { createMCPClient } from "@ai-sdk/mcp";
import { Experimental_StdioMCPTransport as AiStdio } from "@ai-sdk/mcp/mcp-stdio";
import { MCPClient as Mastra } from "@mastra/mcp";
import { Client as Second, StreamableHTTPClientTransport as SecondHttp } from "@modelcontextprotocol/client";
import { StdioClientTransport as SecondStdio } from "@modelcontextprotocol/client/stdio";
import { Client as First } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as FirstStdio } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as FirstHttp } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ResourceUpdatedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";

const [skc, address, token] = process.argv.slice(2);
const URI = "skill://demo/SKILL.md";
const SOURCE = ".skillc/skills/demo/SKILL.md";
const headers = { Authorization: `Bearer ${token}` };
const stdio = { command: skc, args: ["mcp"], env: process.env, stderr: "ignore" };
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

async function cancelled(name, call, next) {
  const abort = new AbortController();
  const running = said(() => call(abort.signal));
  abort.abort();
  check(`${name}: a call is cancelled`, (await running).includes("thrown"), await running);
  const after = await said(next);
  check(`${name}: and the next one answered`, after.includes("Usage"), after);
}

/** A client of either SDK, connected. `onUpdated` asks it to call back when a resource was changed. */
async function sdk(name, client, transport, onUpdated) {
  await client.connect(transport);
  const tools = (await client.listTools()).tools.map((tool) => tool.name);
  check(`${name}: tools`, tools.includes("skill_search") && tools.includes("skc_show"), tools);
  const outline = (skill) => ({ name: "skc_outline", arguments: { skill } });
  checkFault(name, await said(() => client.callTool(outline("none"))));
  const reply = await client.callTool(outline("demo"));
  check(`${name}: a reply has its data`, reply.structuredContent.files.length > 0, reply);
  const call = (signal) => client.request({ method: "tools/call", params: outline("demo") }, ...onUpdated.schema, { signal });
  await cancelled(name, call, () => client.callTool(outline("demo")));
  if (client.getServerCapabilities().resources.subscribe) {
    const updated = new Promise((resolve) => onUpdated.listen(client, resolve));
    await onUpdated.subscribe(client);
    appendFileSync(SOURCE, `\n## Heard by ${name}\n\nText.\n`);
    const update = await Promise.race([updated, new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))]);
    check(`${name}: an edit is told`, update?.params?.uri === URI, update);
  } else {
    check(`${name}: no subscription is offered`, name.includes("HTTP"), client.getServerCapabilities());
  }
  await client.close();
}

const { CallToolResultSchema } = await import("@modelcontextprotocol/sdk/types.js");
const FIRST = {
  schema: [CallToolResultSchema],
  listen: (client, heard) => client.setNotificationHandler(ResourceUpdatedNotificationSchema, heard),
  subscribe: (client) => client.subscribeResource({ uri: URI }),
};
const SECOND = {
  schema: [],
  listen: (client, heard) => client.setNotificationHandler("notifications/resources/updated", heard),
  subscribe: (client) => client.subscribeResource({ uri: URI }),
};
const LISTENING = { ...SECOND, subscribe: (client) => client.listen({ resourceSubscriptions: [URI] }) };
const info = (name) => ({ name, version: "1" });
const modern = { versionNegotiation: { mode: "auto" } };
const at = () => new URL(address);

await sdk("SDK 1", new First(info("sdk-1")), new FirstStdio(stdio), FIRST);
await sdk("SDK 1 over HTTP", new First(info("sdk-1")), new FirstHttp(at(), { requestInit: { headers } }), FIRST);
await sdk("SDK 2", new Second(info("sdk-2")), new SecondStdio(stdio), SECOND);
await sdk("SDK 2 of 2026", new Second(info("sdk-2"), modern), new SecondStdio(stdio), LISTENING);
await sdk("SDK 2 over HTTP", new Second(info("sdk-2"), modern), new SecondHttp(at(), { requestInit: { headers } }), LISTENING);

async function aiSdk(name, transport) {
  const client = await createMCPClient({ transport });
  const tools = await client.tools();
  const run = (skill, abortSignal) => tools.skc_outline.execute({ skill }, { toolCallId: "1", messages: [], abortSignal });
  checkFault(name, await said(() => run("none")));
  await cancelled(name, (signal) => run("demo", signal), () => run("demo"));
  await client.close();
}

await aiSdk("AI SDK", new AiStdio(stdio));
await aiSdk("AI SDK over HTTP", { type: "http", url: address, headers });

const mastra = new Mastra({
  servers: { pipe: { command: skc, args: ["mcp"], env: process.env }, http: { url: at(), requestInit: { headers } } },
});
const tools = await mastra.listTools();
for (const name of ["pipe", "http"]) {
  const run = (skill, abortSignal) => tools[`${name}_skc_outline`].execute({ skill }, { abortSignal });
  checkFault(`mastra by ${name}`, await said(() => run("none")));
  const shown = await said(() => run("demo"));
  check(`mastra by ${name}: a call is answered`, shown.includes("Usage"), shown);
}
let heard;
const updated = new Promise((resolve) => (heard = resolve));
await mastra.resources.onUpdated("pipe", heard);
await mastra.resources.subscribe("pipe", URI);
appendFileSync(SOURCE, "\n## Heard by mastra\n\nText.\n");
const update = await Promise.race([updated, new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))]);
check("mastra: an edit is told", update?.uri === URI, update);
await mastra.disconnect();
process.exit(0);
