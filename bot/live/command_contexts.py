"""Creation of command contexts: time, randomness, and stored data about people."""

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


class CommandContextFactory:
    """Factory of command contexts; `draw_secret` and `prepare` determine the decks."""

    def __init__(self, store: Store, now: Now, draw_secret: DrawSecret, prepare: Prepare) -> None:
        self._store = store
        self._now = now
        self._draw_secret = draw_secret
        self._prepare = prepare

    def without_data(self) -> Context:
        """Return a context without stored data."""
        return Context(self._now(), self._draw_secret, self._prepare)

    async def for_command(self, command: Command, table: OpenTable, user_id: UserId) -> Context:
        """Return a context with the stored data that this command needs.

        Raises `NotRead` if the data cannot be read.
        """
        context = self.without_data()
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
        """Return the displayed ratings of the people at a table, by user."""
        users, variant = table.user_ids(), table.options.variant
        ratings = await self._store.rankings.ratings(table.guild_id, variant, users)
        return {user: round(ratings.get(user, BEGINNER).shown) for user in users}

    async def _settings(self, users: Collection[UserId]) -> dict[UserId, PersonalSettings]:
        """Return the personal settings of these people, by user."""
        return {user: await self._store.personal_settings.get(user) for user in users}
