"""From trying to testing: recorded calls as a pytest file that makes them again."""

from __future__ import annotations

import os
import pprint
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from workbench.bench.record import CallRecord, given_text
from workbench.bench.saving import save_records
from workbench.bench.secrets import Secret
from workbench.errors import WorkbenchError
from workbench.types.files import write_atomically

__all__ = ["write_tests"]

_LONGEST = 600
_HEAD = '''"""Calls that were tried by hand with workbench: what came then must come now.

The recorded results are in {calls!r}.
Where a tool is meant to change, change the test, or record anew.
"""

from pathlib import Path

import pytest

import workbench
from workbench.testing import assert_like

HERE = Path(__file__).parent
RECORDED = workbench.History.load(HERE / {calls!r})


@pytest.fixture(scope="module")
def tools():
    with workbench.open({targets}) as bench:
        yield {tools}
'''


def write_tests(
    path: str | Path,
    records: Sequence[tuple[CallRecord, Mapping[str, Any]]],
    targets: Iterable[str],
    shelves: Sequence[str] = ("tools",),
) -> Path:
    """Write a pytest file, and beside it what was recorded.

    Parameters
    ----------
    path : path
        "test_server.py" has its records in "test_server_calls.jsonl".
    records : sequence of (CallRecord, mapping)
        Each with its secrets, which are not written.
    targets : iterable of str
        What :func:`workbench.open` takes, for the tests to have the tools.
    shelves : sequence of str
        Where the workbench has what was called: "tools", "resources", "prompts".

    Returns
    -------
    Path
        The pytest file.

    Raises
    ------
    WorkbenchError
        If there is nothing to write.
    OSError
        If it cannot be written.
    """
    target, named = Path(path), list(targets)
    if not records or not named:
        lacking = "calls" if named else "target that tests can open: give target=..."
        raise WorkbenchError(f"no tests can be written: there is no {lacking}")
    calls = target.with_name(f"{target.stem}_calls.jsonl")
    target.parent.mkdir(parents=True, exist_ok=True)
    save_records(calls, records)
    opened = ", ".join(_target_source(each, target.parent) for each in named)
    tools = " + ".join(f"bench.{shelf}" for shelf in shelves)
    parts = [_HEAD.format(calls=calls.name, targets=opened, tools=tools)]
    parts += [_test(at, record) for at, (record, _) in enumerate(records)]
    write_atomically(target, "\n\n".join(parts).encode())
    return target


def _target_source(target: str, folder: Path) -> str:
    """A target as source; a file is named from where the tests are."""
    file = re.fullmatch(r"([^\s:]+\.(?:py|json))(:\w+)?", target)
    if file is None:
        return repr(target)
    relative = Path(os.path.relpath(file[1], folder)).as_posix()
    return f"str(HERE / {relative!r})" + (f" + {file[2]!r}" if file[2] else "")


def _test(at: int, record: CallRecord) -> str:
    secrets = [secret.where for secret in Secret.inside(record.arguments)]
    mark = f"@pytest.mark.skip(reason={_needs(secrets)!r})\n" if secrets else ""
    name = re.sub(r"\W+", "_", record.tool)
    given = _arguments(at, record.arguments)
    return (
        f"{mark}def test_{name}_{at}(tools):\n"
        f'    """{_docstring(record)}"""\n'
        f"    result = tools[{record.tool!r}].run({given})\n"
        f"    assert_like(result, RECORDED[{at}].result)\n"
    )


def _needs(secrets: list[str]) -> str:
    return f"secrets are not recorded: fill in {', '.join(secrets)}"


def _docstring(record: CallRecord) -> str:
    text = f"{record.tool}({given_text(record, 50)}): {record.summary}"
    plain = re.sub(r'[\\"\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]', " ", text).strip()
    return plain if len(plain) <= 88 else plain[:85] + "..."


def _arguments(at: int, arguments: Mapping[str, Any]) -> str:
    """Arguments as a literal where that is short; media and the like from the record."""
    if _is_plain(arguments):
        text = pprint.pformat(dict(arguments), width=80, sort_dicts=False)
        if len(text) <= _LONGEST:
            return text.replace("\n", "\n" + " " * 8)
    return f"RECORDED[{at}].arguments"


def _is_plain(value: Any) -> bool:
    if isinstance(value, Mapping):
        return all(type(key) is str and _is_plain(item) for key, item in value.items())
    if type(value) is list:
        return all(map(_is_plain, value))
    return type(value) in (str, int, bool, type(None)) or (type(value) is float and value == value)
