"""SQL statements and constraints with the same meaning in all backends."""

import json
from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Protocol

from sqlalchemy import (
    DDL,
    BigInteger,
    CheckConstraint,
    Column,
    ColumnElement,
    Connection,
    Executable,
    Index,
    Insert,
    Integer,
    MetaData,
    Select,
    Table,
    TableValuedAlias,
    column,
    event,
    literal,
    literal_column,
    select,
)
from sqlalchemy.dialects.postgresql import insert  # as SQLite understands it, too
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.dialect_expressions import Larger, NumberIn, NumbersOf
from bot.storage.postgres import statements as postgres_statements
from bot.storage.sqlite import statements as sqlite_statements

_KINDS = (sqlite_statements, postgres_statements)


class _Kind(Protocol):
    """Functions of a backend's `statements.py`."""

    def requires_lateral(self) -> bool:
        """Return whether a correlated subquery should be a LATERAL join."""

    def locks(self, lock: int) -> list[Executable]:
        """Return the statements that acquire this lock until the end of the transaction."""

    def binary_collation(self, column: ColumnElement[Any]) -> ColumnElement[Any]:
        """Return a text column that is compared bytewise."""

    def reset_sequences(self, table: Table) -> list[Executable]:
        """Return the statements that move the id sequence behind the largest id."""


_BY_NAME: Mapping[str, _Kind] = {
    sqlite_statements.NAME: sqlite_statements,
    postgres_statements.NAME: postgres_statements,
}
STORED_BY_KEY: Mapping[str, Any] = sqlite_statements.TABLE_OPTIONS
"""Options of a `Table` whose rows are stored in the order of their primary key."""
LEASES, BOOKS, NOTICES = 0x746963687501, 0x746963687502, 0x746963687503
"""Locks for `advisory_lock`.

They serialize transactions that acquire leases, store results (which count on all servers), or
store notices (which must be numbered in the order of their commits).
"""
TABLE_ID = Integer().with_variant(BigInteger(), postgres_statements.NAME)
"""Type of table ids; SQLite has one type for integers of all sizes."""

# --- tables --------------------------------------------------------------------------------------


def discord_id_key(name: str) -> Column[int]:
    """Return a primary key of one column, which holds ids from Discord."""
    return Column(name, BigInteger, primary_key=True, autoincrement=False)


def partial_index(
    name: str, *columns: str | Column[Any], where: ColumnElement[bool], unique: bool = False
) -> Index:
    """Return an index of the rows that fulfil the condition."""
    conditions: dict[str, Any] = {f"{kind.NAME}_where": where for kind in _KINDS}
    return Index(name, *columns, unique=unique, **conditions)


def holds_json(column: str, name: str | None = None) -> CheckConstraint:
    """Return the constraint that a column holds JSON, named like the column by default."""
    return CheckConstraint(f"json_valid({column})", name=name or column)


def holds_bool(column: str) -> CheckConstraint:
    """Return the constraint that a column is 0 or 1, for SQLite, which stores booleans so."""
    rule = CheckConstraint(f"{column} IN (0, 1)", name=column)
    return rule.ddl_if(dialect=sqlite_statements.NAME)


def make_append_only(actions: Table) -> None:
    """Create the triggers of `actions` together with the table.

    They enforce numbers without gaps, and refuse changes and deletions. Only the actor of an action
    may be replaced, by NULL or by a pseudonym (`bot.ids`).
    """
    for function in postgres_statements.FUNCTIONS:
        _execute_at_creation(actions.metadata, "before_create", function, postgres_statements.NAME)
    for kind in _KINDS:
        for trigger in kind.ACTION_TRIGGERS:
            _execute_at_creation(actions, "after_create", trigger, kind.NAME)


