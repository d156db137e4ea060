"""The outbox: messages of tables that must reach Discord."""

import sqlalchemy as sa
from alembic import op

from bot.storage.migrations import dialects

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add an empty table."""
    op.create_table(
        "outbox",
        sa.Column("table_id", dialects.TABLE_ID, nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("data", sa.Text(), nullable=False),
        sa.Column("nonce", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("json_valid(data)", name=op.f("ck_outbox_data")),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name=op.f("fk_outbox_tables")),
        sa.PrimaryKeyConstraint("table_id", "number", name=op.f("pk_outbox")),
        sqlite_with_rowid=False,
    )


def downgrade() -> None:
    """Refuse downgrades, because older programs refuse newer databases."""
    raise NotImplementedError
