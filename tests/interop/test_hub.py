"""Tools on the Hub: read, executed with trust only, and written, against a Hub on loopback.

``huggingface_hub`` looks for its Hub when it is imported, so each test is a program of its own.
"""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.interop.hub_server import WRITER, Hub

pytest.importorskip("huggingface_hub", reason="huggingface_hub is not installed")

ADD = '''
import workbench

def add(a: int, b: int = 2) -> int:
    """Add two numbers."""
    return a + b

tool = workbench.Tool(add)
'''
SCALED = '''
import workbench

class Scaled(workbench.Tool):
    """Multiply."""

    name = "scaled"
    description = "Multiply."
    inputs = {"x": {"type": "integer", "description": "what"}}
    output_type = "integer"

    def __init__(self, factor: int = 1, revision_of_model: str = ""):
        super().__init__()
        self.factor, self.revision_of_model = factor, revision_of_model

    def forward(self, x: int) -> int:
        return x * self.factor
'''


@pytest.fixture
def hub():
    server = Hub()
    yield server
    server.shutdown()
    server.server_close()


@pytest.fixture
def run(hub, tmp_path):
    """Give a function that runs a program against the Hub, and gives what it prints, by lines."""

    def ran(code: str, **environment: str) -> list[str]:
        (tmp_path / "program.py").write_text("import workbench\nfrom workbench import *\n" + code)
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("HF_", "HUGGING"))}
        names = {"HF_ENDPOINT": hub.url, "HF_HOME": str(tmp_path / "home"), **environment}
        done = subprocess.run(
            [sys.executable, str(tmp_path / "program.py")], env={**kept, **names},
            capture_output=True, text=True, timeout=120, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        assert WRITER not in done.stdout + done.stderr
        return done.stdout.splitlines()

    return ran


def test_without_trust_nothing_is_fetched_and_the_code_is_named(run, hub):
    hub.put("somebody/add", tool__py=ADD)
    said = run(
        "for load in (load_tool, Tool.from_hub):\n"
        "    try: load('somebody/add', revision='v1')\n"
        "    except UntrustedCodeError as error: print(error)"
    )
    assert len(said) == 2
    assert all("'tool.py'" in line and "/spaces/somebody/add/blob/v1/tool.py" in line for line in said)  # fmt: skip
    assert hub.seen == []


def test_a_tool_is_loaded_and_called(run, hub):
    hub.put("somebody/add", tool__py=ADD)
    assert run(
        "made = load_tool('somebody/add', trust_remote_code=True)\n"
        "print(made.name, made(1), made.description, made.source)"
    ) == ["add 3 Add two numbers. Hub somebody/add"]


def test_how_to_fetch_and_what_to_construct_are_kept_apart(run, hub, tmp_path):
    hub.put("somebody/scaled", tool__py=SCALED.replace("x * self.factor", "-1"))
    hub.put("somebody/scaled", tool__py=SCALED)
    hub.commits["somebody/scaled"][-1]["inner/tool.py"] = ADD.encode()
    program = """
cache = {cache!r}
options = dict(trust_remote_code=True, cache_dir=cache)
print(Tool.from_hub('somebody/scaled', factor=3, revision_of_model='x', **options)(x=5))
print(Tool.from_hub('somebody/scaled', factor=3, revision='v1', **options)(x=5))
print(Tool.from_hub('somebody/scaled', subfolder='inner', **options)(1))
try: Tool.from_hub('somebody/scaled', factors=3, **options)
except Exception as error: print(type(error).__name__, error)
"""
    said = run(program.format(cache=str(tmp_path / "cache")))
    assert said[:3] == ["15", "-1", "3"]
    assert "factors" in said[3]
    assert (tmp_path / "cache").is_dir()
    assert not (tmp_path / "home" / "hub").exists()


FAULTS = [
    ("'somebody/nothing'", "no such repository, or it is private"),
    ("'somebody/private'", "no such repository, or it is private"),
    ("'somebody/private', token='hf_wrong'", "does not accept the token"),
    ("'somebody/gated', token=T", "it is gated"),
    ("'somebody/add', revision='v9'", "no such revision"),
    ("'somebody/add', subfolder='x'", "no such file"),
    ("'no name'", "failed"),
]


def test_each_refusal_says_why_and_never_the_token(run, hub):
    hub.put("somebody/add", tool__py=ADD)
    hub.put("somebody/private", tool__py=ADD)
    hub.put("somebody/gated", tool__py=ADD)
    hub.private.add("somebody/private")
    hub.gated.add("somebody/gated")
    calls = "".join(f"    lambda: load_tool({given}, trust_remote_code=True),\n" for given, _ in FAULTS)  # fmt: skip
    said = run(
        f"import os\nT = os.environ['TOKEN']\nfor load in (\n{calls}):\n    try: print(load())\n"
        "    except WorkbenchError as error: print(type(error).__name__, error)",
        TOKEN=WRITER,
    )
    assert [cause in line for line, (_, cause) in zip(said, FAULTS, strict=True)] == [True] * 7, said  # fmt: skip
    assert "hf_wrong" not in "".join(said)
    loaded = "print(load_tool('somebody/private', token=os.environ['TOKEN'], trust_remote_code=True)(1))"  # fmt: skip
    assert run(f"import os\n{loaded}", TOKEN=WRITER) == ["3"]


def test_offline_the_cache_serves_and_its_lack_is_told(run, hub):
    hub.put("somebody/add", tool__py=ADD)
    hub.put("somebody/other", tool__py=ADD)
    load = "print(load_tool('somebody/{}', trust_remote_code=True)(1))"
    assert run(load.format("add")) == ["3"]
    gone = "http://127.0.0.1:9"
    assert run(load.format("add"), HF_ENDPOINT=gone) == ["3"]
    assert run(load.format("add"), HF_HUB_OFFLINE="1") == ["3"]
    for environment in ({"HF_ENDPOINT": gone}, {"HF_HUB_OFFLINE": "1"}):
        said = run(
            f"try: {load.format('other')}\nexcept ConnectionFailed as error: print(error)",
            **environment,
        )
        assert "nothing is in the cache" in said[0]


def test_collections_keep_their_order(run, hub):
    for name in ("b", "a", "c"):
        hub.put(f"somebody/{name}", tool__py=ADD.replace("add", f"add_{name}"))
    hub.collections["somebody/mine-1"] = [
        "space:somebody/c", "model:somebody/model", "space:somebody/a", "space:somebody/b", "space:somebody/a",
    ]  # fmt: skip
    said = run(
        "try: ToolCollection.from_hub('somebody/mine-1')\n"
        "except UntrustedCodeError as error: print(str(error).replace('\\n', ' '))\n"
        "print(ToolCollection.from_hub('somebody/mine-1', trust_remote_code=True).names)\n"
        "try: ToolCollection.from_hub('somebody/none-2', trust_remote_code=True)\n"
        "except ConnectionFailed as error: print(error)"
    )
    assert said[0].index("somebody/c") < said[0].index("somebody/a") < said[0].index("somebody/b")
    assert said[1] == "('add_c', 'add_a', 'add_b')"
    assert "there is nothing of that name" in said[2]


PUSH = '''
import os

@tool
def shout(text: str, times: int = 1) -> str:
    """Say it louder.

    Args:
        text: What to say.
    """
    return text.upper() * times

pushed = shout.push_to_hub("somebody/shout", token=os.environ["TOKEN"], **{options})
print(pushed.commit_url or pushed.pr_url)
'''


def test_what_is_pushed_is_loaded_again(run, hub):
    said = run(PUSH.format(options={"private": True, "commit_message": "First"}), TOKEN=WRITER)
    assert said[0].startswith(f"{hub.url}/spaces/somebody/shout/commit/")
    files = hub.commits["somebody/shout"][-1]
    assert set(files) == {"tool.py", "app.py", "requirements.txt", "README.md"}
    assert "somebody/shout" in hub.private
    card = files["README.md"].decode()
    assert all(part in card for part in ("sdk: gradio", "app_file: app.py", "- tool", "- workbench", "Say it louder."))  # fmt: skip
    loaded = (
        "import os\nmade = load_tool('somebody/shout', token=os.environ['TOKEN'], trust_remote_code=True)\n"
        "print(made('a', times=2), made.arg_desc, made.to_dict()['name'])"
    )
    assert run(loaded, TOKEN=WRITER) == ["AA {'text': 'What to say.'} shout"]
    # Again, as a proposal: what a person wrote into the README stays.
    hub.put("somebody/shout", README__md="---\ntitle: Mine\ntags:\n- loud\n---\nWords of mine.\n")
    run(PUSH.format(options={"create_pr": True}), TOKEN=WRITER)
    card = hub.proposed[0]["README.md"].decode()
    assert all(part in card for part in ("title: Mine", "- loud", "- tool", "Words of mine."))


def test_what_cannot_be_written_or_sent_is_told(run, hub):
    said = run(
        "import os\nfor made, token in ((tool(lambda x: x, name='f'), os.environ['TOKEN']), (tool(len), None)):\n"
        "    try: made.push_to_hub('somebody/f', token=token)\n"
        "    except WorkbenchError as error: print(type(error).__name__)",
        TOKEN=WRITER,
    )
    assert said == ["ToolDefinitionError", "ToolDefinitionError"]
    assert hub.seen == []
    said = run(
        PUSH.replace("pushed = ", "try: pushed = ").format(options={})
        .replace("print(pushed.commit_url or pushed.pr_url)", "except ConnectionFailed as error: print(error)"),
        TOKEN="hf_of_a_reader",
    )  # fmt: skip
    assert "does not accept the token" in said[0]
    assert "hf_of_a_reader" not in said[0]


def test_smolagents_loads_what_is_pushed_and_is_loaded(run, hub):
    pytest.importorskip("smolagents", reason="smolagents is not installed")
    run(PUSH.format(options={}), TOKEN=WRITER)
    theirs = """
import smolagents
made = smolagents.load_tool('somebody/shout', trust_remote_code=True)
print(made.name, made.inputs['text'], made('hey', times=2))
"""
    assert run(theirs) == ["shout {'type': 'string', 'description': 'What to say.'} HEYHEY"]
    push = """
import os, smolagents
class Greets(smolagents.Tool):
    name = "greets"
    description = "Say hello."
    inputs = {"who": {"type": "string", "description": "whom"}}
    output_type = "string"
    def forward(self, who: str) -> str:
        return "hello " + who
Greets().push_to_hub("somebody/greets", token=os.environ["TOKEN"])
"""
    run(push, TOKEN=WRITER)
    loaded = "made = load_tool('somebody/greets', trust_remote_code=True)\nprint(made.name, made('you'), made.arg_desc)"  # fmt: skip
    assert run(loaded) == ["greets hello you {'who': 'whom'}"]
