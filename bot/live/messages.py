"""What the tables keep of their messages on Discord: where they stand, and which are still to come.

Whoever delivers messages reports it here. Nothing of the play changes by that.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Unpack

from bot.ids import TableId, UserId
from bot.live.commits import Commits
from bot.live.registry import Registry
from bot.live.waking import Waking
from bot.records import Ordinal
from bot.table.message_ids import Posted
from bot.table.outcome import noted
from bot.table.posts import Post
from bot.table.state import Game
from bot.table.turn_based import nudged_later


class TableMessages:
    """Stores what has become of the messages of tables."""

    def __init__(self, registry: Registry, commits: Commits, waking: Waking) -> None:
        self._registry = registry
        self._commits = commits
        self._waking = waking

    async def remember(
        self, table_id: TableId, *, delivered: tuple[Ordinal, ...] = (), **posted: Unpack[Posted]
    ) -> None:
        """Keep the ids of public messages, so that they are found again after a restart.

        `delivered` are the numbers of messages that need not be sent any more.
        Raises `StorageError`.
        """
        live = self._registry.find(table_id)
        if live is not None and posted:
            async with self._waking.locked(live):
                await self._commits.remember(live, posted, delivered)
        elif delivered:  # nothing that the table itself has to know
            await self._commits.delivered(table_id, delivered)

    async def rewrite(self, table_id: TableId, number: Ordinal, post: Post) -> None:
        """Keep what has become of a message that is still to be sent. Raises `StorageError`."""
        await self._commits.rewritten(table_id, number, post.model_dump_json())

    async def nudge_later(
        self, table_id: TableId, turn: str, until: Mapping[UserId, datetime]
    ) -> None:
        """Nudge these people anew for this turn, each at this time. Raises `StorageError`."""
        live = self._registry.find(table_id)
        if live is None:
            return
        async with self._waking.locked(live):
            game = live.state
            if isinstance(game, Game):
                after = nudged_later(game, turn, until)
                if after is not game:
                    await self._commits.commit(live, noted(after))
