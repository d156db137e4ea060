"""What migrations say in another way to each kind of database.

Databases of PostgreSQL began when the newest version was 0015. Each new one goes through all
migrations, so that there is one way to the newest schema; but until then it is empty, and nothing
has to be done there for rows of older versions.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

TABLE_ID = sa.Integer().with_variant(sa.BigInteger(), "postgresql")
"""The type of the number of a table."""


def holds_bool(column: str, name: str) -> sa.CheckConstraint:
    """The rule that a column holds a truth value, where that is stored as 0 or 1."""
    return sa.CheckConstraint(f"{column} IN (0, 1)", name=name).ddl_if(dialect="sqlite")


def on_sqlite(statement: str) -> None:
    """Execute this in SQLite alone."""
    _execute_on("sqlite", statement)


def on_postgres(statement: str) -> None:
    """Execute this in PostgreSQL alone."""
    _execute_on("postgresql", statement)


def _execute_on(dialect: str, statement: str) -> None:
    if op.get_bind().dialect.name == dialect:
        op.get_bind().exec_driver_sql(statement)
