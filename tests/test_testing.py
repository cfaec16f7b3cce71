"""The helpers for people who test their tools."""

from __future__ import annotations

import pytest
from PIL import Image

from workbench import AgentImage, Form, InvalidArguments, ToolTimeout, tool
from workbench.demo.server import server
from workbench.testing import fill_and_run, in_memory


def shrink(picture: Image.Image, by: int = 2) -> Image.Image:
    """Make a picture smaller."""
    return picture.reduce(by)


@pytest.mark.parametrize("entered", [{"by": "4"}, {"by": 4}])
def test_a_form_is_filled_and_run(entered):
    picture = AgentImage(Image.new("RGB", (8, 8)))
    form = Form(shrink, picture=picture)
    assert fill_and_run(form, **entered).images[0].size == (2, 2)
    assert form.result.images[0].size == (2, 2)
    form.close()


def test_what_does_not_fit_is_not_run():
    with pytest.raises(InvalidArguments, match="by"):
        fill_and_run(shrink, by="two")


def test_waiting_has_an_end():
    import threading

    released = threading.Event()
    slow = tool(lambda: released.wait(), name="slow")
    with pytest.raises(ToolTimeout):
        fill_and_run(slow, timeout_s=0.01)
    released.set()


def test_tools_go_through_the_protocol():
    with in_memory(shrink, len) as tools:
        assert tools.names == ("shrink", "len")
        result = tools["shrink"].run({"picture": AgentImage(Image.new("L", (8, 8)))._wire()})
        assert result.images[0].size == (4, 4)
        assert tools["len"].run({"obj": 5}).is_error


def test_a_server_object_is_taken_as_it_is():
    with in_memory(server, structured_output=True) as tools:
        assert tools["greet"](name="Ada") == "Hello, Ada!"
