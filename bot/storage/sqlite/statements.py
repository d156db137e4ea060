"""SQLite's SQL for expressions, tables and triggers that differ by backend."""

from types import MappingProxyType
from typing import Any

from sqlalchemy import ColumnElement, Executable, Table
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler

from bot.storage.dialect_expressions import Larger, NumberIn, NumbersOf

NAME = "sqlite"
TABLE_OPTIONS = MappingProxyType({"sqlite_with_rowid": False})
"""Options of a `Table` stored in the order of its primary key (WITHOUT ROWID)."""
ACTION_TRIGGERS = (
    """CREATE TRIGGER actions_without_gaps BEFORE INSERT ON actions
WHEN NEW.seq <> 1 + coalesce((SELECT max(seq) FROM actions WHERE table_id = NEW.table_id), 0)
BEGIN SELECT RAISE(ABORT, 'actions are numbered without gaps'); END""",
    """CREATE TRIGGER actions_never_change BEFORE UPDATE ON actions
WHEN coalesce(OLD.actor_id, -1) < 0 OR coalesce(NEW.actor_id, -1) >= 0
 OR (NEW.table_id, NEW.seq, NEW.round, NEW.seat, NEW.text, NEW.at)
 IS NOT (OLD.table_id, OLD.seq, OLD.round, OLD.seat, OLD.text, OLD.at)
BEGIN SELECT RAISE(ABORT, 'actions are append-only'); END""",
    """CREATE TRIGGER actions_never_go BEFORE DELETE ON actions
BEGIN SELECT RAISE(ABORT, 'actions are append-only'); END""",
)


def requires_lateral() -> bool:
    """Return False, because SQLite does not support LATERAL."""
    return False


def locks(lock: int) -> list[Executable]:
    """Return no statements, because only one transaction writes at a time anyway."""
    return []


def binary_collation(column: ColumnElement[Any]) -> ColumnElement[Any]:
    """Return the column itself, because SQLite always compares bytewise."""
    return column


def reset_sequences(table: Table) -> list[Executable]:
    """Return no statements, because SQLite always continues after the largest id."""
    return []


@compiles(NumbersOf, NAME)
def _numbers(element: NumbersOf, compiler: SQLCompiler, **kw: Any) -> str:
    return f"json_each{compiler.process(element.clause_expr, **kw)}"


@compiles(NumberIn, NAME)
def _number_in(element: NumberIn, compiler: SQLCompiler, **kw: Any) -> str:
    text, name = (compiler.process(part, **kw) for part in element.clauses)
    return f"json_extract({text}, '$.{name}')"


@compiles(Larger, NAME)
def _larger(element: Larger, compiler: SQLCompiler, **kw: Any) -> str:
    return f"max{compiler.process(element.clause_expr, **kw)}"
