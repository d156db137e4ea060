"""What people at one table have said lately with a button, and when the table message shows it.

It rides on the next edit of the table message, or on the next message if that comes first. If none
comes, the message is edited for it, at most once in `EXTRA_EVERY`. What could not be shown within
`WAITS_FOR`, as the message is too old to be edited, is not shown any more. When it has stood there
for `SEEN_FOR`, the next edit that comes anyway takes it away. All of it is only in memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from bot.ids import UserId
from bot.runtime.clock import Clock
from cogs.pages.table.reactions import Said

EXTRA_EVERY = timedelta(seconds=5)
"""How often the table message is edited for reactions alone at most."""
SEEN_FOR = timedelta(seconds=10)
"""The shortest time that a reaction stands in the table message."""
WAITS_FOR = timedelta(minutes=5)
"""The longest a reaction waits to be shown: later nobody knows what it was about."""
_EXTRA = 0
"""The one alarm of a table's reactions."""


@dataclass(slots=True)
class _Shown:
    """A reaction, when it was said, and since when it stands in the table message."""

    said: Said
    at: datetime
    since: datetime | None = None


class Reactions:
    """The reactions at one table: of each person the last one, in the order in which they came.

    `edit` is called when the table message is to be edited for them alone.
    """

    def __init__(self, clock: Clock, edit: Callable[[], None]) -> None:
        self._now = clock.now
        self._edit = edit
        self._alarm = Clock(clock.now, clock.sleep)
        self._last_extra: datetime | None = None
        self._shown: dict[UserId, _Shown] = {}

    def add(self, said: Said) -> None:
        """Add what somebody says."""
        self._shown.pop(said.user_id, None)
        now = self._now()
        self._shown[said.user_id] = _Shown(said, now)
        when = now if self._last_extra is None else max(now, self._last_extra + EXTRA_EVERY)
        self._alarm.set(_EXTRA, when, self._edit_for_them)

    async def _edit_for_them(self) -> None:
        if any(shown.since is None for shown in self._shown.values()):
            self._last_extra = self._now()
            self._edit()

    def to_show(self) -> tuple[Said, ...]:
        """What is to stand in the table message if it is written now."""
        now = self._now()
        return tuple(
            shown.said
            for shown in self._shown.values()
            if (now - shown.at < WAITS_FOR if shown.since is None else now - shown.since < SEEN_FOR)
        )

    def stand(self, written: Iterable[Said]) -> None:
        """Note that the table message shows these from now on, and no others."""
        now, standing = self._now(), set(written)
        for user_id, shown in list(self._shown.items()):
            if shown.said in standing:
                shown.since = shown.since or now
            elif shown.since is not None or now - shown.at >= WAITS_FOR:
                del self._shown[user_id]

    def forget(self, user_id: UserId) -> None:
        """Keep nothing of this person."""
        self._shown.pop(user_id, None)

    def close(self) -> None:
        """Edit nothing any more: the table is over, or the bot is about to go."""
        self._alarm.cancel_all()