def _execute_at_creation(owner: Table | MetaData, when: str, sql: str, dialect: str) -> None:
    """Execute an SQL statement when `owner` is created in a database of this dialect.

    `when` is SQLAlchemy's event, ``before_create`` or ``after_create``.
    """
    statement = DDL(sql.replace("%", "%%"))  # type: ignore[no-untyped-call]
    event.listen(owner, when, statement.execute_if(dialect=dialect))


def temporary(table: Table, name: str) -> Table:
    """Return a temporary table with the columns and the key of another table."""
    columns = (Column(c.name, c.type, primary_key=c.primary_key) for c in table.columns)
    return Table(name, MetaData(), *columns, prefixes=["TEMPORARY"], **STORED_BY_KEY)


# --- statements ----------------------------------------------------------------------------------


def upsert(
    table: Table, changed: Mapping[str, ColumnElement[Any]] = MappingProxyType({})
) -> Insert:
    """Return an INSERT that updates the row with the same primary key, if there is one.

    The updated row gets all new values, apart from the columns in `changed`. These get the value of
    their expression, in which the table's columns have the values of the old row. If several
    inserted rows have the same key, the last one wins.
    """
    statement = insert(table)
    own = (column for column in table.columns if not column.primary_key)
    new = {column.name: statement.excluded[column.name] for column in own}
    return statement.on_conflict_do_update(
        index_elements=list(table.primary_key), set_={**new, **changed}
    )


def insert_missing(table: Table) -> Insert:
    """Return an INSERT that does nothing if there is a row with the same primary key."""
    return insert(table).on_conflict_do_nothing(index_elements=list(table.primary_key))


def number_rows(values: Collection[int]) -> TableValuedAlias:
    """Return integers as rows with the column `value`, passed as a single SQL parameter."""
    numbers = NumbersOf(literal(json.dumps(sorted(values))))
    return numbers.table_valued(column("value", BigInteger))


def select_numbers(values: Collection[int]) -> Select[tuple[int]]:
    """Return a SELECT of these integers, for conditions with IN."""
    return select(number_rows(values).c.value)


def json_number(json_text: ColumnElement[str], name: str) -> ColumnElement[Any]:
    """Return a numeric field of a JSON object that is stored as text."""
    return NumberIn(json_text, literal_column(name))


def larger(value: ColumnElement[Any], other: int) -> ColumnElement[Any]:
    """Return the larger of two values; NULL if one of them is NULL."""
    return Larger(value, literal(other))


def requires_lateral(connection: Connection) -> bool:
    """Return whether a correlated subquery should be a LATERAL join, to be fast.

    SQLite does not support LATERAL, so the subquery is in a condition there.
    """
    return _kind(connection).requires_lateral()


def advisory_lock(connection: Connection, lock: int) -> None:
    """Acquire one of the locks `LEASES`, `BOOKS`, `NOTICES` until the end of the transaction.

    With SQLite it does nothing, because only one transaction writes at a time there.
    """
    for statement in _kind(connection).locks(lock):
        connection.execute(statement)


def execute_updates(
    connection: Connection, statement: Executable, rows: Sequence[Mapping[str, Any]]
) -> int:
    """Execute an UPDATE with each of these rows of parameters; return how many rows it matched."""
    if connection.dialect.supports_sane_multi_rowcount:
        return connection.execute(statement, rows).rowcount
    return sum([connection.execute(statement, row).rowcount for row in rows])


def binary_collation(connection: AsyncConnection, column: ColumnElement[Any]) -> ColumnElement[Any]:
    """Return a text column that is compared bytewise, not by the database's language."""
    return _kind(connection).binary_collation(column)


def reset_sequences(connection: Connection, tables: Sequence[Table]) -> None:
    """Move the id sequences of these tables past the largest ids in use."""
    for table in tables:
        for statement in _kind(connection).reset_sequences(table):
            connection.execute(statement)


def _kind(connection: Connection | AsyncConnection) -> _Kind:
    """Return the statements of this connection's backend."""
    return _BY_NAME[connection.dialect.name]
