"""Makes the animation of the README: `python -m tools.animation` (a development tool).

Novices play a round of Tichu from a seed, and the pictures of its longest trick become
`docs/trick.gif`. The same seed gives the same file. Look at it before it is committed.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from random import Random

from PIL import Image

from bot.pictures.palette import palette
from bot.pictures.table.picture import compose
from bot.pictures.table.scene import TableScene
from bot.table.state import seats_to_act
from engine import CloseWindow, Match, Options, Phase, apply, deal, new_match, view
from players.novice.player import Novice
from tests.bot.pictures.scenes import game, scene

FILE = Path(__file__).parents[1] / "docs" / "trick.gif"
NAMES = ("Ada", "Ben", "Cleo", "Dan")
SEED = 34
"""Round in which two full houses are beaten, then a bomb is bombed."""
WIDTH = 600
"""Width of the animation in pixels; a README shows it at most a little larger."""
SECONDS, LAST_SECONDS = 1.2, 3.0
"""Display time of each picture and of the last one, in seconds."""


def main() -> None:
    """Write the file."""
    parser = argparse.ArgumentParser(prog="python -m tools.animation", description=__doc__)
    parser.add_argument("--seed", type=int, default=SEED, help="another round")
    scenes = longest_trick(parser.parse_args().seed)
    first, *others = [picture(shown) for shown in scenes]
    seconds = [SECONDS] * len(others) + [LAST_SECONDS]
    first.save(
        FILE,
        save_all=True,
        append_images=others,
        duration=[round(1000 * time) for time in seconds],
        loop=0,
        optimize=False,
    )
    print(f"{FILE.name}: {len(scenes)} pictures, {FILE.stat().st_size / 1e6:.2f} MB")


def longest_trick(seed: int) -> list[TableScene]:
    """Return the scenes of the longest trick of this round, up to the next lead."""
    tricks: list[list[TableScene]] = [[]]
    for match in states(seed):
        shown = scene(game(match, NAMES))
        if shown not in tricks[-1][-1:]:
            tricks[-1].append(shown)
        if match.phase is Phase.LEAD:
            tricks.append([shown])
    return max(tricks, key=len)


def states(seed: int) -> Iterator[Match]:
    """Yield every state of a round from its first lead on, as Novices play it."""
    rng = Random(seed)
    match = new_match(Options(target=1000), 0)
    deck = list(match.variant.deck(match.options))
    rng.shuffle(deck)
    match = deal(match, tuple(deck))[0]
    while match.phase is not Phase.ROUND_END:
        seats = seats_to_act(match)
        action = Novice().choose(view(match, seats[0]), rng) if seats else CloseWindow()
        assert action is not None
        match = apply(match, action)[0]
        if match.phase not in {Phase.GRAND, Phase.EXCHANGE, Phase.WINDOW}:
            yield match


def picture(shown: TableScene) -> Image.Image:
    """Return the picture of a scene, in the size and the colours of the animation."""
    whole = compose(shown)
    small = whole.resize((WIDTH, WIDTH * whole.height // whole.width), Image.Resampling.LANCZOS)
    return small.quantize(palette=palette(), dither=Image.Dither.NONE)


if __name__ == "__main__":
    main()
