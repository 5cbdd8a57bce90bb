// The core of Gemini CLI as a client of `skc mcp`; run by mcp_clients.py in the folder with its package, with the program, and the
// address and token of a server over HTTP, in a project with the built skill `demo`. Each check is one line; the first that fails
// ends the run.

import { connectToMcpServer, discoverTools, MCPServerConfig, MessageBus, PolicyEngine, WorkspaceContext } from "@google/gemini-cli-core";

const [skc, address, token] = process.argv.slice(2);
// It starts the server without most of the caller's environment.
const env = Object.fromEntries(["PATH", "HOME", "SKILLC_HOME"].map((name) => [name, process.env[name]]));
const problems = [];
const context = {
  sanitizationConfig: { allowedEnvironmentVariables: [], blockedEnvironmentVariables: [], enableEnvironmentVariableRedaction: false },
  emitMcpDiagnostic: (severity, message) => severity === "error" && problems.push(message),
  isTrustedFolder: () => true,
};

function check(what, holds, seen) {
  console.log(`${holds ? "ok  " : "FAIL"} ${what}`);
  if (!holds) {
    console.log(JSON.stringify([seen, problems], null, 1).slice(0, 2000));
    process.exit(1);
  }
}

async function drive(name, config) {
  const client = await connectToMcpServer("1", "skc", config, false, new WorkspaceContext(process.cwd()), context);
  const tools = await discoverTools("skc", config, client, context, new MessageBus(new PolicyEngine()));
  const outline = tools.find((tool) => tool.serverToolName === "skc_outline");
  check(`${name}: tools`, outline && problems.length === 0, tools.map((tool) => tool.serverToolName));
  const run = async (skill, abortSignal = new AbortController().signal) =>
    JSON.stringify((await outline.build({ skill }).execute({ abortSignal })).llmContent);
  const fault = await run("none");
  check(`${name}: a fault has its code`, fault.includes("E001") && !fault.includes("-32602"), fault);
  check(`${name}: and says what to do next`, fault.includes("call sk"), fault);
  const abort = new AbortController();
  const running = run("demo", abort.signal).catch((error) => error.name);
  abort.abort();
  check(`${name}: a call is cancelled`, (await running) === "AbortError", await running);
  const answer = await run("demo");
  check(`${name}: and the next one answered`, answer.includes("Usage"), answer);
  await client.close();
}

await drive("Gemini CLI", Object.assign(new MCPServerConfig(), { command: skc, args: ["mcp"], env }));
const headers = { Authorization: `Bearer ${token}` };
await drive("Gemini CLI over HTTP", Object.assign(new MCPServerConfig(), { httpUrl: address, headers }));
process.exit(0);
