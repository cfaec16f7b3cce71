"""A server of the older protocol whose tools and resource change while it runs.

It speaks JSON-RPC over its standard streams without an SDK, so it is the same for both majors.
"""

from __future__ import annotations

import json
import os
import sys

state = {"version": 1, "subscribed": False}


def send(**message):
    print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)


def tools():
    noted = {"type": "object", "properties": {"text": {"type": "string"}}}
    change = {"name": "change", "description": "Change everything.", "inputSchema": noted}
    about = {
        "name": "about",
        "description": f"Version {state['version']}.",
        "inputSchema": {"type": "object"},
    }
    chart = {
        "name": "chart",
        "inputSchema": {"type": "object"},
        "_meta": {"ui": {"resourceUri": "ui://chart"}},
    }
    return [change, about, chart] + [{**about, "name": "late"}] * (state["version"] > 1)


def called(params):
    if params["name"] == "change":
        state["version"] += 1
        send(method="notifications/tools/list_changed")
        if state["subscribed"]:
            send(method="notifications/resources/updated", params={"uri": "note://one"})
    if params["name"] == "die":
        os._exit(3)
    if params["name"] == "chart":
        link = {"type": "resource_link", "uri": "note://one", "name": "one"}
        return {"content": [{"type": "text", "text": "a chart"}, link]}
    return {"content": [{"type": "text", "text": f"version {state['version']}"}]}


def answer(method, params):
    if method == "initialize":
        return {
            "protocolVersion": "2025-11-25",
            "capabilities": {
                "tools": {"listChanged": True},
                "resources": {"subscribe": True, "listChanged": True},
            },
            "serverInfo": {"name": "changing", "version": "1"},
        }
    if method == "tools/list":
        return {"tools": tools()}
    if method == "tools/call":
        return called(params)
    if method == "resources/list":
        return {"resources": [{"uri": "note://one", "name": "one"}]}
    if method == "resources/read" and params["uri"] == "ui://chart":
        page = {"mimeType": "text/html;profile=mcp-app", "text": "<script>draw()</script>"}
        return {"contents": [{"uri": params["uri"], **page}]}
    if method == "resources/read":
        text = f"version {state['version']}"
        return {"contents": [{"uri": params["uri"], "mimeType": "text/plain", "text": text}]}
    if method in ("resources/subscribe", "resources/unsubscribe"):
        if params["uri"] != "note://one":
            return None
        state["subscribed"] = method == "resources/subscribe"
        return {}
    return None


if __name__ == "__main__":
    for line in sys.stdin:
        request = json.loads(line)
        if "id" in request and "method" in request:
            result = answer(request["method"], request.get("params") or {})
            if result is None:
                send(id=request["id"], error={"code": -32601, "message": "no such thing"})
            else:
                send(id=request["id"], result=result)
