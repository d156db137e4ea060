"""Charts as pixels: equal to the references, small, and legible without colours."""

from __future__ import annotations

import io
import subprocess
import sys
from itertools import combinations
from pathlib import Path

import pytest
from PIL import Image, ImageChops, ImageStat

from bot.pictures.charts.chart_parts import CALL, draw_call
from bot.pictures.charts.sheet import FAINT, INK, PAPER, RIM, WIDTH, Sheet
from bot.pictures.charts.sheet_picture import compose
from bot.pictures.charts.styles import STYLES, draw_line
from bot.pictures.descriptions import Chart
from bot.pictures.drawing import draw, lay_out
from bot.pictures.typeface import Colour
from tests.bot.pictures import references
from tests.bot.pictures.samples import CHARTS, NANJING, bet
from tests.campaign import sample

DISCORD: tuple[Colour, ...] = ((255, 255, 255), (49, 51, 56), (26, 26, 30))
"""Background colours of Discord's themes."""
MOST_BYTES = 80_000


def shown(chart: Chart) -> Image.Image:
    with Image.open(io.BytesIO(references.drawn(chart))) as picture:
        assert picture.format == "PNG"
        return picture.convert("RGBA").convert("RGB")


def contrast(one: Colour, other: Colour) -> float:
    """Return the contrast of two colours (WCAG): 1 is none, 21 is black on white."""

    def luminance(colour: Colour) -> float:
        parts = [part / 255 for part in colour]
        linear = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
        return sum(
            part * weight for part, weight in zip(linear, (0.2126, 0.7152, 0.0722), strict=True)
        )

    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("name", CHARTS)
def test_every_chart_is_a_small_file(name: str) -> None:
    assert len(references.drawn(CHARTS[name])) <= MOST_BYTES
    picture = shown(CHARTS[name])
    assert picture.size == (WIDTH, lay_out(CHARTS[name]).height)
    assert picture.getpixel((WIDTH // 2, 0)) == RIM
    assert picture.getpixel((15, picture.height // 2)) == PAPER


@pytest.mark.parametrize("name", sample(CHARTS, 7))
def test_nothing_is_drawn_beyond_the_edge(name: str) -> None:
    picture = compose(lay_out(CHARTS[name]))
    right, low = picture.width, picture.height
    for strip in (
        *((30, 4, right - 30, 20), (30, low - 12, right - 30, low - 4)),
        *((4, 30, 14, low - 30), (right - 14, 30, right - 4, low - 30)),
    ):
        assert [colour for _, colour in picture.crop(strip).getcolors() or ()] == [PAPER]


@pytest.mark.parametrize("name", references.CHARTS)
def test_charts_equal_their_references(name: str) -> None:
    found = references.reduced(references.stored_chart(name))
    assert references.difference(found, references.reference(name)) < references.TOLERANCE


def test_every_reference_is_used() -> None:
    files = list((references.FOLDER / "charts").glob("*.png"))
    assert {f"charts/{file.stem}" for file in files} == set(references.CHARTS)
    assert sum(file.stat().st_size for file in files) < 150_000


@pytest.mark.parametrize(
    "changed",
    [
        {"bets": ()},
        {"bets": (*NANJING.bets[:-1], bet(1, 2, grand=False, made=False))},
        {"bets": (*NANJING.bets[:-1], bet(1, 2, grand=True, made=True))},
        {"sweeps": ()},
        {"sweep_size": 3},
        {"target": 1050},
        {"language": "de"},
    ],
    ids=lambda changed: next(iter(changed)),
)
def test_small_differences_are_noticed(changed: dict[str, object]) -> None:
    nanjing = references.stored_chart("charts/nanjing")
    other = references.reduced(nanjing.model_copy(update=changed))
    right = references.reference("charts/nanjing")
    found = references.difference(other.resize(right.size), right)
    assert found > references.TOLERANCE


def test_drawing_is_deterministic() -> None:
    assert draw(NANJING) == draw(NANJING)


def test_palette_colours_are_near_the_intended_ones() -> None:
    for name in references.CHARTS:
        chart = references.stored_chart(name)
        meant = compose(lay_out(chart))
        inside = (30, 30, WIDTH - 30, meant.height - 30)
        apart = references.difference(meant.crop(inside), shown(chart).crop(inside))
        assert apart < 16


def test_lines_and_words_stand_out_from_the_paper(subtests: pytest.Subtests) -> None:
    for colour in sorted({INK, FAINT, *(style.colour for style in STYLES)}):
        with subtests.test(colour=colour):
            assert contrast(colour, PAPER) > 5


def test_sheet_stands_out_from_the_page(subtests: pytest.Subtests) -> None:
    for page in DISCORD:
        with subtests.test(page=page):
            assert max(contrast(RIM, page), contrast(PAPER, page)) > 2


def test_every_two_lines_differ_without_colours() -> None:
    pieces = []
    for style in STYLES:
        sheet = Sheet(60)
        draw_line(sheet, ((50, 30), (150, 30)), style._replace(colour=INK), size=28)
        pieces.append(compose(sheet).convert("L").crop((30, 10, 170, 50)))
    for one, other in combinations(pieces, 2):
        assert ImageStat.Stat(ImageChops.difference(one, other)).rms[0] > 15


def test_calls_differ_by_shape_alone() -> None:
    def sign(*, grand: bool, made: bool) -> Image.Image:
        sheet = Sheet(100)
        draw_call(sheet, 50, 50, grand=grand, made=made, colour=INK, size=CALL)
        return compose(sheet).convert("L").crop((20, 20, 80, 80)).resize((20, 20))

    name_signs = [sign(grand=grand, made=made) for grand in (False, True) for made in (False, True)]
    for one, other in combinations(name_signs, 2):
        assert ImageStat.Stat(ImageChops.difference(one, other)).rms[0] > 15


def test_only_the_drawing_process_needs_pillow() -> None:
    """Of the packages for pictures; import-linter checks the rest of the bot and the cogs."""
    code = (
        "import sys; import bot.pictures.process, bot.pictures.alt_texts;"
        "import bot.art.uploads, bot.art.names;"
        "import bot.pictures.table.contents, bot.pictures.table.scene_text;"
        "sys.exit('PIL' in sys.modules)"
    )
    root = Path(__file__).parents[4]
    subprocess.run([sys.executable, "-c", code], cwd=root, check=True)
