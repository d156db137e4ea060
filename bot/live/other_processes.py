"""What other processes on the same database have stored, and this one keeps in memory.

It is looked for whenever the leases are renewed (`bot.live.leases`).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import suppress

from bot.errors import Refused
from bot.ids import TableId, UserId
from bot.live.forgetting import Forgetting
from bot.live.registry import Registry
from bot.storage import Store
from bot.table.commands import Command, FollowSettings
from bot.table.state import Game


class OtherProcesses:
    """Learns what people have chosen elsewhere, and who was forgotten there.

    `execute` carries out what a person asks of a table.
    """

    def __init__(
        self,
        store: Store,
        registry: Registry,
        forgetting: Forgetting,
        execute: Callable[[TableId, UserId, Command], Awaitable[object]],
    ) -> None:
        self._store = store
        self._registry = registry
        self._forgetting = forgetting
        self._execute = execute
        self._changed = set[UserId]()
        """People whose matches here may not know yet what they have chosen."""
        self._forgotten = True
        """Whether somebody may sit here who is forgotten; nobody knows at the start."""

    async def follow(self) -> None:
        """Let all tables follow it. Raises `StorageError`; then the rest follows the next time."""
        learnt = await self._store.personal_settings.catch_up()
        self._forgotten |= learnt.forgotten
        self._changed.update(learnt.changed)
        for user_id in list(self._changed):
            await self._follow_settings(user_id)
            self._changed.discard(user_id)
        if self._forgotten:
            await self._forgetting.follow()
            self._forgotten = False

    async def _follow_settings(self, user_id: UserId) -> None:
        """Let the matches that a person plays here follow what they have chosen elsewhere."""
        chosen = self._store.personal_settings.remembered(user_id)
        for live in list(self._registry.all()):
            if isinstance(live.state, Game) and live.state.seat_of(user_id) is not None:
                with suppress(Refused):  # over by now, or they have left
                    await self._execute(live.state.id, user_id, FollowSettings(chosen))
