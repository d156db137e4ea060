"""Two indexes by which the history of a server is found without going through all of it."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """An index of the threads of a channel, and one of who had a seat of a match."""
    op.create_index(
        "ix_tables_parent_channel_id",
        "tables",
        ["parent_channel_id"],
        sqlite_where=sa.text("parent_channel_id IS NOT NULL"),
        postgresql_where=sa.text("parent_channel_id IS NOT NULL"),
    )
    op.create_index("ix_sittings_user_id", "sittings", ["user_id"])


def downgrade() -> None:
    """Refuse a downgrade, because older programs refuse newer databases anyway."""
    raise NotImplementedError
