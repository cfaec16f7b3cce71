"""The tools that the conformance suite asks of a server, served by ``workbench.interop``."""

from __future__ import annotations

import time

from PIL import Image

from workbench import AgentAudio, Tool, tool
from workbench.interop import serve
from workbench.tools import Resource, current_run
from workbench.tools.foreign import Description, ForeignTool


def red() -> Image.Image:
    return Image.new("RGB", (1, 1), "red")


@tool
def test_simple_text() -> str:
    """Say something."""
    return "This is a simple text response for testing."


@tool
def test_image_content() -> Image.Image:
    """Draw something."""
    return red()


@tool
def test_audio_content() -> AgentAudio:
    """Play something."""
    return AgentAudio([0.0] * 80, 8000)


@tool
def test_embedded_resource() -> Resource:
    """Give a resource."""
    return Resource(uri="test://embedded", value="an embedded text")


@tool
def test_multiple_content_types() -> tuple:
    """Give everything."""
    return "text", red(), Resource(uri="test://mixed", value="a text")


@tool
def test_error_handling() -> None:
    """Fail."""
    raise RuntimeError("This tool intentionally returns an error for testing")


@tool
def test_tool_with_progress() -> str:
    """Work, slowly enough that each step is told."""
    for done in (0, 50, 100):
        current_run().report(done, 100)
        time.sleep(0.15)
    return "done"


SCHEMA = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "$defs": {
        "address": {
            "type": "object",
            "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
        }
    },
    "properties": {"name": {"type": "string"}, "address": {"$ref": "#/$defs/address"}},
    "additionalProperties": False,
}
with_schema = ForeignTool(
    Description(
        name="json_schema_2020_12_tool",
        description="Tool with JSON Schema 2020-12 features",
        input_schema=SCHEMA,
    ),
    lambda arguments: str(arguments),
)

if __name__ == "__main__":
    tools = [each for each in list(globals().values()) if isinstance(each, Tool)]
    serve(tools, "streamable-http", port=0)
