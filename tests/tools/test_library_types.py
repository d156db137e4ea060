"""Which modules mypy reads before it comes to ours."""

from __future__ import annotations

from tools.library_types import imported


def test_libraries_are_found_wherever_they_are_imported() -> None:
    """By their full names, also inside of functions; nothing that is ours."""
    found = imported(("demo",))
    assert {"simcord", "discord", "simcord.backend.models", "pydantic"} <= found
    tops = {name.partition(".")[0] for name in found}
    assert not tops & {"demo", "bot", "cogs", "engine", "__future__"}
