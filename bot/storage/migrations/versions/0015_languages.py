"""Languages of people and servers, and the language a person was last seen with."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add three empty columns."""
    for table, name in (
        ("personal_settings", "language"),
        ("personal_settings", "seen_language"),
        ("server_settings", "language"),
    ):
        op.add_column(table, sa.Column(name, sa.Text(), nullable=True))


def downgrade() -> None:
    """Refuse downgrades, because older programs refuse newer databases."""
    raise NotImplementedError
