"""Tournaments of `bench.club`: a sample holds its promises, and broken ones are found."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

import pytest

from bench import club
from bench.club import compare, main, play, random_searched, searched
from bot.club.competition import Competition, Line, Pairing
from bot.club.formats import FORMATS
from tests.campaign import sample

T = TypeVar("T")


def test_a_sample_of_tournaments_holds_its_promises() -> None:
    formats = set[str]()
    for number in sample(range(100), 10, seed=45):
        formats.update(key.split(":")[0] for key in play(number))
    assert formats > set(FORMATS)


def test_exhaustive_search_finds_no_better_pairing() -> None:
    assert compare(searched((4, 5))) > 100
    assert sum(compare(random_searched(number)) for number in sample(range(100), 40)) > 100


class _Swapped:
    """Swiss pairings in which two opponents are exchanged."""

    tie_breaks = FORMATS["swiss"].tie_breaks
    entrants = FORMATS["swiss"].entrants

    def __init__(self) -> None:
        self.right = FORMATS["swiss"]

    def length(self, competition: Competition) -> int:
        return self.right.length(competition)

    def standings(self, competition: Competition) -> tuple[Line, ...]:
        return self.right.standings(competition)

    def pair(self, competition: Competition) -> tuple[Pairing, ...]:
        pairings = self.right.pair(competition)
        if len(pairings) < 3:
            return pairings
        (one, other), (third, fourth), *others = pairings
        return ((one, fourth), (third, other), *others)


def test_worse_pairings_are_found(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(FORMATS, "swiss", _Swapped())
    with pytest.raises(AssertionError, match="better"):
        compare(searched((6,)))
    monkeypatch.setattr(club, "Pool", _Here)
    assert main(["pairings", "20"]) == 1
    assert "failed: " in capsys.readouterr().out


class _Here:
    """Pool that works in this process."""

    def __init__(self, processes: int | None) -> None:
        pass

    def __enter__(self) -> _Here:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def imap_unordered(
        self, work: Callable[[int], T], numbers: Iterable[int], **_: int
    ) -> Iterator[T]:
        return map(work, numbers)
