"""Tells in the log of trouble that lasts: when it begins, once a minute, and when it is over.

A full disk is met by every click and every alarm. A line for each of them would hide the rest, and
fill the disk.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from contextvars import Context
from typing import Final

TOLD_EVERY_S: Final = 60.0
"""The shortest time between two lines that tell the same, in seconds."""


class LastingTrouble:
    """One kind of trouble by name: "the database cannot be written"; `now` tells seconds."""

    def __init__(
        self, log: logging.Logger, name: str, now: Callable[[], float] = time.monotonic
    ) -> None:
        self._log = log
        self._name = name
        self._now = now
        self.reason: str | None = None
        """Why it is there, as long as it is."""
        self._began = 0.0
        self._failures = 0
        """How often it was met since it began."""
        self._told_at: dict[str, float] = {}
        """When a line has told of each reason last, be it that the trouble was over meanwhile."""
        self._told = False
        """Whether a line has told of it since it began."""

    def met(self, reason: str, trail: str = "") -> None:
        """It is there, for this reason: tell it, unless that was done within the last minute.

        A `trail` follows the first line that ever tells this reason, and no other one.
        """
        now = self._now()
        if self.reason is None:
            self._began, self._failures, self._told = now, 0, False
        self.reason = reason
        self._failures += 1
        told_at = self._told_at.get(reason)
        if told_at is not None and now - told_at < TOLD_EVERY_S:
            return
        self._told_at[reason], self._told = now, True
        line, values = "%s: %s", list[object]((self._name, reason))
        if self._failures > 1:
            line += " (since %.0f s, %s tries)"
            values += [now - self._began, self._failures]
        if trail and told_at is None:
            line += "\n%s"
            values += [trail]
        self._tell(logging.ERROR, line, *values)

    def over(self) -> None:
        """It is not there: tell it, if a line has told that it was."""
        if self.reason is not None and self._told:
            lasted = self._now() - self._began, self._failures
            self._tell(logging.WARNING, "over after %.0f s and %s tries: %s", *lasted, self._name)
        self.reason = None

    def _tell(self, level: int, line: str, *values: object) -> None:
        """Log a line that is not about what this task works on: the trouble is everybody's."""
        Context().run(self._log.log, level, line, *values)
