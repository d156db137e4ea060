"""Sums that let a Trichu profile count partners and opponents without reading rounds."""

import sqlalchemy as sa
from alembic import op

from bot.storage.migrations import dialects

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None

SUMS = """UPDATE match_seats SET (rounds_dealt, deals_lost) = (
SELECT count(*), count(CASE WHEN d.margin < 0 THEN 1 END)
FROM rounds AS r JOIN round_seats AS d ON d.table_id = r.table_id AND d.number = r.number
WHERE r.table_id = match_seats.table_id AND d.seat = match_seats.seat
AND json_extract(r.result, '$.dealer') = d.seat) WHERE points IS NOT NULL"""


def upgrade() -> None:
    """Add two columns and fill them where possible."""
    op.add_column("match_seats", sa.Column("rounds_dealt", sa.Integer(), nullable=True))
    op.add_column("match_seats", sa.Column("deals_lost", sa.Integer(), nullable=True))
    dialects.on_sqlite(SUMS)


def downgrade() -> None:
    """Refuse downgrades, because older programs refuse newer databases."""
    raise NotImplementedError
