"""Events of clubs, their people, their actions and their deals."""

import sqlalchemy as sa
from alembic import op

from bot.storage.migrations import dialects

revision = "1008"
down_revision = "1007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create four tables."""
    op.create_table(
        "club_events",
        sa.Column("id", dialects.TABLE_ID, nullable=False),
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("channel_id", sa.BigInteger(), nullable=False),
        sa.Column("organiser_id", sa.BigInteger(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("settings", sa.Text(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("message_id", sa.BigInteger(), nullable=True),
        sa.Column("shown", sa.Integer(), nullable=False),
        sa.Column("scheduled_id", sa.BigInteger(), nullable=True),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.CheckConstraint("json_valid(settings)", name=op.f("ck_club_events_settings")),
        sa.CheckConstraint(
            "status IN ('open', 'running', 'over', 'cancelled')", name=op.f("ck_club_events_status")
        ),
        sa.CheckConstraint("seq >= 0", name=op.f("ck_club_events_seq")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_club_events")),
        sqlite_autoincrement=True,
    )
    dialects.create_index("ix_club_events_guild_id", "club_events", ["guild_id"])
    op.create_table(
        "club_people",
        sa.Column("event_id", dialects.TABLE_ID, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("rating", sa.Integer(), nullable=False),
        sa.Column("reminded", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["event_id"], ["club_events.id"], name=op.f("fk_club_people_club_events")
        ),
        sa.PrimaryKeyConstraint("event_id", "number", name=op.f("pk_club_people")),
        sqlite_with_rowid=False,
    )
    dialects.create_index("ix_club_people_user_id", "club_people", ["user_id"])
    op.create_table(
        "club_actions",
        sa.Column("event_id", dialects.TABLE_ID, nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("actor_id", sa.BigInteger(), nullable=True),
        sa.Column("body", sa.Text(), nullable=False),
        sa.CheckConstraint("json_valid(body)", name=op.f("ck_club_actions_body")),
        sa.ForeignKeyConstraint(
            ["event_id"], ["club_events.id"], name=op.f("fk_club_actions_club_events")
        ),
        sa.PrimaryKeyConstraint("event_id", "seq", name=op.f("pk_club_actions")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "club_deals",
        sa.Column("event_id", dialects.TABLE_ID, nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("secret", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["event_id"], ["club_events.id"], name=op.f("fk_club_deals_club_events")
        ),
        sa.PrimaryKeyConstraint("event_id", "round", "number", name=op.f("pk_club_deals")),
        sqlite_with_rowid=False,
    )


def downgrade() -> None:
    """Refuse downgrades, because older programs refuse newer databases."""
    raise NotImplementedError
