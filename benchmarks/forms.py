"""What forms cost: CPU, widgets, messages and bytes, beside other generators in the same run.

``python benchmarks/forms.py`` prints a table; ``--check`` exits with 1 if a bound is broken.
Peers (ipyautoui, ipywidgets-jsonschema, magicgui) are measured where they are installed, and
bare ipywidgets always. There is no kernel: a comm that counts stands in for its connection.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import inspect
import io
import itertools
import json
import logging
import statistics
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import comm
import ipywidgets

from workbench import Form, FormModel

Make = Callable[[], object]
KINDS = (
    {"type": "string", "description": "A word."},
    {"type": "integer", "minimum": 0, "maximum": 100, "default": 5},
    {"type": "boolean", "default": True},
    {"type": "number", "default": 0.5},
    {"type": "string", "enum": ["small", "large"], "default": "small"},
)
TYPES = {"string": str, "integer": int, "boolean": bool, "number": float}
_serial = itertools.count()


def flat(size: int) -> dict[str, Any]:
    """So many fields; unlike any schema before, so that nothing is remembered."""
    properties = {
        f"field{n}": {**KINDS[n % len(KINDS)], "title": f"Field {n}"} for n in range(size)
    }
    return {"type": "object", "title": f"Flat{next(_serial)}", "properties": properties}


def deep(levels: int) -> dict[str, Any]:
    """Objects inside objects, all of which must be there."""
    inner = flat(2)
    for _ in range(levels):
        inner = {**flat(1), "properties": {"word": KINDS[0], "inner": inner}, "required": ["inner"]}
    return inner


def unions(size: int) -> dict[str, Any]:
    """So many choices between text, a number and an object."""
    either = {
        "anyOf": [
            KINDS[0],
            KINDS[3],
            {"type": "object", "title": "Both", "properties": {"x": KINDS[3]}},
        ]
    }
    return {**flat(0), "properties": {f"field{n}": either for n in range(size)}}


CASES: dict[str, Callable[[], dict[str, Any]]] = {
    "5 fields": lambda: flat(5), "30 fields": lambda: flat(30), "300 fields": lambda: flat(300),
    "10 deep": lambda: deep(10), "20 unions": lambda: unions(20),
}  # fmt: skip
FASTER = {"30 fields": 20, "300 fields": 100}
"""How many times less CPU than ipyautoui's a form must need."""
MOST_WIDGETS, MOST_MESSAGES = 2, 4
MODEL_MS = 10.0
EDIT_MS = 2.0


class Counted(comm.base_comm.BaseComm):
    """A comm without a kernel, which counts."""

    opened = messages = size = 0

    def publish_msg(
        self,
        msg_type: str,
        data: Any = None,
        metadata: Any = None,
        buffers: Any = None,
        **keys: Any,
    ) -> None:
        Counted.opened += msg_type == "comm_open"
        Counted.messages += 1
        Counted.size += len(json.dumps([data, metadata, keys], default=str)) + sum(
            map(len, buffers or ())
        )


def cost(make: Make) -> tuple[float, int, int, int]:
    """CPU milliseconds, widgets, messages and bytes of what makes a form."""
    Counted.opened = Counted.messages = Counted.size = 0
    # What another form has left behind is not this one's.
    gc.collect()
    start = time.process_time()
    with contextlib.redirect_stdout(io.StringIO()):
        kept = make()
    spent = time.process_time() - start
    found = spent * 1e3, Counted.opened, Counted.messages, Counted.size
    del kept
    ipywidgets.Widget.close_all()
    return found


def ours(schema: dict[str, Any]) -> object:
    return Form(schema)


def _bare(schema: dict[str, Any]) -> object:
    """The least that ipywidgets can do: one control a field, whose values are joined nowhere."""
    boxes = {"string": ipywidgets.Text, "integer": ipywidgets.IntText, "boolean": ipywidgets.Checkbox,
             "number": ipywidgets.FloatText}  # fmt: skip

    def box(name: str, sub: dict[str, Any]) -> object:
        if "properties" in sub:
            return _bare(sub)
        options = sub.get("enum")
        if options:
            return ipywidgets.Dropdown(options=options, description=name)
        return boxes[sub.get("type", "string")](description=name)

    return ipywidgets.VBox([box(name, sub) for name, sub in schema["properties"].items()])


