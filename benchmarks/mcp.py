"""``python benchmarks/mcp.py``: what MCP servers cost; the work is in ``mcp_client.py``.

The SDK's package has this file's name. Python puts the folder of a script first on its path, so
whatever asks for ``mcp`` while a benchmark runs gets this file: it steps aside.
"""

import sys

folder = __file__.rpartition("mcp.py")[0].rstrip("/\\")
sys.path[:] = [entry for entry in sys.path if entry.rstrip("/\\") != folder]

if __name__ == "__main__":
    import runpy

    runpy.run_path(f"{folder}/mcp_client.py", run_name="__main__")
else:
    del sys.modules[__name__]
    import mcp

    sys.modules[__name__] = mcp
