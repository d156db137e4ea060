"""Server settings: what managers have chosen for their server."""

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
_AS_EVERYWHERE = ServerSettings()


class ServerSettingsStore:
    """What managers have chosen for their servers; all of it is in memory."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._chosen: dict[GuildId, ServerSettings] = {}
        """Those of every server that has chosen anything."""
        self._role_invited: dict[GuildId, datetime] = {}
        """When the role for invitations was last mentioned."""

    async def load(self) -> None:
        """Read what servers have chosen into memory; the store does it when it is opened."""
        rows = await self._database.read(
            lambda connection: connection.execute(select(_servers)).mappings().all()
        )
        self._chosen = {row["guild_id"]: _server_of(row) for row in rows}
        invited = {row["guild_id"]: row["role_invited_at"] for row in rows}
        self._role_invited = {guild: at for guild, at in invited.items() if at is not None}

    def get(self, guild_id: GuildId) -> ServerSettings:
        """What managers have chosen for a server; it is always in memory."""
        return self._chosen.get(guild_id, _AS_EVERYWHERE)

    async def choose(self, guild_id: GuildId, chosen: ServerSettings) -> None:
        """Keep what managers have chosen for their server."""
        statement = statements.upsert(_servers, {"role_invited_at": _servers.c.role_invited_at})
        row = _server_row(guild_id, chosen)
        await self._database.write(_SAVING, lambda connection: connection.execute(statement, row))
        self._chosen[guild_id] = chosen

    def forget(self, guild_id: GuildId) -> None:
        """Keep nothing in memory of a server that was forgotten."""
        self._chosen.pop(guild_id, None)
        self._role_invited.pop(guild_id, None)

    def role_invited_at(self, guild_id: GuildId) -> datetime | None:
        """When a server's role for invitations was last mentioned; `None`: never."""
        return self._role_invited.get(guild_id)

    def role_free_at(self, guild_id: GuildId, now: datetime) -> datetime | None:
        """When a server's role for invitations may be mentioned again; `None`: now."""
        at = self.role_invited_at(guild_id)
        if at is None:
            return None
        free_at = at + timedelta(seconds=self.get(guild_id).invitation_cooldown_s)
        return free_at if free_at > now else None

    async def note_role_invited(self, guild_id: GuildId, invited_at: datetime | None) -> None:
        """Note when the role for invitations was last mentioned: the cooldown holds at once."""
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
    """What is chosen for a server, as it is stored."""
    fields = {"guild_id": guild_id, **chosen.model_dump()}
    lists = {name: json.dumps(fields[name]) for name in ("channels", "defaults")}
    return {**fields, **lists}


def _server_of(row: Mapping[Any, Any]) -> ServerSettings:
    """What is chosen for a server, from how it is stored."""
    fields = {name: row[name] for name in ServerSettings.model_fields}
    lists = {name: json.loads(fields[name]) for name in ("channels", "defaults")}
    return ServerSettings(**{**fields, **lists})
