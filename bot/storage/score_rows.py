"""Reading and writing of ratings and leaderboards, which are computed by the rules.

Each function runs within one transaction of the caller. The `rules` compute the changes
(`bot.score_records.ScoreRules`). "Books" are the accounts, standings and tallies of some users in
memory.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, Table, bindparam, delete, select, tuple_
from sqlalchemy.schema import CreateTable

from bot.ids import NOWHERE, UserId, is_pseudonym
from bot.score_records import (
    LATELY,
    Account,
    Books,
    Day,
    Ended,
    LineKey,
    LineStats,
    Person,
    Preferences,
    Rating,
    RowKeys,
    ScoreRules,
    SortKeys,
    Tally,
)
from bot.storage import schema, score_schema, statements

_FIRST_RECENT_DAY = "lately-from"
"""Key of the first day of `LATELY` in `app_state`."""
_AT_ONCE = 5000
"""Largest number of rows or user ids in one statement."""
_OLD_AT_ONCE = 1000
"""Number of old tallies that `expire_tallies` subtracts in one transaction."""
DERIVED = (
    score_schema.ratings,
    score_schema.rating_days,
    score_schema.standings,
    score_schema.tallies,
)
"""Database tables derived from rounds and matches."""
_NEW = {table: statements.temporary(table, f"new_{table.name}") for table in DERIVED}
"""Temporary tables for new books, by the table that they will replace."""
_STORED = {table: table for table in DERIVED}


def enter(connection: Connection, ended: Sequence[Ended], rules: ScoreRules) -> None:
    """Enter rounds and matches, in counting order, into the stored ratings and leaderboards."""
    books = _read(connection, rules.required_rows(ended))
    rules.enter(books, ended)
    _write(connection, books, rules)


def prepare_scores(
    connection: Connection, books: Books, rules: ScoreRules
) -> dict[UserId, Preferences]:
    """Write books to temporary tables of this connection, for `replace_scores`.

    Return the preferences that decided which users are listed.
    """
    for table in _NEW.values():
        connection.execute(CreateTable(table))
    return _write(connection, books, rules, _NEW)


def replace_scores(
    connection: Connection,
    first_recent_day: Day,
    prepared: Mapping[UserId, Preferences],
    rules: ScoreRules,
) -> None:
    """Replace all ratings and leaderboards by the prepared books.

    `prepared` are the preferences that `prepare_scores` returned. If users have changed their
    preferences since, their lines are updated.
    """
    for table, new in _NEW.items():
        connection.execute(delete(table))
        names = [column.name for column in table.columns]
        connection.execute(table.insert().from_select(names, select(new)))
    _set_first_recent_day(connection, first_recent_day)
    people = score_schema.people
    stored = {row.user_id: row for row in connection.execute(select(people))}
    for user_id in prepared.keys() | stored.keys():
        row = stored.get(user_id)
        chosen = Preferences() if row is None else Preferences(row.hidden, row.worldwide)
        if prepared.get(user_id, Preferences()) != chosen:
            update_listing(connection, user_id, chosen, rules)


def update_listing(
    connection: Connection, user_id: UserId, chosen: Preferences, rules: ScoreRules
) -> None:
    """Update the leaderboards after a change of a user's preferences."""
    lines = score_schema.standings
    rows = connection.execute(select(lines).where(lines.c.user_id == user_id))
    standings = ((LineKey(_person(row), row.period), _line_stats(row)) for row in rows)
    _put(connection, lines, list(_line_rows(standings, {user_id: chosen}, rules)))


def _read(connection: Connection, keys: RowKeys) -> Books:
    """Return the stored books of the users affected by some rounds and matches."""
    people = keys.people
    ratings, lines, tallies = score_schema.ratings, score_schema.standings, score_schema.tallies
    books = Books(first_recent_day(connection))
    for row in _rows_of(connection, ratings, people):
        books.accounts[_person(row)] = Account(Rating(row.mu, row.sigma), row.rounds)
    of_periods = lines.c.period.in_(keys.periods)
    for row in _rows_of(connection, lines, people, of_periods):
        books.standings[LineKey(_person(row), row.period)] = _line_stats(row)
    for row in _rows_of(connection, tallies, people, tallies.c.day.in_(keys.days)):
        books.tallies[_person(row), row.day] = tally_of(row)
    return books


def _write(
    connection: Connection,
    books: Books,
    rules: ScoreRules,
    into: Mapping[Table, Table] = _STORED,
) -> dict[UserId, Preferences]:
    """Write books to the tables of `into`; return the preferences of their users.

    Erased users and servers are left out, because they are needed only to compute the ratings of
    others.
    """
    _put(
        connection,
        into[score_schema.ratings],
        (
            {**who._asdict(), **account.rating._asdict(), "rounds": account.rounds}
            for who, account in books.accounts.items()
            if _is_kept(who)
        ),
    )
    _put(
        connection,
        into[score_schema.rating_days],
        (
            {**who._asdict(), "day": day, **rating._asdict()}
            for (who, day), rating in books.rating_days.items()
            if _is_kept(who)
        ),
    )
    _put(
        connection,
        into[score_schema.tallies],
        (
            {**who._asdict(), "day": day, **tally._asdict()}
            for (who, day), tally in books.tallies.items()
            if _is_kept(who)
        ),
    )
    lines = [line for line in books.standings.items() if _is_kept(line[0].person)]
    users = {line.person.user_id for line, _ in lines}
    chosen = read_preferences(connection, users)
    _put(connection, into[score_schema.standings], _line_rows(lines, chosen, rules))
    return chosen


