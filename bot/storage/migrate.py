"""Brings the schema of a database to the newest version, by the migrations in `migrations/`.

Alembic does it. It takes 11 MB and nearly every start needs no migration, so it is loaded only when
the version of the database is not the newest one.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import Connection, inspect, text

from bot.storage import lease_rows, versions
from bot.storage.backend import Backend
from bot.storage.errors import StorageUnfit

if TYPE_CHECKING:
    from alembic.config import Config

log = logging.getLogger(__name__)

_TOUCH = text("UPDATE alembic_version SET version_num = version_num")
"""Changes nothing, but fails now and not at the first move if the file is read-only."""


async def migrate(database: Backend, *, keep: bool) -> None:
    """Bring the schema to the newest version, in one transaction, or leave it as it was.

    With `keep` an older database is kept before, where that is for us to do. Raises
    StorageUnavailable, with sentences for a person, if something of that is not possible.
    """
    engine = database.migration_engine()
    backup: Path | None = None
    with ExitStack() as until_stored:
        try:
            async with engine.begin() as connection:  # nobody else changes anything from here on
                stored = await connection.run_sync(_stored)
                if not stored:
                    await connection.run_sync(_make, database)
                elif stored != [versions.newest_version()]:
                    await connection.run_sync(_check_known, database, stored)
                    # Not under a bot of an older version.
                    until_stored.enter_context(database.lock())
                    await connection.run_sync(_refuse_if_in_use, database)
                    if keep:
                        backup = await asyncio.to_thread(database.keep, "-".join(stored))
                    await connection.run_sync(_upgrade, database)
                await connection.execute(_TOUCH)
        except Exception:
            if backup is not None:
                backup.unlink()  # the database is as it was
            raise
        finally:
            await engine.dispose()
    if backup is not None:
        told = "database migrated from schema %s to %s; backup: %s (%s)"
        newest, limits = versions.newest_version(), database.how_long_kept()
        log.info(told, "-".join(stored), newest, backup, limits)
    await asyncio.to_thread(database.expire_kept)


def check_newest(connection: Connection, database: Backend) -> None:
    """Raise StorageUnfit if the database is not on the newest schema. Nothing is changed."""
    stored = _stored(connection)
    if not stored:
        raise StorageUnfit(f"{database.name} is no database of this program.")
    newest = versions.newest_version()
    if stored != [newest]:
        _check_known(connection, database, stored)
        raise StorageUnfit(
            f"The database {database.name} has schema {', '.join(stored)}, and this version of the "
            f"bot reads {newest}: use the version that has written it, or start this version of "
            "the bot once, which brings the database up to date."
        )


def _stored(connection: Connection) -> list[str]:
    """The version that stands in the database, in a list; empty in a new or a foreign one."""
    if not inspect(connection).has_table("alembic_version"):
        return []
    return list(connection.execute(text("SELECT version_num FROM alembic_version")).scalars())


def _make(connection: Connection, database: Backend) -> None:
    """Make the schema in a new database."""
    if inspect(connection).get_table_names():
        raise StorageUnfit(f"{database.name} is a database of another program.")
    _upgrade(connection, database)


def _refuse_if_in_use(connection: Connection, database: Backend) -> None:
    """Raise `InUse` if another process has a lease, as far as the old schema has them."""
    if inspect(connection).has_table("leases"):
        lease_rows.refuse_if_in_use(connection, datetime.now(UTC), database.name)


def _check_known(connection: Connection, database: Backend, stored: list[str]) -> None:
    """Raise StorageUnfit if the database has been written by a newer version of this program."""
    from alembic.script import ScriptDirectory

    script = ScriptDirectory.from_config(migration_config(connection))
    if set(stored) <= {revision.revision for revision in script.walk_revisions()}:
        return
    newest = versions.newest_version()
    raise StorageUnfit(
        f"The database {database.name} has schema {', '.join(stored)}, and this version of the bot "
        f"knows {newest} at most: start the newer version again. To go back instead, "
        f"{database.way_back(newest)}. What was played since would be lost."
    )


def _upgrade(connection: Connection, database: Backend) -> None:
    """Carry out the migrations that are missing."""
    from alembic import command
    from alembic.util import CommandError

    try:
        command.upgrade(migration_config(connection), "head")
    except CommandError as error:
        raise StorageUnfit("The database could not be brought up to date.") from error
    database.check_sound(connection)


def migration_config(connection: Connection) -> Config:
    """Alembic's settings for our migrations on this connection; there is no alembic.ini.

    A developer makes a new revision with `alembic.command.revision(config, autogenerate=True)`.
    """
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(versions.MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    return config
