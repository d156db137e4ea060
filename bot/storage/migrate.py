"""Brings the schema of a database to the newest version, by the migrations in `migrations/`."""

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import URL, Connection, inspect, text

from bot.storage import sqlite
from bot.storage.errors import StorageUnavailable

MIGRATIONS = Path(__file__).parent / "migrations"


async def migrate(location: URL, *, busy_ms: int) -> None:
    """Bring the schema to the newest version, in one transaction, or leave it as it was.

    Raises StorageUnavailable, with a sentence for a person, if that is not possible.
    """
    engine = sqlite.migration_engine(location, busy_ms=busy_ms)
    try:
        async with engine.begin() as connection:
            await connection.run_sync(_upgrade, str(location.database))
    except CommandError as error:
        raise StorageUnavailable("The database could not be brought up to date.") from error
    finally:
        await engine.dispose()


def _upgrade(connection: Connection, path: str) -> None:
    config = migration_config(connection)
    script = ScriptDirectory.from_config(config)
    current = MigrationContext.configure(connection).get_current_heads()
    if not current and inspect(connection).get_table_names():
        raise StorageUnavailable(f"The file {path} is a database of another program.")
    if not set(current) <= {revision.revision for revision in script.walk_revisions()}:
        raise StorageUnavailable(
            f"The database {path} was written by a newer version of this program; update the bot."
        )
    if set(current) != set(script.get_heads()):
        command.upgrade(config, "head")
        if sqlite.broken_reference(connection):
            raise StorageUnavailable(f"The database {path} holds rows that contradict each other.")
    # Changes nothing, but fails now and not at the first move if the file is read-only.
    connection.execute(text("UPDATE alembic_version SET version_num = version_num"))


def migration_config(connection: Connection) -> Config:
    """Alembic's settings for our migrations on this connection; there is no alembic.ini.

    A developer makes a new revision with `alembic.command.revision(config, autogenerate=True)`.
    """
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    return config
