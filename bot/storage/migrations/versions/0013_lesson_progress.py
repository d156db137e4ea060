"""Progress of people in the lessons of Learn Tichu."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add an empty table."""
    op.create_table(
        "lesson_progress",
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("lesson", sa.Text(), nullable=False),
        sa.Column("step", sa.Integer(), nullable=False),
        sa.Column("done", sa.Boolean(), nullable=False),
        sa.CheckConstraint("step >= 0", name=op.f("ck_lesson_progress_step")),
        sa.PrimaryKeyConstraint("user_id", "lesson", name=op.f("pk_lesson_progress")),
        sqlite_with_rowid=False,
    )


def downgrade() -> None:
    """Refuse downgrades, because older programs refuse newer databases."""
    raise NotImplementedError
