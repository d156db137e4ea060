"""What a table remembers is called its details."""

from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """The column was called `desk`, a word that said nothing.

    Its rule keeps that name: SQLite would have to write the whole table anew.
    """
    op.execute("ALTER TABLE tables RENAME COLUMN desk TO details")


def downgrade() -> None:
    """Refuse a downgrade, because older programs refuse newer databases anyway."""
    raise NotImplementedError
