"""When Python's garbage collector looks at everything: not while people play.

A full collection takes tens of milliseconds, for which no click is answered. The young collections
go on as ever; they find nearly all, as nothing of the bot's own lives long and in circles.
"""

from __future__ import annotations

import gc
from datetime import datetime, timedelta

_AT_LEAST_EVERY = timedelta(days=1)
_NEVER = 1_000_000
_WORTH_IT = 10
"""So many collections of the middle generation since the last full one, as in Python itself."""


class Garbage:
    """Takes full collections over from Python; told now and then whether somebody plays."""

    def __init__(self) -> None:
        self._last: datetime | None = None

    def tidy(self, now: datetime, *, playing: bool) -> bool:
        """Collect everything if nobody plays, or if it was long ago; whether that was done.

        What is loaded by the first time stays for good, and is never looked at again.
        """
        if self._last is None:
            gc.collect()
            gc.freeze()
            gc.set_threshold(*gc.get_threshold()[:2], _NEVER)
            self._last = now
            return True
        if playing and now - self._last < _AT_LEAST_EVERY:
            return False
        if gc.get_count()[2] < _WORTH_IT and not playing:
            return False
        gc.collect()
        self._last = now
        return True
