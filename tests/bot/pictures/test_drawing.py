"""Pictures of scores: drawn from anything, legible in every mode, and with few colours, too."""

from __future__ import annotations

import io
import subprocess
import sys
from itertools import combinations, pairwise
from pathlib import Path

import pytest
from matplotlib.colors import to_rgb
from PIL import Image, ImageChops, ImageStat

from bot.pictures.descriptions import Chart, Line, ScoreChart
from bot.pictures.drawing import draw
from bot.pictures.sheet import FAINT, INK, PAPER, RIM, STYLES, WIDTH, Sheet, spread
from bot.pictures.signs import SIZE
from bot.pictures.signs import bet as draw_bet
from tests.bot.pictures.samples import ADA_BEN, CHARTS, NANJING, bet, line, score

DISCORD = ("#ffffff", "#313338", "#1a1a1e")
PHONE = 350


def shown(chart: Chart) -> Image.Image:
    with Image.open(io.BytesIO(draw(chart))) as picture:
        assert picture.format == "PNG"
        return picture.convert("RGB")


def difference(one: Image.Image, other: Image.Image) -> float:
    """The largest difference in brightness of any pixel, 0..255, as a phone shows them."""
    small = [
        picture.convert("L").resize(
            (PHONE, round(picture.height * PHONE / picture.width)), Image.Resampling.LANCZOS
        )
        for picture in (one, other)
    ]
    return float(ImageStat.Stat(ImageChops.difference(*small)).extrema[0][1])


def contrast(one: str, other: str) -> float:
    """How well one colour is seen on another (WCAG): 1 not at all, 21 black on white."""

    def luminance(colour: str) -> float:
        linear = (
            c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in to_rgb(colour)
        )
        return sum(
            part * weight for part, weight in zip(linear, (0.2126, 0.7152, 0.0722), strict=True)
        )

    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("name", CHARTS)
def test_anything_is_drawn_without_a_warning(name: str) -> None:
    picture = shown(CHARTS[name])
    assert picture.width == WIDTH
    assert 300 <= picture.height <= 1.2 * WIDTH
    assert picture.getpixel((20, 20)) == tuple(round(255 * part) for part in to_rgb(PAPER))


@pytest.mark.parametrize("name", CHARTS)
def test_nothing_is_written_over_the_edge(name: str) -> None:
    picture = shown(CHARTS[name])
    inner = picture.crop((6, 6, picture.width - 6, picture.height - 6))
    rims = (
        *((0, 0, inner.width, 8), (0, inner.height - 8, inner.width, inner.height)),
        *((0, 0, 8, inner.height), (inner.width - 8, 0, inner.width, inner.height)),
    )
    for rim in rims:
        assert all(low == high for low, high in ImageStat.Stat(inner.crop(rim)).extrema)


def test_drawing_again_gives_the_same_picture() -> None:
    assert draw(NANJING) == draw(NANJING)


def test_lines_and_words_stand_out_from_the_paper(subtests: pytest.Subtests) -> None:
    for colour in sorted({INK, FAINT, *(style.colour for style in STYLES)}):
        with subtests.test(colour=colour):
            assert contrast(colour, PAPER) > 5


def test_the_sheet_stands_out_from_the_page(subtests: pytest.Subtests) -> None:
    for page in DISCORD:
        with subtests.test(page=page):
            assert max(contrast(RIM, page), contrast(PAPER, page)) > 2


def test_every_two_lines_differ_without_colours() -> None:
    assert len({style.sign for style in STYLES}) == len(STYLES)
    for one, other in combinations(STYLES, 2):
        assert one.colour != other.colour or one.dashes != other.dashes


def test_calls_differ_by_shape_alone() -> None:
    def sign(*, grand: bool, made: bool) -> Image.Image:
        sheet = Sheet(100)
        sheet.sign(50, 50, lambda *at: draw_bet(*at, grand=grand, made=made, colour=INK, size=SIZE))
        with Image.open(io.BytesIO(sheet.png())) as picture:
            return picture.convert("L").crop((20, 20, 80, 80)).resize((20, 20))

    signs = [sign(grand=grand, made=made) for grand in (False, True) for made in (False, True)]
    for one, other in combinations(signs, 2):
        assert ImageStat.Stat(ImageChops.difference(one, other)).rms[0] > 15


@pytest.mark.parametrize(
    "changed",
    [
        {"bets": ()},
        {"bets": (*NANJING.bets[:-1], bet(1, 2, grand=False, made=False))},
        {"bets": (*NANJING.bets[:-1], bet(1, 2, grand=True, made=True))},
        {"sweeps": ()},
        {"triple": True},
        {"target": 1050},
        {"target": None},
        {"language": "de"},
        {"lines": (ADA_BEN[0].model_copy(update={"won": False}), ADA_BEN[1])},
        {"lines": (ADA_BEN[0], line(("Ben", "Dan"), 60, -80, 310, 340))},
        {"lines": (ADA_BEN[0], line(("Ben", "Eve"), 60, -80, 310, 335))},
    ],
    ids=lambda changed: next(iter(changed)),
)
def test_whatever_is_told_is_seen(changed: dict[str, object]) -> None:
    other = NANJING.model_copy(update=changed)
    assert difference(shown(NANJING), shown(other).resize(shown(NANJING).size)) > 60


def test_words_without_letters_are_english() -> None:
    japanese = NANJING.words.model_copy(update={"round": "ラウンド", "score": "得点"})
    told = NANJING.model_copy(update={"words": japanese})
    assert draw(told) == draw(NANJING)


def test_dollars_are_no_mathematics() -> None:
    def named(name: str) -> ScoreChart:
        lines: tuple[Line, ...] = (line(name, 100), line("Ben", 0))
        return score(*lines)

    assert draw(named("$x$")) != draw(named("x"))


def test_totals_close_together_are_moved_apart() -> None:
    assert spread([100, 100], 30) == [85, 115]
    assert spread([0, 200, 100], 30) == [0, 200, 100]
    assert spread([10, 0, 5, 300], 30) == [35, -25, 5, 300]
    apart = sorted(spread([0, 1, 40, 41], 30))
    assert all(b - a >= 30 - 1e-9 for a, b in pairwise(apart))


def test_only_the_drawing_process_needs_matplotlib_and_pillow() -> None:
    code = (
        "import sys; import cogs.tichu, bot.pictures.process, bot.pictures.alt_texts;"
        "import bot.pictures.table_scene, bot.pictures.scene_text;"
        "sys.exit('matplotlib' in sys.modules or 'PIL' in sys.modules)"
    )
    root = Path(__file__).parents[3]
    subprocess.run([sys.executable, "-c", code], cwd=root, check=True)
