"""Store for the data of people and servers as a whole, and their erasure."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from sqlalchemy import Connection

from bot.ids import GuildId, TableId, UserId
from bot.storage import derivation, forgetting
from bot.storage.database import Database
from bot.storage.forgetting import Forgotten, Rewriting, StoredData

_FORGETTING = "forgetting somebody"
_FORGETTING_SERVER = "forgetting a server"


class PeopleStore:
    """Store that erases people and servers; see `bot.storage.forgetting`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def known(self, user_id: UserId) -> StoredData | None:
        """Return a summary of the stored data of a person; `None` if there are none."""
        return await self._database.read(forgetting.known, user_id)

    async def forget(
        self, user_id: UserId, rewriting: Rewriting, held: Collection[TableId] = ()
    ) -> Forgotten | None:
        """Erase a person in one transaction; return `None` if nothing was stored.

        The caller holds the locks of the open tables that mention them, which are `held`. Another
        process with such a table reloads it at its next change.
        """

        def forget(connection: Connection) -> Forgotten | None:
            forgotten = forgetting.forget(connection, user_id, rewriting, held)
            if forgotten is not None:
                derivation.note_rewrite(connection)
            return forgotten

        return await self._database.write_alone(_FORGETTING, forget)

    async def forgotten_at_open_tables(self) -> dict[TableId, set[UserId]]:
        """Return the pseudonyms that sit at open tables or are their hosts, by table."""
        return await self._database.read(forgetting.at_open_tables)

    async def servers(self) -> dict[GuildId, datetime | None]:
        """Return the servers with stored data, each with the time when the bot left it, if any."""
        return await self._database.read(forgetting.servers)

    async def note_gone(self, guild_id: GuildId, since: datetime | None) -> None:
        """Store the time when the bot left a server, or `None` if it is there again."""
        await self._database.write_alone("noting a server", forgetting.note_gone, guild_id, since)

    async def forget_server(self, guild_id: GuildId) -> None:
        """Erase a server that the bot has left, in several small transactions."""

        def forget_some(connection: Connection) -> bool:
            derivation.note_rewrite(connection)
            return forgetting.forget_server(connection, guild_id)

        while not await self._database.write_alone(_FORGETTING_SERVER, forget_some):
            pass

    async def users_of_erased_servers(self, most: int) -> list[UserId]:
        """Return at most `most` people who have played only on erased servers."""
        return await self._database.read(forgetting.users_of_erased_servers, most)

    async def sweep(self) -> bool:
        """Compact the database if anything was erased since the last compaction.

        Return whether it was compacted. Other writes wait meanwhile. Afterwards free pages hold no
        erased data.
        """
        if not await self._database.read(forgetting.compaction_due):
            return False
        await self._database.compact()
        await self._database.write_alone(_FORGETTING, forgetting.note_compacted)
        return True

    async def empty_log(self) -> None:
        """Empty the write-ahead log now."""
        await self._database.empty_log()
