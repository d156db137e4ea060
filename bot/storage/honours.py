"""Monthly rankings of servers: their channels, and the last season posted."""

from __future__ import annotations

from sqlalchemy import ColumnElement, case, or_, select, update

from bot.ids import ChannelId, GuildId
from bot.score_records import Period
from bot.storage import score_schema, statements
from bot.storage.database import Database

_guilds = score_schema.guilds
_SAVING = "saving a setting"
_NOTING = "noting a table of honour"


class HonourStore:
    """Store of the channels and last seasons of monthly rankings."""

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
        """Set the channel of a server's monthly ranking; `None` for no ranking.

        `over` is the last season that has ended. A server without a channel so far gets no ranking
        for it any more.
        """
        row = {"guild_id": guild_id, "honours_channel_id": channel_id, "honoured": over}
        honoured = case((_guilds.c.honours_channel_id.is_(None), over), else_=_guilds.c.honoured)
        statement = statements.upsert(_guilds, {"honoured": honoured})
        await self._database.write(_SAVING, lambda connection: connection.execute(statement, row))

    async def servers_to_honour(self, season: Period) -> dict[GuildId, ChannelId]:
        """Return the channels of servers without a ranking for this season, by server."""
        query = select(_guilds.c.guild_id, _guilds.c.honours_channel_id).where(
            _guilds.c.honours_channel_id.is_not(None), _before(season)
        )
        query = query.order_by(_guilds.c.guild_id)
        rows = await self._database.read(lambda connection: connection.execute(query).all())
        return {row.guild_id: row.honours_channel_id for row in rows}

    async def mark_honoured(self, guild_id: GuildId, season: Period) -> bool:
        """Mark the ranking of a season as posted; return False if it was already."""
        due = update(_guilds).where(_guilds.c.guild_id == guild_id, _before(season))
        statement = due.values(honoured=season)
        number = await self._database.write(
            _NOTING, lambda connection: connection.execute(statement).rowcount
        )
        return number == 1

    async def unmark_honoured(self, guild_id: GuildId, season: Period) -> None:
        """Mark the ranking of a season as not posted."""
        here = _guilds.c.guild_id == guild_id, _guilds.c.honoured == season
        statement = update(_guilds).where(*here).values(honoured=None)
        await self._database.write(_NOTING, lambda connection: connection.execute(statement))


def _before(season: Period) -> ColumnElement[bool]:
    """Return the condition that the last posted season is before this one."""
    return or_(_guilds.c.honoured.is_(None), _guilds.c.honoured < season)
