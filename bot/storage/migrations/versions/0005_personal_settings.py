"""Personal settings: display of cards, auto-pass, more time."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add an empty table."""
    op.create_table(
        "personal_settings",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("cards_as_text", sa.Boolean(), server_default="0", nullable=False),
        sa.Column("sorting", sa.Text(), server_default="dog_first", nullable=False),
        sa.Column("auto_pass", sa.Boolean(), server_default="0", nullable=False),
        sa.Column("more_time", sa.Boolean(), server_default="0", nullable=False),
        sa.CheckConstraint(
            "sorting IN ('dog_first', 'rank_high_first', 'combination')",
            name=op.f("ck_personal_settings_sorting"),
        ),
        sa.PrimaryKeyConstraint("user_id", name=op.f("pk_personal_settings")),
        sqlite_with_rowid=False,
    )


def downgrade() -> None:
    """Refuse downgrades, because older programs refuse newer databases."""
    raise NotImplementedError
