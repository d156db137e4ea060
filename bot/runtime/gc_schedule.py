"""Schedule of full garbage collections: once per minute instead of on allocation.

A full collection visits the objects of tables, and the objects that clicks have left behind since
the last collection. After a minute that takes 15 to 40 ms with fifty to a hundred tables on a busy
machine; after an hour it would take a multiple. Objects loaded at the start are never visited
again. The collections of young objects are left to Python, because they are quick and free most of
the garbage.
"""

from __future__ import annotations

import gc
from datetime import datetime, timedelta

EVERY = timedelta(minutes=1)
"""Interval of full collections."""
_NEVER = 1_000_000
"""Threshold that is never reached, so that Python starts no full collection itself."""


class GarbageSchedule:
    """Full garbage collections in place of Python's own, from `begin` on."""

    def __init__(self) -> None:
        self._last: datetime | None = None

    def begin(self, now: datetime) -> None:
        """Collect, and exclude all objects loaded by now from later collections.

        Cycles among them are never freed, so no game may be open yet.
        """
        gc.collect()
        gc.freeze()
        gc.set_threshold(*gc.get_threshold()[:2], _NEVER)
        self._last = now

    def collect_if_due(self, now: datetime) -> bool:
        """Run a full collection if it is due; return whether it was. Call this regularly."""
        if self._last is None or now - self._last < EVERY:
            return False
        gc.collect()
        self._last = now
        return True
