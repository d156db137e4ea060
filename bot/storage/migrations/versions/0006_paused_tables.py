"""Release of channels by paused, deserted tables: `holds_channel`."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

_OPEN = "status IN ('lobby', 'playing')"
_HOLDS_CHANNEL = f"{_OPEN} AND holds_channel"


def upgrade() -> None:
    """Add a column, and indexes of open tables and of those that hold a channel."""
    op.add_column(
        "tables", sa.Column("holds_channel", sa.Boolean(), server_default="1", nullable=False)
    )
    op.drop_index("uq_tables_open_channel", "tables")
    op.create_index(
        "uq_tables_open_channel",
        "tables",
        ["channel_id"],
        unique=True,
        sqlite_where=sa.text(_HOLDS_CHANNEL),
        postgresql_where=sa.text(_HOLDS_CHANNEL),
    )
    op.create_index(
        "ix_tables_open",
        "tables",
        ["id"],
        sqlite_where=sa.text(_OPEN),
        postgresql_where=sa.text(_OPEN),
    )


def downgrade() -> None:
    """Refuse downgrades, because older programs refuse newer databases."""
    raise NotImplementedError
