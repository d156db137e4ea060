"""People and servers as a whole: what is stored of them, and how all of it is forgotten."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from sqlalchemy import Connection

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
        return await self._database.read(forgetting.known, user_id)

    async def forget(
        self, user_id: UserId, rewriting: Rewriting, held: Collection[TableId] = ()
    ) -> Forgotten | None:
        """Take a person out of everything, in one transaction; `None` if nothing was stored.

        Whoever calls it holds the locks of the open tables that know them, which are `held`. Where
        another process has such a table open, it reads it anew with its next change.
        """

        def forget(connection: Connection) -> Forgotten | None:
            forgotten = forgetting.forget(connection, user_id, rewriting, held)
            if forgotten is not None:
                derivation.note_rewrite(connection)
            return forgotten

        return await self._database.write_alone(_FORGETTING, forget)

    async def forgotten_at_open_tables(self) -> dict[TableId, set[UserId]]:
        """The pseudonyms that have a seat at open tables, or stand in place of the host."""
        return await self._database.read(forgetting.at_open_tables)

    async def servers(self) -> dict[GuildId, datetime | None]:
        """Every server of which something is stored, and since when the bot is gone from it."""
        return await self._database.read(forgetting.servers)

    async def note_gone(self, guild_id: GuildId, since: datetime | None) -> None:
        """Note since when the bot is not in a server any more; `None` if it is there again."""
        await self._database.write_alone("noting a server", forgetting.note_gone, guild_id, since)

    async def forget_server(self, guild_id: GuildId) -> None:
        """Take a server that the bot has left out of everything, in small transactions."""

        def forget_some(connection: Connection) -> bool:
            derivation.note_rewrite(connection)
            return forgetting.forget_server(connection, guild_id)

        while not await self._database.write_alone(_FORGETTING_SERVER, forget_some):
            pass

    async def strays(self, most: int) -> list[UserId]:
        """At most `most` people who have played only on forgotten servers."""
        return await self._database.read(forgetting.strays, most)

    async def sweep(self) -> bool:
        """Write the file anew if something was forgotten since; whether that was so.

        Nothing else is written meanwhile. Then there is nothing left of it in free pages either.
        """
        if not await self._database.read(forgetting.sweep_due):
            return False
        await self._database.compact()
        await self._database.write_alone(_FORGETTING, forgetting.note_swept)
        return True

    async def empty_log(self) -> None:
        """Have the file beside the database, with what was written lately, be emptied now."""
        await self._database.empty_log()
