"""A form in a real Chromium without a notebook: the widget's own module and its own Python.

The page has what anywidget gives a module: a model with traits and messages. What it sends goes
to the form, and what that answers comes back; several of these fit into a second.
"""

from __future__ import annotations

import base64
import json
from pathlib import Path

import pytest

import workbench
from workbench import Form

STATIC = Path(workbench.__file__).parent / "static"
SHELL = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>form</title>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'self' blob:;
 style-src 'self'; img-src blob: data:; media-src blob: data:; connect-src blob: data:">
<link rel="stylesheet" href="/form.css"><link rel="stylesheet" href="/page.css">
</head><body><main id="place"></main><script type="module" src="/shell.js"></script></body></html>"""
PAGE_CSS = "body { margin: 16px; font-family: sans-serif; color-scheme: light dark; }"
SHELL_JS = """
const { default: widget } = await import("/form.js");
const listeners = new Map();
const heard = (name) => listeners.get(name) || listeners.set(name, new Set()).get(name);
const state = await window.formState();
const base64 = (bytes) => { let text = ""; for (const each of new Uint8Array(bytes)) text += String.fromCharCode(each); return btoa(text); };
const take = ({ traits, messages }) => {
  for (const [name, value] of Object.entries(traits)) model.set(name, value);
  for (const message of messages) for (const each of heard("msg:custom")) each(message);
};
const model = {
  get: (name) => state[name],
  set(name, value) { state[name] = value; for (const each of heard(`change:${name}`)) each(); },
  on: (name, each) => heard(name).add(each),
  off: (name, each) => heard(name).delete(each),
  send: async (content, callbacks, buffers) => take(await window.formSend(JSON.stringify(content), (buffers || []).map(base64))),
};
// Nothing is sent while the kernel is busy; it answers what has come when it is free again.
const poll = async () => { take(await window.formPoll()); setTimeout(poll, 40); };
widget.render({ model, el: document.getElementById("place") });
poll();
document.body.dataset.ready = "yes";
"""
TYPES = {".js": "text/javascript", ".css": "text/css"}


class FormPage:
    """One form in one page; `body` is what tests look into."""

    def __init__(self, page, form: Form) -> None:
        self.page, self.form = page, form
        self.body = page.locator(".wb-form")
        self.errors: list[str] = []
        self.requests: list[str] = []
        self.traits: dict[str, object] = {}
        self.messages: list[dict] = []
        self.told: list[dict] = []
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", self._said)
        page.on("request", lambda request: self.requests.append(request.url))
        form.send = self._tell
        form.observe(self._changed, ["view", "run_view"])
        page.expose_function("formState", lambda: {"view": form.view, "run_view": form.run_view})
        page.expose_function("formSend", self._heard)
        page.expose_function("formPoll", self._out)
        page.route("http://localhost/**", self._serve)
        page.goto("http://localhost/")
        page.locator("body[data-ready]").wait_for()

    def _tell(self, content, buffers=None) -> None:
        self.messages.append(content)
        self.told.append(content)

    def _said(self, message) -> None:
        if message.type == "error":
            self.errors.append(message.text)

    def _changed(self, change) -> None:
        if not (change["name"] == "view" and self.form._patching):
            self.traits[change["name"]] = change["new"]

    def _out(self):
        out = {"traits": dict(self.traits), "messages": list(self.messages)}
        self.traits.clear(), self.messages.clear()
        return json.loads(json.dumps(out))

    def _heard(self, text: str, buffers: list[str]):
        content = json.loads(text)
        self.form._heard(self.form, content, [base64.b64decode(each) for each in buffers])
        return self._out()

    def _serve(self, route) -> None:
        name = route.request.url.removeprefix("http://localhost/")
        given = {
            "": (SHELL, "text/html"),
            "shell.js": (SHELL_JS, TYPES[".js"]),
            "page.css": (PAGE_CSS, TYPES[".css"]),
        }
        if name in given:
            body, kind = given[name]
        elif (STATIC / name).is_file() and name in ("form.js", "form.css"):
            body, kind = (STATIC / name).read_text("utf-8"), TYPES[Path(name).suffix]
        else:
            route.fulfill(status=404, body="")
            return
        route.fulfill(body=body, content_type=f"{kind}; charset=utf-8")

    def field(self, name: str):
        """The row of a field, by what is written above it."""
        labels = self.page.locator(".wb-label", has_text=name)
        return self.body.locator(".wb-field", has=labels).first

    def press(self, name: str, button: str) -> None:
        """Press one of the buttons beside a field's name."""
        self.field(name).locator("> .wb-head").get_by_role(
            "button", name=button, exact=True
        ).click()

    def wait(self, holds, timeout_ms: float = 10_000):
        """Wait until something is true of the form in Python."""
        self.page.wait_for_function("() => true")
        waited = 0.0
        while not holds(self.form):
            assert waited < timeout_ms, f"waited in vain; the form has {self.form.value!r}"
            self.page.wait_for_timeout(30)
            waited += 30
        return self.form.value

    def has(self, value) -> None:
        """Wait until the form holds a value, of the same JSON types."""
        wanted = json.dumps(value, sort_keys=True)
        self.wait(lambda form: json.dumps(form.value, sort_keys=True) == wanted)

    def screenshot(self, name: str, folder: Path) -> None:
        folder.mkdir(exist_ok=True)
        self.page.screenshot(path=str(folder / f"{name}.png"), full_page=True)


@pytest.fixture(scope="module")
def form_context(chromium):
    context = chromium.new_context(
        viewport={"width": 900, "height": 900},
        permissions=["camera", "microphone", "clipboard-read", "clipboard-write"],
    )
    context.set_default_timeout(15_000)
    yield context
    context.close()


@pytest.fixture
def open_form(form_context, request):
    """Give a function that shows a form in a page of its own."""
    pages: list[FormPage] = []

    def opened(
        target, width: int = 900, height: int = 900, scheme: str = "light", **values
    ) -> FormPage:
        form = target if isinstance(target, Form) else Form(target, **values)
        page = form_context.new_page()
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme=scheme)
        pages.append(FormPage(page, form))
        return pages[-1]

    yield opened
    for each in pages:
        if getattr(request.node, "failed", False):
            each.screenshot(f"failed-{request.node.name}", Path("screenshots"))
        each.page.close()
        each.form.close()


@pytest.fixture(scope="session")
def pictures():
    """Where pictures are left to be looked at."""
    import os

    return Path(os.environ.get("WORKBENCH_SCREENSHOTS", "screenshots"))
