"""People and servers as a whole: what is stored of them, and how all of it is forgotten."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from bot.ids import GuildId, TableId, UserId
from bot.storage import derivation, forgetting
from bot.storage.database import Database
from bot.storage.forgetting import Forgotten, Known, Rewriting

_FORGETTING = "forgetting somebody"
_FORGETTING_SERVER = "forgetting a server"


class PeopleStore:
    """Forgets people and servers; see `bot.storage.forgetting`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def known(self, user_id: UserId) -> Known | None:
        """What is stored of a person; `None` if there is nothing."""
        async with self._database.reading() as connection:
            return await forgetting.known(connection, user_id)

    async def forget(
        self, user_id: UserId, rewriting: Rewriting, held: Collection[TableId] = ()
    ) -> Forgotten | None:
        """Take a person out of everything, in one transaction; `None` if nothing was stored.

        Whoever calls it holds the locks of the open tables that know them, which are `held`. Where
        another process has such a table open, it reads it anew with its next change.
        """
        async with self._database.changing(_FORGETTING) as connection:
            forgotten = await forgetting.forget(connection, user_id, rewriting, held)
            if forgotten is not None:
                await derivation.note_rewrite(connection)
            return forgotten

    async def forgotten_at_open_tables(self) -> dict[TableId, set[UserId]]:
        """The pseudonyms that have a seat at open tables, or stand in place of the host."""
        async with self._database.reading() as connection:
            return await forgetting.at_open_tables(connection)

    async def servers(self) -> dict[GuildId, datetime | None]:
        """Every server of which something is stored, and since when the bot is gone from it."""
        async with self._database.reading() as connection:
            return await forgetting.servers(connection)

    async def note_gone(self, guild_id: GuildId, since: datetime | None) -> None:
        """Note since when the bot is not in a server any more; `None` if it is there again."""
        async with self._database.changing("noting a server") as connection:
            await forgetting.note_gone(connection, guild_id, since)

    async def forget_server(self, guild_id: GuildId) -> None:
        """Take a server that the bot has left out of everything, in small transactions."""
        done = False
        while not done:
            async with self._database.changing(_FORGETTING_SERVER) as connection:
                done = await forgetting.forget_server(connection, guild_id)
                await derivation.note_rewrite(connection)

    async def strays(self, most: int) -> list[UserId]:
        """At most `most` people who have played only on forgotten servers."""
        async with self._database.reading() as connection:
            return await forgetting.strays(connection, most)

    async def sweep(self) -> bool:
        """Write the file anew if something was forgotten since; whether that was so.

        Nothing else is written meanwhile. Then there is nothing left of it in free pages either.
        """
        async with self._database.reading() as connection:
            if not await forgetting.sweep_due(connection):
                return False
        await self._database.compact()
        async with self._database.changing(_FORGETTING) as connection:
            await forgetting.note_swept(connection)
        return True

    async def empty_log(self) -> None:
        """Have the file beside the database, with what was written lately, be emptied now."""
        await self._database.empty_log()
