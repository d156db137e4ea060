"""Fixtures for failures of Discord."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.cogs.conftest import errors as errors
from tests.cogs.conftest import world as world
from tests.cogs.delivery.lossy import LossyDiscord
from tests.cogs.delivery.pictured_tables import all_ready, begin
from tests.cogs.delivery.uploads import WatchedUploads
from tests.cogs.table_painters import TablesAtOnce, TablesSlowly
from tests.cogs.worlds import World, a_world


@pytest.fixture
def lossy(monkeypatch: pytest.MonkeyPatch) -> LossyDiscord:
    """Return a Discord that loses as many answers as a test wants."""
    return LossyDiscord(monkeypatch)


@pytest.fixture
def uploads(monkeypatch: pytest.MonkeyPatch) -> WatchedUploads:
    """Record every upload."""
    return WatchedUploads(monkeypatch)


@pytest.fixture
def at_once() -> TablesAtOnce:
    """Return a painter whose pictures are always in time."""
    return TablesAtOnce()


@pytest.fixture
async def quick(tmp_path: Path, at_once: TablesAtOnce) -> AsyncIterator[World]:
    """Yield a world with instant pictures and a match that has just begun."""
    async with a_world(tmp_path, tables=at_once) as world:
        await begin(world)
        yield world


@pytest.fixture
def slowly() -> TablesSlowly:
    """Return a painter whose pictures are ready when a test wants it."""
    return TablesSlowly()


@pytest.fixture
async def slow(tmp_path: Path, slowly: TablesSlowly) -> AsyncIterator[World]:
    """Yield a world whose pictures wait for the test, with a match that has begun."""
    async with a_world(tmp_path, tables=slowly) as world:
        await begin(world)
        await all_ready(world, slowly)
        yield world
