"""Puzzles: ratings of people and puzzles, and answers."""

import sqlalchemy as sa
from alembic import op

revision = "1003"
down_revision = "1002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create three tables."""
    op.create_table(
        "puzzle_players",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("mu", sa.Float(), nullable=False),
        sa.Column("sigma", sa.Float(), nullable=False),
        sa.Column("tried", sa.Integer(), nullable=False),
        sa.Column("solved", sa.Integer(), nullable=False),
        sa.Column("streak", sa.Integer(), nullable=False),
        sa.Column("best_streak", sa.Integer(), nullable=False),
        sa.Column("puzzle", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("user_id", name=op.f("pk_puzzle_players")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "puzzle_answers",
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("puzzle", sa.Text(), nullable=False),
        sa.Column("choice", sa.Text(), nullable=False),
        sa.Column("solved", sa.Boolean(), nullable=False),
        sa.Column("times", sa.Integer(), nullable=False),
        sa.Column("answered_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("user_id", "puzzle", name=op.f("pk_puzzle_answers")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "puzzle_ratings",
        sa.Column("puzzle", sa.Text(), nullable=False),
        sa.Column("mu", sa.Float(), nullable=False),
        sa.Column("sigma", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("puzzle", name=op.f("pk_puzzle_ratings")),
        sqlite_with_rowid=False,
    )


def downgrade() -> None:
    """Refuse downgrades, because older programs refuse newer databases."""
    raise NotImplementedError
