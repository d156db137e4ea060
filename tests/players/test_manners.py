"""Preferences of each manner, which decide between choices that are about equally good."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

import pytest

from engine import (
    Action,
    AnswerGrand,
    Bomb,
    CallTichu,
    Pass,
    PassCards,
    Play,
    Waive,
    card_set,
    read_card,
    view,
    write_action,
)
from players.levels import LEVELS, Level, choose
from players.manners import STEADY, TASTES, Manner, liking
from players.novice.player import Novice
from tests.players.novice.table import position

NEAR_A_CALL = "S2 P5 P6 P7 P8 J9 S9 T9 T10 TQ JA SA TA DRAGON"
"""A hand just good enough for a Novice's Tichu."""
TOSS_UP = "J4 S5 P8 T9 JJ SQ PQ"


def cards(text: str) -> int:
    return card_set(read_card(word) for word in text.split())


def test_each_manner_has_its_likes(subtests: pytest.Subtests) -> None:
    partners = view(position("TURN 0", TOSS_UP, "2 S10"), 0)
    opponents = view(position("TURN 0", TOSS_UP, "1 S10"), 0)
    tastes = TASTES["bold"], TASTES["careful"], TASTES["helpful"]

    def likes(action: Action, *, bomb: bool = False, partner: bool = False) -> list[float]:
        seen = partners if partner else opponents
        assert liking(STEADY, seen, action, bomb=bomb) == 0
        return [liking(taste, seen, action, bomb=bomb) for taste in tastes]

    four = cards("J8 S8 P8 T8")
    daring: Sequence[tuple[Action, bool]] = (
        (CallTichu(0), False),
        (AnswerGrand(0, True), False),
        (Bomb(0, four), True),
        (Play(0, four), True),
    )
    for action, bomb in daring:
        with subtests.test(write_action(action)):
            bold, careful, helpful = likes(action, bomb=bomb)
            assert bold > 0 == helpful > careful
    plain: Sequence[Action] = (AnswerGrand(0, False), Play(0, cards("PQ")), Waive(0))
    for action in plain:
        with subtests.test(write_action(action)):
            assert likes(action) == [0, 0, 0]
    with subtests.test("passing"):
        bold, careful, helpful = likes(Pass(0))
        assert bold < 0 == helpful < careful
        assert likes(Pass(0), partner=True)[2] > 0
        assert likes(Play(0, cards("DOG")))[2] > 0
    with subtests.test("gifts"):
        given = [
            likes(PassCards(0, ((1, cards("J4")), (2, cards(best)), (3, cards("S5")))))
            for best in ("JJ", "PA", "PHOENIX")
        ]
        (_, _, jack), (bold, careful, ace), (_, _, phoenix) = given
        assert bold == careful == 0 < jack < ace == phoenix


def test_a_manner_decides_a_novices_close_calls() -> None:
    seen = view(position("LEAD 0", NEAR_A_CALL, sizes={1: 14, 2: 14, 3: 14}), 0)
    called: Mapping[Manner, bool] = {
        manner: isinstance(Novice().choose(seen, random.Random(1), taste), CallTichu)
        for manner, taste in TASTES.items()
    }
    assert called == {"steady": True, "bold": True, "careful": False, "helpful": True}


def test_a_regular_does_not_mind_how_much_time_there_is() -> None:
    seen = view(position("LEAD 0", TOSS_UP, lines=["started 0 1 2 3"]), 0)
    stopped = choose("regular", seen, 1, 9.0, stop=lambda: True)
    assert stopped is not None, "it answers at once when it has to"
    assert choose("regular", seen, 1, 0.0) == choose("regular", seen, 1, 9.0)


@pytest.mark.parametrize("level", LEVELS)
def test_a_manner_does_not_throw_points_away(level: Level) -> None:
    """Players of every manner go out when they can."""
    seen = view(position("TURN 0", "J9 S9", "1 P8,T8", lines=["started 0 1 2 3"]), 0)
    for manner in TASTES:
        action: Action | None = choose(level, seen, 1, 0.0, 240, manner=manner)
        assert action is not None
        assert write_action(action) == "play:J9,S9"
