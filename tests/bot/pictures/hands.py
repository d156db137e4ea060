"""Private hands whose pictures are looked at: every game, every question, and what is hard."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, partial

from bot.pictures.hand.contents import hand_scene
from bot.pictures.hand.scene import HandScene
from bot.records import Sorting
from bot.table.state import Game
from cogs.pages.hand.card_order import in_display_order
from engine import Match
from tests.bot.pictures.scenes import (
    EIGHT,
    FOUR,
    LONG,
    LONG_STRAIGHT,
    NANJING,
    SHORTER,
    SIX,
    TWELVE,
    WORDS,
    begun_second,
    game,
)
from tests.bot.positions import TIENTSIN, TRICHU, begun, declined, lords, passed, position

ADA = "J2 S3 P4 T5 J6 S6 P8 T9 JQ SK PA DRAGON"
ONE = "J2 S3 J4 S5 J6 P7 J8 S8 P8 TK TA"
DOUBLE = "J2 S2 P3 T3 P6#2 T9#2 JQ#2 SK#2 TK#2 SA#2 DRAGON#2 PHOENIX"
TABLE = "J2 S2 P3 T4 J6 S6 P7 T9 J10 SQ PK TA PHOENIX"
THREE = ("Ada", "Ben", "Cleo")


def shown(of: Game, chair: int, sorting: Sorting = "dog_first") -> HandScene:
    """The scene of the hand of a chair that has cards."""
    scene = hand_scene(of, chair, WORDS, partial(in_display_order, sorting=sorting))
    assert scene is not None
    return scene


def _four(phase: str, *lines: str, names: Sequence[str] = FOUR, **more: object) -> Game:
    match = position(NANJING, phase, *lines, **more)  # type: ignore[arg-type]
    return game(match, names, computers=[3])


def _three(phase: str, trick: str, dealer: int = 1, **hands: str) -> Game:
    match = position(
        TRICHU,
        phase,
        f"round 2 dealer {dealer}",
        "order " + {0: "0 1 3 2", 1: "1 2 3 0", 2: "2 0 3 1"}[dealer],
        "teams " + {0: "0 1 1 0", 1: "1 0 1 0", 2: "1 1 0 0"}[dealer],
        "calls - tichu - -",
        hands={3: TABLE, dealer: "J3 S4 P5 T6 J7 S8 P9 T10 JJ SJ PQ JK SA DOG"},
        trick=trick,
    )
    return game(match, THREE)


def _lords(
    players: int,
    phase: str,
    trick: str,
    ranks: Sequence[int],
    seat: int,
    names: Sequence[str] = (),
    hand: str = DOUBLE,
) -> Game:
    hands = {seat: hand}
    match = position(lords(players), phase, trick=trick, hands=hands, ranks=ranks)
    return game(begun_second(match, ranks) if ranks else match, names, computers=[1])


def _received() -> Match:
    return passed(declined(begun(NANJING)))


HANDS: dict[str, tuple[Callable[[], Game], int]] = {
    "alone-4": (lambda: _four("TURN 1", hands={0: ADA}, trick="0 J8"), 0),
    "alone-7": (
        lambda: _four("TURN 1", hands={0: "DOG MAHJONG J2 S10 PK TA PHOENIX"}, trick="0 J8"),
        0,
    ),
    "alone-1": (lambda: _four("TURN 1", hands={0: "DRAGON"}, trick="0 J8"), 0),
    "turn-4": (
        lambda: _four(
            "TURN 0",
            "calls - - tichu -",
            "wish 9",
            hands={0: ADA},
            trick="1 J4,S4 | 2 J5,S5",
        ),
        0,
    ),
    "single-4": (
        lambda: _four("TURN 0", "calls grand tichu - -", hands={0: ADA}, trick="3 JK"),
        0,
    ),
    "nothing-4": (
        lambda: _four("TURN 0", hands={0: "J2 S3 P4 T5"}, out=(2,), trick="3 JA"),
        0,
    ),
    "straight-4": (
        lambda: _four(
            "TURN 0",
            "calls grand tichu tichu grand",
            hands={0: "J2 S2 P2 T2 S3 P4 T5 S6 P7 T8 J9 S10 PJ DRAGON"},
            trick="2 J3,S4,P5,T6,J7,S8,P9,T10,JJ,SQ,PK,TA | 3 pass",
            names=LONG[:4],
        ),
        0,
    ),
    "lead-4": (lambda: game(_received(), FOUR), 0),
    "grand-4": (lambda: game(begun(NANJING), FOUR, computers=[3]), 0),
    "exchange-4": (lambda: game(declined(begun(NANJING)), FOUR), 2),
    "bomb-4": (
        lambda: _four(
            "TURN 1", hands={0: "J7 S7 P7 T7 J8 S10 PA"}, trick="2 J9,S9,P9,T3,J3 | 3 pass | 0 pass"
        ),
        0,
    ),
    "gift-4": (
        lambda: _four("GIFT 0", hands={0: "J2 S3 P4"}, trick="0 DRAGON | 1 pass | 2 pass | 3 pass"),
        0,
    ),
    "dealer-3": (lambda: _three("TURN 1", "0 P8 | 2 T8"), 1),
    "table-3": (lambda: _three("TURN 3", "2 P8"), 1),
    "alone-3": (lambda: _three("TURN 2", "1 P8"), 1),
    "other-3": (lambda: _three("TURN 2", "1 J8,P8"), 2),
    "turn-6": (
        lambda: game(
            position(
                TIENTSIN,
                "TURN 2",
                "calls - grand - - tichu -",
                hands={2: "J2 S3 P4 T5 J6 S6 J7 S7 JQ SK"},
                trick="0 S8,P8,S9,T9 | 1 J10,S10,PJ,TJ",
            ),
            SIX,
            computers=[3, 5],
        ),
        2,
    ),
    "turn-5": (lambda: _lords(5, "TURN 3", "2 S6,P6,T6", (), 3, hand=ONE), 3),
    "turn-8": (lambda: _lords(8, "TURN 0", "6 J8,S8,J8#2 | 7 JK,SK,JK#2", EIGHT, 0), 0),
    "turn-12": (
        lambda: _lords(12, "TURN 9", f"7 {SHORTER} | 8 {LONG_STRAIGHT}", TWELVE, 9, LONG),
        9,
    ),
    "exchange-12": (lambda: game(begun(lords(12), ranks=TWELVE), LONG), TWELVE[-1]),
}
"""Name -> what makes the table, and the chair of the reader."""


@cache
def hand(name: str) -> HandScene:
    """The scene of the hand of this name."""
    make, chair = HANDS[name]
    return shown(make(), chair)
