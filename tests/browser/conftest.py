"""A real JupyterLab on loopback and a real Chromium, one of each for the whole session.

One page is used again and again, since opening one takes longer than most tests; each test has a
notebook and a kernel of its own, and the page's theme and size are set anew.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
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
        self._spare: str | None = None

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
        startup = self.home / "ipython" / "profile_default" / "startup"
        startup.mkdir(parents=True)
        # What takes longest to load is there when a test gets its kernel; workbench itself is not.
        (startup / "ahead.py").write_text("import anywidget, mcp, numpy, PIL.Image, pydantic\n")
        self.set("apputils-extension", "notification", fetchNews="false", checkForUpdates=False)
        # Cells out of sight stay in the page, so that tests can look at them.
        self.set("notebook-extension", "tracker", windowingMode="none")
        # The guard ends the server when this process is gone, also after kill -9.
        command = [
            sys.executable, "-S", "-E", guard.__file__, str(os.getpid()),
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

    def api(self, path: str, method: str = "GET", timeout_s: float = 20, body=None):
        """The answer of the server's REST interface, None where it has no body."""
        headers = {"Authorization": f"token {self.token}"}
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(
            f"{self.url}/api/{path}", data, headers=headers, method=method
        )
        with urllib.request.urlopen(request, timeout=timeout_s) as answer:
            return json.loads(answer.read() or b"null")

    def _answers(self) -> bool:
        try:
            return bool(self.api("status", timeout_s=2))
        except OSError:
            return False

    def warm(self) -> None:
        """Start a kernel for the next notebook, which boots while this test goes on."""
        if self._spare is None:
            self._spare = self.api("kernels", "POST", body={"name": "python3", "path": ""})["id"]

    def give_kernel(self, name: str) -> None:
        """Give a notebook the kernel that was started for it."""
        self.warm()
        kernel, self._spare = {"id": self._spare}, None
        body = {"path": name, "name": name, "type": "notebook", "kernel": kernel}
        self.api("sessions", "POST", body=body)

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
    """One notebook, in the page that all tests share."""

    def __init__(self, page, server: Lab, name: str) -> None:
        self.page, self.server, self.name = page, server, name
        self.errors: list[str] = []
        self._requests: list = []
        self._listeners = {
            "pageerror": lambda error: self.errors.append(str(error)),
            "request": lambda request: self._requests.append(request),
        }
        for event, listener in self._listeners.items():
            page.on(event, listener)

    def open(self) -> NotebookPage:
        self.server.give_kernel(self.name)
        if self.page.url == "about:blank":
            address = f"{self.server.url}/doc/tree/{self.name}?token={self.server.token}&reset"
            self.page.goto(address)
            self.page.wait_for_function(
                "() => window.jupyterapp && window.jupyterapp.started", timeout=PATIENCE_MS
            )
        else:
            self.page.evaluate(
                """(path) => { for (const widget of [...window.jupyterapp.shell.widgets('main')]) widget.dispose();
                    window.jupyterapp.commands.execute('docmanager:open', {path}); }""",
                self.name,
            )
        self.page.wait_for_function(
            """(name) => { const w = window.jupyterapp.shell.currentWidget;
                const kernel = w?.sessionContext?.session?.kernel;
                return w?.context?.path === name && w.content?.widgets?.length
                    && document.querySelector('.jp-Notebook .jp-Cell')
                    && kernel?.connectionStatus === 'connected' && kernel.status === 'idle'; }""",
            arg=self.name,
            timeout=PATIENCE_MS,
        )
        self.theme("light")
        self.server.warm()
        return self

    @property
    def requests(self) -> list[str]:
        """What the page has requested."""
        return [request.url for request in self._requests]

    def asked_of(self, host: str) -> list[str]:
        """What the page has requested of a host, but for what its own policy has stopped."""
        return [
            f"{request.url} {request.failure or ''}"
            for request in self._requests
            if host in request.url and request.failure != "csp"
        ]

    def close(self) -> None:
        """Let go of the page, and end the kernel."""
        for event, listener in self._listeners.items():
            self.page.remove_listener(event, listener)
        self.server.end_kernel(self.name)

    def command(self, name: str) -> None:
        """Start a command of JupyterLab without waiting for its end."""
        self.page.evaluate("(name) => { window.jupyterapp.commands.execute(name); }", name)

    def run_all(self) -> NotebookPage:
        self.command("notebook:run-all-cells")
        return self.wait_idle()

    def run(self, index: int) -> None:
        """Run a cell without waiting for its end."""
        self.page.evaluate(
            """(i) => { window.jupyterapp.shell.currentWidget.content.activeCellIndex = i;
                window.jupyterapp.commands.execute('notebook:run-cell'); }""",
            index,
        )

    def do(self, index: int, source: str | None = None):
        """Run a cell, perhaps with other source, to its end; gives its output."""
        self.page.evaluate(
            """([i, source]) => { const content = window.jupyterapp.shell.currentWidget.content;
                if (source !== null) content.widgets[i].model.sharedModel.setSource(source);
                content.activeCellIndex = i;
                return window.jupyterapp.commands.execute('notebook:run-cell'); }""",
            [index, source],
        )
        return self.cell(index)

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
        if (
            self.page.evaluate("() => document.body.dataset.jpThemeLight")
            == str(name == "light").lower()
        ):
            return
        self.page.evaluate(
            "(theme) => window.jupyterapp.commands.execute('apputils:change-theme', {theme})",
            f"JupyterLab {name.title()}",
        )
        self.page.wait_for_function(
            "(light) => document.body.dataset.jpThemeLight === light",
            arg=str(name == "light").lower(),
        )
        self.page.locator(".jp-Splash, #jupyterlab-splash").wait_for(state="detached")

    def resize(self, width: int, height: int = 1000) -> None:
        self.page.set_viewport_size({"width": width, "height": height})

    def screenshot(self, name: str) -> Path:
        SCREENSHOTS.mkdir(exist_ok=True)
        path = SCREENSHOTS / f"{name}.png"
        self.page.screenshot(path=str(path))
        return path


