"""Throttled log of lasting failures: one line at the beginning, one per minute, one on recovery.

A full disk, for example, makes every click and every timer fail. A line for each failure would hide
all other lines, and fill the disk further.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from contextvars import Context
from typing import Final

LOG_INTERVAL_S: Final = 60.0
"""The least number of seconds between two lines with the same reason."""


class ThrottledLog:
    """Log of one kind of failure, such as "database write failed"; `now` returns seconds."""

    def __init__(
        self, log: logging.Logger, name: str, now: Callable[[], float] = time.monotonic
    ) -> None:
        self._log = log
        self._name = name
        self._now = now
        self.reason: str | None = None
        """The reason of the latest failure; `None` after a success."""
        self._began = 0.0
        self._failures = 0
        """Number of failures since the last success."""
        self._logged_at: dict[str, float] = {}
        """Time of the last line with each reason; a recovery does not clear it."""
        self._logged = False
        """True if a line was logged since the last success."""

    def failure(self, reason: str, traceback: str = "") -> None:
        """Log a failure, at most once per minute for each reason.

        A `traceback` is appended to the first line ever with this reason.
        """
        now = self._now()
        if self.reason is None:
            self._began, self._failures, self._logged = now, 0, False
        self.reason = reason
        self._failures += 1
        logged_at = self._logged_at.get(reason)
        if logged_at is not None and now - logged_at < LOG_INTERVAL_S:
            return
        self._logged_at[reason], self._logged = now, True
        message = "%s: %s"
        values: list[object] = [self._name, reason]
        if self._failures > 1:
            message += " (%s failures in %.0f s)"
            values += [self._failures, now - self._began]
        if traceback and logged_at is None:
            message += "\n%s"
            values += [traceback]
        self._write(logging.ERROR, message, *values)

    def success(self) -> None:
        """Log the recovery, if the failures before it were logged."""
        if self.reason is not None and self._logged:
            lasted = self._now() - self._began
            message = "%s: recovered after %.0f s and %s failures"
            self._write(logging.WARNING, message, self._name, lasted, self._failures)
        self.reason = None

    def _write(self, level: int, message: str, *values: object) -> None:
        """Log without the context of the current task, because others have the same failure."""
        Context().run(self._log.log, level, message, *values)
