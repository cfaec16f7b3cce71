"""How a run is getting on, as plain JSON for a page: bounded, nothing but text and numbers."""

from __future__ import annotations

from typing import Any

from workbench.errors import InvalidArguments
from workbench.tools.result import error_text
from workbench.tools.run import Run
from workbench.tools.traces import own_traceback

__all__ = ["run_view"]

_MOST_TEXT = 20_000


def run_view(run: Run) -> dict[str, Any]:
    r"""The state of a run for people.

    Examples
    --------
    >>> from workbench import tool
    >>> from workbench.tools import start
    >>> run = start(tool(lambda: print("hi"), name="greet"), {})
    >>> run.wait().value, run_view(run)["output"], run_view(run)["status"]
    (None, 'hi\n', 'done')
    """
    view: dict[str, Any] = {
        "status": run.status,
        "elapsed_s": round(run.elapsed_s, 2),
        "output": _output(run),
        "log": [f"{line.level}: {line.text}"[:500] for line in run.log[-50:]],
        "partial": [str(value)[:300] for value in run.partial[-20:]],
    }
    if run.progress is not None:
        view["progress"] = {
            "fraction": run.progress.fraction,
            "message": run.progress.message,
            "done": run.progress.progress,
            "total": run.progress.total,
        }
    if run.result is not None and run.result.is_error:
        view["error"] = _error(run)
    return view


def _output(run: Run) -> str:
    text = "".join(item["text"] for item in run.outputs if item["output_type"] == "stream")
    return text if len(text) <= _MOST_TEXT else "...\n" + text[-_MOST_TEXT:]


def _error(run: Run) -> dict[str, str]:
    assert run.result is not None
    error = run.result.error
    if error is None:
        return {"message": run.result.text[:2000], "trace": ""}
    trace = "" if isinstance(error, InvalidArguments) else own_traceback(error)
    return {"message": error_text(error)[:2000], "trace": trace[-_MOST_TEXT:]}
