"""A real JupyterLab on loopback and a real Chromium, one of each for the whole session."""

from __future__ import annotations

import json
import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

from workbench.sources.mcp import guard

CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or "/usr/bin/chromium"
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # A camera and a microphone that give something, and are asked without a question.
    "--use-fake-device-for-media-stream",
    "--use-fake-ui-for-media-stream",
]
SCREENSHOTS = Path(os.environ.get("WORKBENCH_SCREENSHOTS", "screenshots"))
PATIENCE_MS = 90_000


def pytest_collection_modifyitems(items):
    here = Path(__file__).parent
    for item in items:
        if here in Path(item.fspath).parents:
            item.add_marker(pytest.mark.browser)
    # Playwright keeps an event loop running for the rest of the session: these come last.
    items.sort(key=lambda item: "browser" in item.keywords)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    report = yield
    item.failed = getattr(item, "failed", False) or report.failed
    return report


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Lab:
    """JupyterLab with private folders and a random token; ended as a process group."""

    def __init__(self, root: Path, home: Path) -> None:
        self.root, self.home = root, home
        self.token, self.port = secrets.token_hex(16), _free_port()
        self.url = f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        folders = (
            "CONFIG_DIR",
            "RUNTIME_DIR",
            "DATA_DIR",
            "LAB_SETTINGS_DIR",
            "LAB_WORKSPACES_DIR",
        )
        names = {
            "LAB_SETTINGS_DIR": "JUPYTERLAB_SETTINGS_DIR",
            "LAB_WORKSPACES_DIR": "JUPYTERLAB_WORKSPACES_DIR",
        }
        env = {k: v for k, v in os.environ.items() if k != "MPLBACKEND"}
        for folder in folders:
            env[names.get(folder, f"JUPYTER_{folder}")] = str(self.home / folder)
        env["IPYTHONDIR"] = str(self.home / "ipython")
        self.set("apputils-extension", "notification", fetchNews="false", checkForUpdates=False)
        # Cells out of sight stay in the page, so that tests can look at them.
        self.set("notebook-extension", "tracker", windowingMode="none")
        # The guard ends the server when this process is gone, also after kill -9.
        command = [
            sys.executable, "-S", "-E", guard.__file__,
            sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root",
            "--ServerApp.ip=127.0.0.1", f"--ServerApp.port={self.port}",
            "--ServerApp.port_retries=0",
            f"--IdentityProvider.token={self.token}", f"--ServerApp.root_dir={self.root}",
            "--LabApp.expose_app_in_browser=True", "--LabApp.extension_manager=readonly",
            "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
        ]  # fmt: skip
        self.log = (self.home / "server.log").open("wb")
        self.process = subprocess.Popen(
            command, stdout=self.log, stderr=subprocess.STDOUT, env=env, start_new_session=True
        )
        deadline = time.monotonic() + PATIENCE_MS / 1000
        while not self._answers():
            assert self.process.poll() is None, (self.home / "server.log").read_text()
            assert time.monotonic() < deadline, "JupyterLab did not start"

    def set(self, extension: str, plugin: str, **settings) -> None:
        """Write the settings of one of JupyterLab's plugins; pages opened from now on have them."""
        folder = self.home / "LAB_SETTINGS_DIR" / "@jupyterlab" / extension
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{plugin}.jupyterlab-settings").write_text(json.dumps(settings))

    def api(self, path: str, method: str = "GET", timeout_s: float = 20):
        """The answer of the server's REST interface, None where it has no body."""
        headers = {"Authorization": f"token {self.token}"}
        request = urllib.request.Request(f"{self.url}/api/{path}", headers=headers, method=method)
        with urllib.request.urlopen(request, timeout=timeout_s) as answer:
            return json.loads(answer.read() or b"null")

    def _answers(self) -> bool:
        try:
            return bool(self.api("status", timeout_s=2))
        except OSError:
            return False

    def end_kernel(self, name: str) -> None:
        """Shut down the kernel of a notebook, and with it the servers that it started."""
        for session in self.api("sessions"):
            if session["path"] == name:
                self.api(f"sessions/{session['id']}", "DELETE")

    def stop(self) -> None:
        for number in (signal.SIGTERM, signal.SIGKILL):
            try:
                os.killpg(self.process.pid, number)
                self.process.wait(15)
            except (ProcessLookupError, subprocess.TimeoutExpired):
                continue
        self.log.close()


@pytest.fixture(scope="session")
def lab(tmp_path_factory):
    pytest.importorskip("jupyterlab", reason="JupyterLab is not installed")
    server = Lab(tmp_path_factory.mktemp("notebooks"), tmp_path_factory.mktemp("home"))
    server.start()
    yield server
    server.stop()


@pytest.fixture(scope="session")
def chromium():
    sync = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
    if not Path(CHROMIUM).exists():
        pytest.skip(f"Chromium is not installed ({CHROMIUM})")
    with sync.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, headless=True, args=FLAGS)
        yield browser
        browser.close()


