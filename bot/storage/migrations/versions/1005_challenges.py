"""Challenges: two people play the same four deals."""

import sqlalchemy as sa
from alembic import op

from bot.storage.migrations import dialects

revision = "1005"
down_revision = "1004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create a table."""
    op.create_table(
        "challenges",
        sa.Column("id", dialects.TABLE_ID, nullable=False),
        sa.Column("challenger", sa.BigInteger(), nullable=False),
        sa.Column("challenged", sa.BigInteger(), nullable=False),
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("channel_id", sa.BigInteger(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("accepted_at", sa.BigInteger(), nullable=True),
        sa.Column("ended_at", sa.BigInteger(), nullable=True),
        sa.Column("ended_by", sa.BigInteger(), nullable=True),
        sa.Column("message_id", sa.BigInteger(), nullable=True),
        sa.Column("shown", sa.Text(), nullable=True),
        sa.CheckConstraint(
            "status IN ('offered', 'accepted', 'declined', 'expired', 'left', 'finished', "
            "'updated')",
            name=op.f("ck_challenges_status"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_challenges")),
        sqlite_autoincrement=True,
    )
    dialects.create_index("ix_challenges_challenger", "challenges", ["challenger"])
    dialects.create_index("ix_challenges_challenged", "challenges", ["challenged"])


def downgrade() -> None:
    """Refuse downgrades, because older programs refuse newer databases."""
    raise NotImplementedError