def _is_kept(person: Person) -> bool:
    """Return whether results of this person are stored: neither user nor server is erased."""
    return not is_pseudonym(person.user_id) and person.scope != NOWHERE


def _line_rows(
    standings: Iterable[tuple[LineKey, LineStats]],
    chosen: dict[UserId, Preferences],
    rules: ScoreRules,
) -> Iterator[dict[str, object]]:
    """Yield the rows of lines; all sort keys of unlisted users are `None`."""
    for line, stats in standings:
        person = line.person
        listed = chosen.get(person.user_id, Preferences()).listed(person.scope)
        sort_keys = rules.sort_keys(stats) if listed else SortKeys()
        yield {
            **person._asdict(),
            "period": line.period,
            **stats.tally._asdict(),
            "rating": stats.rating,
            **{f"by_{order}": value for order, value in sort_keys._asdict().items()},
        }


def _put(connection: Connection, table: Table, rows: Iterable[dict[str, object]]) -> None:
    """Insert rows, replacing those with the same key."""
    statement, remaining = statements.upsert(table), iter(rows)
    while batch := list(islice(remaining, _AT_ONCE)):
        connection.execute(statement, batch)


def _rows_of(
    connection: Connection, table: Table, people: Iterable[Person], *where: ColumnElement[bool]
) -> list[Row[Any]]:
    """Return the rows of a table that belong to these people."""
    users = defaultdict(list)
    for scope, variant, user_id in people:
        users[scope, variant].append(user_id)
    rows: list[Row[Any]] = []
    for (scope, variant), user_ids in users.items():  # an IN of tuples would use no index
        in_scope = table.c.scope == scope, table.c.variant == variant
        remaining = iter(user_ids)
        while batch := list(islice(remaining, _AT_ONCE)):
            query = select(table).where(*in_scope, table.c.user_id.in_(batch), *where)
            rows += connection.execute(query).all()
    return rows


def _person(row: Row[Any]) -> Person:
    return Person(row.scope, row.variant, row.user_id)


def _line_stats(row: Row[Any]) -> LineStats:
    return LineStats(tally_of(row), row.rating)


def tally_of(row: Row[Any]) -> Tally:
    """Return the counters in a row of standings or tallies."""
    return Tally(*(getattr(row, name) for name in Tally._fields))


def read_preferences(
    connection: Connection, users: Collection[UserId]
) -> dict[UserId, Preferences]:
    """Return the preferences of these users; users without preferences are left out."""
    people = score_schema.people
    remaining, preferences = iter(users), {}
    while batch := list(islice(remaining, _AT_ONCE)):
        for row in connection.execute(select(people).where(people.c.user_id.in_(batch))):
            preferences[row.user_id] = Preferences(row.hidden, row.worldwide)
    return preferences


# --- the last thirty days ------------------------------------------------------------------------


def first_recent_day(connection: Connection) -> Day:
    """Return the first day of `LATELY`; 0 if it is not set yet."""
    query = select(schema.app_state.c.value).where(schema.app_state.c.key == _FIRST_RECENT_DAY)
    return int(connection.scalar(query) or 0)


def expire_tallies(connection: Connection, first: Day, rules: ScoreRules) -> bool:
    """Expire one batch of tallies older than `first`.

    Subtracts them from the standings of recent days and deletes them. Once no older tallies are
    left, stores `first` as the first recent day, and returns True.
    """
    tallies, lines = score_schema.tallies, score_schema.standings
    key = tuple_(*tallies.primary_key)
    query = select(tallies).where(tallies.c.day < first).order_by(*tallies.primary_key)
    rows = connection.execute(query.limit(_OLD_AT_ONCE)).all()
    old: dict[Person, Tally] = {}
    for row in rows:
        old[_person(row)] = old.get(_person(row), Tally()).plus(tally_of(row))
    chosen = read_preferences(connection, {person.user_id for person in old})
    changed: dict[LineKey, LineStats] = {}
    for row in _rows_of(connection, lines, old, lines.c.period == LATELY):
        stats = _line_stats(row)
        remaining = stats.tally.plus(old[_person(row)], -1)
        changed[LineKey(_person(row), LATELY)] = stats._replace(tally=remaining)
    _put(connection, lines, _line_rows(changed.items(), chosen, rules))
    _drop_empty(connection, changed)
    if len(rows) == _OLD_AT_ONCE:
        # The primary key begins with the day, so all rows up to the last one are old, too.
        last = tuple_(*(getattr(rows[-1], column.name) for column in tallies.primary_key))
        connection.execute(delete(tallies).where(key <= last))
        return False
    connection.execute(delete(tallies).where(tallies.c.day < first))
    _set_first_recent_day(connection, first)
    return True


def _drop_empty(connection: Connection, standings: dict[LineKey, LineStats]) -> None:
    """Delete lines of `LATELY` without any results."""
    lines = score_schema.standings
    empty_lines = [
        {f"{name}_": value for name, value in line.person._asdict().items()}
        for line, stats in standings.items()
        if stats.tally == Tally()
    ]
    if empty_lines:
        is_line = (lines.c[name] == bindparam(f"{name}_") for name in Person._fields)
        statement = delete(lines).where(*is_line, lines.c.period == LATELY)
        connection.execute(statement, empty_lines)


def _set_first_recent_day(connection: Connection, first: Day) -> None:
    """Store the first day of `LATELY`."""
    row = {"key": _FIRST_RECENT_DAY, "value": str(first)}
    connection.execute(statements.upsert(schema.app_state), row)
