"""People who want to be forgotten, and servers that have sent the bot away: taken out of it all.

Rounds that are over stay, for what others have reached follows from them. Where they need somebody,
a pseudonym stands for the person: a random negative number, which no id of Discord is and which is
stored nowhere together with the id. Everything that is derived for a person alone goes, and does
not come back: `bot.storage.score_rows` writes nothing for a pseudonym.

Each function here is the inside of one transaction. It changes tables with SQL of its own and
leaves the versions of those as they are whose locks the caller has.
"""

from __future__ import annotations

import secrets
from collections.abc import Collection
from datetime import datetime
from typing import NamedTuple, Protocol

from sqlalchemy import (
    ColumnElement,
    CompoundSelect,
    Connection,
    and_,
    case,
    delete,
    func,
    insert,
    or_,
    select,
    text,
    union,
    update,
)

from bot.ids import NOWHERE, GuildId, TableId, UserId
from bot.storage import notices, outbox, schema, score_schema, statements

_SWEEP_DUE = "sweep-due"
_PSEUDONYMS = 2**62
"""The number of pseudonyms: so large that chance hardly ever draws the same one twice."""
_TABLES_AT_ONCE = 200
"""The largest number of tables that one transaction forgets: moves wait until it is over."""
_SAT = (schema.seats, schema.seat_changes, schema.match_seats)
"""Where somebody has a seat and a name."""
_CREDITED = (schema.round_seats, schema.match_seats)
"""Where something counts for somebody."""
_ALONE = (
    schema.personal_settings,
    schema.lesson_progress,
    score_schema.people,
    score_schema.names,
    score_schema.ratings,
    score_schema.rating_days,
    score_schema.standings,
    score_schema.tallies,
)
"""What is about one person alone."""
_OF_SERVER = (
    score_schema.names,
    score_schema.ratings,
    score_schema.rating_days,
    score_schema.standings,
    score_schema.tallies,
)
"""What counts on one server alone."""
_ABOUT_SERVER = (score_schema.guilds, schema.server_settings)
"""What is about one server."""


class Rewriting(Protocol):
    """Takes a person out of the JSON that storage does not look into (`bot.table.forgetting`)."""

    def details(self, details: str, user_id: UserId, pseudonym: UserId) -> str:
        """The details of a table without this person."""

    def post(self, data: str, user_id: UserId, names: Collection[str]) -> str | None:
        """A message of the outbox without this person; `None` if it goes.

        `names` are those that they had at the table.
        """


class Forgotten(NamedTuple):
    """What was forgotten of a person."""

    pseudonym: UserId
    """What stands in their place from now on."""
    tables: int
    """At how many tables they had played, or had been the host."""


class Known(NamedTuple):
    """What is stored of a person, for whoever is asked whether it may go."""

    names: tuple[str, ...]
    """What they were called at tables, in the order of the alphabet."""
    tables: int
    """At how many tables they had played, or had been the host."""
    others: int
    """How many rows there are about them alone: settings, ratings, places on leaderboards."""


def known(connection: Connection, user_id: UserId) -> Known | None:
    """What is stored of a person; `None` if there is nothing."""
    tables = _tables(connection, user_id)
    named = union(*(select(t.c.name).where(t.c.user_id == user_id) for t in _SAT))
    names = sorted(name for name in connection.scalars(named) if name)
    others = 0
    for table in _ALONE:
        query = select(func.count()).select_from(table).where(table.c.user_id == user_id)
        others += connection.scalars(query).one()
    return Known(tuple(names), len(tables), others) if tables or others else None


def forget(
    connection: Connection, user_id: UserId, rewriting: Rewriting, held: Collection[TableId]
) -> Forgotten | None:
    """Take a person out of everything that is stored; `None` if nothing was.

    Of the open tables that know them, the caller holds the locks of those that are `held`. The
    others get a new version: another process that has one open reads it anew.
    """
    tables = _tables(connection, user_id)
    removed = 0
    for table in _ALONE:
        gone = connection.execute(delete(table).where(table.c.user_id == user_id))
        removed += gone.rowcount
    if not tables and not removed:
        return None
    notices.forget(connection, user_id)
    pseudonym = _new_pseudonym(connection)
    _forget_json(connection, tables, user_id, pseudonym, rewriting)
    _forget_actions(connection, tables, user_id, pseudonym)
    _outdate(connection, tables, held)
    hosts = schema.tables
    connection.execute(update(hosts).where(hosts.c.host_id == user_id).values(host_id=pseudonym))
    for table in _CREDITED:
        own = update(table).where(table.c.counts_for == user_id)
        connection.execute(own.values(counts_for=pseudonym))
    rounds = schema.round_seats
    connection.execute(update(rounds).where(rounds.c.user_id == user_id).values(user_id=pseudonym))
    for table in _SAT:
        sat = update(table).where(table.c.user_id == user_id)
        connection.execute(sat.values(user_id=pseudonym, name=""))
    _note_sweep(connection)
    return Forgotten(pseudonym, len(tables))


