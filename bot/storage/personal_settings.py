"""Settings: what people, servers and the program itself have chosen or noted."""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Collection, Mapping
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, case, or_, select, update

from bot.ids import ChannelId, GuildId, UserId
from bot.records import PersonalSettings, ServerSettings
from bot.score_records import WORLD, Period, Preferences, ScoreRules
from bot.storage import notices, schema, score_rows, score_schema, statements
from bot.storage.database import Database

_guilds = score_schema.guilds
_personal, _servers = schema.personal_settings, schema.server_settings
_SAVING = "saving a setting"
_NOTING = "noting a table of honour"
_NOTING_LANGUAGE = "noting a language"
_NOTING_ROLE = "noting that a role is invited"
_NOTHING_CHOSEN, _AS_EVERYWHERE = PersonalSettings(), ServerSettings()
_NOTHING_SEEN = -1
MOST_REMEMBERED = 10_000
"""The most people whose personal settings are kept in memory: those asked for last."""


class Learnt(NamedTuple):
    """What other processes have changed."""

    changed: tuple[UserId, ...]
    """People who are remembered, and have chosen something else."""
    forgotten: bool
    """Whether somebody was forgotten."""


class SettingsStore:
    """What people and servers have chosen, and values that the program keeps under a key."""

    def __init__(self, database: Database, rules: ScoreRules) -> None:
        self._database = database
        self._rules = rules
        self._remembered: OrderedDict[UserId, PersonalSettings] = OrderedDict()
        self._forgotten = 0
        """How often somebody was forgotten."""
        self._seen = _NOTHING_SEEN
        """The number of the last notice that was looked at."""
        self._servers: dict[GuildId, ServerSettings] = {}
        """Those of every server that has chosen anything."""
        self._role_invited: dict[GuildId, datetime] = {}
        """When the role for invitations was last mentioned."""

    # --- people: their own game ------------------------------------------------------------------

    async def personal(self, user_id: UserId, *, anew: bool = False) -> PersonalSettings:
        """What a person has chosen about their own game; read once, then kept in memory.

        With `anew` it is read in any case: what another process has stored is known at once.
        """
        known = self._remembered.get(user_id)
        if anew:
            await self._read_anew([user_id])
            known = self._remembered.get(user_id)
        if known is None:
            query = select(_personal).where(_personal.c.user_id == user_id)
            before = self._forgotten
            async with self._database.reading() as connection:
                row = (await connection.execute(query)).mappings().one_or_none()
            read = _NOTHING_CHOSEN if row is None else _personal_of(row)
            known = self._remembered.get(user_id, read)  # what was chosen meanwhile is newer
            if self._forgotten != before:
                return known  # it may be theirs who was forgotten meanwhile
        self._remember(user_id, known)
        return known

    async def catch_up(self) -> Learnt:
        """Learn what other processes have changed since this was called last."""
        async with self._database.reading() as connection:
            noticed = await notices.since(connection, self._seen)
        everything = noticed.forgotten or noticed.missed
        concerned = [user for user in self._remembered if everything or user in noticed.users]
        changed = await self._read_anew(concerned) if concerned else ()
        self._forgotten += noticed.forgotten or noticed.missed
        self._seen = noticed.last
        return Learnt(changed, noticed.forgotten or noticed.missed)

    async def _read_anew(self, users: Collection[UserId]) -> tuple[UserId, ...]:
        """Reload these people's settings; return those whose settings differ from memory.

        What they choose here meanwhile is newer, so it stays.
        """
        before = {user: self._remembered.get(user) for user in users}
        forgotten = self._forgotten
        query = select(_personal).where(_personal.c.user_id.in_(statements.numbers(users)))
        async with self._database.reading() as connection:
            rows = (await connection.execute(query)).mappings().all()
        stored = {row["user_id"]: _personal_of(row) for row in rows}
        changed: list[UserId] = []
        if self._forgotten != forgotten:
            return ()  # some of it may be theirs who was forgotten meanwhile
        for user, known in before.items():
            read = stored.get(user, _NOTHING_CHOSEN)
            if self._remembered.get(user) is known and known != read:
                self._remember(user, read)
                changed.append(user)
        return tuple(changed)

    def forget(self, user_id: UserId) -> None:
        """Keep nothing in memory of a person who was forgotten."""
        self._forgotten += 1
        self._remembered.pop(user_id, None)

    def remembered(self, user_id: UserId) -> PersonalSettings:
        """As `personal`, but only from memory: who is not there has chosen nothing."""
        return self._remembered.get(user_id, _NOTHING_CHOSEN)

    async def choose_personal(self, user_id: UserId, chosen: PersonalSettings) -> None:
        """Keep what a person has chosen about their own game."""
        async with self._database.changing(_SAVING, alone=False) as connection:
            await connection.execute(statements.upsert(_personal), _personal_row(user_id, chosen))
            await notices.note(connection, user_id)
        self._remember(user_id, chosen)

    async def mention_from_now_on(self, user_id: UserId) -> None:
        """Keep that a person is mentioned when it is their turn: nobody can write to them.

        Nothing changes if they have chosen something else than a direct message meanwhile.
        """
        row = _personal.c
        own = update(_personal).where(row.user_id == user_id, row.call == "direct")
        async with self._database.changing(_SAVING, alone=False) as connection:
            await connection.execute(own.values(call="mention", seen_language=None))
            await notices.note(connection, user_id)
        known = self._remembered.get(user_id)
        if known is not None and known.call == "direct":
            change = {"call": "mention", "seen_language": None}
            self._remember(user_id, known.model_copy(update=change))

    async def note_language(self, user_id: UserId, language: str) -> None:
        """Note the language of the Discord of a person who wants direct messages; of no other."""
        row = _personal.c
        own = update(_personal).where(row.user_id == user_id, row.call == "direct")
        async with self._database.changing(_NOTING_LANGUAGE, alone=False) as connection:
            await connection.execute(own.values(seen_language=language))
            await notices.note(connection, user_id)
        known = self._remembered.get(user_id)
        if known is not None and known.call == "direct":
            self._remember(user_id, known.model_copy(update={"seen_language": language}))

    def _remember(self, user_id: UserId, settings: PersonalSettings) -> None:
        self._remembered[user_id] = settings
        self._remembered.move_to_end(user_id)
        if len(self._remembered) > MOST_REMEMBERED:
            self._remembered.popitem(last=False)

    # --- people: leaderboards and profile --------------------------------------------------------

    async def preferences(self, user_id: UserId) -> Preferences:
        """What a person has chosen about leaderboards and their profile."""
        async with self._database.reading() as connection:
            found = await score_rows.read_preferences(connection, [user_id])
        return found.get(user_id, Preferences())

    async def hidden(self, users: Collection[UserId]) -> frozenset[UserId]:
        """Those of these people who are hidden: they play where they play, and nobody lists it."""
        async with self._database.reading() as connection:
            found = await score_rows.read_preferences(connection, users)
        return frozenset(user for user, chosen in found.items() if chosen.hidden)

    async def choose(self, user_id: UserId, chosen: Preferences, name: str = "") -> None:
        """Keep what a person has chosen; the leaderboards follow at once.

        `name` is what they are called on the leaderboard of all servers.
        """
        own = {"user_id": user_id, **chosen._asdict()}
        called = {"scope": WORLD, "user_id": user_id, "name": name}
        async with self._database.changing(_SAVING) as connection:
            await connection.execute(statements.upsert(score_schema.people), own)
            if chosen.worldwide:
                await connection.execute(statements.upsert(score_schema.names), called)
            await score_rows.list_anew(connection, user_id, chosen, self._rules)

    # --- servers: what managers have chosen ------------------------------------------------------

    async def recall_servers(self) -> None:
        """Read what servers have chosen into memory; the store does it when it is opened."""
        async with self._database.reading() as connection:
            rows = (await connection.execute(select(_servers))).mappings().all()
            if self._seen == _NOTHING_SEEN:
                self._seen = await notices.last(connection)
        self._servers = {row["guild_id"]: _server_of(row) for row in rows}
        invited = {row["guild_id"]: row["role_invited_at"] for row in rows}
        self._role_invited = {guild: at for guild, at in invited.items() if at is not None}

    def server(self, guild_id: GuildId) -> ServerSettings:
        """What managers have chosen for a server; it is always in memory."""
        return self._servers.get(guild_id, _AS_EVERYWHERE)

    async def choose_server(self, guild_id: GuildId, chosen: ServerSettings) -> None:
        """Keep what managers have chosen for their server."""
        async with self._database.changing(_SAVING, alone=False) as connection:
            kept = {"role_invited_at": _servers.c.role_invited_at}
            await connection.execute(
                statements.upsert(_servers, kept), _server_row(guild_id, chosen)
            )
        self._servers[guild_id] = chosen

    def forget_server(self, guild_id: GuildId) -> None:
        """Keep nothing in memory of a server that was forgotten."""
        self._servers.pop(guild_id, None)
        self._role_invited.pop(guild_id, None)

    def role_invited_at(self, guild_id: GuildId) -> datetime | None:
        """When a server's role for invitations was last mentioned; `None`: never."""
        return self._role_invited.get(guild_id)

    def role_free_at(self, guild_id: GuildId, now: datetime) -> datetime | None:
        """When a server's role for invitations may be mentioned again; `None`: now."""
        at = self.role_invited_at(guild_id)
        if at is None:
            return None
        free_at = at + timedelta(seconds=self.server(guild_id).invitation_cooldown_s)
        return free_at if free_at > now else None

    async def note_role_invited(self, guild_id: GuildId, invited_at: datetime | None) -> None:
        """Note when the role for invitations was last mentioned: the cooldown holds at once."""
        before = self.role_invited_at(guild_id)
        self._set_role_invited(guild_id, invited_at)
        statement = update(_servers).where(_servers.c.guild_id == guild_id)
        try:
            async with self._database.changing(_NOTING_ROLE, alone=False) as connection:
                await connection.execute(statement.values(role_invited_at=invited_at))
        except BaseException:
            self._set_role_invited(guild_id, before)
            raise

    def _set_role_invited(self, guild_id: GuildId, invited_at: datetime | None) -> None:
        self._role_invited.pop(guild_id, None)
        if invited_at is not None:
            self._role_invited[guild_id] = invited_at

    # --- servers: the table of honour ------------------------------------------------------------

    async def honours_channel(self, guild_id: GuildId) -> ChannelId | None:
        """The channel that a server has chosen for its table of honour, if any."""
        query = select(_guilds.c.honours_channel_id).where(_guilds.c.guild_id == guild_id)
        async with self._database.reading() as connection:
            found: ChannelId | None = await connection.scalar(query)
        return found

    async def choose_honours_channel(
        self, guild_id: GuildId, channel_id: ChannelId | None, over: Period
    ) -> None:
        """Keep where a server's tables of honour stand from now on, or that it wants none.

        `over` is the last season that is over: a server that had no channel so far gets no table
        of honour for it any more.
        """
        row = {"guild_id": guild_id, "honours_channel_id": channel_id, "honoured": over}
        honoured = case((_guilds.c.honours_channel_id.is_(None), over), else_=_guilds.c.honoured)
        statement = statements.upsert(_guilds, {"honoured": honoured})
        async with self._database.changing(_SAVING, alone=False) as connection:
            await connection.execute(statement, row)

    async def servers_to_honour(self, season: Period) -> dict[GuildId, ChannelId]:
        """The channels of the servers that have not been honoured for this season, by server."""
        query = select(_guilds.c.guild_id, _guilds.c.honours_channel_id).where(
            _guilds.c.honours_channel_id.is_not(None), _before(season)
        )
        async with self._database.reading() as connection:
            rows = await connection.execute(query.order_by(_guilds.c.guild_id))
            return {row.guild_id: row.honours_channel_id for row in rows}

    async def mark_honoured(self, guild_id: GuildId, season: Period) -> bool:
        """Note that a server is honoured for a season; `False` if it was already."""
        statement = update(_guilds).where(_guilds.c.guild_id == guild_id, _before(season))
        async with self._database.changing(_NOTING, alone=False) as connection:
            result = await connection.execute(statement.values(honoured=season))
            return result.rowcount == 1

    async def unmark_honoured(self, guild_id: GuildId, season: Period) -> None:
        """Note that a server was not honoured for a season after all."""
        here = _guilds.c.guild_id == guild_id, _guilds.c.honoured == season
        async with self._database.changing(_NOTING, alone=False) as connection:
            await connection.execute(update(_guilds).where(*here).values(honoured=None))

    # --- the program itself ----------------------------------------------------------------------

    async def value(self, key: str) -> str | None:
        """The value kept under this key, or None."""
        query = select(schema.app_state.c.value).where(schema.app_state.c.key == key)
        async with self._database.reading() as connection:
            value: str | None = await connection.scalar(query)
        return value

    async def keep(self, key: str, value: str) -> None:
        """Keep a value under a key, in place of the one before."""
        async with self._database.changing(_SAVING, alone=False) as connection:
            row = {"key": key, "value": value}
            await connection.execute(statements.upsert(schema.app_state), row)


def _personal_row(user_id: UserId, chosen: PersonalSettings) -> dict[str, Any]:
    """What a person has chosen, as it is stored."""
    begin, end = chosen.quiet or (None, None)
    quiet = {"quiet_from": begin, "quiet_until": end}
    return {"user_id": user_id, **chosen.model_dump(exclude={"quiet"}), **quiet}


def _personal_of(row: Mapping[Any, Any]) -> PersonalSettings:
    """What a person has chosen, from how it is stored."""
    fields = dict(row)
    del fields["user_id"]
    begin, end = fields.pop("quiet_from"), fields.pop("quiet_until")
    return PersonalSettings(**fields, quiet=None if begin is None else (begin, end))


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


def _before(season: Period) -> ColumnElement[bool]:
    """The condition that a server has been honoured at most for seasons before this one."""
    return or_(_guilds.c.honoured.is_(None), _guilds.c.honoured < season)
