"""Layouts of charts as values: positions of lines, marks and texts."""

from __future__ import annotations

import math
from datetime import UTC, datetime, timedelta
from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.pictures.charts.chart_parts import CALL, dates_along
from bot.pictures.charts.scales import Scale, spread, ticks
from bot.pictures.charts.sheet import (
    BAND,
    MARGIN,
    WIDTH,
    Area,
    Sheet,
    Stroke,
    Text,
    width_of,
)
from bot.pictures.charts.styles import MOST_MARKERS, STYLES, split_into_dashes
from bot.pictures.drawing import lay_out
from bot.pictures.typeface import CAPITAL
from tests.bot.pictures.samples import (
    ADA_BEN,
    CHARTS,
    LORDS,
    NANJING,
    bet,
    line,
    places,
    rating,
    score,
)


def text(sheet: Sheet, words: str) -> Text:
    """Return the text with these words, the leftmost of several."""
    return min(found for found in sheet.texts if found.content.text == words)


def solid(sheet: Sheet, number: int) -> tuple[tuple[float, float], ...]:
    """Return the line of a style without dashes: its stroke with the most points."""
    strokes = [
        shape.points
        for shape in sheet.shapes
        if isinstance(shape, Stroke) and shape.colour == STYLES[number].colour
    ]
    return max(strokes, key=len)


# --- completeness --------------------------------------------------------------------------------


@pytest.mark.parametrize("name", CHARTS)
def test_everything_is_on_the_sheet(name: str) -> None:
    sheet = lay_out(CHARTS[name])
    assert 300 <= sheet.height <= 1.2 * WIDTH
    for found in sheet.texts:
        assert MARGIN - 1e-6 <= found.left <= found.right <= WIDTH - MARGIN + 1e-6
        assert MARGIN <= found.middle <= sheet.height - MARGIN
    for shape in sheet.shapes:
        for x, y in shape.corners if isinstance(shape, Area) else shape.points:
            assert 0 <= x <= WIDTH
            assert 0 <= y <= sheet.height
    for call in sheet.calls:
        assert call.size / 2 <= call.x <= WIDTH - call.size / 2
        assert call.size / 2 <= call.y <= sheet.height - call.size / 2


@pytest.mark.parametrize("name", CHARTS)
def test_no_two_texts_meet(name: str) -> None:
    for one, other in combinations(lay_out(CHARTS[name]).texts, 2):
        beside = one.right < other.left or other.right < one.left
        assert beside or abs(one.middle - other.middle) > CAPITAL


@pytest.mark.parametrize(
    "changed",
    [
        {"bets": ()},
        {"sweeps": ()},
        {"sweep_size": 3},
        {"target": 1050},
        {"target": None},
        {"language": "de"},
        {"lines": (ADA_BEN[0].model_copy(update={"won": False}), ADA_BEN[1])},
        {"lines": (ADA_BEN[0], line(("Ben", "Dan"), 60, -80, 310, 340))},
        {"lines": (ADA_BEN[0], line(("Ben", "Eve"), 60, -80, 310, 335))},
    ],
    ids=lambda changed: next(iter(changed)),
)
def test_every_value_changes_the_layout(changed: dict[str, object]) -> None:
    assert lay_out(NANJING.model_copy(update=changed)) != lay_out(NANJING)


def test_long_names_are_shortened_and_short_ones_share_a_line() -> None:
    long = lay_out(score(line("W" * 32, 10, won=True), line("Ben", 5)))
    assert any(found.content.text.endswith("W…") for found in long.texts)
    three = lay_out(score(line("Ada", 10, won=True), line("Ben", 5), line("Cleo", 0)))
    assert text(three, "Ada").middle == text(three, "Ben").middle < text(three, "Cleo").middle


def test_long_names_with_the_same_beginning_differ() -> None:
    long = [f"The player with number {number}" for number in range(1, 13)]
    sheet = lay_out(places(*(line(name, n + 1, won=n == 0) for n, name in enumerate(long))))
    cut = [found.content.text for found in sheet.texts if "…" in found.content.text]
    assert len(set(cut)) == len(long)


