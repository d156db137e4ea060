"""Versions of the schema."""

from __future__ import annotations

from pathlib import Path

from bot.storage.errors import StorageUnfit

MIGRATIONS = Path(__file__).parent / "migrations"
LAST_DEVELOPMENT_SCHEMA = "0019"
"""Last schema before version 1.0. It equals the first one of 1.0, so its databases can be used."""
_LAST_DEVELOPMENT_COMMIT = "c30af5e9cb44"
"""Last commit that migrates to this schema from the earlier ones."""


def all_versions() -> list[str]:
    """Return all versions, the oldest first: the numbers of the migrations' files."""
    return sorted(file.name[:4] for file in (MIGRATIONS / "versions").glob("*_*.py"))


def newest_version() -> str:
    """Return the newest version."""
    return all_versions()[-1]


def refuse_too_old(database: str, version: str) -> None:
    """Raise `StorageUnfit` for a version that cannot be migrated; `database` begins the text."""
    if version < LAST_DEVELOPMENT_SCHEMA:
        raise StorageUnfit(
            f"{database} has schema {version} from before version 1.0: start the bot of commit "
            f"{_LAST_DEVELOPMENT_COMMIT} once, which brings it to schema "
            f"{LAST_DEVELOPMENT_SCHEMA}, then use this version."
        )
