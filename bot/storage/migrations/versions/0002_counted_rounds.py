"""People for whom a round counts: `counts_for`, `turns` and `own_turns` of seats.

For earlier rounds it is not known who took which turn, because choices made in a bomb window were
stored without their person. They count for the person who sat there at the end.
"""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add three columns, and an index on the first."""
    op.add_column("round_seats", sa.Column("counts_for", sa.BigInteger(), nullable=True))
    op.add_column("round_seats", sa.Column("turns", sa.Integer(), nullable=True))
    op.add_column("round_seats", sa.Column("own_turns", sa.Integer(), nullable=True))
    op.create_index(op.f("ix_round_seats_counts_for"), "round_seats", ["counts_for"], unique=False)
    op.execute("UPDATE round_seats SET counts_for = user_id")


def downgrade() -> None:
    """Refuse downgrades, because older programs refuse newer databases."""
    raise NotImplementedError
