"""A small MCP server to try things on: ``python -m workbench.demo``."""
