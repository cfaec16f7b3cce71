"""A tool as a Gradio app: opened, and written into a folder that starts by itself."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from workbench import AgentAudio, AgentImage

gradio_client = pytest.importorskip("gradio_client")
gradio = pytest.importorskip("gradio")

HERE = Path(__file__).parent


@pytest.fixture(scope="module")
def client():
    """Clients of the apps of ``demo_tools.py``, by the tool's name."""
    command = [sys.executable, str(HERE / "demo_tools.py")]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    with subprocess.Popen(command, text=True, **pipes) as apps:
        found = json.loads(next(line for line in apps.stdout if line.startswith("{")))
        yield lambda name: gradio_client.Client(found[name], verbose=False, analytics_enabled=False)
        apps.stdin.close()


@pytest.fixture
def save(in_child):
    """Have a tool of ``demo_tools.py`` write itself into a folder."""
    return lambda name, folder: in_child(f"import demo_tools as d; d.{name}.save({str(folder)!r})")


def test_every_json_type_goes_in_and_comes_out(client):
    app = client("every")
    given = ("hi", 3, 0.25, True, "long", '["a"]', '{"b": [1, null]}', '"x"')
    said = app.predict(*given, api_name="/every")
    assert said == {
        "text": "hi",
        "count": 3,
        "share": 0.25,
        "loud": True,
        "style": "long",
        "tags": ["a"],
        "extra": {"b": [1, None]},
        "anything": "x",
    }
    left = app.predict("", 3, 0.5, False, "short", "", "", "", api_name="/every")
    assert (left["text"], left["tags"], left["extra"]) == ("", None, None)


def test_what_is_wrong_is_told(client):
    app = client("every")
    with pytest.raises(gradio_client.exceptions.AppError, match="tags: is not JSON"):
        app.predict("hi", 3, 0.5, False, "short", "[a", "", "", api_name="/every")
    with pytest.raises(gradio_client.exceptions.AppError, match="n is below 0"):
        client("nothing").predict(-1, api_name="/nothing")


def test_media_go_both_ways(client, tmp_path):
    Image.new("RGB", (3, 5)).save(tmp_path / "a.png")
    AgentAudio([0.5, 1.0], 8000).save(tmp_path / "a.wav")
    handle = gradio_client.handle_file
    picture = client("turned").predict(handle(tmp_path / "a.png"), api_name="/turned")
    assert AgentImage(picture).size == (5, 3)
    sound = AgentAudio(client("halved").predict(handle(tmp_path / "a.wav"), api_name="/halved"))
    assert np.allclose(sound, [0.25, 0.5], atol=1e-3)
    assert client("nothing").predict(1, api_name="/nothing") is None


def test_a_saved_tool_is_an_app_that_starts_and_answers(tmp_path, save):
    save("every", tmp_path / "app")
    names = sorted(path.name for path in (tmp_path / "app").iterdir())
    assert names == ["app.py", "requirements.txt", "tool.py"]
    needed = (tmp_path / "app" / "requirements.txt").read_text("utf-8")
    assert f"gradio=={gradio.__version__}\n" in needed
    answers(sys.executable, tmp_path / "app")


@pytest.mark.skipif("WORKBENCH_CI" not in os.environ, reason="installs a fresh environment, in CI")
def test_the_app_answers_where_only_its_requirements_are(tmp_path, save):
    save("every", tmp_path / "app")
    wheels, python = tmp_path / "wheels", tmp_path / "fresh" / "bin" / "python"
    pip = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", str(wheels)]
    subprocess.run([*pip, str(HERE.parent.parent)], check=True)
    subprocess.run([sys.executable, "-m", "venv", str(tmp_path / "fresh")], check=True)
    # This distribution is not on PyPI: all else comes from there.
    pip = [str(python), "-m", "pip", "install", "-q", "--find-links", str(wheels)]
    needed = tmp_path / "app" / "requirements.txt"
    subprocess.run([*pip, "-r", str(needed)], check=True)
    answers(str(python), tmp_path / "app")


def answers(python: str, folder: Path) -> None:
    """Start the app in a folder, and ask it for something."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    env = {**os.environ, "GRADIO_SERVER_PORT": str(port), "GRADIO_ANALYTICS_ENABLED": "False"}
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    with subprocess.Popen([python, "-u", "app.py"], cwd=folder, env=env, text=True, **pipes) as app:
        try:
            assert any(str(port) in line for line in app.stdout)
            address = f"http://127.0.0.1:{port}/"
            client = gradio_client.Client(address, verbose=False, analytics_enabled=False)
            said = client.predict("hi", 3, 0.5, False, "short", "", "", "", api_name="/every")
            assert said["count"] == 3
        finally:
            app.kill()
