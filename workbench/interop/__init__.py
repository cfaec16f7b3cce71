"""The other way: tools from here, for others."""

from workbench.interop.serve import serve, server_of

__all__ = ["serve", "server_of"]
