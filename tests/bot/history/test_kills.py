"""Schema updates, rebuilds, solo rounds and events killed at many points, then finished."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.bot.databases import place_file
from tests.bot.history.test_rebuild_in_play import count_otherwise
from tests.bot.killed import kill_at_points
from tests.bot.played_database import place_played_database
from tests.bot.stored_versions import DEVELOPMENT, place

KILLS = 2
"""Number of points at which each work is killed in a normal run."""


@pytest.mark.sqlite("what is killed is given a file")
@pytest.mark.skipif(not hasattr(os, "fork"), reason="kills need fork")
async def test_a_solo_round_goes_on_after_a_kill_at_any_moment(tmp_path: Path) -> None:
    """The stored round is the same as without a kill, and so are its answers."""
    file = tmp_path / "tichu.db"
    await place_file(file)
    found = kill_at_points({"solo": file}, 2 * KILLS)["solo"]
    assert found.killed >= 2 * KILLS
    assert found.wrong == []


@pytest.mark.sqlite("what is killed is given a file")
@pytest.mark.skipif(not hasattr(os, "fork"), reason="kills need fork")
async def test_changes_of_an_event_are_stored_once_after_a_kill(tmp_path: Path) -> None:
    """The people, the actions and their number are stored together."""
    file = tmp_path / "tichu.db"
    await place_file(file)
    found = kill_at_points({"event": file}, 8 * KILLS)["event"]
    assert found.killed >= 8 * KILLS
    assert found.wrong == []


@pytest.mark.sqlite("what is killed is given a file")
@pytest.mark.skipif(not hasattr(os, "fork"), reason="kills need fork")
async def test_next_start_completes_killed_work(tmp_path: Path) -> None:
    old, outdated = tmp_path / "old" / "tichu.db", tmp_path / "outdated" / "tichu.db"
    for file in (old, outdated):
        file.parent.mkdir()
    place(DEVELOPMENT, old)
    await place_played_database(outdated)
    count_otherwise(outdated)
    found = kill_at_points({"update": old, "rebuild": outdated}, KILLS)
    for work in found.values():
        assert work.killed >= KILLS
        assert work.wrong == []
    assert found["update"].halves == 0, "it is one transaction"
