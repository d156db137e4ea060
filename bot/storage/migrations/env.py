"""Entry point of Alembic: runs the migrations on the connection of `bot.storage.migrate`.

That connection is in a transaction, so all steps are committed together, or none.
"""

from alembic import context

from bot.storage import (  # noqa: F401 - their tables belong to the metadata
    challenge_schema,
    club_schema,
    leases,
    notices,
    outbox,
    score_schema,
)
from bot.storage.schema import metadata

if context.is_offline_mode():
    raise RuntimeError("migrations run on a database only; there is no offline mode")

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    render_as_batch=True,  # SQLite alters tables by rebuilding them
)
with context.begin_transaction():
    context.run_migrations()
