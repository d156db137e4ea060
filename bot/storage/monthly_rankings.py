"""Channels of monthly rankings, and the last season posted in each server."""

from __future__ import annotations

from sqlalchemy import ColumnElement, case, or_, select, update

from bot.ids import ChannelId, GuildId
from bot.score_records import Period
from bot.storage import score_schema, statements
from bot.storage.database import Database

_guilds = score_schema.guilds
_SAVING = "saving a setting"
_MARKING = "marking a monthly ranking"


class MonthlyRankingStore:
    """Channel and last posted season of the monthly ranking of each server."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def channel(self, guild_id: GuildId) -> ChannelId | None:
        """Return the channel that a server has chosen for its monthly ranking, if any."""
        query = select(_guilds.c.honours_channel_id).where(_guilds.c.guild_id == guild_id)
        found: ChannelId | None = await self._database.read(
            lambda connection: connection.scalar(query)
        )
        return found

    async def choose_channel(
        self, guild_id: GuildId, channel_id: ChannelId | None, over: Period
    ) -> None:
        """Store the channel of a server's monthly rankings, or `None` for no rankings.

        `over` is the last season that has ended. A server that had no channel so far gets no
        ranking for it.
        """
        row = {"guild_id": guild_id, "honours_channel_id": channel_id, "honoured": over}
        honoured = case((_guilds.c.honours_channel_id.is_(None), over), else_=_guilds.c.honoured)
        statement = statements.upsert(_guilds, {"honoured": honoured})
        await self._database.write(_SAVING, lambda connection: connection.execute(statement, row))

    async def due_servers(self, season: Period) -> dict[GuildId, ChannelId]:
        """Return the channels, by server, where no ranking of this season is posted yet."""
        query = select(_guilds.c.guild_id, _guilds.c.honours_channel_id).where(
            _guilds.c.honours_channel_id.is_not(None), _before(season)
        )
        query = query.order_by(_guilds.c.guild_id)
        rows = await self._database.read(lambda connection: connection.execute(query).all())
        return {row.guild_id: row.honours_channel_id for row in rows}

    async def mark_posted(self, guild_id: GuildId, season: Period) -> bool:
        """Mark a season as posted in a server; return False if it was marked already."""
        due = update(_guilds).where(_guilds.c.guild_id == guild_id, _before(season))
        statement = due.values(honoured=season)
        number = await self._database.write(
            _MARKING, lambda connection: connection.execute(statement).rowcount
        )
        return number == 1

    async def unmark_posted(self, guild_id: GuildId, season: Period) -> None:
        """Remove the mark of a season whose ranking could not be posted."""
        here = _guilds.c.guild_id == guild_id, _guilds.c.honoured == season
        statement = update(_guilds).where(*here).values(honoured=None)
        await self._database.write(_MARKING, lambda connection: connection.execute(statement))


def _before(season: Period) -> ColumnElement[bool]:
    """Return the SQL condition that the last posted season is before this one."""
    return or_(_guilds.c.honoured.is_(None), _guilds.c.honoured < season)
