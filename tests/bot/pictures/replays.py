"""Positions of finished rounds whose pictures are looked at: every game, and what is hard."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import cache, partial

from bot.pictures.replay.contents import replay_scene
from bot.pictures.replay.scene import ReplayScene
from bot.table.state import Game
from cogs.pages.hand.card_order import in_display_order
from engine import Match, Phase, Seat
from tests.bot.pictures.scenes import FOUR, LONG, NANJING, SIX, WORDS, game, until, walked
from tests.bot.positions import TIENTSIN, TRICHU, lords, position

HANDS = {
    0: "MAHJONG J2 S2 P3 T3 J6 S6 S8 T9 JQ SK SA DRAGON",
    1: "DOG J3 S4 P4 T6 P7 S9",
    2: "S5 J9 PHOENIX",
    3: "J4 S3 P5 T8 P9 J10 S10 PJ TQ PA TA JA JK TK",
}
ALL = range(14)
"""All seats of any game."""


def shown(of: Game, opened: Collection[Seat] = ALL) -> ReplayScene:
    """Return the scene of a position, with these hands open."""
    in_order = partial(in_display_order, sorting="dog_first")
    return replay_scene(of, opened, ("trick 5", "17/93"), WORDS, in_order)


def _four(names: Sequence[str] = FOUR, *, out: Sequence[Seat] = ()) -> Game:
    match = position(
        NANJING,
        "TURN 0",
        *("round 3 dealer 0", "totals 240 310", "calls tichu - - grand", "wish 8"),
        hands={seat: hand for seat, hand in HANDS.items() if seat not in out},
        out=out,
        trick="1 J7,S7 | 2 J8,P8 | 3 pass",
    )
    return game(match, names, computers=[3])


def _over(seed: int) -> Match:
    return until(NANJING, Phase.ROUND_END, seed)


REPLAYS: dict[str, Callable[[], ReplayScene]] = {
    "trick-4": lambda: shown(_four()),
    "seat-4": lambda: shown(_four(), (0,)),
    "hidden-4": lambda: shown(_four(), ()),
    "long-names-4": lambda: shown(_four(LONG[:4])),
    "deal-4": lambda: shown(game(until(NANJING, Phase.GRAND, 1), FOUR)),
    "end-4": lambda: shown(game(_over(2), FOUR)),
    "trick-3": lambda: shown(game(walked(TRICHU, 60, 3), FOUR[:3])),
    "trick-6": lambda: shown(game(walked(TIENTSIN, 90, 4), SIX)),
    "trick-5": lambda: shown(game(walked(lords(5), 70, 5), SIX[:5])),
    "trick-12": lambda: shown(game(until(lords(12), Phase.TURN, 6), LONG)),
}


@cache
def replay(name: str) -> ReplayScene:
    """Return a sample."""
    return REPLAYS[name]()
