"""Ways of showing cards: of people, and the defaults of servers."""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Replace the choice of cards as text by one of three ways."""
    op.add_column("personal_settings", sa.Column("cards", sa.Text(), nullable=True))
    op.execute("UPDATE personal_settings SET cards = 'text' WHERE cards_as_text")
    op.execute("ALTER TABLE personal_settings DROP COLUMN cards_as_text")
    default = sa.Column("cards", sa.Text(), server_default="picture", nullable=False)
    op.add_column("server_settings", default)


def downgrade() -> None:
    """Refuse downgrades, because older programs refuse newer databases."""
    raise NotImplementedError
