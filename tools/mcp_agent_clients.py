"""Python agent frameworks as clients of `skc mcp`: openai-agents, pydantic-ai, the adapters of langchain, and mcp-use. Run by
mcp_clients.py with the Python that has them, the program, and the address and token of a server over HTTP, in a project with the
built skill `demo`. Each check is one line; the first that fails ends the run.
"""

import asyncio
import os
import sys

from agents.mcp import MCPServerStdio, MCPServerStreamableHttp
from langchain_mcp_adapters.client import MultiServerMCPClient
from mcp_use import MCPClient
from pydantic_ai.mcp import MCPToolset, StdioTransport, StreamableHttpTransport

SKC, ADDRESS, TOKEN = sys.argv[1:]
HEADERS = {"Authorization": f"Bearer {TOKEN}"}
# These start the server without the caller's environment.
ENV = {name: os.environ[name] for name in ("PATH", "HOME", "SKILLC_HOME")}
TOOL = "skc_outline"


def check(what, holds, seen=""):
    print(f"{'ok  ' if holds else 'FAIL'} {what}", flush=True)
    if not holds:
        raise SystemExit(f"{what}: {seen}")


async def said(call):
    """What a call returned or raised, as text: what the framework shows to the model."""
    try:
        return str(await call)
    except Exception as error:
        return f"raised: {error}"


async def checked(name, call):
    """A fault, a cancelled call and an answered one; `call` takes the arguments of the tool."""
    fault = await said(call({"skill": "none"}))
    check(f"{name}: a fault has its code", "E001" in fault and "-32602" not in fault, fault)
    check(f"{name}: and says what to do next", "call sk" in fault, fault)
    running = asyncio.create_task(said(call({"skill": "demo"})))
    await asyncio.sleep(0)
    running.cancel()
    outcome = await asyncio.gather(running, return_exceptions=True)
    check(f"{name}: a call is cancelled", isinstance(outcome[0], asyncio.CancelledError), outcome)
    answer = await said(call({"skill": "demo"}))
    check(f"{name}: and the next one answered", "Usage" in answer, answer)


async def openai_agents():
    pipe = MCPServerStdio(params={"command": SKC, "args": ["mcp"], "env": ENV})
    http = MCPServerStreamableHttp(params={"url": ADDRESS, "headers": HEADERS})
    for name, server in (("openai-agents", pipe), ("openai-agents over HTTP", http)):
        async with server:
            tools = [tool.name for tool in await server.list_tools()]
            check(f"{name}: tools", "skill_search" in tools, tools)
            await checked(name, lambda arguments: server.call_tool(TOOL, arguments))


async def pydantic_ai():
    pipe = StdioTransport(SKC, ["mcp"], env=ENV)
    http = StreamableHttpTransport(ADDRESS, headers=HEADERS)
    for name, transport in (("pydantic-ai", pipe), ("pydantic-ai over HTTP", http)):
        async with MCPToolset(transport) as toolset:
            await checked(name, lambda arguments: toolset.direct_call_tool(TOOL, arguments))


async def langchain():
    client = MultiServerMCPClient({
        "pipe": {"transport": "stdio", "command": SKC, "args": ["mcp"], "env": ENV},
        "http": {"transport": "http", "url": ADDRESS, "headers": HEADERS},
    })
    for name, server in (("langchain", "pipe"), ("langchain over HTTP", "http")):
        tools = {tool.name: tool for tool in await client.get_tools(server_name=server)}
        await checked(name, lambda arguments: tools[TOOL].ainvoke(arguments))


async def mcp_use():
    client = MCPClient({"mcpServers": {
        "pipe": {"command": SKC, "args": ["mcp"], "env": ENV},
        "http": {"url": ADDRESS, "headers": HEADERS},
    }})
    for name, server in (("mcp-use", "pipe"), ("mcp-use over HTTP", "http")):
        session = await client.create_session(server)
        await checked(name, lambda arguments: session.call_tool(TOOL, arguments))
    await client.close_all_sessions()


for framework in (openai_agents, pydantic_ai, langchain, mcp_use):
    asyncio.run(framework())