class Pages:
    """The page that is used again, or a new one where that has been given up."""

    def __init__(self, chromium) -> None:
        self._chromium = chromium
        self._page = None

    def current(self):
        if self._page is None:
            self._page = self._chromium.new_context().new_page()
            self._page.set_default_timeout(30_000)
        return self._page

    def give_up(self) -> None:
        if self._page is not None:
            self._page.context.close()
        self._page = None


@pytest.fixture(scope="session")
def pages(chromium):
    kept = Pages(chromium)
    yield kept
    kept.give_up()


def written(cells, folder: Path) -> str:
    """The name of a new notebook of some code cells, or of a copy of an existing one."""
    nbformat = pytest.importorskip("nbformat")
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
    nbformat.write(notebook, folder / name)
    return name


@contextlib.contextmanager
def _notebooks(lab, pages):
    """Give a function that opens a notebook of some code cells, or an existing notebook."""
    notebooks: list[NotebookPage] = []

    def opened(cells, width: int = 1280, height: int = 1000) -> NotebookPage:
        page = pages.current()
        page.set_viewport_size({"width": width, "height": height})
        notebooks.append(NotebookPage(page, lab, written(cells, lab.root)))
        return notebooks[-1].open()

    yield opened
    for notebook in notebooks:
        notebook.close()


@pytest.fixture
def open_notebook(lab, pages):
    """Open notebooks that end with the test."""
    with _notebooks(lab, pages) as opened:
        yield opened


@pytest.fixture(scope="module")
def open_for_all(lab, pages):
    """Open notebooks for all tests of a module, which has no others."""
    with _notebooks(lab, pages) as opened:
        yield opened


@pytest.fixture(autouse=True)
def _pictured(request, pages):
    """Keep a picture of what a failed test saw."""
    yield
    if getattr(request.node, "failed", False):
        SCREENSHOTS.mkdir(exist_ok=True)
        name = re.sub(r"\W+", "-", request.node.name)
        pages.current().screenshot(path=str(SCREENSHOTS / f"failed-{name}.png"))
