"""Statements of migrations that differ between backends.

PostgreSQL has been supported since schema 0015. Each new database of it goes through all
migrations, so that there is only one way to the newest schema. It is empty until then, so
migrations need not convert rows of older versions there.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

TABLE_ID = sa.Integer().with_variant(sa.BigInteger(), "postgresql")
"""Type of table ids."""


def holds_bool(column: str, name: str) -> sa.CheckConstraint:
    """Return the constraint that a column is 0 or 1, where booleans are stored so."""
    return sa.CheckConstraint(f"{column} IN (0, 1)", name=name).ddl_if(dialect="sqlite")


def on_sqlite(statement: str) -> None:
    """Execute a statement in SQLite only."""
    _execute_on("sqlite", statement)


def on_postgres(statement: str) -> None:
    """Execute a statement in PostgreSQL only."""
    _execute_on("postgresql", statement)


def _execute_on(dialect: str, statement: str) -> None:
    if op.get_bind().dialect.name == dialect:
        op.get_bind().exec_driver_sql(statement)
