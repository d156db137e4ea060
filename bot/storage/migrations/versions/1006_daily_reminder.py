"""The reminder of the deal of the day, the last day on which it was sent, and solo reviews."""

import sqlalchemy as sa
from alembic import op

revision = "1006"
down_revision = "1005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add five columns."""
    for column in (
        sa.Column("daily_reminder", sa.Integer(), nullable=True),
        sa.Column("reminder_refused", sa.Boolean(), server_default="0", nullable=False),
        sa.Column("reminded_on", sa.Text(), nullable=True),
    ):
        op.add_column("personal_settings", column)
    for column in (
        sa.Column("review", sa.Text(), nullable=True),
        sa.Column("review_version", sa.Integer(), nullable=True),
    ):
        op.add_column("solo_rounds", column)


def downgrade() -> None:
    """Refuse downgrades, because older programs refuse newer databases."""
    raise NotImplementedError
