"""Covering index and sums of ended matches, for fast profiles."""

import sqlalchemy as sa
from alembic import op

from bot.storage.migrations import dialects

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None

_OF_A_PROFILE = [
    "counts_for",
    "table_id",
    "number",
    "column",
    "margin",
    "call",
    "call_made",
    "sweep",
    "bombs",
    "place",
]
_KNOWN = (
    "count(*) = count(CASE WHEN r.margin IS NOT NULL AND r.counts_for IS match_seats.counts_for"
    " THEN 1 END)"
)
SUMS = f"""UPDATE match_seats SET (points, rounds_won) = (
SELECT CASE WHEN {_KNOWN} THEN sum(r.margin) END,
CASE WHEN {_KNOWN} THEN sum(r.margin > 0) END
FROM round_seats AS r WHERE r.table_id = match_seats.table_id AND r.seat = match_seats.seat)"""


def upgrade() -> None:
    """Replace an index by a wider one; add two columns and fill them where possible."""
    op.drop_index("ix_round_seats_counts_for", "round_seats")
    op.create_index("ix_round_seats_counts_for", "round_seats", _OF_A_PROFILE)
    op.add_column("match_seats", sa.Column("points", sa.Integer(), nullable=True))
    op.add_column("match_seats", sa.Column("rounds_won", sa.Integer(), nullable=True))
    dialects.on_sqlite(SUMS)


def downgrade() -> None:
    """Refuse downgrades, because older programs refuse newer databases."""
    raise NotImplementedError
