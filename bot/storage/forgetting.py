"""Erasure of people, and of servers that have removed the bot.

Finished rounds stay, because other people's results follow from them. In these rounds, a pseudonym
replaces the person's id. It is a random negative number, which is no id of Discord and is never
stored together with the real id. All rows about the person alone are deleted, and not derived
again, because `bot.storage.score_rows` writes nothing for a pseudonym.

Each function runs within one transaction of the caller. It changes the rows of game tables
directly. If the caller holds the lock of a table and changes its state in memory as well, the
table's version stays the same.
"""

from __future__ import annotations

import secrets
from collections.abc import Collection
from datetime import datetime
from typing import NamedTuple, Protocol

from sqlalchemy import (
    ColumnElement,
    Connection,
    Select,
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

from bot.challenge_records import OPEN_STATUSES
from bot.ids import NOWHERE, GuildId, TableId, UserId
from bot.storage import notices, outbox, schema, score_schema, statements
from bot.storage.challenge_schema import challenges
from bot.storage.club_schema import club_actions, club_deals, club_events, club_people

_COMPACTION_DUE = "sweep-due"
_PSEUDONYMS = 2**62
"""Number of possible pseudonyms, so large that collisions are very unlikely."""
_TABLES_AT_ONCE = 200
"""Largest number of tables changed by one transaction, which delays moves."""
_SEAT_TABLES = (schema.seats, schema.seat_changes, schema.match_seats)
"""Database tables with the seats and names of people."""
_CREDIT_TABLES = (schema.round_seats, schema.match_seats)
"""Database tables with the person for whom a result counts."""
_PERSON_TABLES = (
    schema.personal_settings,
    schema.lesson_progress,
    schema.puzzle_players,
    schema.puzzle_answers,
    schema.reviews,
    schema.review_agreements,
    schema.solo_rounds,
    schema.daily_servers,
    score_schema.people,
    score_schema.names,
    score_schema.ratings,
    score_schema.rating_days,
    score_schema.standings,
    score_schema.tallies,
    score_schema.daily_standings,
)
"""Database tables about one person alone; their rows are deleted."""
_SERVER_RESULT_TABLES = (
    score_schema.names,
    score_schema.ratings,
    score_schema.rating_days,
    score_schema.standings,
    score_schema.tallies,
)
"""Database tables with results of one server."""
_CLUB_COLUMNS = (club_people.c.user_id, club_events.c.organiser_id, club_actions.c.actor_id)
"""Columns with people of club events."""
_SERVER_TABLES = (score_schema.guilds, schema.server_settings, schema.daily_servers)
"""Database tables about a server itself, or about its members there."""


class Rewriting(Protocol):
    """Erasure of a person from JSON texts (`bot.table.forgetting`)."""

    def details(self, details: str, user_id: UserId, pseudonym: UserId) -> str:
        """Return the details of a table without this person."""

    def post(self, data: str, user_id: UserId, names: Collection[str]) -> str | None:
        """Return an outbox message without this person; `None` to delete it.

        `names` are the person's names at the table.
        """


class Forgotten(NamedTuple):
    """Result of an erasure."""

    pseudonym: UserId
    """Pseudonym that replaces the person."""
    tables: int
    """Number of tables at which they played or were the host."""


class StoredData(NamedTuple):
    """Summary of the stored data of a person."""

    names: tuple[str, ...]
    """Their names at tables, in alphabetical order."""
    tables: int
    """Number of tables at which they played or were the host."""
    others: int
    """Number of rows about them alone: settings, ratings, leaderboards."""


def known(connection: Connection, user_id: UserId) -> StoredData | None:
    """Return a summary of the stored data of a person; `None` if there are none."""
    tables = _tables_mentioning(connection, user_id)
    named = union(*(select(t.c.name).where(t.c.user_id == user_id) for t in _SEAT_TABLES))
    names = sorted(name for name in connection.scalars(named) if name)
    others = 0
    for table in _PERSON_TABLES:
        query = select(func.count()).select_from(table).where(table.c.user_id == user_id)
        others += connection.scalars(query).one()
    in_challenge = select(func.count()).select_from(challenges).where(_plays(user_id))
    others += connection.scalars(in_challenge).one()
    for column in _CLUB_COLUMNS:
        query = select(func.count()).select_from(column.table).where(column == user_id)
        others += connection.scalars(query).one()
    return StoredData(tuple(names), len(tables), others) if tables or others else None


def forget(
    connection: Connection, user_id: UserId, rewriting: Rewriting, held: Collection[TableId]
) -> Forgotten | None:
    """Erase a person from all stored data; return `None` if there were none.

    The caller holds the locks of the `held` tables. Other open tables that mention the person get a
    new version, so that another process reloads them.
    """
    tables = _tables_mentioning(connection, user_id)
    deleted_rows = 0
    for table in _PERSON_TABLES:
        result = connection.execute(delete(table).where(table.c.user_id == user_id))
        deleted_rows += result.rowcount
    pseudonym = _new_pseudonym(connection)
    deleted_rows += _forget_challenges(connection, user_id, pseudonym)
    deleted_rows += _forget_in_events(connection, user_id, pseudonym)
    if not tables and not deleted_rows:
        return None
    notices.forget(connection, user_id)
    _forget_json(connection, tables, user_id, pseudonym, rewriting)
    _forget_actions(connection, tables, user_id, pseudonym)
    _increment_versions(connection, tables, held)

    hosts = schema.tables
    connection.execute(update(hosts).where(hosts.c.host_id == user_id).values(host_id=pseudonym))
    for table in _CREDIT_TABLES:
        of_person = update(table).where(table.c.counts_for == user_id)
        connection.execute(of_person.values(counts_for=pseudonym))
    rounds = schema.round_seats
    connection.execute(update(rounds).where(rounds.c.user_id == user_id).values(user_id=pseudonym))
    for table in _SEAT_TABLES:
        of_person = update(table).where(table.c.user_id == user_id)
        connection.execute(of_person.values(user_id=pseudonym, name=""))

    _request_compaction(connection)
    return Forgotten(pseudonym, len(tables))


def _plays(user_id: UserId) -> ColumnElement[bool]:
    """Return the SQL condition of the challenges of a person."""
    row = challenges.c
    return or_(row.challenger == user_id, row.challenged == user_id)


def _forget_challenges(connection: Connection, user_id: UserId, pseudonym: UserId) -> int:
    """End a person's challenges and replace them there; return the number of challenges.

    Challenges without other people are deleted with their deals.
    """
    row, boards = challenges.c, schema.boards
    is_open = row.status.in_(OPEN_STATUSES)
    changed = connection.execute(
        update(challenges)
        .where(_plays(user_id))
        .values(
            challenger=case((row.challenger == user_id, pseudonym), else_=row.challenger),
            challenged=case((row.challenged == user_id, pseudonym), else_=row.challenged),
            ended_by=case((or_(is_open, row.ended_by == user_id), pseudonym), else_=row.ended_by),
            status=case((is_open, "left"), else_=row.status),
            shown=None,
        )
    )
    nobody_left = and_(row.challenger < 0, row.challenged < 0)
    of_nobody = boards.c.challenge_id.in_(select(row.id).where(nobody_left))
    connection.execute(delete(boards).where(of_nobody))
    connection.execute(delete(challenges).where(nobody_left))
    return changed.rowcount


def _forget_in_events(connection: Connection, user_id: UserId, pseudonym: UserId) -> int:
    """Replace a person in club events, whose messages become outdated; return the number of rows.

    `bot.club.event` leaves a pseudonym out of later draws.
    """
    event_ids = union(
        select(club_people.c.event_id).where(club_people.c.user_id == user_id),
        select(club_events.c.id).where(club_events.c.organiser_id == user_id),
    )
    concerned = club_events.c.id.in_(event_ids.subquery().select())
    connection.execute(update(club_events).where(concerned).values(shown=-1))
    of_person = update(club_people).where(club_people.c.user_id == user_id)
    connection.execute(of_person.values(name=""))
    return sum(
        connection.execute(
            update(column.table).where(column == user_id).values({column: pseudonym})
        ).rowcount
        for column in _CLUB_COLUMNS
    )


def _new_pseudonym(connection: Connection) -> UserId:
    """Return a random unused number below `NOWHERE`."""
    while True:
        pseudonym = NOWHERE - 1 - secrets.randbelow(_PSEUDONYMS)
        sat = (
            select(t.c.user_id).where(t.c.user_id == pseudonym)
            for t in (schema.seat_changes, *_CREDIT_TABLES)
        )
        if connection.scalar(union(*sat)) is None:
            return UserId(pseudonym)


def _tables_mentioning(connection: Connection, user_id: UserId) -> list[TableId]:
    """Return the tables that mention a person in a seat, an action, as host, or in JSON."""
    tables, actions, posts = schema.tables, schema.actions, outbox.outbox
    digits = str(user_id)
    parts = [
        select(t.c.table_id).where(t.c.user_id == user_id) for t in (*_SEAT_TABLES, *_CREDIT_TABLES)
    ]
    parts += [select(t.c.table_id).where(t.c.counts_for == user_id) for t in _CREDIT_TABLES]
    parts += [
        select(actions.c.table_id).where(actions.c.actor_id == user_id),
        select(tables.c.id).where(tables.c.host_id == user_id),
        select(tables.c.id).where(tables.c.details.contains(digits)),
        select(posts.c.table_id).where(posts.c.data.contains(digits)),
    ]
    return sorted(connection.scalars(union(*parts)))


def _increment_versions(
    connection: Connection, table_ids: Collection[TableId], held: Collection[TableId]
) -> None:
    """Increment the versions of open tables that are not `held`."""
    tables = schema.tables
    not_held = set(table_ids) - set(held)
    changed = and_(tables.c.id.in_(statements.select_numbers(not_held)), text(schema.OPEN))
    connection.execute(update(tables).where(changed).values(version=tables.c.version + 1))


def _forget_json(
    connection: Connection,
    table_ids: Collection[TableId],
    user_id: UserId,
    pseudonym: UserId,
    rewriting: Rewriting,
) -> None:
    """Erase a person from details and outbox messages of these tables."""
    tables, posts = schema.tables, outbox.outbox
    here = tables.c.id.in_(statements.select_numbers(table_ids))
    for row in connection.execute(select(tables.c.id, tables.c.details).where(here)).all():
        details = rewriting.details(row.details, user_id, pseudonym)
        if details != row.details:
            connection.execute(update(tables).where(tables.c.id == row.id).values(details=details))
    of_tables = posts.c.table_id.in_(statements.select_numbers(table_ids))
    for post in connection.execute(select(posts).where(of_tables)).all():
        names = _names_at(connection, post.table_id, user_id)
        data = rewriting.post(post.data, user_id, names)
        where = and_(posts.c.table_id == post.table_id, posts.c.number == post.number)
        if data is None:
            connection.execute(delete(posts).where(where))
        elif data != post.data:
            connection.execute(update(posts).where(where).values(data=data))


def _names_at(connection: Connection, table_id: TableId, user_id: UserId) -> frozenset[str]:
    """Return the names of a person at a table."""
    query = union(
        *(
            select(t.c.name).where(t.c.table_id == table_id, t.c.user_id == user_id)
            for t in _SEAT_TABLES
        )
    )
    return frozenset(name for name in connection.scalars(query) if name)


def _forget_actions(
    connection: Connection, table_ids: Collection[TableId], user_id: UserId, pseudonym: UserId
) -> None:
    """Replace the actor of a person's actions by the pseudonym, or by NULL in a running round.

    NULL makes the running round count for nobody in this seat. With a pseudonym, a rebuild would
    later compute the round with the person's previous rating, but the bot has deleted this rating
    before the round ends.
    """
    actions, rounds, tables = schema.actions, schema.rounds, schema.tables
    finished_round = select(rounds.c.table_id).where(
        rounds.c.table_id == actions.c.table_id, rounds.c.number == actions.c.round
    )
    closed_table = select(tables.c.id).where(
        tables.c.id == actions.c.table_id, tables.c.status.not_in(("lobby", "playing"))
    )
    is_over = or_(finished_round.exists(), closed_table.exists())
    replacement = case((is_over, pseudonym), else_=None)
    of_person = actions.c.actor_id == user_id
    at_tables = actions.c.table_id.in_(statements.select_numbers(table_ids))
    statement = update(actions).where(at_tables, of_person)
    connection.execute(statement.values(actor_id=replacement))


def at_open_tables(connection: Connection) -> dict[TableId, set[UserId]]:
    """Return the pseudonyms that sit at open tables or are their hosts, by table."""
    tables, seats = schema.tables, schema.seats
    is_open = text(schema.OPEN)
    occupants = select(tables.c.id, seats.c.user_id).join(seats, seats.c.table_id == tables.c.id)
    hosts = select(tables.c.id, tables.c.host_id).where(tables.c.host_id < 0, is_open)
    pseudonyms: dict[TableId, set[UserId]] = {}
    query = union(occupants.where(seats.c.user_id < 0, is_open), hosts)
    for table_id, pseudonym in connection.execute(query):
        pseudonyms.setdefault(table_id, set()).add(pseudonym)
    return pseudonyms


# --- servers ---------------------------------------------------------------------------------


def servers(connection: Connection) -> dict[GuildId, datetime | None]:
    """Return all servers with stored data; the values are the times of `note_gone`, if any."""
    tables, names, guilds = schema.tables, score_schema.names, score_schema.guilds
    servers = union(
        select(tables.c.guild_id.label("id")).where(tables.c.guild_id > 0),
        select(names.c.scope.label("id")).where(names.c.scope > 0),
        select(club_events.c.guild_id.label("id")),
        *(select(table.c.guild_id.label("id")) for table in _SERVER_TABLES),
    ).subquery()
    query = select(servers.c.id, guilds.c.gone_since).select_from(
        servers.outerjoin(guilds, guilds.c.guild_id == servers.c.id)
    )
    return {row.id: row.gone_since for row in connection.execute(query)}


def note_gone(connection: Connection, guild_id: GuildId, since: datetime | None) -> None:
    """Store the time since which the bot is not in a server; `None` if it is there."""
    guilds = score_schema.guilds
    changed = connection.execute(
        update(guilds).where(guilds.c.guild_id == guild_id).values(gone_since=since)
    )
    if not changed.rowcount:
        row = {"guild_id": guild_id, "gone_since": since}
        connection.execute(insert(guilds), row)


def forget_server(connection: Connection, guild_id: GuildId) -> bool:
    """Erase a server from one batch of its tables; after the last batch, erase everything else.

    Return True when nothing is left, False to be called again. The tables keep the ids of people
    who played there, because the rounds also count for the worldwide leaderboards. People who
    play on no other server are then returned by `users_of_erased_servers`.
    """
    tables = schema.tables
    batch = select(tables.c.id).where(tables.c.guild_id == guild_id).limit(_TABLES_AT_ONCE)
    ids = list(connection.scalars(batch))
    here = statements.select_numbers(ids)
    for table in (outbox.outbox, schema.reviews, schema.review_agreements):
        connection.execute(delete(table).where(table.c.table_id.in_(here)))
    for table in _SEAT_TABLES:
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
    _request_compaction(connection)
    if len(ids) == _TABLES_AT_ONCE:
        return False
    for table in _SERVER_RESULT_TABLES:
        connection.execute(delete(table).where(table.c.scope == guild_id))
    for table in _SERVER_TABLES:
        connection.execute(delete(table).where(table.c.guild_id == guild_id))
    event_ids = select(club_events.c.id).where(club_events.c.guild_id == guild_id)
    for table in (club_people, club_actions, club_deals):
        connection.execute(delete(table).where(table.c.event_id.in_(event_ids)))
    connection.execute(delete(club_events).where(club_events.c.guild_id == guild_id))
    rounds = schema.solo_rounds
    connection.execute(update(rounds).where(rounds.c.guild_id == guild_id).values(guild_id=NOWHERE))
    there = update(challenges).where(challenges.c.guild_id == guild_id)
    connection.execute(there.values(guild_id=NOWHERE, channel_id=0, message_id=None))
    return True


def users_of_erased_servers(connection: Connection, most: int) -> list[UserId]:
    """Return at most `most` people who have played on erased servers, and nowhere else."""
    tables, rounds, members = schema.tables, schema.solo_rounds, schema.daily_servers
    rivals = challenges.c.challenger, challenges.c.challenged
    on_erased = union(
        *_people_at(tables.c.guild_id == NOWHERE),
        select(rounds.c.user_id).where(rounds.c.guild_id == NOWHERE),
        *(select(person).where(challenges.c.guild_id == NOWHERE) for person in rivals),
    ).subquery()
    elsewhere = union(
        *_people_at(tables.c.guild_id > 0),
        select(rounds.c.user_id).where(rounds.c.guild_id != NOWHERE),
        select(members.c.user_id),
        select(club_people.c.user_id),
        select(club_events.c.organiser_id),
        *(select(person).where(challenges.c.guild_id != NOWHERE) for person in rivals),
    ).subquery()
    (user_id,), (other_user_id,) = on_erased.columns, elsewhere.columns
    query = select(user_id).where(user_id >= 0, user_id.not_in(select(other_user_id)))
    return list(connection.scalars(query.order_by(user_id).limit(most)))


def _people_at(where: ColumnElement[bool]) -> list[Select[tuple[UserId]]]:
    """Select the users who sat at tables that fulfil the condition, or are their hosts."""
    tables = schema.tables
    seats = [
        select(t.c.user_id)
        .join(tables, tables.c.id == t.c.table_id)
        .where(where, t.c.user_id.is_not(None))
        for t in (*_SEAT_TABLES, schema.round_seats)
    ]
    return [*seats, select(tables.c.host_id).where(where)]


# --- the file --------------------------------------------------------------------------------


def _request_compaction(connection: Connection) -> None:
    """Request a compaction, because free pages may hold erased data."""
    row = {"key": _COMPACTION_DUE, "value": "1"}
    connection.execute(statements.upsert(schema.app_state), row)


def compaction_due(connection: Connection) -> bool:
    """Return whether anything was erased since the last compaction."""
    query = select(schema.app_state.c.value).where(schema.app_state.c.key == _COMPACTION_DUE)
    return connection.scalar(query) is not None


def note_compacted(connection: Connection) -> None:
    """Store that the database was compacted."""
    connection.execute(delete(schema.app_state).where(schema.app_state.c.key == _COMPACTION_DUE))
