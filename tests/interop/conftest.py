"""Apps and servers on loopback that the tests of other libraries share."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

# No test speaks to anything but this machine.
os.environ["GRADIO_ANALYTICS_ENABLED"] = "False"
os.environ["HF_HUB_DISABLE_TELEMETRY"] = "1"
HERE = Path(__file__).parent


@pytest.fixture(scope="session")
def space_url():
    """The address of the app of ``gradio_app.py``; its token is "sesame"."""
    if importlib.util.find_spec("gradio") is None:
        pytest.skip("gradio is not installed")
    command = [sys.executable, str(HERE / "gradio_app.py")]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    with subprocess.Popen(command, text=True, **pipes) as app:
        yield next(line for line in app.stdout if line.startswith("http")).strip()
        app.stdin.close()


@pytest.fixture
def in_child():
    """Run a piece of code in an interpreter of its own, beside ``gradio_app.py``; its output."""

    def run(code):
        done = subprocess.run(
            [sys.executable, "-c", code], cwd=HERE, capture_output=True, text=True, timeout=120
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run
