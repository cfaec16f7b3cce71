"""A server whose tools can only be called as tasks (MCP 2025-11-25), each ending in another way.

It speaks JSON-RPC over its standard streams without an SDK, so it is the same for both majors.
"""

from __future__ import annotations

import json
import sys

ENDS = {"research": "completed", "broken": "failed", "dropped": "cancelled", "endless": "working"}
state = {"asked": 0, "cancelled": [], "name": "", "told": ""}


def send(**message):
    print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)


def task(status):
    now = "2026-01-01T00:00:00Z"
    return {
        "taskId": f"task of {state['name']}",
        "status": status,
        "statusMessage": f"looked {state['asked']} times",
        "createdAt": now,
        "lastUpdatedAt": now,
        "ttl": 60_000,
        "pollInterval": 10,
    }


def tools():
    listed = [
        {"name": name, "inputSchema": {"type": "object"}, "execution": {"taskSupport": "required"}}
        for name in ENDS
    ]
    plain = [{"name": name, "inputSchema": {"type": "object"}} for name in ("cancelled", "told")]
    return [*listed, *plain]


def answer(method, params):
    if method == "initialize":
        state["told"] = " ".join(params["capabilities"].get("extensions") or {})
        calls = {"requests": {"tools": {"call": {}}}, "cancel": {}}
        return {
            "protocolVersion": "2025-11-25",
            "capabilities": {"tools": {}, "tasks": calls},
            "serverInfo": {"name": "tasking", "version": "1"},
        }
    if method == "tools/list":
        return {"tools": tools()}
    if method == "tools/call" and params["name"] == "cancelled":
        return {"content": [{"type": "text", "text": " ".join(state["cancelled"])}]}
    if method == "tools/call" and params["name"] == "told":
        return {"content": [{"type": "text", "text": state["told"]}]}
    if method == "tools/call" and "task" in params:
        state.update(name=params["name"], asked=0)
        return {"task": task("working")}
    if method == "tasks/get":
        state["asked"] += 1
        return task("working" if state["asked"] < 3 else ENDS[state["name"]])
    if method == "tasks/cancel":
        state["cancelled"].append(params["taskId"])
        return task("cancelled")
    if method == "tasks/result":
        failed = state["name"] == "broken"
        text = "the library burnt down" if failed else "found it"
        return {"content": [{"type": "text", "text": text}], "isError": failed}
    return None


if __name__ == "__main__":
    for line in sys.stdin:
        message = json.loads(line)
        if "id" not in message:
            continue
        result = answer(message["method"], message.get("params") or {})
        if result is None:
            send(id=message["id"], error={"code": -32601, "message": "no such thing"})
        else:
            send(id=message["id"], result=result)