# --- points ---------------------------------------------------------------------------------------


def test_line_passes_through_the_points_of_each_round() -> None:
    sheet = lay_out(NANJING)
    points = solid(sheet, 0)
    assert len(points) == 5
    steps = {round(x - before, 6) for (before, _), (x, _) in pairwise(points)}
    assert len(steps) == 1
    zero, thousand = text(sheet, "0"), text(sheet, "1,000")
    for (_, y), value in zip(points, (0, 140, 380, 290, 1040), strict=True):
        share = value / 1000
        assert y == pytest.approx(zero.middle + share * (thousand.middle - zero.middle))
    assert text(sheet, "1,040").middle == pytest.approx(points[-1][1])
    assert text(sheet, "Target 1,000").middle < thousand.middle


def test_made_calls_are_above_and_failed_calls_below_their_points() -> None:
    sheet = lay_out(NANJING)
    points = solid(sheet, 0)
    made = [call for call in sheet.calls if call.made and call.colour == STYLES[0].colour]
    assert [(call.x, call.grand) for call in made] == [(points[1][0], False), (points[2][0], True)]
    for call, (_, y) in zip(made, points[1:], strict=False):
        assert y - 2 * CALL < call.y < y - CALL / 2
    failed = [call for call in sheet.calls if not call.made and call.colour == STYLES[1].colour]
    zero = text(sheet, "0")
    assert [call.grand for call in failed] == [False, True]
    assert all(call.y > zero.middle + CALL / 2 for call in failed)
    assert failed[1].y - failed[0].y > CALL
    keys = [call for call in sheet.calls if call not in (*made, *failed)]
    assert len({(call.grand, call.made) for call in keys}) == len(keys) == 4


def test_key_lists_only_used_marks() -> None:
    words = NANJING.words
    sheet = lay_out(score(*ADA_BEN, bets=(bet(0, 1),)))
    texts = [found.content.text for found in sheet.texts]
    assert words.tichu_made in texts
    assert not {words.tichu_failed, words.grand_made, words.double_victory} & {*texts}
    assert sheet.height < lay_out(NANJING).height


def test_call_marks_are_smaller_in_long_matches() -> None:
    def size(rounds: int) -> float:
        ada = line("Ada", *range(rounds), won=True)
        return min(call.size for call in lay_out(score(ada, bets=(bet(0, 1),))).calls)

    assert size(20) == CALL
    assert CALL > size(40) > size(200) > 0.3 * CALL


def test_totals_close_together_are_moved_apart() -> None:
    assert spread([100, 100], 30) == [85, 115]
    assert spread([0, 200, 100], 30) == [0, 200, 100]
    assert spread([10, 0, 5, 300], 30) == [35, -25, 5, 300]
    apart = sorted(spread([0, 1, 40, 41], 30))
    assert all(b - a >= 30 - 1e-9 for a, b in pairwise(apart))


# --- places ---------------------------------------------------------------------------------------


def test_first_place_is_on_top_and_names_are_at_the_line_ends() -> None:
    sheet = lay_out(LORDS)
    heights = [text(sheet, place).middle for place in "123"]
    ada = solid(sheet, 0)
    assert heights == sorted({y for _, y in ada})
    assert [heights.index(y) + 1 for _, y in ada] == [1, 3, 2]
    assert [text(sheet, name).middle for name in ("Cleo", "Ada", "Ben")] == heights


def test_lines_of_long_matches_are_thin_with_few_marks() -> None:
    def drawn(rounds: int) -> tuple[float, int]:
        sheet = lay_out(places(line("Ada", *[1] * rounds, won=True), line("Ben", *[2] * rounds)))
        mine = [shape for shape in sheet.shapes if shape.colour == STYLES[0].colour]
        (width,) = {shape.width for shape in mine if isinstance(shape, Stroke)}
        name_signs = [shape for shape in mine if isinstance(shape, Area)]
        return width, len(name_signs)

    (wide, few), (thin, many) = drawn(4), drawn(99)
    assert thin < wide
    assert few == 4 + 1  # and the crown
    assert many <= MOST_MARKERS + 1


