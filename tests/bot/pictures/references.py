"""Reference pictures of tables: where they are, and how a picture is compared with one.

Beside each picture lies the scene that it shows, so that other words or other moves in the sample
tables change no reference.
"""

from __future__ import annotations

import io
from pathlib import Path

from PIL import Image, ImageChops, ImageFilter, ImageStat

from bot.pictures.scene import TableScene
from bot.pictures.table_picture import draw_table

FOLDER = Path(__file__).parent / "references"
NAMES = (
    *("lobby-4", "lobby-12", "grand-4", "exchange-12", "lead-4", "trick-4", "long-names-4"),
    *("bomb-4", "gift-4", "match-4", "strange-4", "trick-3", "round-3", "trick-6", "trick-9"),
    "trick-12",
)
"""The sample tables (`scenes.TABLES`) that there is a reference picture of."""
SIZE = 450
"""The width of the files: half of that of the pictures."""
TOLERANCE = 24.0
"""The largest difference of any spot, of 255: fonts may be smoothed a little differently."""


def reduced(scene: TableScene) -> Image.Image:
    """The picture of a scene in the size of the references."""
    with Image.open(io.BytesIO(draw_table(scene))) as file:
        picture = file.convert("RGBA").convert("RGB")
    return picture.resize((SIZE, picture.height * SIZE // picture.width), Image.Resampling.BOX)


def stored(name: str) -> TableScene:
    """The scene that the reference picture of this name shows."""
    return TableScene.model_validate_json((FOLDER / f"{name}.json").read_text("utf-8"))


def reference(name: str) -> Image.Image:
    """The reference picture of this name."""
    with Image.open(FOLDER / f"{name}.png") as file:
        return file.convert("RGB")


def difference(one: Image.Image, other: Image.Image) -> float:
    """The difference of two pictures at the spot where it is largest, 0 to 255."""
    if one.size != other.size:
        return 255.0
    apart = ImageChops.difference(one, other).convert("L").filter(ImageFilter.BoxBlur(3))
    return float(ImageStat.Stat(apart).extrema[0][1])


def remake() -> None:
    """Write all reference pictures and their scenes anew."""
    from tests.bot.pictures.scenes import sample

    FOLDER.mkdir(exist_ok=True)
    for name in NAMES:
        picture = reduced(sample(name)).quantize(256, Image.Quantize.MEDIANCUT, kmeans=2)
        picture.save(FOLDER / f"{name}.png", optimize=True)
        scene = sample(name).model_dump_json(indent=1, exclude_defaults=True)
        (FOLDER / f"{name}.json").write_text(f"{scene}\n", "utf-8")
