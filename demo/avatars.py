"""Avatars of the demo's people: a drawn face for each name, the same every time."""

from __future__ import annotations

import hashlib
from io import BytesIO
from random import Random

from PIL import Image, ImageDraw
from simcord import Env
from simcord.backend.cdn import CDN_BASE
from simcord.backend.models import User

from bot.art.names import icon_file

SIZE = 128
"""Width and height of an avatar in pixels."""
_SCALE = 4
"""Avatars are drawn this many times larger, and then shrunk, for smooth edges."""
_FELT = "#2f6f4f"
_INK = "#2b2320"
_BACKGROUNDS = (
    "#f2b134",
    "#5aa9e6",
    "#f28482",
    "#84a98c",
    "#b388eb",
    "#48bfa7",
    "#e07a5f",
    "#9db4c0",
)
_SKINS = ("#f6d3b3", "#eab98f", "#c98d5e", "#9a6440", "#6f4529")
_HAIR = ("#2b2320", "#5a3825", "#a8662b", "#d9b35b", "#8c8c8c", "#7a2e2e")
_SHIRTS = ("#3d5a80", "#8d2f4d", "#33673b", "#5b4b8a", "#b5651d", "#37474f")


def give_avatar(env: Env, user: User) -> None:
    """Give a user of the simulated Discord an avatar: a face, or a card for the bot."""
    picture = _card() if user.bot else face(user.name)
    user.avatar = hashlib.sha256(picture).hexdigest()[:32]
    env.backend.cdn._blobs[f"{CDN_BASE}/avatars/{user.id}/{user.avatar}.png"] = picture


def face(name: str) -> bytes:
    """Return the face for a name, as PNG."""
    rng = Random(name)
    image = Image.new("RGB", (SIZE * _SCALE,) * 2, rng.choice(_BACKGROUNDS))
    draw = ImageDraw.Draw(image)
    skin, hair = rng.choice(_SKINS), rng.choice(_HAIR)
    cut = rng.choice(("short", "long", "bun", "curls"))
    if cut == "long":
        _oval(draw, 64, 70, 38, 46, hair)
    elif cut == "bun":
        _oval(draw, 64, 22, 14, 14, hair)
    _oval(draw, 64, 130, 46, 34, rng.choice(_SHIRTS))
    _oval(draw, 64, 100, 11, 16, skin)  # neck
    for x in (35, 93):
        _oval(draw, x, 70, 6, 8, skin)  # ears
    _oval(draw, 64, 56, 32, 34, hair)
    if cut == "curls":
        for x, y in ((36, 46), (46, 32), (64, 26), (82, 32), (92, 46)):
            _oval(draw, x, y, 13, 13, hair)
    _oval(draw, 64, 72, 28, 31, skin)
    if rng.random() < 0.5:  # a fringe
        draw.chord(_box(64, 58, 29, 22), 180, 360, fill=hair)
    for x in (53, 75):
        _oval(draw, x, 70, 3.5, 4.5, _INK)
    draw.arc(_box(64, 82, 12, 9), 20, 160, fill=_INK, width=3 * _SCALE)
    if rng.random() < 0.3:  # glasses
        for x in (53, 75):
            draw.ellipse(_box(x, 70, 9, 9), outline=_INK, width=2 * _SCALE)
        draw.line((62 * _SCALE, 69 * _SCALE, 66 * _SCALE, 69 * _SCALE), _INK, 2 * _SCALE)
    return _png(image)


def _card() -> bytes:
    """Return the avatar of the bot: the back of a card on felt."""
    image = Image.new("RGB", (SIZE * _SCALE,) * 2, _FELT)
    with Image.open(icon_file("cardback")) as opened:
        side = 84 * _SCALE
        card = opened.convert("RGBA").resize((side, side), Image.Resampling.LANCZOS)
    corner = (SIZE * _SCALE - side) // 2
    image.paste(card, (corner, corner), card)
    return _png(image)


def _oval(
    draw: ImageDraw.ImageDraw, x: float, y: float, width: float, height: float, colour: str
) -> None:
    """Fill an ellipse around a point; `width` and `height` are its radii."""
    draw.ellipse(_box(x, y, width, height), fill=colour)


def _box(x: float, y: float, width: float, height: float) -> tuple[float, float, float, float]:
    """Return the corners around a point, in pixels of the large picture."""
    return (
        (x - width) * _SCALE,
        (y - height) * _SCALE,
        (x + width) * _SCALE,
        (y + height) * _SCALE,
    )


def _png(image: Image.Image) -> bytes:
    """Return a picture at its final size, as PNG."""
    written = BytesIO()
    image.resize((SIZE, SIZE), Image.Resampling.LANCZOS).save(written, "PNG", optimize=True)
    return written.getvalue()
