"""Reference pictures: their files, and the comparison with drawn pictures.

The scene or chart of each picture is stored beside it, so that changed words or moves in the sample
tables change no reference.
"""

from __future__ import annotations

import io
from functools import cache
from pathlib import Path

from PIL import Image, ImageChops, ImageFilter, ImageStat

from bot.pictures.descriptions import ChancesChart, Chart, PlacesChart, RatingChart, ScoreChart
from bot.pictures.drawing import draw
from bot.pictures.hand.scene import HandScene
from bot.pictures.process_messages import Drawing, parse_drawing
from bot.pictures.replay.scene import ReplayScene
from bot.pictures.result.scene import ResultCard
from bot.pictures.table.scene import TableScene

FOLDER = Path(__file__).parent / "references"
NAMES = (
    *("lobby-4", "lobby-12", "grand-4", "exchange-12", "lead-4", "trick-4", "long-names-4"),
    *("bomb-4", "gift-4", "match-4", "strange-4", "trick-3", "round-3", "trick-6", "trick-9"),
    "trick-12",
)
"""Sample tables (`scenes.TABLES`) with a reference picture."""
HANDS = tuple(
    f"hands/{name}"
    for name in (
        *("alone-4", "lead-4", "exchange-4", "turn-4", "straight-4", "bomb-4", "dealer-3"),
        *("table-3", "alone-3", "other-3", "turn-6", "turn-12", "exchange-12"),
    )
)
"""Sample hands (`hands.HANDS`) with a reference picture."""
CHARTS = ("charts/nanjing", "charts/trichu", "charts/lords", "charts/rating", "charts/chances")
"""Sample charts (`samples.CHARTS`) with a reference picture."""
REPLAYS = tuple(
    f"replays/{name}" for name in ("trick-4", "seat-4", "end-4", "trick-3", "trick-5", "trick-6")
)
"""Sample replays (`replays.REPLAYS`) with a reference picture."""
CARDS = ("results/nanjing", "results/trichu", "results/one-round")
"""Sample result cards (`result_cards.RESULTS`) with a reference picture."""
SIZE = 450
"""Width of the files: half of that of the pictures."""
TOLERANCE = 24.0
"""Largest allowed difference of any spot, of 255, because font smoothing varies a little."""


@cache
def drawn(drawing: Drawing) -> bytes:
    """Return the picture of a scene or chart, drawn once for all tests."""
    return draw(drawing)


def reduced(drawing: Drawing) -> Image.Image:
    """Return the picture of a scene or chart in the size of the references."""
    with Image.open(io.BytesIO(drawn(drawing))) as file:
        picture = file.convert("RGBA").convert("RGB")
    return picture.resize((SIZE, picture.height * SIZE // picture.width), Image.Resampling.BOX)


def stored(name: str) -> TableScene:
    """Return the scene of the reference picture with this name."""
    return TableScene.model_validate_json((FOLDER / f"{name}.json").read_text("utf-8"))


def stored_hand(name: str) -> HandScene:
    """The hand that the reference picture of this name shows."""
    return HandScene.model_validate_json((FOLDER / f"{name}.json").read_text("utf-8"))


def stored_replay(name: str) -> ReplayScene:
    """Return the scene of the reference picture of a replay with this name."""
    return ReplayScene.model_validate_json((FOLDER / f"{name}.json").read_text("utf-8"))


def stored_card(name: str) -> ResultCard:
    """Return the result card of the reference picture with this name."""
    return ResultCard.model_validate_json((FOLDER / f"{name}.json").read_text("utf-8"))


def stored_chart(name: str) -> Chart:
    """Return the chart of the reference picture with this name."""
    chart = parse_drawing((FOLDER / f"{name}.json").read_bytes())
    assert isinstance(chart, ScoreChart | PlacesChart | RatingChart | ChancesChart)
    return chart


def reference(name: str) -> Image.Image:
    """Return the reference picture with this name."""
    with Image.open(FOLDER / f"{name}.png") as file:
        return file.convert("RGB")


def difference(one: Image.Image, other: Image.Image) -> float:
    """Return the largest difference of two pictures at any spot, from 0 to 255."""
    if one.size != other.size:
        return 255.0
    apart = ImageChops.difference(one, other).convert("L").filter(ImageFilter.BoxBlur(3))
    return float(ImageStat.Stat(apart).extrema[0][1])


def remake() -> None:
    """Rewrite all reference pictures with their scenes and charts."""
    from tests.bot.pictures.hands import hand
    from tests.bot.pictures.replays import replay
    from tests.bot.pictures.result_cards import RESULTS
    from tests.bot.pictures.samples import CHARTS as SAMPLES
    from tests.bot.pictures.scenes import sample

    for folder in ("charts", "hands", "replays", "results"):
        (FOLDER / folder).mkdir(parents=True, exist_ok=True)
    drawings: dict[str, Drawing] = {name: sample(name) for name in NAMES}
    drawings |= {name: hand(name.removeprefix("hands/")) for name in HANDS}
    drawings |= {name: SAMPLES[name.removeprefix("charts/")] for name in CHARTS}
    drawings |= {name: replay(name.removeprefix("replays/")) for name in REPLAYS}
    drawings |= {name: RESULTS[name.removeprefix("results/")] for name in CARDS}
    for name, drawing in drawings.items():
        picture = reduced(drawing).quantize(256, Image.Quantize.MEDIANCUT, kmeans=2)
        picture.save(FOLDER / f"{name}.png", optimize=True)
        # The kind of a chart is a default, and its type is read from it.
        typed = isinstance(drawing, TableScene | HandScene | ReplayScene)
        text = drawing.model_dump_json(indent=1, exclude_defaults=typed)
        (FOLDER / f"{name}.json").write_text(f"{text}\n", "utf-8")
