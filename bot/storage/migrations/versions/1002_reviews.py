"""Reviews of rounds, agreements to show them, and the settings of accuracy."""

import sqlalchemy as sa
from alembic import op

from bot.storage.migrations import dialects

revision = "1002"
down_revision = "1001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create two tables, and add two columns."""
    op.create_table(
        "reviews",
        sa.Column("table_id", dialects.TABLE_ID, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("made_at", sa.BigInteger(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.CheckConstraint("json_valid(body)", name=op.f("ck_reviews_body")),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name=op.f("fk_reviews_tables")),
        sa.PrimaryKeyConstraint("table_id", "number", "seat", name=op.f("pk_reviews")),
    )
    dialects.create_index("ix_reviews_user_id", "reviews", ["user_id", "made_at"])
    op.create_table(
        "review_agreements",
        sa.Column("table_id", dialects.TABLE_ID, nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["table_id"], ["tables.id"], name=op.f("fk_review_agreements_tables")
        ),
        sa.PrimaryKeyConstraint("table_id", "user_id", name=op.f("pk_review_agreements")),
        sqlite_with_rowid=False,
    )
    dialects.create_index("ix_review_agreements_user_id", "review_agreements", ["user_id"])
    for name in ("accuracy", "accuracy_compared"):
        op.add_column(
            "personal_settings",
            sa.Column(name, sa.Boolean(), server_default="0", nullable=False),
        )


def downgrade() -> None:
    """Refuse downgrades, because older programs refuse newer databases."""
    raise NotImplementedError
