"""Migration of a database to the newest schema (`migrations/`).

Alembic executes the migrations. It takes 11 MB of memory, so it is imported only if the database is
not up to date.
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
from bot.storage.backend import LITESTREAM_TABLES, Backend
from bot.storage.errors import StorageUnfit

if TYPE_CHECKING:
    from alembic.config import Config

log = logging.getLogger(__name__)

_TAKE_OVER = text("UPDATE alembic_version SET version_num = :first")
_TOUCH = text("UPDATE alembic_version SET version_num = version_num")
"""Statement that changes nothing; it fails now if the database is read-only."""


async def migrate(database: Backend, *, keep: bool) -> None:
    """Migrate the schema to the newest version, in one transaction.

    With `keep` an older database is backed up first, if the backend does backups. Raises
    `StorageUnavailable`, with sentences for the operator; nothing is changed then.
    """
    engine = database.migration_engine()
    backup: Path | None = None
    with ExitStack() as until_stored:
        try:
            async with engine.begin() as connection:  # excludes other writers from here on
                stored = await connection.run_sync(_stored_versions)
                if not stored:
                    await connection.run_sync(_create_schema, database)
                elif stored != [versions.newest_version()]:
                    _check_known(database, stored)
                    # Not while another bot uses the database.
                    until_stored.enter_context(database.lock())
                    await connection.run_sync(
                        lease_rows.refuse_if_in_use, datetime.now(UTC), database.name
                    )
                    if keep:
                        backup = await asyncio.to_thread(database.keep, "-".join(stored))
                    if stored == [versions.LAST_DEVELOPMENT_SCHEMA]:
                        await connection.execute(_TAKE_OVER, {"first": versions.all_versions()[0]})
                    await connection.run_sync(_upgrade, database)
                await connection.execute(_TOUCH)
        except Exception:
            if backup is not None:
                backup.unlink()  # the database is as it was
            raise
        finally:
            await engine.dispose()
    if backup is not None:
        text_ = "database migrated from schema %s to %s; backup: %s (%s)"
        newest, limits = versions.newest_version(), database.retention()
        log.info(text_, "-".join(stored), newest, backup, limits)
    await asyncio.to_thread(database.expire_backups)


def check_newest(connection: Connection, database: Backend) -> None:
    """Raise `StorageUnfit` if the database does not have the newest schema."""
    stored = _stored_versions(connection)
    if not stored:
        raise StorageUnfit(f"{database.name} is no database of this program.")
    newest = versions.newest_version()
    if stored != [newest]:
        _check_known(database, stored)
        raise StorageUnfit(
            f"The database {database.name} has schema {', '.join(stored)}, and this version of the "
            f"bot reads {newest}: use the version that has written it, or start this version of "
            "the bot once, which brings the database up to date."
        )


def _stored_versions(connection: Connection) -> list[str]:
    """Return the stored version in a list; empty for a new or foreign database."""
    if not inspect(connection).has_table("alembic_version"):
        return []
    return list(connection.execute(text("SELECT version_num FROM alembic_version")).scalars())


def _create_schema(connection: Connection, database: Backend) -> None:
    """Create the schema in a new database; raise `StorageUnfit` for a foreign one."""
    if set(inspect(connection).get_table_names()) - LITESTREAM_TABLES:
        raise StorageUnfit(f"{database.name} is a database of another program.")
    _upgrade(connection, database)


def _check_known(database: Backend, stored: list[str]) -> None:
    """Raise `StorageUnfit` if this version of the program cannot migrate the database."""
    if set(stored) <= {versions.LAST_DEVELOPMENT_SCHEMA, *versions.all_versions()}:
        return
    versions.refuse_too_old(f"The database {database.name}", max(stored))
    newest = versions.newest_version()
    raise StorageUnfit(
        f"The database {database.name} has schema {', '.join(stored)}, and this version of the bot "
        f"knows {newest} at most: start the newer version again. To go back instead, "
        f"{database.restore_advice(newest)}. What was played since would be lost."
    )


def _upgrade(connection: Connection, database: Backend) -> None:
    """Execute the missing migrations."""
    from alembic import command
    from alembic.util import CommandError

    try:
        command.upgrade(migration_config(connection), "head")
    except CommandError as error:
        raise StorageUnfit("The database could not be brought up to date.") from error
    database.check_consistency(connection)


def migration_config(connection: Connection) -> Config:
    """Return Alembic's configuration for this connection; there is no alembic.ini.

    To create a new revision, call `alembic.command.revision(config, autogenerate=True)`.
    """
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(versions.MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    return config