# --- ratings --------------------------------------------------------------------------------------


def test_range_surrounds_the_line() -> None:
    sheet = lay_out(rating(5, 30))
    band = next(shape for shape in sheet.shapes if isinstance(shape, Area) and shape.colour == BAND)
    ups, downs = band.corners[:5], band.corners[5:][::-1]
    for (x, y), up, down in zip(solid(sheet, 0), ups, downs, strict=True):
        assert up[0] == x == down[0]
        assert up[1] < y < down[1]
        assert y - up[1] == pytest.approx(down[1] - y)


def test_seasons_are_named_where_there_is_room() -> None:
    named = [
        found.content.text
        for found in lay_out(CHARTS["rating, years"]).texts
        if found.content.text.startswith("Season")
    ]
    assert 2 <= len(named) < 17
    assert {"Season 1", "Season 2"} <= {
        found.content.text for found in lay_out(CHARTS["rating"]).texts
    }


# --- axes -----------------------------------------------------------------------------------------


@given(st.integers(-5000, 5000), st.integers(1, 9000), st.integers(2, 12))
def test_numbers_along_an_axis_are_round_and_few(low: int, span: int, most: int) -> None:
    found = ticks(low, low + span, most)
    assert 1 <= len(found) <= most
    assert all(low <= value <= low + span for value in found)
    steps = {b - a for a, b in pairwise(found)}
    assert len(steps) <= 1
    for step in steps:
        assert step / 10 ** int(math.log10(step)) in (1, 2, 2.5, 5)


def test_keeps_a_usual_range_of_numbers() -> None:
    assert ticks(0, 4, 9) == [0, 1, 2, 3, 4]
    assert ticks(-200, 1040, 6) == [0, 250, 500, 750, 1000]
    assert ticks(-200, 1040, 4) == [0, 500, 1000]
    assert ticks(0, 1000, 6) == [0, 200, 400, 600, 800, 1000]
    assert ticks(1, 99, 6) == [20, 40, 60, 80]


def test_single_value_is_in_the_middle_of_the_scale() -> None:
    assert Scale(1, 1, 100, 300).at(1) == 200
    assert Scale(0, 10, 100, 300).at(2.5) == 150


@pytest.mark.parametrize(
    "days, dates",
    [
        (0.2, ["Jan 15"]),
        (3, ["Jan 15", "Jan 18"]),
        (10, ["Jan 16", "Jan 19", "Jan 22", "Jan 25"]),
        (100, ["Feb 1", "Mar 1", "Apr 1"]),
        (400, ["Jul 2031", "Jan 2032"]),
        (1500, ["Jan 2032", "Jan 2034"]),
        (9000, ["Jan 2040", "Jan 2050"]),
    ],
)
def test_dates_along_an_axis(days: float, dates: list[str]) -> None:
    first = datetime(2031, 1, 15, 3, tzinfo=UTC)
    room = 640.0

    def fit(found: list[tuple[datetime, str]]) -> bool:
        widest = max((width_of(date) for _, date in found), default=0)
        return (widest + 20) * len(found) <= room

    found = dates_along(first, first + timedelta(days=days), "en", fit)
    assert [date for _, date in found] == dates


# --- lines ----------------------------------------------------------------------------------------


def test_dashes_have_their_lengths_around_corners() -> None:
    pieces = list(split_into_dashes(((0, 0), (50, 0), (50, 50)), (4, 1), 10))
    assert pieces == [[(0, 0), (40, 0)], [(50, 0), (50, 40)]]
    pieces = list(split_into_dashes(((0, 0), (30, 0), (30, 50)), (4, 1), 10))
    assert pieces == [[(0, 0), (30, 0), (30, 10)], [(30, 20), (30, 50)]]
    assert list(split_into_dashes(((0, 0), (9, 0)), (), 10)) == [[(0, 0), (9, 0)]]


def test_letters_are_legible_on_a_phone() -> None:
    assert CAPITAL * 350 / WIDTH >= 11
