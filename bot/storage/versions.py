"""The versions of the schema: the migrations that lead to them, and the newest one."""

from __future__ import annotations

from pathlib import Path

MIGRATIONS = Path(__file__).parent / "migrations"


def newest_version() -> str:
    """The version after the last migration: the number with which the name of its file begins."""
    return max(file.name for file in (MIGRATIONS / "versions").glob("*_*.py")).partition("_")[0]
