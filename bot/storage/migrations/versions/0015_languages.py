"""Which languages people and servers have chosen, and in which one a person was last seen."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Three more columns, empty at first."""
    for table, name in (
        ("personal_settings", "language"),
        ("personal_settings", "seen_language"),
        ("server_settings", "language"),
    ):
        op.add_column(table, sa.Column(name, sa.Text(), nullable=True))


def downgrade() -> None:
    """Refuse a downgrade, because older programs refuse newer databases anyway."""
    raise NotImplementedError
