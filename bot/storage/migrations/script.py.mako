"""${message}."""

import sqlalchemy as sa
from alembic import op
${imports if imports else ""}

revision = ${repr(up_revision)}
down_revision = ${repr(down_revision)}
branch_labels = None
depends_on = None


def upgrade() -> None:
    """From the revision before to this one."""
    ${upgrades if upgrades else "pass"}


def downgrade() -> None:
    """There is no way back: an older program refuses a newer database."""
    raise NotImplementedError
