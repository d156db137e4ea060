"""Settings that managers have chosen for their servers."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import select, update

from bot.ids import GuildId
from bot.records import ServerSettings
from bot.storage import schema, statements
from bot.storage.database import Database

_servers = schema.server_settings
_SAVING = "saving a setting"
_NOTING_ROLE = "noting that a role is invited"
_DEFAULTS = ServerSettings()


class ServerSettingsStore:
    """Store of server settings; all of them are in memory."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._chosen: dict[GuildId, ServerSettings] = {}
        """Settings of servers that have chosen any."""
        self._role_invited: dict[GuildId, datetime] = {}
        """Time of the last mention of the role for invitations, by server."""

    async def load(self) -> None:
        """Read all settings into memory; called when the store is opened."""
        rows = await self._database.read(
            lambda connection: connection.execute(select(_servers)).mappings().all()
        )
        self._chosen = {row["guild_id"]: _server_of(row) for row in rows}
        invited = {row["guild_id"]: row["role_invited_at"] for row in rows}
        self._role_invited = {guild: at for guild, at in invited.items() if at is not None}

    def get(self, guild_id: GuildId) -> ServerSettings:
        """Return the settings of a server, from memory."""
        return self._chosen.get(guild_id, _DEFAULTS)

    async def choose(self, guild_id: GuildId, chosen: ServerSettings) -> None:
        """Store the settings of a server."""
        statement = statements.upsert(_servers, {"role_invited_at": _servers.c.role_invited_at})
        row = _server_row(guild_id, chosen)
        await self._database.write(_SAVING, lambda connection: connection.execute(statement, row))
        self._chosen[guild_id] = chosen

    def forget(self, guild_id: GuildId) -> None:
        """Remove an erased server from memory."""
        self._chosen.pop(guild_id, None)
        self._role_invited.pop(guild_id, None)

    def role_invited_at(self, guild_id: GuildId) -> datetime | None:
        """Return the time of the last mention of a server's role for invitations, if any."""
        return self._role_invited.get(guild_id)

    def role_free_at(self, guild_id: GuildId, now: datetime) -> datetime | None:
        """Return the time when the role may be mentioned again, or `None` if it may be now."""
        invited_at = self.role_invited_at(guild_id)
        if invited_at is None:
            return None
        free_at = invited_at + timedelta(seconds=self.get(guild_id).invitation_cooldown_s)
        return free_at if free_at > now else None

    async def note_role_invited(self, guild_id: GuildId, invited_at: datetime | None) -> None:
        """Store the time of the last mention of the role; its cooldown starts at once."""
        before = self.role_invited_at(guild_id)
        self._set_role_invited(guild_id, invited_at)
        here = update(_servers).where(_servers.c.guild_id == guild_id)
        statement = here.values(role_invited_at=invited_at)
        try:
            await self._database.write(
                _NOTING_ROLE, lambda connection: connection.execute(statement)
            )
        except BaseException:
            self._set_role_invited(guild_id, before)
            raise

    def _set_role_invited(self, guild_id: GuildId, invited_at: datetime | None) -> None:
        self._role_invited.pop(guild_id, None)
        if invited_at is not None:
            self._role_invited[guild_id] = invited_at


def _server_row(guild_id: GuildId, chosen: ServerSettings) -> dict[str, Any]:
    """Return the row of a server's settings."""
    fields = {"guild_id": guild_id, **chosen.model_dump()}
    lists = {name: json.dumps(fields[name]) for name in ("channels", "defaults")}
    return {**fields, **lists}


def _server_of(row: Mapping[Any, Any]) -> ServerSettings:
    """Return the settings of a server's row."""
    fields = {name: row[name] for name in ServerSettings.model_fields}
    lists = {name: json.loads(fields[name]) for name in ("channels", "defaults")}
    return ServerSettings(**{**fields, **lists})
