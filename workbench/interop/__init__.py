"""The other way: tools from here, for others."""

from workbench.interop.dspy import to_dspy
from workbench.interop.gradio import demo_of, launch_gradio_demo
from workbench.interop.hub import push_to_hub
from workbench.interop.langchain import to_langchain
from workbench.interop.serve import serve, server_of
from workbench.interop.smolagents import smolagents_class, to_smolagents

__all__ = [
    "demo_of",
    "launch_gradio_demo",
    "push_to_hub",
    "serve",
    "server_of",
    "smolagents_class",
    "to_dspy",
    "to_langchain",
    "to_smolagents",
]
