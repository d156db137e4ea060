"""The past of the demo's server in a database, loaded once and copied for whoever needs it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from bot.storage import Rebuilt
from demo.past.book import read_book
from demo.past.loading import load
from demo.serve import Place
from tests.same_thread import answer_in_this_thread


class Past:
    """Databases with all past matches, one for each place they were played at."""

    def __init__(self, folder: Path) -> None:
        self.book = read_book()
        self._folder = folder
        self._loaded: list[tuple[Place, Path, Rebuilt]] = []

    async def at(self, place: Place) -> tuple[Path, Rebuilt]:
        """The database, which must not be changed, and what its rebuild found."""
        for known, file, rebuilt in self._loaded:
            if known == place:
                return file, rebuilt
        file = self._folder / f"{len(self._loaded)}.db"
        with pytest.MonkeyPatch.context() as patch:
            answer_in_this_thread(patch)
            rebuilt = await load(f"sqlite:///{file}", self.book, place)
        self._loaded.append((place, file, rebuilt))
        return file, rebuilt

    async def copied(self, place: Place, file: Path) -> None:
        """Put the database of this place into a file of one's own."""
        loaded, _ = await self.at(place)
        shutil.copyfile(loaded, file)


@pytest.fixture(scope="session")
def past(tmp_path_factory: pytest.TempPathFactory) -> Past:
    """The past matches and their databases."""
    return Past(tmp_path_factory.mktemp("past"))
