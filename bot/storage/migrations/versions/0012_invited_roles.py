"""Time of the last mention of a server's role for invitations."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add an empty column."""
    op.add_column("server_settings", sa.Column("role_invited_at", sa.BigInteger(), nullable=True))


def downgrade() -> None:
    """Refuse downgrades, because older programs refuse newer databases."""
    raise NotImplementedError
