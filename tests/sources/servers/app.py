"""A server whose tool has an app: a page that asks for what it shows (MCP Apps, 2026-01-26)."""

from __future__ import annotations

import json
import sys

PAGE = """<!doctype html><body style="margin:0;font-family:sans-serif"><p id=told></p><div id=acts></div>
<script>
const waiting = {}; let serial = 0;
const show = (text) => { const line = document.createElement("div"); line.textContent = text; told.append(line); size(); };
const post = (message) => parent.postMessage({ jsonrpc: "2.0", ...message }, "*");
const size = () => post({ method: "ui/notifications/size-changed", params: { height: document.body.scrollHeight } });
const ask = (method, params) => new Promise((resolve) => { const id = ++serial; waiting[id] = resolve; post({ id, method, params }); });
addEventListener("message", ({ data }) => {
  if (data.id in waiting) { waiting[data.id](data); delete waiting[data.id]; return; }
  if (data.method === "ui/notifications/tool-input") show("input " + JSON.stringify(data.params.arguments));
  if (data.method === "ui/notifications/tool-result") show("result " + data.params.content[0].text + " " + data.params._meta.secret);
  if (data.method === "ui/notifications/host-context-changed") show("theme " + data.params.theme);
});
const act = (label, method, params) => {
  const button = document.createElement("button");
  button.textContent = label;
  button.onclick = async () => { const { result, error } = await ask(method, params); show(label + ": " + JSON.stringify(error ? error.message : result)); };
  acts.append(button);
};
act("count", "tools/call", { name: "count", arguments: { by: 2 } });
act("look", "tools/call", { name: "look", arguments: {} });
act("erase", "tools/call", { name: "erase", arguments: {} });
act("poll", "tools/call", { name: "poll", arguments: {} });
act("hidden", "tools/call", { name: "hidden", arguments: {} });
act("wrong", "tools/call", { name: "count", arguments: { by: "two" } });
act("read", "resources/read", { uri: "note://one" });
act("link", "ui/open-link", { url: "https://example.com/page" });
act("script", "ui/open-link", { url: "javascript:alert(1)" });
act("tell", "ui/update-model-context", { content: [{ type: "text", text: "the person looks at 3" }] });
act("say", "ui/message", { role: "user", content: { type: "text", text: "<b>please go on</b>" } });
act("list", "prompts/list", {});
act("reach", "ping", {});
acts.lastChild.addEventListener("click", () => fetch("https://api.example/x").then((answer) => answer.text()).then((text) => show("api says " + text), () => show("no api")));
ask("ui/initialize", { appInfo: { name: "page", version: "1" }, appCapabilities: {}, protocolVersion: "2026-01-26" }).then(({ result }) => {
  show("host " + result.hostInfo.name + " " + result.hostContext.theme + " " + result.hostContext.toolInfo.tool.name);
  post({ method: "ui/notifications/initialized" });
  post({ method: "notifications/message", params: { level: "info", data: "the page is up" } });
});
fetch("https://evil.example/x").catch(() => show("no network"));
</script>"""

state = {"count": 1}


def tool(name, **more):
    return {"name": name, "inputSchema": {"type": "object", "properties": {}}, **more}


TOOLS = [
    tool(
        "counter",
        _meta={"ui": {"resourceUri": "ui://counter"}},
        inputSchema={"type": "object", "properties": {"start": {"type": "integer"}}},
    ),
    tool("count", inputSchema={"type": "object", "properties": {"by": {"type": "integer"}}}),
    tool("look", annotations={"readOnlyHint": True}),
    tool("erase", annotations={"destructiveHint": True}),
    tool("poll", _meta={"ui": {"visibility": ["app"]}}),
    tool("hidden", _meta={"ui": {"visibility": ["model"]}}),
]


def called(name, arguments):
    state["count"] += arguments.get("by", 0)
    text = f"{name} {state['count']}"
    return {"content": [{"type": "text", "text": text}], "_meta": {"secret": "for the page"}}


def answer(method, params):
    if method == "initialize":
        return {
            "protocolVersion": "2025-11-25",
            "capabilities": {"tools": {}, "resources": {}},
            "serverInfo": {"name": "app", "version": "1"},
        }
    if method == "tools/list":
        return {"tools": TOOLS}
    if method == "tools/call":
        return called(params["name"], params.get("arguments") or {})
    if method == "resources/list":
        return {"resources": []}
    if method == "resources/read" and params["uri"] == "ui://counter":
        hosts = ["https://api.example", "https://evil.example; script-src *"]
        wishes = {"ui": {"csp": {"connectDomains": hosts}, "permissions": {"camera": {}}}}
        page = {"mimeType": "text/html;profile=mcp-app", "text": PAGE, "_meta": wishes}
        return {"contents": [{"uri": params["uri"], **page}]}
    if method == "resources/read" and params["uri"] == "note://one":
        return {"contents": [{"uri": params["uri"], "mimeType": "text/plain", "text": "a note"}]}
    return None


if __name__ == "__main__":
    for line in sys.stdin:
        request = json.loads(line)
        if "id" in request and "method" in request:
            result = answer(request["method"], request.get("params") or {})
            error = {"error": {"code": -32602, "message": "no such thing"}}
            reply = error if result is None else {"result": result}
            print(json.dumps({"jsonrpc": "2.0", "id": request["id"], **reply}), flush=True)
