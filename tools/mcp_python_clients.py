"""The Python SDK and fastmcp as clients of `skc mcp`; run by mcp_clients.py with the Python that has them, the program, and
the address and token of a server over HTTP, in a project with the skill `other` and the built skills `demo` and `using-skc`.
Each check is one line; the first that fails ends the run.
"""

import asyncio
import json
import sqlite3
import sys
from pathlib import Path

import mcp.types as types
from fastmcp import Client
from fastmcp.client.transports import StdioTransport, StreamableHttpTransport
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

SKC, ADDRESS, TOKEN = sys.argv[1:]
URI = "skill://demo/SKILL.md"
SOURCE = Path(".skillc/skills/demo/SKILL.md")
REAL = "using-skc"
LOG = Path(f".skillc/runtime/{REAL}/.skillc-meta/logs.db")
# A change is told within a second; a call is answered within milliseconds.
PATIENCE = 30


def check(what, holds, seen=""):
    print(f"{'ok  ' if holds else 'FAIL'} {what}", flush=True)
    if not holds:
        raise SystemExit(f"{what}: {seen}")


def text_of(result):
    return result.contents[0].text


async def sdk():
    """The SDK's own session, with a handshake."""
    told = asyncio.Queue()

    async def listen(message):
        if isinstance(message, types.ServerNotification) or hasattr(message, "method"):
            await told.put(getattr(message, "root", message))

    server = StdioServerParameters(command=SKC, args=["mcp"], env=None)
    async with stdio_client(server) as (read, write), ClientSession(read, write, message_handler=listen) as session:
        hello = await session.initialize()
        check("sdk: handshake", hello.server_info.name == "skillc", hello)
        tools = await session.list_tools()
        check("sdk: tools", "skc_show" in [tool.name for tool in tools.tools], tools)
        reply = await session.call_tool("skc_outline", {"skill": "demo"})
        check("sdk: a call with structured content", reply.structured_content["files"], reply)
        wrong = await session.call_tool("skc_outline", {"skill": "none"})
        check("sdk: a fault is a tool error with its code", wrong.is_error and "E001" in str(wrong.content), wrong)
        prompt = (await session.list_prompts()).prompts[0]
        reference = types.PromptReference(type="ref/prompt", name=prompt.name)
        argument = {"name": prompt.arguments[0].name, "value": "de"}
        completed = (await session.complete(reference, argument)).completion.values
        check("sdk: a name is completed", completed == ["demo"], completed)
        before = text_of(await session.read_resource(URI))
        await session.subscribe_resource(URI)
        SOURCE.write_text(SOURCE.read_text() + "\n## New\n\nAdded just now.\n")
        async with asyncio.timeout(PATIENCE):
            while (update := await told.get()).method != "notifications/resources/updated":
                pass
        check("sdk: an edit is told", str(update.params.uri) == URI, update)
        after = text_of(await session.read_resource(URI))
        check("sdk: and the next answer has it", "Added just now" in after and after != before, after)
        call = asyncio.create_task(session.call_tool("skc_build", {"all": True}))
        await asyncio.sleep(0)
        call.cancel()
        outcome = await asyncio.gather(call, return_exceptions=True)
        check("sdk: a call is cancelled", isinstance(outcome[0], asyncio.CancelledError), outcome)
        check("sdk: and the next one answered", not (await session.call_tool("skc_list", {})).is_error)


async def fast():
    """fastmcp with its extension for skills."""
    from fastmcp.skills.client import SkillsClientExtension

    async with Client(StdioTransport(SKC, ["mcp"]), extensions=[SkillsClientExtension()]) as client:
        tools = {tool.name for tool in await client.list_tools()}
        check("fastmcp: tools", "skc_search" in tools, tools)
        skills = await client.list_skills()
        names = sorted(skill.frontmatter.name for skill in skills)
        check("fastmcp: skills", names == ["demo", "other", REAL], skills)
        one = await client.get_skill(URI)
        check("fastmcp: one skill", one is not None, one)
        file = (await client.read_resource(URI))[0].text
        check("fastmcp: its file", "# demo" in file, file)


async def story(call, client):
    """An agent that was asked how to check a skill; the log has each of its calls, and who it was."""
    listed = await call("skc_list", {})
    skill = next(skill["name"] for skill in listed["skills"] if skill["name"] == REAL)
    outline = await call("skc_outline", {"skill": skill})
    found = (await call("skc_search", {"skill": skill, "query": "checking skill"}))["results"][0]
    shown = await call("skc_show", {"skill": skill, "section": found["section"], "file": found["file"]})
    opened = await call("skc_open", {"skill": skill, "path": found["file"]})
    files = [file["file"] for file in outline["files"]]
    check(f"{client}: outline and search agree", found["file"] in files, (found, files))
    check(f"{client}: the file holds the section", shown["content"] in opened["content"], (shown, opened))
    rows = sqlite3.connect(LOG).execute("SELECT command, args FROM access_log ORDER BY id").fetchall()
    own = [command for command, args in rows if json.loads(args).get("client") == f"{client}/1"]
    check(f"{client}: the log has each call", own == ["outline", "search", "show", "open"], rows)


async def stories():
    """The same over standard input and output with a handshake, and over HTTP without."""
    pipe = types.Implementation(name="story-by-pipe", version="1")
    server = StdioServerParameters(command=SKC, args=["mcp"], env=None)
    async with stdio_client(server) as (read, write), ClientSession(read, write, client_info=pipe) as session:
        await session.initialize()

        async def call(tool, arguments):
            reply = await session.call_tool(tool, arguments)
            return reply.structured_content

        await story(call, pipe.name)
    http = types.Implementation(name="story-by-http", version="1")
    transport = StreamableHttpTransport(ADDRESS, headers={"Authorization": f"Bearer {TOKEN}"})
    async with Client(transport, client_info=http) as client:

        async def call(tool, arguments):
            reply = await client.call_tool(tool, arguments)
            return reply.structured_content

        await story(call, http.name)


asyncio.run(sdk())
asyncio.run(fast())
asyncio.run(stories())
