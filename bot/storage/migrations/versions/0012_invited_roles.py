"""When a server's role for invitations was last mentioned."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """One more column, empty at first."""
    op.add_column("server_settings", sa.Column("role_invited_at", sa.BigInteger(), nullable=True))


def downgrade() -> None:
    """Refuse a downgrade, because older programs refuse newer databases anyway."""
    raise NotImplementedError
