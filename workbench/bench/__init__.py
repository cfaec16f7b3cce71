"""The workbench itself: tools, a form for one of them, its results, and a history."""

from workbench.bench.history import History
from workbench.bench.record import CallRecord
from workbench.bench.workbench import Workbench, open

__all__ = ["CallRecord", "History", "Workbench", "open"]
