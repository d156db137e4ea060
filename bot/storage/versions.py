"""Versions of the schema."""

from __future__ import annotations

from pathlib import Path

MIGRATIONS = Path(__file__).parent / "migrations"


def newest_version() -> str:
    """Return the newest version, which is the number of the last migration's file."""
    return max(file.name for file in (MIGRATIONS / "versions").glob("*_*.py")).partition("_")[0]
