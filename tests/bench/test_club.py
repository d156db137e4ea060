"""Tournaments of `bench.club`: a sample holds its promises, and broken ones are found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

import pytest

from bench import club, club_duplicate, club_teams
from bench.club import compare, main, play, random_searched, searched
from bench.club_duplicate import play_duplicate
from bench.club_league import play_season
from bot.club.competition import Competition, Line, Pairing
from bot.club.formats import FORMATS, league
from bot.club.formats.duplicate import Duplicate
from tests.campaign import sample

T = TypeVar("T")


def test_a_sample_of_tournaments_holds_its_promises() -> None:
    formats = set[str]()
    for number in sample(range(100), 10, seed=45):
        formats.update(key.split(":")[0] for key in play(number))
    assert formats == {"tournaments", "round-robin", "knock-out", "swiss"}


def test_a_sample_of_duplicates_and_seasons_holds_its_promises() -> None:
    counted = Counter[str]()
    for number in sample(range(1250), 25, seed=45):
        counted += play_duplicate(number) + play_season(number)
    assert counted["duplicate: rounds"] > 100
    for key in ("postponements", "promotions", "matches without a fixture", "played early"):
        assert counted[f"league: {key}"] > 0, key


class _Unfair(Duplicate):
    """Duplicate in which the last pair has the first seats in one round more."""

    def pair(self, competition: Competition) -> tuple[Pairing, ...]:
        first, *others = super().pair(competition) or ((),)
        if len(competition.rounds) == 1:
            first = first[::-1]
        return (first, *others) if first else ()


def test_other_seats_and_lost_matches_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(club_duplicate, "_RULES", _Unfair())
    with pytest.raises(AssertionError, match="8 pairs do not compete equally"):
        club_duplicate.check_movement(8)
    monkeypatch.setattr(league, "fixture_of", lambda season, one, other: None)
    with pytest.raises(AssertionError, match="without an open fixture"):
        list(map(play_season, range(10)))


def test_spread_of_imps(capsys: pytest.CaptureFixture[str]) -> None:
    club_teams.main(["3", "--player", "novice"])
    assert "points, " in capsys.readouterr().out
    first, second = club_teams.play_deal("quick", 1)  # always makes the same moves
    assert first == second


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
