"""The page of an app asks the panel: what it is told, what it may call, and what is refused."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.bench.test_viewer import Page
from workbench import Workbench

SERVER = [sys.executable, str(Path(__file__).parent.parent / "sources" / "servers" / "app.py")]


@pytest.fixture(scope="module")
def bench():
    with Workbench({"command": SERVER[0], "args": SERVER[1:]}) as opened:
        yield opened


@pytest.fixture
def page(bench):
    page = Page(bench)
    page.panel.stage.result(bench.tools["counter"].run({"start": 3}))
    return page


def asked(page, method, params=None, allowed="none"):
    """What the page is answered, when the answer has come."""
    number = page.viewer.head["number"]
    content = {"number": number, "method": method, "params": params or {}, "allowed": allowed}
    return page.panel._answer("app", content, None, "").result(30)


def test_an_app_stands_beside_the_result(page):
    text, app = page.viewer.blocks
    assert (text["kind"], app["kind"]) == ("text", "page")
    assert app["app"] == {"load": [], "connect": ["https://api.example"], "rights": ["camera"]}


def test_it_is_told_what_it_shows_with_what_is_for_it_alone(page):
    told = asked(page, "open")["result"]
    assert told["tool"]["name"] == "counter"
    assert told["arguments"] == {"start": 3}
    assert told["result"]["content"][0]["text"].startswith("counter")
    assert told["result"]["_meta"] == {"secret": "for the page"}


def test_a_call_waits_for_the_person_unless_it_only_reads(page, bench):
    count = {"name": "count", "arguments": {"by": 2}}
    asks = asked(page, "tools/call", count)["asks"]
    assert (asks["name"], asks["arguments"], asks["badges"]) == ("count", '{\n  "by": 2\n}', [])
    before = len(bench.history)
    done = asked(page, "tools/call", count, "this")["result"]
    assert done["content"][0]["text"].startswith("count")
    assert (len(bench.history), bench.history[-1].origin) == (before + 1, "app")
    assert "result" in asked(page, "tools/call", count, "all")
    assert "result" in asked(page, "tools/call", {"name": "look"})


def test_what_may_destroy_is_asked_for_each_time(page):
    erase = {"name": "erase", "arguments": {}}
    assert asked(page, "tools/call", erase, "all")["asks"]["badges"] == ["destructive"]
    assert "result" in asked(page, "tools/call", erase, "this")


def test_calls_that_are_for_apps_alone_are_not_kept(page, bench):
    before = len(bench.history)
    assert "asks" in asked(page, "tools/call", {"name": "poll"})
    assert asked(page, "tools/call", {"name": "poll"}, "all")["result"]["content"]
    assert len(bench.history) == before
    (entry,) = [entry for entry in page.panel.list.entries if entry["id"] == "poll"]
    assert entry["badges"] == ["app-only"]


@pytest.mark.parametrize("name", ["hidden", "nothing", None])
def test_other_tools_are_out_of_reach(page, name):
    error = asked(page, "tools/call", {"name": name}, "this")["error"]
    assert f"no tool {str(name)!r} for apps" in error["message"]


def test_wrong_arguments_are_said(page):
    wrong = {"name": "count", "arguments": {"by": "two"}}
    error = asked(page, "tools/call", wrong, "this")["error"]
    assert error["code"] == -32602
    assert "by" in error["message"]


def test_resources_of_the_same_server_are_read(page):
    (contents,) = asked(page, "resources/read", {"uri": "note://one"})["result"]["contents"]
    assert contents["text"] == "a note"
    assert "error" in asked(page, "resources/read", {"uri": "note://two"})


def test_a_page_without_a_server_has_nobody_to_ask(bench):
    with Workbench(len) as other:
        other.tools["len"].run({"obj": "abc"})
        page = Page(other)
        page.panel._view({"number": 0})
        assert "on no server" in asked(page, "open")["error"]["message"]
