"""Statements of migrations that differ between backends."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa
from alembic import op

TABLE_ID = sa.Integer().with_variant(sa.BigInteger(), "postgresql")
"""Type of table ids."""


def holds_bool(column: str, name: str) -> sa.CheckConstraint:
    """Return the constraint that a column is 0 or 1, where booleans are stored so."""
    return sa.CheckConstraint(f"{column} IN (0, 1)", name=name).ddl_if(dialect="sqlite")


def create_index(
    name: str, table: str, columns: Sequence[str], *, where: str | None = None, unique: bool = False
) -> None:
    """Create an index, only of the rows that fulfil the condition `where`, if given."""
    condition: dict[str, Any] = {}
    if where is not None:
        condition = dict.fromkeys(("sqlite_where", "postgresql_where"), sa.text(where))
    op.create_index(name, table, columns, unique=unique, **condition)


def on_sqlite(statement: str) -> None:
    """Execute a statement in SQLite only."""
    _execute_on("sqlite", statement)


def on_postgres(statement: str) -> None:
    """Execute a statement in PostgreSQL only."""
    _execute_on("postgresql", statement)


def _execute_on(dialect: str, statement: str) -> None:
    if op.get_bind().dialect.name == dialect:
        op.get_bind().exec_driver_sql(statement)
