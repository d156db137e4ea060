"""Whether a database is sound, and what is stored of rounds, matches, ratings and leaderboards.

All of it is looked at in a copy. There the comparison derives everything anew, as `rebuild` does,
and looks which rows are other ones afterwards. So it finds what a rebuild would change, whatever
that is.
"""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from typing import Any, NamedTuple

from sqlalchemy import (
    ColumnElement,
    Connection,
    Float,
    FromClause,
    Table,
    and_,
    func,
    or_,
    select,
    text,
)
from sqlalchemy import column as named_column
from sqlalchemy import table as named_table

from bot.ids import TableId
from bot.records import RoundNumber
from bot.score_records import Day, ScoreRules
from bot.storage import schema, score_rows
from bot.storage.database import Database
from bot.storage.rebuild import DERIVED, Derive, rebuild
from bot.storage.sqlite import copies, engines

_NOT_DERIVED = frozenset({schema.rounds.c.ordinal})
"""Stored, not derived: the order of rounds. A rebuild only closes gaps in it."""
_AS_GOOD_AS_EQUAL = 1e-6
"""Numbers with a fraction differ by less if processors have rounded them in another way."""
_DOING = "checking the database"
_BEFORE = "stored_"
"""Tables of these names hold what was stored before."""


def file_faults(copy: Path) -> list[str]:
    """What SQLite finds wrong in the file of a database, in sentences; empty if it is sound."""
    with copies.read_only(copy) as connection:
        if faults := copies.faults(connection):
            return [f"The file is damaged: {fault}." for fault in faults]
        return [
            f"{number} rows of {table} belong to something that is not there."
            for table, number in engines.broken_references(connection.execute).items()
        ]


def missing_parts(connection: Connection) -> list[tuple[str, str]]:
    """What the database has lost: kind and name of tables, columns, indexes and triggers."""
    return sorted(engines.parts_made(schema.metadata) - engines.parts(connection))


class DerivedPart(NamedTuple):
    """A part of what is derived from the actions of a table."""

    table_id: TableId
    """The table."""
    round: RoundNumber | None
    """The number of the round; `None` for the match."""


class Compared(NamedTuple):
    """What was looked at, and what differs."""

    rounds: int
    """How many rounds follow from all actions, those of the tables that are `left` included."""
    matches: int
    """How many matches that are over."""
    games: dict[DerivedPart, set[str]]
    """For rounds and matches, which columns are stored otherwise; ``missing`` if a row is not
    stored, ``extra`` if one is stored and nothing was played for it."""
    books: dict[str, int]
    """How many rows differ in the tables of ratings and leaderboards."""
    left: tuple[TableId, ...]
    """Tables whose actions cannot be replayed: nothing is known of their rounds."""


async def compare(database: Database, derive: Derive, number: int, rules: ScoreRules) -> Compared:
    """What differs, in a copy of a database; the copy holds what follows from the truth then.

    `derive` says what follows from the actions of one table, `number` is that of this derivation,
    and `rules` say how it counts.
    """
    first = await database.write_alone(_DOING, _keep_stored)
    found = await rebuild(database, derive, number, first, rules)
    games: dict[DerivedPart, set[str]] = defaultdict(set)
    for table in DERIVED:
        for row, words in await database.read(_different, table):
            if row["table_id"] not in found.left:
                games[DerivedPart(row["table_id"], row.get("number"))] |= words
    differ = {
        table.name: len(await database.read(_different, table)) for table in score_rows.DERIVED
    }
    return Compared(
        found.rounds,
        found.matches,
        dict(sorted(games.items(), key=lambda item: (item[0].table_id, item[0].round or 0))),
        {name: rows for name, rows in differ.items() if rows},
        found.left,
    )


def _keep_stored(connection: Connection) -> Day:
    """Copy what is stored into tables of its own; return the first of the last thirty days."""
    for table in (*DERIVED, *score_rows.DERIVED):
        connection.execute(
            text(f"CREATE TABLE {_BEFORE}{table.name} AS SELECT * FROM {table.name}")
        )
    return score_rows.first_recent_day(connection)


def _different(connection: Connection, table: Table) -> list[tuple[dict[str, Any], set[str]]]:
    """The keys of rows that differ, each with the names of its columns that do, or one word."""
    before = named_table(_BEFORE + table.name, *(named_column(c.name) for c in table.columns))
    same = and_(*(table.c[c.name] == before.c[c.name] for c in table.primary_key))
    differ = {
        c.name: _differs(c, before.c[c.name])
        for c in table.columns
        if not c.primary_key and c not in _NOT_DERIVED
    }
    query = select(*table.primary_key, *(value.label(f"{name}?") for name, value in differ.items()))
    query = query.join_from(table, before, same).where(or_(*differ.values()))
    names = [column.name for column in table.primary_key]
    found = []
    for row in connection.execute(query).mappings():
        words = {name for name in differ if row[f"{name}?"]}
        found.append(({name: row[name] for name in names}, words))
    for here, there, word in ((table, before, "missing"), (before, table, "extra")):
        alone = _without_another(connection, table, here, there)
        found += [(row, {word}) for row in alone]
    return found


def _without_another(
    connection: Connection, table: Table, rows: FromClause, others: FromClause
) -> list[dict[str, Any]]:
    """The keys of those `rows` that `others` do not have; both have the columns of `table`."""
    names = [column.name for column in table.primary_key]
    same = and_(*(rows.c[name] == others.c[name] for name in names))
    query = select(*(rows.c[name] for name in names)).join_from(rows, others, same, isouter=True)
    query = query.where(others.c[names[0]].is_(None))
    return [dict(row) for row in connection.execute(query).mappings()]


def _differs(derived: ColumnElement[Any], stored: ColumnElement[Any]) -> ColumnElement[bool]:
    """Whether two values differ, also if one of them is empty."""
    distinct = derived.is_distinct_from(stored)
    if not isinstance(derived.type, Float):
        return distinct
    apart = func.abs(derived - stored) > _AS_GOOD_AS_EQUAL
    return and_(distinct, func.coalesce(apart, True))
