"""Boards: deals that several people play, each alone, and their rounds."""

import sqlalchemy as sa
from alembic import op

from bot.storage.migrations import dialects

revision = "1004"
down_revision = "1003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create three tables."""
    op.create_table(
        "boards",
        sa.Column("id", dialects.TABLE_ID, nullable=False),
        sa.Column("day", sa.Integer(), nullable=True),
        sa.Column("challenge_id", sa.BigInteger(), nullable=True),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("secret", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=True),
        sa.Column("expert_points", sa.Integer(), nullable=True),
        sa.Column("expert_call", sa.Text(), nullable=True),
        sa.Column("expert_call_made", sa.Boolean(), nullable=True),
        sa.Column("expert_place", sa.Integer(), nullable=True),
        sa.CheckConstraint("number >= 1", name=op.f("ck_boards_number")),
        sa.CheckConstraint("(day IS NULL) <> (challenge_id IS NULL)", name=op.f("ck_boards_kind")),
        sa.CheckConstraint("expert_call IN ('tichu', 'grand')", name=op.f("ck_boards_expert_call")),
        dialects.holds_bool("expert_call_made", op.f("ck_boards_expert_call_made")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_boards")),
        sa.UniqueConstraint("day", name=op.f("uq_boards_day")),
        sa.UniqueConstraint("challenge_id", "number", name=op.f("uq_boards_challenge_id")),
    )
    op.create_table(
        "solo_rounds",
        sa.Column("id", dialects.TABLE_ID, nullable=False),
        sa.Column("board_id", dialects.TABLE_ID, nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("practice", sa.Boolean(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("begun_at", sa.BigInteger(), nullable=False),
        sa.Column("ended_at", sa.BigInteger(), nullable=True),
        sa.Column("action_count", sa.Integer(), nullable=False),
        sa.Column("actions", sa.Text(), nullable=False),
        sa.Column("points", sa.Integer(), nullable=True),
        sa.Column("call", sa.Text(), nullable=True),
        sa.Column("call_made", sa.Boolean(), nullable=True),
        sa.Column("place", sa.Integer(), nullable=True),
        sa.Column("match_points", sa.Float(), nullable=True),
        sa.Column("shared", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.CheckConstraint("action_count >= 0", name=op.f("ck_solo_rounds_action_count")),
        sa.CheckConstraint("call IN ('tichu', 'grand')", name=op.f("ck_solo_rounds_call")),
        sa.CheckConstraint("place >= 1", name=op.f("ck_solo_rounds_place")),
        dialects.holds_bool("practice", op.f("ck_solo_rounds_practice")),
        dialects.holds_bool("call_made", op.f("ck_solo_rounds_call_made")),
        dialects.holds_bool("shared", op.f("ck_solo_rounds_shared")),
        sa.ForeignKeyConstraint(["board_id"], ["boards.id"], name=op.f("fk_solo_rounds_boards")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_solo_rounds")),
        sa.UniqueConstraint(
            "board_id", "user_id", "practice", name=op.f("uq_solo_rounds_board_id")
        ),
        sqlite_autoincrement=True,
    )
    dialects.create_index("ix_solo_rounds_user_id", "solo_rounds", ["user_id"])
    op.create_table(
        "daily_servers",
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("guild_id", "user_id", name=op.f("pk_daily_servers")),
        sqlite_with_rowid=False,
    )
    dialects.create_index("ix_daily_servers_user_id", "daily_servers", ["user_id"])


def downgrade() -> None:
    """Refuse downgrades, because older programs refuse newer databases."""
    raise NotImplementedError
