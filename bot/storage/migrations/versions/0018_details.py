"""Renamed column: the details of tables."""

from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Rename the column `desk` to `details`.

    Its constraint keeps the old name, because SQLite would have to rebuild the whole table.
    """
    op.execute("ALTER TABLE tables RENAME COLUMN desk TO details")


def downgrade() -> None:
    """Refuse downgrades, because older programs refuse newer databases."""
    raise NotImplementedError