class NotebookPage:
    """One notebook in one page."""

    def __init__(self, page, server: Lab, name: str) -> None:
        self.page, self.server, self.name = page, server, name
        self.errors: list[str] = []
        self.requests: list[str] = []
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("request", lambda request: self.requests.append(request.url))

    def open(self) -> NotebookPage:
        self.page.goto(f"{self.server.url}/doc/tree/{self.name}?token={self.server.token}&reset")
        self.page.wait_for_function(
            "() => window.jupyterapp && window.jupyterapp.started", timeout=PATIENCE_MS
        )
        self.page.locator(".jp-Notebook .jp-Cell").first.wait_for(timeout=PATIENCE_MS)
        self.page.wait_for_function(
            """() => { const w = window.jupyterapp.shell.currentWidget;
                const s = w?.sessionContext ?? w?.context?.sessionContext;
                const kernel = s?.session?.kernel;
                return kernel?.connectionStatus === 'connected' && kernel.status === 'idle'; }""",
            timeout=PATIENCE_MS,
        )
        return self

    def command(self, name: str) -> None:
        """Start a command of JupyterLab without waiting for its end."""
        self.page.evaluate("(name) => { window.jupyterapp.commands.execute(name); }", name)

    def run_all(self) -> NotebookPage:
        self.command("notebook:run-all-cells")
        return self.wait_idle()

    def run(self, index: int) -> None:
        self.page.evaluate(
            """(i) => { window.jupyterapp.shell.currentWidget.content.activeCellIndex = i;
                window.jupyterapp.commands.execute('notebook:run-cell'); }""",
            index,
        )

    def wait_idle(self) -> NotebookPage:
        """Until every code cell has run; the traceback where a failed one keeps others from it."""
        ended = self.page.wait_for_function(
            r"""() => { const all = document.querySelectorAll('.jp-CodeCell .jp-InputArea-prompt');
                const prompts = [...all].map((e) => e.textContent.trim());
                if (!prompts.length || prompts.includes('[*]:')) return null;
                if (prompts.every((e) => /^\[\d+\]:$/.test(e))) return {};
                const cells = window.jupyterapp.shell.currentWidget.content.widgets;
                const outputs = cells.flatMap((e) => e.model.outputs?.toJSON() ?? []);
                const error = outputs.find((e) => e.output_type === 'error');
                return error ? {traceback: error.traceback} : null; }""",
            timeout=PATIENCE_MS,
        ).json_value()
        assert not ended, "\n".join(ended["traceback"])
        return self

    def cell(self, index: int):
        """The output of a cell, so that its source is never meant."""
        return self.page.locator(".jp-Notebook .jp-Cell").nth(index).locator(".jp-Cell-outputArea")

    def save(self) -> dict:
        """The notebook as it is in its file after saving."""
        self.page.evaluate("() => window.jupyterapp.commands.execute('docmanager:save')")
        return json.loads((self.server.root / self.name).read_text())

    def theme(self, name: str) -> None:
        self.page.evaluate(
            "(theme) => window.jupyterapp.commands.execute('apputils:change-theme', {theme})",
            f"JupyterLab {name.title()}",
        )
        self.page.wait_for_function(
            "(light) => document.body.dataset.jpThemeLight === light",
            arg=str(name == "light").lower(),
        )

    def resize(self, width: int, height: int = 1000) -> None:
        self.page.set_viewport_size({"width": width, "height": height})

    def screenshot(self, name: str) -> Path:
        SCREENSHOTS.mkdir(exist_ok=True)
        path = SCREENSHOTS / f"{name}.png"
        self.page.screenshot(path=str(path))
        return path


@pytest.fixture
def open_notebook(lab, chromium, request):
    """Give a function that opens a notebook of some code cells, or an existing notebook."""
    nbformat = pytest.importorskip("nbformat")
    notebooks: list[NotebookPage] = []

    def opened(cells, width: int = 1280, height: int = 1000) -> NotebookPage:
        if isinstance(cells, Path):
            notebook = nbformat.read(cells, as_version=4)
        else:
            notebook = nbformat.v4.new_notebook()
            notebook.cells = [nbformat.v4.new_code_cell(cell) for cell in cells]
        notebook.metadata["kernelspec"] = {
            "name": "python3",
            "display_name": "Python 3",
            "language": "python",
        }
        name = f"test-{secrets.token_hex(4)}.ipynb"
        nbformat.write(notebook, lab.root / name)
        # A page keeps its theme on the server: every test begins in the light.
        lab.set("apputils-extension", "themes", theme="JupyterLab Light")
        page = chromium.new_context(viewport={"width": width, "height": height}).new_page()
        page.set_default_timeout(30_000)
        notebooks.append(NotebookPage(page, lab, name))
        return notebooks[-1].open()

    yield opened
    for notebook in notebooks:
        if getattr(request.node, "failed", False):
            notebook.screenshot(f"failed-{request.node.name}")
        notebook.page.context.close()
        lab.end_kernel(notebook.name)
