"""Statements, and rules of tables, that mean the same in each kind of database."""

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
    """What each kind of database says in its own way: `statements.py` in its folder."""

    def requires_lateral(self) -> bool:
        """Whether what is selected for each row of another SELECT has to stand in FROM."""

    def locks(self, lock: int) -> list[Executable]:
        """What keeps others who ask for this lock waiting until the end of the transaction."""

    def binary_collation(self, column: ColumnElement[Any]) -> ColumnElement[Any]:
        """A column of text that is compared as bytes are."""

    def reset_sequences(self, table: Table) -> list[Executable]:
        """What lets new rows of a table go on after its largest number."""


_BY_NAME: Mapping[str, _Kind] = {
    sqlite_statements.NAME: sqlite_statements,
    postgres_statements.NAME: postgres_statements,
}
STORED_BY_KEY: Mapping[str, Any] = sqlite_statements.TABLE_OPTIONS
"""For a `Table` whose rows are found by their primary key alone."""
LEASES, BOOKS, NOTICES = 0x746963687501, 0x746963687502, 0x746963687503
"""Locks of `advisory_lock`: for taking leases, for what is counted on all servers together, and for
notices, whose numbers are in the order in which they are stored."""
TABLE_ID = Integer().with_variant(BigInteger(), postgres_statements.NAME)
"""The type of the number of a table; SQLite has one type for numbers of all sizes."""

# --- tables --------------------------------------------------------------------------------------


def given_key(name: str) -> Column[int]:
    """The only column of a primary key, whose numbers are Discord's: none is made here."""
    return Column(name, BigInteger, primary_key=True, autoincrement=False)


def partial_index(
    name: str, *columns: str | Column[Any], where: ColumnElement[bool], unique: bool = False
) -> Index:
    """An index of those rows alone that fulfil the condition."""
    conditions: dict[str, Any] = {f"{kind.NAME}_where": where for kind in _KINDS}
    return Index(name, *columns, unique=unique, **conditions)


def holds_json(column: str, name: str | None = None) -> CheckConstraint:
    """The rule that this column holds JSON text; its name is that of the column, or another one."""
    return CheckConstraint(f"json_valid({column})", name=name or column)


def holds_bool(column: str) -> CheckConstraint:
    """The rule that this column holds a truth value, where that is stored as 0 or 1."""
    rule = CheckConstraint(f"{column} IN (0, 1)", name=column)
    return rule.ddl_if(dialect=sqlite_statements.NAME)


def only_append(actions: Table) -> None:
    """Let the table of actions be made with its triggers, and before it what triggers call.

    They number its rows without gaps, and refuse to change or delete one. Only the person behind an
    action can be taken off it: nobody, or a pseudonym (`bot.ids`), comes in their place.
    """
    for function in postgres_statements.FUNCTIONS:
        _execute_at_creation(actions.metadata, "before_create", function, postgres_statements.NAME)
    for kind in _KINDS:
        for trigger in kind.ACTION_TRIGGERS:
            _execute_at_creation(actions, "after_create", trigger, kind.NAME)


def _execute_at_creation(owner: Table | MetaData, when: str, written: str, kind: str) -> None:
    """Let an SQL statement be executed whenever `owner` is created in a database of one kind.

    `when` is SQLAlchemy's event, ``before_create`` or ``after_create``; `written` the statement;
    `kind` the name of the dialect.
    """
    statement = DDL(written.replace("%", "%%"))  # type: ignore[no-untyped-call]
    event.listen(owner, when, statement.execute_if(dialect=kind))


def temporary(table: Table, name: str) -> Table:
    """A table of one connection alone, with the columns and the key of another table."""
    columns = (Column(c.name, c.type, primary_key=c.primary_key) for c in table.columns)
    return Table(name, MetaData(), *columns, prefixes=["TEMPORARY"], **STORED_BY_KEY)


# --- statements ----------------------------------------------------------------------------------


def upsert(
    table: Table, changed: Mapping[str, ColumnElement[Any]] = MappingProxyType({})
) -> Insert:
    """An INSERT that changes the row with the same primary key, if there is one.

    All columns beside the key get the new values; those in `changed` the value of an expression,
    which may speak of the row as it was (`None`: the new value). Of several rows with one key the
    last one stays.
    """
    statement = insert(table)
    own = (column for column in table.columns if not column.primary_key)
    new = {column.name: statement.excluded[column.name] for column in own}
    return statement.on_conflict_do_update(
        index_elements=list(table.primary_key), set_={**new, **changed}
    )


def listed(values: Collection[int]) -> TableValuedAlias:
    """These numbers, however many, as rows with a `value`: one parameter in the statement."""
    numbers = NumbersOf(literal(json.dumps(sorted(values))))
    return numbers.table_valued(column("value", BigInteger))


def numbers(values: Collection[int]) -> Select[tuple[int]]:
    """A SELECT of these numbers, however many."""
    return select(listed(values).c.value)


def number_in(json_text: ColumnElement[str], name: str) -> ColumnElement[Any]:
    """A field that is a number, of an object that is stored as JSON text."""
    return NumberIn(json_text, literal_column(name))


def larger(value: ColumnElement[Any], other: int) -> ColumnElement[Any]:
    """The larger of two values; NULL if one of them is."""
    return Larger(value, literal(other))


def requires_lateral(connection: Connection) -> bool:
    """Whether a SELECT for each row of another one has to stand in FROM, as LATERAL, to be quick.

    Other databases do not know that: there it stands in a condition.
    """
    return _kind(connection).requires_lateral()


def advisory_lock(connection: Connection, lock: int) -> None:
    """Keep others who ask for this `lock` waiting until the end of the transaction.

    Where only one transaction writes at a time, that is so anyway.
    """
    for statement in _kind(connection).locks(lock):
        connection.execute(statement)


def rows_found(
    connection: Connection, statement: Executable, rows: Sequence[Mapping[str, Any]]
) -> int:
    """Execute an UPDATE for each of these; how many rows it has found in all."""
    if connection.dialect.supports_sane_multi_rowcount:
        return connection.execute(statement, rows).rowcount
    return sum([connection.execute(statement, row).rowcount for row in rows])


def binary_collation(connection: AsyncConnection, column: ColumnElement[Any]) -> ColumnElement[Any]:
    """A column of text that is compared as bytes are, whatever the language of the database is."""
    return _kind(connection).binary_collation(column)


def reset_sequences(connection: Connection, tables: Sequence[Table]) -> None:
    """Let new rows of tables that number their rows go on after the largest number."""
    for table in tables:
        for statement in _kind(connection).reset_sequences(table):
            connection.execute(statement)


def _kind(connection: Connection | AsyncConnection) -> _Kind:
    """How the database says it that is at the other end of this connection."""
    return _BY_NAME[connection.dialect.name]
