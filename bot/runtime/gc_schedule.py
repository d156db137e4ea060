"""When Python looks through all objects for garbage: once a minute, and never in between.

What a full collection looks at is what the bot keeps of its tables and what the clicks since the
last one have left. After a minute that takes 15 to 40 milliseconds at fifty to a hundred tables on
a busy machine; after an hour it would be a multiple. What was loaded at the start is never looked
at again. The small collections of young objects are left to Python: they are quick, and find most
of the garbage.
"""

from __future__ import annotations

import gc
from datetime import datetime, timedelta

EVERY = timedelta(minutes=1)
"""The time between two full collections, whether people play or not."""
_NEVER = 1_000_000
"""A threshold that is not reached: Python starts no full collection by itself."""


class Garbage:
    """Decides, in place of Python, when there is a full garbage collection; from `begin` on."""

    def __init__(self) -> None:
        self._last: datetime | None = None

    def begin(self, now: datetime) -> None:
        """Collect, and let all later collections ignore what is loaded by now.

        Nothing of it that points at itself is ever freed, so there is nothing of a game among it.
        """
        gc.collect()
        gc.freeze()
        gc.set_threshold(*gc.get_threshold()[:2], _NEVER)
        self._last = now

    def tidy(self, now: datetime) -> bool:
        """Do a full collection if it is time for one; to be called now and then.

        Returns whether it was time.
        """
        if self._last is None or now - self._last < EVERY:
            return False
        gc.collect()
        self._last = now
        return True
