"""Brings the schema of a database to the newest version, by the migrations in `migrations/`.

Alembic does it. It takes 11 MB and nearly every start needs no migration, so it is loaded only when
the version of the database is not the newest one.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import URL, Connection, inspect, text

from bot.storage import instance_lock, sqlite
from bot.storage.errors import StorageUnfit

if TYPE_CHECKING:
    from alembic.config import Config

MIGRATIONS = Path(__file__).parent / "migrations"


async def migrate(location: URL, *, busy_ms: int) -> None:
    """Bring the schema to the newest version, in one transaction, or leave it as it was.

    Raises StorageUnfit, with a sentence for a person, if that is not possible.
    """
    engine = sqlite.migration_engine(location, busy_ms=busy_ms)
    try:
        async with engine.begin() as connection:
            await connection.run_sync(_bring_up_to_date, str(location.database))
    finally:
        await engine.dispose()


def _bring_up_to_date(connection: Connection, path: str) -> None:
    """Check the version of the database, and migrate it if it is an older one."""
    versions = _versions(connection)
    if not versions:
        _upgrade(connection, path, versions)
    elif versions != [newest_version()]:
        with instance_lock.take(Path(path)):  # not under a bot of an older version
            _upgrade(connection, path, versions)
    # Changes nothing, but fails now and not at the first move if the file is read-only.
    connection.execute(text("UPDATE alembic_version SET version_num = version_num"))


def newest_version() -> str:
    """The version after the last migration: the number with which the name of its file begins."""
    return max(file.name for file in (MIGRATIONS / "versions").glob("*_*.py")).partition("_")[0]


def _versions(connection: Connection) -> list[str]:
    """The version that stands in the database, in a list; empty in a new or a foreign one."""
    if not inspect(connection).has_table("alembic_version"):
        return []
    return list(connection.execute(text("SELECT version_num FROM alembic_version")).scalars())


def _upgrade(connection: Connection, path: str, versions: list[str]) -> None:
    """Migrate a database that has not the newest version."""
    from alembic import command
    from alembic.script import ScriptDirectory
    from alembic.util import CommandError

    if not versions and inspect(connection).get_table_names():
        raise StorageUnfit(f"The file {path} is a database of another program.")
    config = migration_config(connection)
    script = ScriptDirectory.from_config(config)
    if not set(versions) <= {revision.revision for revision in script.walk_revisions()}:
        raise StorageUnfit(
            f"The database {path} was written by a newer version of this program; update the bot."
        )
    try:
        command.upgrade(config, "head")
    except CommandError as error:
        raise StorageUnfit("The database could not be brought up to date.") from error
    if sqlite.broken_reference(connection):
        raise StorageUnfit(f"The database {path} holds rows that contradict each other.")


def migration_config(connection: Connection) -> Config:
    """Alembic's settings for our migrations on this connection; there is no alembic.ini.

    A developer makes a new revision with `alembic.command.revision(config, autogenerate=True)`.
    """
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    return config
