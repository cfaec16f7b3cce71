"""Something that is done often enough, but not more often."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

__all__ = ["Throttle"]


class Throttle:
    """Does something when asked, at most once in a period, and always after the last request.

    Parameters
    ----------
    action : callable
        What is done; in the thread of who asks, or in a timer's.
    period_s : float
        Seconds between two times.

    Examples
    --------
    >>> done = []
    >>> throttle = Throttle(lambda: done.append("drawn"), period_s=60)
    >>> throttle.ask(), throttle.ask(), throttle.now()
    (None, None, None)
    >>> done
    ['drawn', 'drawn']
    """

    def __init__(self, action: Callable[[], None], period_s: float) -> None:
        self._action = action
        self._period_s = period_s
        self._last = -period_s
        self._timer: threading.Timer | None = None
        self._lock = threading.Lock()

    def ask(self) -> None:
        """Have it done, now or soon."""
        with self._lock:
            wait_s = self._last + self._period_s - time.monotonic()
            if wait_s > 0:
                if self._timer is None:
                    self._timer = threading.Timer(wait_s, self.now)
                    self._timer.daemon = True
                    self._timer.start()
                return
        self.now()

    def now(self) -> None:
        """Do it now; a request that waits is answered by that."""
        self.stop()
        self._action()

    def stop(self) -> None:
        """Forget a request that waits."""
        with self._lock:
            self._last = time.monotonic()
            timer, self._timer = self._timer, None
        if timer is not None:
            timer.cancel()
