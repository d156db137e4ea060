"""Two indexes that find the history of a server without a full scan."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add an index of the threads of a channel, and one of people's seats."""
    op.create_index(
        "ix_tables_parent_channel_id",
        "tables",
        ["parent_channel_id"],
        sqlite_where=sa.text("parent_channel_id IS NOT NULL"),
        postgresql_where=sa.text("parent_channel_id IS NOT NULL"),
    )
    op.create_index("ix_sittings_user_id", "sittings", ["user_id"])


def downgrade() -> None:
    """Refuse downgrades, because older programs refuse newer databases."""
    raise NotImplementedError
