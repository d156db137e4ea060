"""Integrity checks of a database, and of its derived rounds, matches and ratings.

The checks work on a copy of the database. The comparison rebuilds the copy with `rebuild`, and
reports the rows that differ afterwards. So it finds exactly the changes that a rebuild would make.
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
"""Stored columns that are not derived; a rebuild only closes gaps in the order of rounds."""
_FLOAT_TOLERANCE = 1e-6
"""Largest difference of floats that counts as equal; processors round differently."""
_DOING = "checking the database"
_BEFORE = "stored_"
"""Name prefix of the tables that hold the stored rows before the rebuild."""


def file_faults(copy: Path) -> list[str]:
    """Return the faults that SQLite finds in a file, as sentences."""
    with copies.read_only(copy) as connection:
        if faults := copies.faults(connection):
            return [f"The file is damaged: {fault}." for fault in faults]
        return [
            f"{number} rows of {table} belong to something that is not there."
            for table, number in engines.broken_references(connection.execute).items()
        ]


def missing_objects(connection: Connection) -> list[tuple[str, str]]:
    """Return missing tables, columns, indexes and triggers, by kind and name."""
    return sorted(engines.expected_objects(schema.metadata) - engines.database_objects(connection))


class DerivedPart(NamedTuple):
    """A derived round or match of a table."""

    table_id: TableId
    """Id of the table."""
    round: RoundNumber | None
    """Number of the round; `None` for the match."""


class ComparisonResult(NamedTuple):
    """Result of a comparison: counts and differences."""

    rounds: int
    """Number of rounds after the rebuild, including those of `skipped` tables."""
    matches: int
    """Number of ended matches."""
    games: dict[DerivedPart, set[str]]
    """Names of differing columns, by round or match.

    ``missing`` stands for a derived row that is not stored, ``extra`` for a stored row that is not
    derived.
    """
    books: dict[str, int]
    """Number of differing rows by database table of ratings and leaderboards."""
    skipped: tuple[TableId, ...]
    """Tables whose actions cannot be replayed, so that their rounds are unknown."""


async def compare(
    database: Database, derive: Derive, number: int, rules: ScoreRules
) -> ComparisonResult:
    """Rebuild a copy of a database, and return the differences.

    `derive` derives rounds and match from the actions of a table, `number` is the version of this
    derivation, and `rules` define how rounds count.
    """
    first = await database.write_alone(_DOING, _copy_stored_rows)
    rebuilt = await rebuild(database, derive, number, first, rules)
    games: dict[DerivedPart, set[str]] = defaultdict(set)
    for table in DERIVED:
        for row, words in await database.read(_differing_rows, table):
            if row["table_id"] not in rebuilt.skipped:
                games[DerivedPart(row["table_id"], row.get("number"))] |= words
    differ = {
        table.name: len(await database.read(_differing_rows, table)) for table in score_rows.DERIVED
    }
    return ComparisonResult(
        rebuilt.rounds,
        rebuilt.matches,
        dict(sorted(games.items(), key=lambda item: (item[0].table_id, item[0].round or 0))),
        {name: rows for name, rows in differ.items() if rows},
        rebuilt.skipped,
    )


def _copy_stored_rows(connection: Connection) -> Day:
    """Copy the stored rows to other tables; return the first of the last thirty days."""
    for table in (*DERIVED, *score_rows.DERIVED):
        connection.execute(
            text(f"CREATE TABLE {_BEFORE}{table.name} AS SELECT * FROM {table.name}")
        )
    return score_rows.first_recent_day(connection)


def _differing_rows(connection: Connection, table: Table) -> list[tuple[dict[str, Any], set[str]]]:
    """Return the keys of differing rows, each with its differing columns.

    A row that exists on one side only has ``missing`` or ``extra`` in place of columns.
    """
    before = named_table(_BEFORE + table.name, *(named_column(c.name) for c in table.columns))
    same_key = and_(*(table.c[c.name] == before.c[c.name] for c in table.primary_key))
    differs = {
        c.name: _differs(c, before.c[c.name])
        for c in table.columns
        if not c.primary_key and c not in _NOT_DERIVED
    }

    # rows on both sides, with a column such as "score?" for each condition
    flags = (condition.label(f"{name}?") for name, condition in differs.items())
    query = select(*table.primary_key, *flags)
    query = query.join_from(table, before, same_key).where(or_(*differs.values()))
    key_names = [column.name for column in table.primary_key]
    differences = []
    for row in connection.execute(query).mappings():
        differing = {name for name in differs if row[f"{name}?"]}
        differences.append(({name: row[name] for name in key_names}, differing))

    for rows, others, word in ((table, before, "missing"), (before, table, "extra")):
        keys = _keys_missing_in(connection, table, rows, others)
        differences += [(key, {word}) for key in keys]
    return differences


def _keys_missing_in(
    connection: Connection, table: Table, rows: FromClause, others: FromClause
) -> list[dict[str, Any]]:
    """Return the keys of `rows` that are not in `others`; both have the columns of `table`."""
    names = [column.name for column in table.primary_key]
    same = and_(*(rows.c[name] == others.c[name] for name in names))
    query = select(*(rows.c[name] for name in names)).join_from(rows, others, same, isouter=True)
    query = query.where(others.c[names[0]].is_(None))
    return [dict(row) for row in connection.execute(query).mappings()]


def _differs(derived: ColumnElement[Any], stored: ColumnElement[Any]) -> ColumnElement[bool]:
    """Return the SQL condition that two values differ, also if one is NULL."""
    distinct = derived.is_distinct_from(stored)
    if not isinstance(derived.type, Float):
        return distinct
    apart = func.abs(derived - stored) > _FLOAT_TOLERANCE
    return and_(distinct, func.coalesce(apart, True))
