"""PostgreSQL's SQL for expressions, triggers and functions that differ by backend."""

from typing import Any, Final

from sqlalchemy import ColumnElement, Executable, Table, func, select, text
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler

from bot.storage.dialect_expressions import Larger, NumberIn, NumbersOf

NAME = "postgresql"
FUNCTIONS: Final = (
    """CREATE OR REPLACE FUNCTION json_valid(value text) RETURNS boolean
LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    RETURN value::json IS NOT NULL OR value IS NULL;
EXCEPTION WHEN data_exception THEN
    RETURN false;
END $$""",
    """CREATE OR REPLACE FUNCTION actions_without_gaps() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.seq <> 1 + coalesce((SELECT max(seq) FROM actions WHERE table_id = NEW.table_id), 0)
    THEN RAISE integrity_constraint_violation USING MESSAGE = 'actions are numbered without gaps';
    END IF;
    RETURN NEW;
END $$""",
    """CREATE OR REPLACE FUNCTION actions_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE integrity_constraint_violation USING MESSAGE = 'actions are append-only';
END $$""",
)
"""Functions called by constraints and triggers; SQLite has the first one built in."""
ACTION_TRIGGERS: Final = (
    """CREATE TRIGGER actions_without_gaps BEFORE INSERT ON actions FOR EACH ROW
EXECUTE FUNCTION actions_without_gaps()""",
    """CREATE TRIGGER actions_never_change BEFORE UPDATE ON actions FOR EACH ROW
WHEN (coalesce(OLD.actor_id, -1) < 0 OR coalesce(NEW.actor_id, -1) >= 0
 OR (NEW.table_id, NEW.seq, NEW.round, NEW.seat, NEW.text, NEW.at)
 IS DISTINCT FROM (OLD.table_id, OLD.seq, OLD.round, OLD.seat, OLD.text, OLD.at))
EXECUTE FUNCTION actions_append_only()""",
    """CREATE TRIGGER actions_never_go BEFORE DELETE ON actions FOR EACH ROW
EXECUTE FUNCTION actions_append_only()""",
)


def requires_lateral() -> bool:
    """Return True, because a subquery in a condition is slow."""
    return True


def locks(lock: int) -> list[Executable]:
    """Return the statement that acquires this lock until the end of the transaction."""
    return [select(func.pg_advisory_xact_lock(lock))]


def binary_collation(column: ColumnElement[Any]) -> ColumnElement[Any]:
    """Return a text column that is compared bytewise, not by the database's language."""
    return column.collate("C")


def reset_sequences(table: Table) -> list[Executable]:
    """Return the statement that moves the id sequence of a table behind its largest id."""
    if table.autoincrement_column is None:
        return []
    (key,) = table.primary_key
    largest = f"max({key.name})"
    statement = (
        f"SELECT setval(pg_get_serial_sequence('{table.name}', '{key.name}'), "
        f"coalesce({largest}, 1), {largest} IS NOT NULL) FROM {table.name}"
    )
    return [text(statement)]


@compiles(NumbersOf, NAME)
def _numbers(element: NumbersOf, compiler: SQLCompiler, **kw: Any) -> str:
    (text,) = element.clauses
    listed = f"translate({compiler.process(text, **kw)}, '[]', '{{}}')"
    return f"(SELECT unnest(CAST({listed} AS BIGINT[])) AS value)"


@compiles(NumberIn, NAME)
def _number_in(element: NumberIn, compiler: SQLCompiler, **kw: Any) -> str:
    text, name = (compiler.process(part, **kw) for part in element.clauses)
    return f"CAST(CAST({text} AS JSON) ->> '{name}' AS INTEGER)"


@compiles(Larger, NAME)
def _larger(element: Larger, compiler: SQLCompiler, **kw: Any) -> str:
    one, other = (compiler.process(value, **kw) for value in element.clauses)
    return f"CASE WHEN {one} IS NULL OR {other} IS NULL THEN NULL ELSE greatest({one}, {other}) END"
