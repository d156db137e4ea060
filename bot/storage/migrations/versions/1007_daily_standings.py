"""Sums of the match points of deals of the day by week and month."""

import sqlalchemy as sa
from alembic import op

from bot.storage.migrations import dialects

revision = "1007"
down_revision = "1006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create a table."""
    op.create_table(
        "daily_standings",
        sa.Column("period", sa.Text(), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("days", sa.Integer(), nullable=False),
        sa.Column("total", sa.Float(), nullable=False),
        sa.Column("squares", sa.Float(), nullable=False),
        sa.Column("chance", sa.Float(), nullable=False),
        sa.Column("mean", sa.Float(), nullable=True),
        sa.PrimaryKeyConstraint("period", "user_id", name=op.f("pk_daily_standings")),
        sqlite_with_rowid=False,
    )
    dialects.create_index("ix_daily_standings_user_id", "daily_standings", ["user_id"])
    dialects.create_index(
        "ix_daily_standings_mean",
        "daily_standings",
        ["period", "mean", "user_id"],
        where="mean IS NOT NULL",
    )


def downgrade() -> None:
    """Refuse downgrades, because older programs refuse newer databases."""
    raise NotImplementedError
