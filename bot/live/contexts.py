"""What a command needs beside its table: the time, chance, and what the store knows of people."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from bot.ids import UserId
from bot.rating.ratings import BEGINNER
from bot.records import PersonalSettings
from bot.runtime.clock import Now
from bot.storage import NotRead, StorageError, Store
from bot.table.commands import Command, Context
from bot.table.dealing import DrawSecret, Prepare
from bot.table.state import OpenTable


class Contexts:
    """Makes the context of each command; `draw_secret` and `prepare` make the decks."""

    def __init__(self, store: Store, now: Now, draw_secret: DrawSecret, prepare: Prepare) -> None:
        self._store = store
        self._now = now
        self._draw_secret = draw_secret
        self._prepare = prepare

    def plain(self) -> Context:
        """What needs nothing of the store."""
        return Context(self._now(), self._draw_secret, self._prepare)

    async def of(self, command: Command, table: OpenTable, user_id: UserId) -> Context:
        """What this command of this person needs at this table. Raises `NotRead`."""
        context = self.plain()
        try:
            if command.needs_ratings:
                context = replace(context, ratings=await self._ratings(table))
            if command.needs_settings:
                users = {*table.user_ids(), user_id, *command.others}
                context = replace(context, settings=await self._settings(users))
        except StorageError as error:
            raise NotRead(str(error)) from error
        return context

    async def _ratings(self, table: OpenTable) -> dict[UserId, int]:
        """The ratings that the people at a table have now, as they are shown, by user."""
        users, variant = table.user_ids(), table.options.variant
        found = await self._store.rankings.ratings(table.guild_id, variant, users)
        return {user: round(found.get(user, BEGINNER).shown) for user in users}

    async def _settings(self, users: Collection[UserId]) -> dict[UserId, PersonalSettings]:
        """What these people have chosen about their own game, by user."""
        return {user: await self._store.personal_settings.get(user) for user in users}
