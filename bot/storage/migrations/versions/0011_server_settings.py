"""Server settings, and nudge settings of people."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add an empty table, and columns for personal settings."""
    op.create_table(
        "server_settings",
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("channels", sa.Text(), nullable=False),
        sa.Column("defaults", sa.Text(), nullable=False),
        sa.Column("computers", sa.Integer(), nullable=False),
        sa.Column("threads", sa.Boolean(), nullable=False),
        sa.Column("pictures", sa.Boolean(), nullable=False),
        sa.Column("hints", sa.Boolean(), nullable=False),
        sa.Column("opener_role_id", sa.BigInteger(), nullable=True),
        sa.Column("tables_each", sa.Integer(), nullable=True),
        sa.Column("turn_based_each", sa.Integer(), nullable=False),
        sa.Column("invitation_role_id", sa.BigInteger(), nullable=True),
        sa.Column("invitation_cooldown_s", sa.Integer(), nullable=False),
        sa.Column("nudge_s", sa.Integer(), nullable=True),
        sa.CheckConstraint("json_valid(channels)", name=op.f("ck_server_settings_channels")),
        sa.CheckConstraint("json_valid(defaults)", name=op.f("ck_server_settings_defaults")),
        sa.PrimaryKeyConstraint("guild_id", name=op.f("pk_server_settings")),
        sqlite_with_rowid=False,
    )
    for column in (
        sa.Column("call", sa.Text(), server_default="mention", nullable=False),
        sa.Column("invitations", sa.Boolean(), server_default="1", nullable=False),
        sa.Column("zone", sa.Text(), server_default="UTC", nullable=False),
        sa.Column("quiet_from", sa.Integer(), nullable=True),
        sa.Column("quiet_until", sa.Integer(), nullable=True),
    ):
        op.add_column("personal_settings", column)


def downgrade() -> None:
    """Refuse downgrades, because older programs refuse newer databases."""
    raise NotImplementedError
