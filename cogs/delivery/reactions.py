"""Recent reactions of people at one table, shown in the table message.

They are shown with the next edit of the table message, or with the next message if that comes
first. Otherwise the message is edited for them, at most once in `EXTRA_EVERY`. A reaction that
could not be shown within `WAITS_FOR`, because the message is too old to be edited, is dropped.
After `SEEN_FOR`, the next edit removes it. Reactions are only in memory.
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
_EXTRA = 0
"""Key of the only alarm of a table's reactions."""


@dataclass(slots=True)
class _Shown:
    """A reaction, the time it was made, and the time since it is shown."""

    said: SentReaction
    at: datetime
    since: datetime | None = None


class Reactions:
    """The last reaction of each person at one table, in order.

    `edit` is called to edit the table message for them alone.
    """

    def __init__(self, clock: Clock, edit: Callable[[], None]) -> None:
        self._now = clock.now
        self._edit = edit
        self._alarm = Clock(clock.now, clock.sleep)
        self._last_extra: datetime | None = None
        self._shown: dict[UserId, _Shown] = {}

    def add(self, said: SentReaction) -> None:
        """Add a reaction."""
        self._shown.pop(said.user_id, None)
        now = self._now()
        self._shown[said.user_id] = _Shown(said, now)
        when = now if self._last_extra is None else max(now, self._last_extra + EXTRA_EVERY)
        self._alarm.set(_EXTRA, when, self._edit_for_them)

    async def _edit_for_them(self) -> None:
        if any(shown.since is None for shown in self._shown.values()):
            self._last_extra = self._now()
            self._edit()

    def to_show(self) -> tuple[SentReaction, ...]:
        """Return the reactions for a table message that is written now."""
        now = self._now()
        return tuple(
            shown.said
            for shown in self._shown.values()
            if (now - shown.at < WAITS_FOR if shown.since is None else now - shown.since < SEEN_FOR)
        )

    def stand(self, written: Iterable[SentReaction]) -> None:
        """Record that the table message now shows exactly these reactions."""
        now, standing = self._now(), set(written)
        for user_id, shown in list(self._shown.items()):
            if shown.said in standing:
                shown.since = shown.since or now
            elif shown.since is not None or now - shown.at >= WAITS_FOR:
                del self._shown[user_id]

    def forget(self, user_id: UserId) -> None:
        """Drop the reaction of this person."""
        self._shown.pop(user_id, None)

    def close(self) -> None:
        """Cancel all edits, because the table is over or the bot shuts down."""
        self._alarm.cancel_all()
