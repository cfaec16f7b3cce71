"""``workbench serve``: the tools of a target as an MCP server."""

from __future__ import annotations

import argparse
import contextlib
import sys

from workbench.cli.usage import OK

__all__ = ["add_options", "serve_target"]


def add_options(parser: argparse.ArgumentParser) -> None:
    """Say how to serve."""
    parser.add_argument("--transport", choices=("stdio", "streamable-http"), default="stdio")
    parser.add_argument("--host", default="127.0.0.1", help="the address to bind; this machine's")
    parser.add_argument("--port", type=int, default=8000, help="0 is a free one")
    parser.add_argument(
        "--allow-host", action="append", default=[], metavar="NAME:PORT",
        help="a further name that requests may come with",
    )  # fmt: skip
    parser.add_argument(
        "--allow-origin", action="append", default=[], metavar="URL",
        help="a further page's origin that requests may come from",
    )  # fmt: skip


def serve_target(options: argparse.Namespace) -> int:
    """Serve until the client goes, or the process is told to stop."""
    from workbench.bench import Workbench
    from workbench.interop import serve

    # Standard output is the client's; a module may print when it is imported.
    with contextlib.redirect_stdout(sys.stderr):
        bench = Workbench(options.target)
    with bench:
        serve(
            bench.tools,
            options.transport,
            host=options.host,
            port=options.port,
            allowed_hosts=options.allow_host,
            allowed_origins=options.allow_origin,
        )
    return OK
