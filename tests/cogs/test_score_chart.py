"""Charts of matches: their data, for random matches of every game, round by round."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import pytest

from bot.art.emojis import Emojis
from bot.pictures.descriptions import Line, PlacesChart, ScoreChart
from bot.table.options import TableOptions
from bot.table.state import Game
from bot.text import Say, speech
from bot.text.cards import Speaker
from cogs.pages.table.score_chart import score_chart
from engine import Call, Match, Options, ranking
from tests.bot.games import LORDS, MATCHES, batches
from tests.bot.text.pseudo import Pseudo, bare

TO = Speaker(speech("en"), Emojis.plain())
POINTS = [match for match in MATCHES if match[1].variant != LORDS.variant]
SWEPT_TRICHU = (17, TableOptions(rules=Options(variant="trichu", rounds=3)))
"""Double victories of the dealer with the Table, and of the others, under several dealers."""
PLACES = [match for match in MATCHES if match not in POINTS]


@cache
def finished(seed: int, options: TableOptions) -> tuple[Game, Match]:
    state = [state for _, state, _ in batches(seed, options)][-1]
    return state, state.match


def name(state: Game, seat: int) -> str:
    return state.chairs[seat].name if seat < len(state.chairs) else "The Table"


def people(line: Line) -> list[str]:
    return [name.text for name in line.names]


def everybody(state: Game, match: Match) -> list[str]:
    seats = range(match.variant.seat_count(match.options))
    return sorted(name(state, seat) for seat in seats)


@pytest.mark.parametrize("seed, options", POINTS)
def test_charts_a_match_for_points(seed: int, options: TableOptions) -> None:
    state, match = finished(seed, options)
    chart = score_chart(state, TO)
    assert isinstance(chart, ScoreChart)
    assert chart.target == match.options.target
    assert sorted(person for line in chart.lines for person in people(line)) == everybody(
        state, match
    )
    assert {at for at, line in enumerate(chart.lines) if line.won} == set(match.winners)
    totals = zip(*(line.values for line in chart.lines), strict=True)
    assert list(totals) == [result.totals for result in match.results]


@pytest.mark.parametrize("seed, options", POINTS)
def test_calls_are_on_the_lines_of_their_callers(seed: int, options: TableOptions) -> None:
    state, match = finished(seed, options)
    chart = score_chart(state, TO)
    assert isinstance(chart, ScoreChart)
    calls = [(result.number, *call) for result in match.results for call in result.calls]
    assert calls
    for bet, (number, seat, call, made) in zip(chart.bets, calls, strict=True):
        assert (bet.round, bet.grand, bet.made) == (number, call is Call.GRAND, made)
        assert name(state, seat) in people(chart.lines[bet.line])


def swept() -> Iterator[tuple[Game, Match]]:
    for seed, options in (*POINTS, SWEPT_TRICHU):
        state, match = finished(seed, options)
        if any(result.sweep for result in match.results):
            yield state, match


def test_double_victories_are_on_the_lines_of_their_winners() -> None:
    seen = set()
    for state, match in swept():
        chart = score_chart(state, TO)
        assert isinstance(chart, ScoreChart)
        seen.add(match.variant.name)
        assert chart.sweep_size == (3 if match.variant.name == "tientsin" else 2)
        for result in match.results:
            lines = [at.line for at in chart.sweeps if at.round == result.number]
            there = {person for at in lines for person in people(chart.lines[at])}
            out = {name(state, seat) for seat in result.out}
            assert there == (out if result.sweep else set())
    assert seen == {"nanjing", "trichu", "tientsin"}


@pytest.mark.parametrize("seed, options", PLACES)
def test_charts_a_match_for_places(seed: int, options: TableOptions) -> None:
    state, match = finished(seed, options)
    chart = score_chart(state, TO)
    assert isinstance(chart, PlacesChart)
    assert {at for at, line in enumerate(chart.lines) if line.won} == set(match.winners)
    for at, result in enumerate(match.results):
        order = sorted(chart.lines, key=lambda line: line.values[at])
        seats = ranking(result, len(state.chairs))
        assert [people(line) for line in order] == [[state.chairs[seat].name] for seat in seats]


def test_texts_are_in_the_readers_language() -> None:
    to = Speaker(Say("de", Pseudo()), Emojis.plain())
    for seed, options in (POINTS[0], PLACES[0]):
        chart = score_chart(finished(seed, options)[0], to)
        assert isinstance(chart, ScoreChart | PlacesChart)
        assert chart.language == "de"
        words = [*chart.words.model_dump().values()]
        words += [name.replacement for line in chart.lines for name in line.names]
        assert [word for word in words if bare(word) or not word.startswith("⟦")] == []
