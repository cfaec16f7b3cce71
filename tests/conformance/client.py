"""What the conformance suite runs as a client: it is given a server's address as its last word."""

from __future__ import annotations

import json
import os
import sys
import urllib.request
from typing import Any

from workbench import MCPClient, OAuth, Tool, ToolCollection
from workbench.errors import WorkbenchError

SCENARIO = os.environ.get("MCP_CONFORMANCE_SCENARIO", "")
CONTEXT = json.loads(os.environ.get("MCP_CONFORMANCE_CONTEXT") or "{}")


class _Stay(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *args: Any) -> None:
        return None


class Person:
    """Visits the address of a sign-in, and pastes the one that it is sent back to."""

    address = ""

    def visit(self, address: str) -> None:
        try:
            urllib.request.build_opener(_Stay).open(address)
        except urllib.error.HTTPError as answer:
            self.address = answer.headers["Location"]

    def paste(self) -> str:
        return self.address


def signing_in() -> OAuth:
    person = Person()
    return OAuth(
        redirect="paste",
        client_id=CONTEXT.get("client_id"),
        client_secret=CONTEXT.get("client_secret"),
        client_metadata_url="https://conformance-test.local/client-metadata.json",
        tell=person.visit,
        paste=person.paste,
    )


SAMPLES = {
    "string": "text",
    "integer": 1,
    "number": 1.5,
    "boolean": True,
    "object": {},
    "array": [],
}


def arguments_for(tool: Tool, tools: ToolCollection) -> dict[str, Any]:
    """Something of the right type for each required argument."""
    if tool.name == "json_schema_echo":
        (other,) = [each for each in tools if each is not tool]
        return {"schema": dict(other.input_schema)}
    known = tool.input_schema.get("properties") or {}
    required = tool.input_schema.get("required") or ()
    return {name: SAMPLES.get(str(known[name].get("type")), {}) for name in required}


def main(address: str) -> None:
    options: dict[str, Any] = {"elicitation": lambda message, schema: {}}
    if SCENARIO.startswith("auth/"):
        options["auth"] = signing_in()
    with MCPClient(address, **options) as tools:
        asked = CONTEXT.get("toolCalls") or [
            {"name": tool.name, "arguments": arguments_for(tool, tools)} for tool in tools
        ]
        for call in asked:
            # The suite means "not given" by null, also where the tool's schema does not admit it.
            given = {name: value for name, value in call["arguments"].items() if value is not None}
            print(call["name"], tools[call["name"]].run(given).text[:200])


if __name__ == "__main__":
    try:
        main(sys.argv[-1])
    except WorkbenchError as error:
        sys.exit(str(error))