def _ipyautoui() -> Callable[[dict[str, Any]], object]:
    made = importlib.import_module("ipyautoui").AutoUi
    return lambda schema: made(schema)


def _ipywidgets_jsonschema() -> Callable[[dict[str, Any]], object]:
    made = importlib.import_module("ipywidgets_jsonschema").Form
    return lambda schema: made(schema).show(width="600px")


def _magicgui() -> Callable[[dict[str, Any]], object]:
    module = importlib.import_module("magicgui")
    module.use_app("ipynb")

    def of(schema: dict[str, Any]) -> object:
        parameters = [
            inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, annotation=TYPES[sub["type"]],
                              default=sub.get("default", "a"))
            for name, sub in schema["properties"].items()
        ]  # fmt: skip
        return module.signature.MagicSignature(parameters).to_container()

    return of


PEERS = {
    "bare ipywidgets": lambda: _bare,
    "ipyautoui": _ipyautoui,
    "ipywidgets-jsonschema": _ipywidgets_jsonschema,
    "magicgui": _magicgui,
}


def measured(
    make: Callable[[dict[str, Any]], object], case: str, rounds: int
) -> tuple[float, ...] | None:
    """Medians over some rounds, each beside rounds of ours, so that a busy machine slows both.

    Gives CPU milliseconds, widgets, messages, bytes, and how often ours fits into its CPU time;
    None if it cannot make the form.
    """
    costs, ratios = [], []
    try:
        for _ in range(rounds):
            mine = statistics.median(cost(lambda: ours(CASES[case]()))[0] for _ in range(3))
            costs.append(cost(lambda: make(CASES[case]())))
            ratios.append(costs[-1][0] / mine)
    except Exception:  # noqa: BLE001  # a peer may fail in any way at a schema that it does not know
        ipywidgets.Widget.close_all()
        return None
    return statistics.median(each[0] for each in costs), *costs[-1][1:], statistics.median(ratios)


def report(case: str, who: str, found: tuple[float, ...] | None) -> None:
    if found is None:
        print(f"{case:<12} {who:<24} cannot make it")
        return
    ms, widgets, messages, size, times = found
    print(
        f"{case:<12} {who:<24} {ms:9.1f} {widgets:8.0f} {messages:9.0f} {size / 1e3:9.1f} {times:8.1f}"
    )


def installed() -> Iterator[tuple[str, Callable[[dict[str, Any]], object]]]:
    for name, find in PEERS.items():
        try:
            yield name, find()
        except Exception as error:  # noqa: BLE001  # or be there and not start
            print(f"{name} is not there ({type(error).__name__}): not measured")


def compared(peers: dict[str, Callable[[dict[str, Any]], object]]) -> int:
    broken = 0
    print(
        f"{'case':<12} {'form':<24} {'CPU ms':>9} {'widgets':>8} {'messages':>9} {'kB':>9} {'/ ours':>8}"
    )
    for case in CASES:
        mine = measured(ours, case, 9)
        assert mine is not None
        report(case, "workbench", mine)
        broken += mine[1] > MOST_WIDGETS or mine[2] > MOST_MESSAGES
        for name, make in peers.items():
            found = measured(make, case, 3)
            report(case, name, found)
            if name == "ipyautoui" and found and found[-1] < FASTER.get(case, 0):
                print(f"  BROKEN: {FASTER[case]} times less CPU was wanted")
                broken += 1
    return broken


def of_model() -> int:
    """The model alone: building it, and an edit with what is wrong afterwards."""
    spent = statistics.median(cost(lambda: FormModel(flat(300)).problems)[0] for _ in range(15))
    print(f"model of 300 fields with its problems: {spent:.1f} ms of at most {MODEL_MS}")
    broken = int(spent > MODEL_MS)
    model = FormModel(flat(300))

    def edit() -> object:
        model.set_text("field1", "12")
        return model.problems

    spent = statistics.median(cost(edit)[0] for _ in range(50))
    print(f"an edit among 300 fields: {spent:.2f} ms of at most {EDIT_MS}")
    return broken + (spent > EDIT_MS)


def main() -> int:
    logging.disable(logging.CRITICAL)
    warnings.simplefilter("ignore")
    comm.create_comm = Counted
    broken = compared(dict(installed())) + of_model()
    return int(broken > 0 and "--check" in sys.argv)


if __name__ == "__main__":
    sys.exit(main())
