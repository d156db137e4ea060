"""Erasure of people and servers: pseudonyms as actors, and removal dates of servers."""

import sqlalchemy as sa
from alembic import op

from bot.storage.migrations import dialects

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

_NEVER_CHANGE = """CREATE TRIGGER actions_never_change BEFORE UPDATE ON actions
WHEN coalesce(OLD.actor_id, -1) < 0 OR coalesce(NEW.actor_id, -1) >= 0
 OR (NEW.table_id, NEW.seq, NEW.round, NEW.seat, NEW.text, NEW.at)
 IS NOT (OLD.table_id, OLD.seq, OLD.round, OLD.seat, OLD.text, OLD.at)
BEGIN SELECT RAISE(ABORT, 'actions are append-only'); END"""


def upgrade() -> None:
    """Replace the trigger, so that actors of actions can be replaced; add a column."""
    dialects.on_sqlite("DROP TRIGGER actions_never_change")
    dialects.on_sqlite(_NEVER_CHANGE)
    op.add_column("guilds", sa.Column("gone_since", sa.BigInteger(), nullable=True))


def downgrade() -> None:
    """Refuse downgrades, because older programs refuse newer databases."""
    raise NotImplementedError
