"""A server of the newer protocol (2026-07-28) that answers calls with handles of tasks.

It speaks JSON-RPC over its standard streams without an SDK, so that every state is at hand.
"""

from __future__ import annotations

import json
import sys

ENDS = {
    "research": {"status": "completed", "result": {"content": [{"type": "hologram", "size": 3}]}},
    "refused": {"status": "completed", "result": {"content": [], "isError": True}},
    "broken": {"status": "failed", "error": {"code": -32603, "message": "the library burnt down"}},
    "dropped": {"status": "cancelled", "statusMessage": "closing time"},
    "endless": {"status": "working"},
    "asks": {"status": "working"},
}
QUESTION = {
    "method": "elicitation/create",
    "params": {
        "mode": "form",
        "message": "Which edition?",
        "requestedSchema": {"type": "object", "properties": {"edition": {"type": "string"}}},
    },
}
state = {"asked": 0, "cancelled": [], "name": "", "extensions": []}


def task(**more):
    now = "2026-01-01T00:00:00Z"
    known = {
        "taskId": f"task of {state['name']}",
        "status": "working",
        "statusMessage": f"looked {state['asked']} times",
        "createdAt": now,
        "lastUpdatedAt": now,
        "ttlMs": None,
        "pollIntervalMs": 10,
    }
    return {**known, **more}


def text(words):
    return {"content": [{"type": "text", "text": words}]}


def called(params):
    state["extensions"] = params["_meta"]["io.modelcontextprotocol/clientCapabilities"][
        "extensions"
    ]
    if params["name"] == "cancelled":
        return text(" ".join(state["cancelled"]))
    if params["name"] == "extensions":
        return text(" ".join(sorted(state["extensions"])))
    state.update(name=params["name"], asked=0)
    return {**task(), "resultType": "task"}


def looked_after():
    state["asked"] += 1
    if state["asked"] < 3:
        return task()
    if state["name"] == "asks":
        return task(status="input_required", inputRequests={"edition": QUESTION})
    return task(**ENDS[state["name"]])


def answer(method, params):
    if method == "server/discover":
        return {
            "supportedVersions": ["2026-07-28"],
            "capabilities": {"tools": {}, "extensions": {"io.modelcontextprotocol/tasks": {}}},
            "ttlMs": 0,
            "cacheScope": "private",
        }
    if method == "tools/list":
        names = [*ENDS, "cancelled", "extensions"]
        listed = [{"name": name, "inputSchema": {"type": "object"}} for name in names]
        return {"tools": listed, "ttlMs": 0, "cacheScope": "private"}
    if method == "tools/call":
        return called(params)
    if method == "tasks/get":
        return looked_after()
    if method == "tasks/cancel":
        state["cancelled"].append(params["taskId"])
        return {}
    if method == "tasks/update":
        answered = params["inputResponses"]["edition"]
        ENDS["asks"].update(
            status="completed", result=text(f"the {answered['content']['edition']}")
        )
        state["name"], ENDS["told"] = "told", ENDS["asks"]
        return {}
    return None


if __name__ == "__main__":
    for line in sys.stdin:
        message = json.loads(line)
        if "id" not in message:
            continue
        result = answer(message["method"], message.get("params") or {})
        reply = {"jsonrpc": "2.0", "id": message["id"]}
        if result is None:
            reply["error"] = {"code": -32601, "message": "no such thing"}
        else:
            reply["result"] = {"resultType": "complete", **result}
        print(json.dumps(reply), flush=True)
