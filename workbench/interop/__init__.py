"""The other way: tools from here, for others."""

from workbench.interop.dspy import to_dspy
from workbench.interop.gradio import demo_of, launch_gradio_demo
from workbench.interop.langchain import to_langchain
from workbench.interop.serve import serve, server_of
from workbench.interop.smolagents import to_smolagents

__all__ = [
    "demo_of",
    "launch_gradio_demo",
    "serve",
    "server_of",
    "to_dspy",
    "to_langchain",
    "to_smolagents",
]
