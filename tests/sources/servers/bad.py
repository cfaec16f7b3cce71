"""A server that misbehaves, each time in the way that its first argument names.

It speaks JSON-RPC over its standard streams without an SDK, so it is the same for both majors.
What it should not do it does once per process, or always; `ok` behaves.
"""

from __future__ import annotations

import json
import os
import sys
import time

FAULT = sys.argv[1]
HOSTILE = "<img src=x onerror=alert(1)>\x1b[31m\u202eevil\u200b\u2066"


def send(message):
    text = message if isinstance(message, str) else json.dumps({"jsonrpc": "2.0", **message})
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def hang():
    sys.stdin.close()
    while True:
        time.sleep(3600)


def die(words="out of cheese"):
    print(f"last words: {words}", file=sys.stderr, flush=True)
    os._exit(3)


def tool(name, **more):
    return {"name": name, "inputSchema": {"type": "object"}, **more}


NUMBER = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
LISTS = {
    "names": [tool(n) for n in ("two\nlines", "x" * 3000, "same", "same", "", "ünï çødé", "a/b")],
    "hostile": [tool("hostile", title=HOSTILE, description=HOSTILE * 50)],
    "many": [tool(f"tool_{n}", description="One of many.") for n in range(5000)],
    "kinds": [tool("good"), {"name": 5}, "no tool", None, {"inputSchema": {}}, tool("other")],
}


grown = []


def listed(params):
    cursor = params.get("cursor")
    if FAULT == "grows":
        grown.append(tool(f"tool_{len(grown)}"))
        return {"tools": grown}
    if FAULT == "same-cursor":
        return {"tools": [tool(f"tool_{cursor}")], "nextCursor": "again"}
    if FAULT == "endless-cursors":
        return {"tools": [], "nextCursor": str(int(cursor or 0) + 1)}
    return {"tools": LISTS.get(FAULT) or [tool("work", outputSchema=NUMBER) if FAULT == "schema" else tool("work")]}  # fmt: skip


def result(params):
    text = [{"type": "text", "text": "done"}]
    return {
        "huge": {"content": [{"type": "text", "text": "x" * 50_000_000}]},
        "schema": {"content": text, "structuredContent": {"n": "seven"}},
        "blocks": {"content": [{"type": "smell", "odour": "rose"}, *text]},
        "no-content": {},
        "nonsense": {"content": "nothing", "isError": "perhaps"},
        "null-block": {"content": [None, 5, *text]},
    }.get(FAULT, {"content": text})


def answer(method, params):
    if method == "initialize":
        return {
            "protocolVersion": params.get("protocolVersion", "2025-11-25"),
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "bad", "version": "1"},
        }
    if method == "tools/list":
        return listed(params)
    return result(params) if method == "tools/call" else {}


def misbehave(method):
    """What is done instead of, or before, an answer."""
    step = {"initialize": "start", "tools/list": "list", "tools/call": "call"}.get(method, "")
    fault, _, when = FAULT.partition("-")
    if fault in ("hang", "die") and when == step:
        hang() if fault == "hang" else die()
    if method == "tools/call" and FAULT == "noise":
        for line in (
            "not json",
            "{",
            "[1, 2",
            '{"jsonrpc": "1.0"}',
            "null",
            "\x00\xff",
            '{"id": []}',
        ):
            send(line)
    if method == "tools/call" and FAULT == "stderr-flood":
        sys.stderr.write("x" * 79 + "\n")
        for _ in range(1000):
            sys.stderr.write(("y" * 99 + "\n") * 500)
    if method == "tools/call" and FAULT == "unknown-ids":
        for number in (10**6, "strange", None, -1):
            send({"id": number, "result": {}})
    if method == "tools/call" and FAULT == "requests":
        send({"id": 77, "method": "no/such/method", "params": {}})
        send({"method": "notifications/no/such", "params": {"x": 1}})


def main():
    if FAULT == "die-at-once":
        die("cannot find my configuration")
    if FAULT == "banner":
        send("Welcome! This server prints a banner.")
    for line in sys.stdin:
        message = json.loads(line)
        method, number = message.get("method"), message.get("id")
        if number is None or method is None:
            continue
        misbehave(method)
        if method not in ("initialize", "tools/list", "tools/call", "ping"):
            send({"id": number, "error": {"code": -32601, "message": f"no {method}"}})
            continue
        made = answer(method, message.get("params") or {})
        send({"id": number, "result": made})
        if method == "tools/call" and FAULT == "twice":
            send({"id": number, "result": made})


if __name__ == "__main__":
    main()
