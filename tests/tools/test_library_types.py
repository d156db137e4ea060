"""Modules that mypy reads before ours."""

from __future__ import annotations

from tools.library_types import imported


def test_finds_all_imported_libraries() -> None:
    """By their full names, also inside of functions, and without our own modules."""
    found = imported(("demo",))
    assert {"simcord", "discord", "simcord.backend.models", "pydantic"} <= found
    tops = {name.partition(".")[0] for name in found}
    assert not tops & {"demo", "bot", "cogs", "engine", "__future__"}


def test_relative_imports_are_our_own() -> None:
    assert not imported(("engine",)) & {"cards", "combinations", "variants.base"}
