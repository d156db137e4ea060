"""Versions of tables, to detect concurrent writes."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add a column; existing tables have version 0."""
    op.add_column("tables", sa.Column("version", sa.Integer(), server_default="0", nullable=False))


def downgrade() -> None:
    """Refuse downgrades, because older programs refuse newer databases."""
    raise NotImplementedError
