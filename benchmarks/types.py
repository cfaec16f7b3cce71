"""``python benchmarks/types.py``: what agent types cost; the work is in ``agent_types.py``.

A module of the standard library has this file's name. Python puts the folder of a script first on
its path, so whatever asks for ``types`` while a benchmark runs gets this file: it steps aside.
"""

import sys

folder = __file__.rpartition("types.py")[0].rstrip("/\\")
sys.path[:] = [entry for entry in sys.path if entry.rstrip("/\\") != folder]

if __name__ == "__main__":
    import runpy

    runpy.run_path(f"{folder}/agent_types.py", run_name="__main__")
else:
    del sys.modules[__name__]
    import types

    sys.modules[__name__] = types
