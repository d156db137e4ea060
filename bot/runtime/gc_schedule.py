"""Full garbage collections while nobody plays, so that no click has to wait for one.

A full collection takes tens of milliseconds, and nothing else runs meanwhile. The small collections
of young objects are left to Python: they are quick and find nearly everything, because hardly any
object of the bot lives long and is part of a circle.
"""

from __future__ import annotations

import gc
from datetime import datetime, timedelta

_AT_LEAST_EVERY = timedelta(days=1)
"""The longest time without a full collection, even if people play all the time."""
_NEVER = 1_000_000
"""A threshold that is not reached: Python starts no full collection by itself."""
_WORTH_IT = 10
"""A full collection is worth it after so many of the middle generation, as in Python itself."""


class Garbage:
    """Decides, in place of Python, when there is a full garbage collection."""

    def __init__(self) -> None:
        self._last: datetime | None = None

    def tidy(self, now: datetime, *, playing: bool) -> bool:
        """Do a full collection if this is a good time for it. To be called now and then.

        `playing` says whether somebody plays: then it is a good time only if the last full
        collection was more than a day ago. The first call always collects; what is loaded by then
        is ignored by all later collections. Returns whether a full collection was done.
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