def _new_pseudonym(connection: Connection) -> UserId:
    """A random number below `NOWHERE` that stands for nobody yet."""
    while True:
        pseudonym = NOWHERE - 1 - secrets.randbelow(_PSEUDONYMS)
        sat = (
            select(t.c.user_id).where(t.c.user_id == pseudonym)
            for t in (schema.seat_changes, *_CREDITED)
        )
        if connection.scalar(union(*sat)) is None:
            return UserId(pseudonym)


def _tables(connection: Connection, user_id: UserId) -> list[TableId]:
    """Every table that knows a person: by a seat, by an action, as its host, or in its JSON."""
    tables, actions, posts = schema.tables, schema.actions, outbox.outbox
    digits = str(user_id)
    parts = [select(t.c.table_id).where(t.c.user_id == user_id) for t in (*_SAT, *_CREDITED)]
    parts += [select(t.c.table_id).where(t.c.counts_for == user_id) for t in _CREDITED]
    parts += [
        select(actions.c.table_id).where(actions.c.actor_id == user_id),
        select(tables.c.id).where(tables.c.host_id == user_id),
        select(tables.c.id).where(tables.c.details.contains(digits)),
        select(posts.c.table_id).where(posts.c.data.contains(digits)),
    ]
    return sorted(connection.scalars(union(*parts)))


def _outdate(
    connection: Connection, table_ids: Collection[TableId], held: Collection[TableId]
) -> None:
    """Give those of these tables that are open and not `held` a new version."""
    tables = schema.tables
    others = set(table_ids) - set(held)
    theirs = and_(tables.c.id.in_(statements.numbers(others)), text(schema.OPEN))
    connection.execute(update(tables).where(theirs).values(version=tables.c.version + 1))


def _forget_json(
    connection: Connection,
    table_ids: Collection[TableId],
    user_id: UserId,
    pseudonym: UserId,
    rewriting: Rewriting,
) -> None:
    """Take a person out of the details and the undelivered messages of these tables."""
    tables, posts = schema.tables, outbox.outbox
    here = tables.c.id.in_(statements.numbers(table_ids))
    for row in connection.execute(select(tables.c.id, tables.c.details).where(here)).all():
        details = rewriting.details(row.details, user_id, pseudonym)
        if details != row.details:
            connection.execute(update(tables).where(tables.c.id == row.id).values(details=details))
    of_tables = posts.c.table_id.in_(statements.numbers(table_ids))
    for post in connection.execute(select(posts).where(of_tables)).all():
        names = _names_at(connection, post.table_id, user_id)
        data = rewriting.post(post.data, user_id, names)
        where = and_(posts.c.table_id == post.table_id, posts.c.number == post.number)
        if data is None:
            connection.execute(delete(posts).where(where))
        elif data != post.data:
            connection.execute(update(posts).where(where).values(data=data))


def _names_at(connection: Connection, table_id: TableId, user_id: UserId) -> frozenset[str]:
    """What a person was called at a table."""
    query = union(
        *(select(t.c.name).where(t.c.table_id == table_id, t.c.user_id == user_id) for t in _SAT)
    )
    return frozenset(name for name in connection.scalars(query) if name)


def _forget_actions(
    connection: Connection, tables: Collection[TableId], user_id: UserId, pseudonym: UserId
) -> None:
    """Put the pseudonym behind a person's actions, and nobody behind those of a round in play.

    That round counts for nobody then, today and in a rebuild: their rating is not there any more
    when it ends, and would be another one in a rebuild.
    """
    actions, rounds, own = schema.actions, schema.rounds, schema.tables
    over = select(rounds.c.table_id).where(
        rounds.c.table_id == actions.c.table_id, rounds.c.number == actions.c.round
    )
    closed = select(own.c.id).where(
        own.c.id == actions.c.table_id, own.c.status.not_in(("lobby", "playing"))
    )
    stands = case((or_(over.exists(), closed.exists()), pseudonym), else_=None)
    mine = actions.c.table_id.in_(statements.numbers(tables)), actions.c.actor_id == user_id
    connection.execute(update(actions).where(*mine).values(actor_id=stands))


