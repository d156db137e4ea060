"""Recent reactions of people at one table, shown in the table message.

A reaction is shown with the next edit of the table message, or with the next table message. If
neither happens soon, the message is edited only for the reactions, at most once in `EXTRA_EVERY`. A
reaction that could not be shown within `WAITS_FOR`, because the message is too old to be edited, is
dropped. Once it was shown for `SEEN_FOR`, the next edit removes it. Reactions are only in memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from bot.ids import UserId
from bot.runtime.clock import Clock
from cogs.pages.table.reactions import SentReaction

EXTRA_EVERY = timedelta(seconds=5)
"""Shortest time between two edits for reactions alone."""
SEEN_FOR = timedelta(seconds=10)
"""Shortest time for which a reaction is shown."""
WAITS_FOR = timedelta(minutes=5)
"""Longest time a reaction waits; later nobody knows what it was about."""
_ALARM = 0
"""Key of the only alarm of a table's reactions."""


@dataclass(slots=True)
class _Recent:
    """A reaction, the time when it was added, and the time when it was first shown."""

    reaction: SentReaction
    added_at: datetime
    shown_at: datetime | None = None

    def is_current(self, now: datetime) -> bool:
        """Return whether it is shown, or may still be shown for the first time."""
        if self.shown_at is None:
            return now - self.added_at < WAITS_FOR
        return now - self.shown_at < SEEN_FOR


class Reactions:
    """The last reaction of each person at one table, in order.

    `edit` schedules an edit of the table message only to show them.
    """

    def __init__(self, clock: Clock, edit: Callable[[], None]) -> None:
        self._now = clock.now
        self._edit = edit
        self._alarm = Clock(clock.now, clock.sleep)
        self._last_extra_edit: datetime | None = None
        self._by_user: dict[UserId, _Recent] = {}

    def add(self, reaction: SentReaction) -> None:
        """Add a reaction."""
        self._by_user.pop(reaction.user_id, None)  # so that the new one comes last
        now = self._now()
        self._by_user[reaction.user_id] = _Recent(reaction, now)
        last = self._last_extra_edit
        when = now if last is None else max(now, last + EXTRA_EVERY)
        self._alarm.set(_ALARM, when, self._edit_if_needed)

    async def _edit_if_needed(self) -> None:
        if any(recent.shown_at is None for recent in self._by_user.values()):
            self._last_extra_edit = self._now()
            self._edit()

    def current(self) -> tuple[SentReaction, ...]:
        """Return the reactions that a table message must show if it is written now."""
        now = self._now()
        return tuple(recent.reaction for recent in self._by_user.values() if recent.is_current(now))

    def record_shown(self, shown: Iterable[SentReaction]) -> None:
        """Record that the table message now shows exactly these reactions."""
        now, on_message = self._now(), set(shown)
        for user_id, recent in list(self._by_user.items()):
            if recent.reaction in on_message:
                recent.shown_at = recent.shown_at or now
            elif recent.shown_at is not None or not recent.is_current(now):
                del self._by_user[user_id]

    def forget(self, user_id: UserId) -> None:
        """Drop the reaction of this person."""
        self._by_user.pop(user_id, None)

    def close(self) -> None:
        """Cancel all edits, because the table is over or the bot shuts down."""
        self._alarm.cancel_all()
