"""Layout of brackets and tables: nothing meets, nothing crosses an edge, in any language."""

from __future__ import annotations

import io
from itertools import combinations, pairwise

import pytest
from PIL import Image

from bot.pictures.charts.sheet import MARGIN, WIDTH, Area, Sheet, Stroke, Text
from bot.pictures.drawing import draw, lay_out
from bot.pictures.letters import plain
from bot.pictures.standings.contents import standings_scenes
from bot.pictures.standings.parts import GOLD
from bot.pictures.standings.scene import Bracket
from bot.pictures.typeface import CAPITAL, font_text
from bot.text import LOCALES, SOURCE, speech
from tests.bot.pictures.tournaments import PLAIN, TOURNAMENTS, drawn, played

LANGUAGES = (SOURCE, *sorted(file.name for file in LOCALES.iterdir() if file.is_dir()))
HIGHEST = 2500
MOST_BYTES = 90_000
_THICK = 7
_GAP = 4


def sheets_of(name: str, language: str = "en") -> list[Sheet]:
    return [lay_out(scene) for scene in standings_scenes(TOURNAMENTS[name], speech(language))]


def sheet_of(name: str) -> Sheet:
    (sheet,) = sheets_of(name)
    return sheet


def texts(sheet: Sheet) -> list[Text]:
    return [text for text in sheet.texts if text.content.text]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", TOURNAMENTS)
def test_texts_are_on_the_sheet_and_do_not_meet(name: str, language: str) -> None:
    for sheet in sheets_of(name, language):
        assert sheet.height <= HIGHEST
        for found in texts(sheet):
            assert MARGIN - 1e-6 <= found.left <= found.right <= WIDTH - MARGIN + 1e-6
            assert MARGIN <= found.middle <= sheet.height - MARGIN
        for one, other in combinations(texts(sheet), 2):
            beside = one.right + _GAP < other.left or other.right + _GAP < one.left
            assert beside or abs(one.middle - other.middle) > CAPITAL, (one, other)


@pytest.mark.parametrize("name", TOURNAMENTS)
def test_lines_are_on_the_sheet_and_cross_no_text(name: str) -> None:
    for sheet, shape in ((each, shape) for each in sheets_of(name) for shape in each.shapes):
        points = shape.corners if isinstance(shape, Area) else shape.points
        for x, y in points:
            assert 0 <= x <= WIDTH
            assert 0 <= y <= sheet.height
        if isinstance(shape, Area):
            continue
        for (x, y), (to_x, to_y) in pairwise(points):
            for found in texts(sheet):
                above = max(y, to_y) < found.middle - CAPITAL / 2
                below = min(y, to_y) > found.middle + CAPITAL / 2
                beside = max(x, to_x) < found.left or min(x, to_x) > found.right
                assert above or below or beside, found


@pytest.mark.parametrize("language", LANGUAGES)
def test_fonts_have_all_letters_of_the_words(language: str) -> None:
    events = TOURNAMENTS.values()
    for scene in (each for event in events for each in standings_scenes(event, speech(language))):
        if isinstance(scene, Bracket):
            words = [scene.round, scene.third_place]
        else:
            words = [scene.round, scene.more, *(each for row in scene.rows for each in row.values)]
            words += [text for column in scene.columns for text in (column.sign, column.word)]
        for word in words:
            assert font_text(word) == (plain(word), 0)


@pytest.mark.parametrize("name", TOURNAMENTS)
def test_pictures_are_small_files(name: str) -> None:
    for scene in standings_scenes(TOURNAMENTS[name], speech("en")):
        data = draw(scene)
        assert len(data) <= MOST_BYTES
        with Image.open(io.BytesIO(data)) as picture:
            assert (picture.format, picture.size) == ("PNG", (WIDTH, lay_out(scene).height))


def test_long_names_that_look_alike_are_told_apart() -> None:
    cut = [text.content.text for text in texts(sheet_of("knock-out of 16 long names"))]
    names = [text for text in cut if "…" in text]
    assert len({*names}) >= 32


def test_names_beyond_the_fonts_become_numbers() -> None:
    found = [text.content.text for text in texts(sheet_of("knock-out of strange names"))]
    assert {"Player 3", "Player 4"} <= {*found}


def test_winner_has_a_thick_line_to_the_end() -> None:
    lines = [each for each in sheet_of("knock-out of 4").shapes if isinstance(each, Stroke)]
    thick = [line for line in lines if line.width == _THICK]
    end = max(thick, key=lambda line: line.points[-1][0])
    assert end.points[-1][0] == WIDTH - MARGIN
    column = end
    for _ in range(2):  # back to the names
        (column,) = [line for line in thick if line.points[-1] == column.points[0]]
    names = [
        text.content.text
        for text in texts(sheet_of("knock-out of 4"))
        if text.colour == GOLD and 0 < column.points[0][1] - text.middle < CAPITAL
    ]
    assert len(names) == 3, "both names and the points"


def test_open_matches_have_no_thick_line() -> None:
    (scene,) = standings_scenes(drawn("knock-out", PLAIN), speech("en"))
    strokes = [each for each in lay_out(scene).shapes if isinstance(each, Stroke)]
    assert {stroke.width < _THICK for stroke in strokes} == {True}
    (after,) = standings_scenes(played(drawn("knock-out", PLAIN), 1), speech("en"))
    assert (
        sum(each.width == _THICK for each in lay_out(after).shapes if isinstance(each, Stroke)) == 2
    )