def at_open_tables(connection: Connection) -> dict[TableId, set[UserId]]:
    """The pseudonyms that have a seat at open tables, or stand in place of the host."""
    tables, seats = schema.tables, schema.seats
    still_open = text(schema.OPEN)
    sat = select(tables.c.id, seats.c.user_id).join(seats, seats.c.table_id == tables.c.id)
    hosts = select(tables.c.id, tables.c.host_id).where(tables.c.host_id < 0, still_open)
    found: dict[TableId, set[UserId]] = {}
    query = union(sat.where(seats.c.user_id < 0, still_open), hosts)
    for table_id, pseudonym in connection.execute(query):
        found.setdefault(table_id, set()).add(pseudonym)
    return found


# --- servers ---------------------------------------------------------------------------------


def servers(connection: Connection) -> dict[GuildId, datetime | None]:
    """Every server of which something is stored, and since when the bot is not there any more."""
    tables, names, guilds = schema.tables, score_schema.names, score_schema.guilds
    found = union(
        select(tables.c.guild_id.label("id")).where(tables.c.guild_id > 0),
        select(names.c.scope.label("id")).where(names.c.scope > 0),
        *(select(table.c.guild_id.label("id")) for table in _ABOUT_SERVER),
    ).subquery()
    query = select(found.c.id, guilds.c.gone_since).select_from(
        found.outerjoin(guilds, guilds.c.guild_id == found.c.id)
    )
    return {row.id: row.gone_since for row in connection.execute(query)}


def note_gone(connection: Connection, guild_id: GuildId, since: datetime | None) -> None:
    """Note since when the bot is not in a server any more; `None` if it is there."""
    guilds = score_schema.guilds
    changed = connection.execute(
        update(guilds).where(guilds.c.guild_id == guild_id).values(gone_since=since)
    )
    if not changed.rowcount:
        row = {"guild_id": guild_id, "gone_since": since}
        connection.execute(insert(guilds), row)


def forget_server(connection: Connection, guild_id: GuildId) -> bool:
    """Take a server out of some of its tables, and at last out of all else; whether that is all.

    The people who played there stay at its tables: for them the rounds count on all servers
    together. Whoever plays on no other server is among the `strays` afterwards.
    """
    tables = schema.tables
    some = select(tables.c.id).where(tables.c.guild_id == guild_id).limit(_TABLES_AT_ONCE)
    ids = list(connection.scalars(some))
    here = statements.numbers(ids)
    posts = outbox.outbox
    connection.execute(delete(posts).where(posts.c.table_id.in_(here)))
    for table in _SAT:
        people = table.c.table_id.in_(here), table.c.user_id.is_not(None)
        connection.execute(update(table).where(*people).values(name=""))
    connection.execute(
        update(tables)
        .where(tables.c.id.in_(here))
        .values(
            guild_id=NOWHERE,
            channel_id=0,
            parent_channel_id=None,
            lobby_message_id=None,
            table_message_id=None,
            details="{}",
        )
    )
    _note_sweep(connection)
    if len(ids) == _TABLES_AT_ONCE:
        return False
    for table in _OF_SERVER:
        connection.execute(delete(table).where(table.c.scope == guild_id))
    for table in _ABOUT_SERVER:
        connection.execute(delete(table).where(table.c.guild_id == guild_id))
    return True


def strays(connection: Connection, most: int) -> list[UserId]:
    """At most `most` people who are known only from tables of forgotten servers."""
    tables = schema.tables
    gone = _people_at(tables.c.guild_id == NOWHERE).subquery()
    here = _people_at(tables.c.guild_id > 0).subquery()
    (user_id,), (elsewhere,) = gone.columns, here.columns
    query = select(user_id).where(user_id >= 0, user_id.not_in(select(elsewhere)))
    return list(connection.scalars(query.order_by(user_id).limit(most)))


def _people_at(where: ColumnElement[bool]) -> CompoundSelect[tuple[UserId]]:
    """Everybody who had a seat at these tables, or was their host."""
    tables = schema.tables
    seats = (
        select(t.c.user_id)
        .join(tables, tables.c.id == t.c.table_id)
        .where(where, t.c.user_id.is_not(None))
        for t in (*_SAT, schema.round_seats)
    )
    return union(*seats, select(tables.c.host_id).where(where))


# --- the file --------------------------------------------------------------------------------


def _note_sweep(connection: Connection) -> None:
    """Note that the free room in the file is to be swept: pages may hold what once moved away."""
    row = {"key": _SWEEP_DUE, "value": "1"}
    connection.execute(statements.upsert(schema.app_state), row)


def sweep_due(connection: Connection) -> bool:
    """Whether something was forgotten since the file was swept."""
    query = select(schema.app_state.c.value).where(schema.app_state.c.key == _SWEEP_DUE)
    return connection.scalar(query) is not None


def note_swept(connection: Connection) -> None:
    """Note that the file was swept."""
    connection.execute(delete(schema.app_state).where(schema.app_state.c.key == _SWEEP_DUE))
