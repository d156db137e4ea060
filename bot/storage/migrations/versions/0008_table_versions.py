"""Tables count their changes: `version`."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """One more column; tables that are there begin with version 0."""
    op.add_column("tables", sa.Column("version", sa.Integer(), server_default="0", nullable=False))


def downgrade() -> None:
    """Refuse a downgrade, because older programs refuse newer databases anyway."""
    raise NotImplementedError
