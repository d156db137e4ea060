"""The reason for the best action: one for each position, from the seat's view."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine import (
    Action,
    AnswerGrand,
    Bomb,
    CallTichu,
    GiveTrick,
    Options,
    Pass,
    PassCards,
    Play,
    Waive,
    card_set,
    deal,
    new_match,
    read_card,
    view,
)
from players.levels import advise
from players.reasons import Cause, Explanation, explain
from tests.players.novice.table import position

CALLED = "calls - tichu - -"


def play(text: str, phoenix: tuple[int, ...] = ()) -> Play:
    return Play(0, card_set(read_card(word) for word in text.split()), phoenix=phoenix)


def bomb(text: str) -> Bomb:
    return Bomb(0, play(text).cards)


TAKEN = "0 DRAGON | 1 pass | 2 pass | 3 pass"
STRAIGHT = "J3 S4 P5 T6 J7"
FOUR = "J8 S8 P8 T8"
CASES: tuple[tuple[str, str, str, Action, Action | None, Explanation | None], ...] = (
    ("LEAD 0", "J9 S9", "-", play("J9 S9"), None, Explanation(Cause.OUT)),
    ("LEAD 0|out 2", "J9 S9", "-", play("J9 S9"), None, Explanation(Cause.TEAM_OUT)),
    ("LEAD 0|out 1 2", "J9 S9", "-", play("J9 S9"), None, Explanation(Cause.OUT)),
    ("TURN 0|1 card", "J9 SK JA", "2 P8", play("JA"), play("J9"), Explanation(Cause.ONE_CARD, 3)),
    ("TURN 0|" + CALLED, "J9 SK JA", "1 P8", play("JA"), Pass(0), Explanation(Cause.CALLED, 1)),
    ("TURN 0|" + CALLED, "J9 SK JA", "3 P8", play("J9"), Pass(0), None),
    ("TURN 0|1 card", "J9 SK JA", "2 P8", play("J9"), play("JA"), Explanation(Cause.KEEPS_ACE)),
    ("LEAD 0", "J9 SK DOG", "-", play("DOG"), play("J9"), Explanation(Cause.LEAD_TO_PARTNER, 2)),
    ("TURN 0", "JK J9 DRAGON", "1 P8", play("J9"), play("DRAGON"), Explanation(Cause.KEEPS_DRAGON)),
    ("TURN 0", "JK J9 PHOENIX", "1 P8", Pass(0), play("PHOENIX"), Explanation(Cause.KEEPS_PHOENIX)),
    ("TURN 0", "JK J9 JA", "1 P8", Pass(0), play("JA"), Explanation(Cause.KEEPS_ACE)),
    ("TURN 0", "J9 JA DRAGON", "1 PK", play("DRAGON"), play("JA"), Explanation(Cause.HIGHEST)),
    ("TURN 0", "J9 " + FOUR, "1 P7", play("J9"), play("J8"), Explanation(Cause.KEEPS_BOMB)),
    ("TURN 0", "J9 P3 " + FOUR, "1 P10", Pass(0), play(FOUR), Explanation(Cause.KEEPS_BOMB)),
    ("TURN 0", "JJ S3 P4", "1 P10", play("JJ"), Pass(0), None),
    (
        "TURN 0",
        "JK SK S3",
        "1 P10,T10",
        play("JK SK"),
        Pass(0),
        Explanation(Cause.POINTS, number=20),
    ),
    (
        "LEAD 0",
        STRAIGHT + " SK",
        "-",
        play(STRAIGHT),
        None,
        Explanation(Cause.MANY_CARDS, number=5),
    ),
    ("LEAD 0", "J3 SK PQ", "-", play("J3"), play("PQ"), Explanation(Cause.LOW_CARDS)),
    ("LEAD 0", STRAIGHT + " S2", "-", play("S2"), play(STRAIGHT), None),
    ("WINDOW 1", "J9 " + FOUR, "2 PK,TK", bomb(FOUR), Waive(0), None),
    ("LEAD 0", "J3 SK PQ", "-", play("PQ"), play("J3"), Explanation(Cause.HARDER_TO_BEAT)),
    ("TURN 0", "J9 S9 PK", "1 P8", play("PK"), play("J9"), Explanation(Cause.KEEPS_TOGETHER)),
    ("TURN 0", "J9 S9 P3", "1 P8", Pass(0), play("J9"), Explanation(Cause.KEEPS_TOGETHER)),
    ("TURN 0", "J9 SJ P3", "1 P8", play("J9"), play("SJ"), Explanation(Cause.KEEPS_HIGHER)),
    ("TURN 0", "J9 SJ P3", "1 P8", Pass(0), play("SJ"), Explanation(Cause.KEEPS_HIGHER)),
    ("TURN 0", "J9 SJ P3", "1 P8", Pass(0), play("J9"), None),
    ("LEAD 0", "J9 S9 P8 T2", "-", play("J9 S9"), play("P8"), Explanation(Cause.LIKELY)),
    ("TURN 0", "J9 SK JA", "2 P8", Pass(0), play("JA"), Explanation(Cause.PARTNERS_TRICK, 2)),
    ("WINDOW 1", "J9 " + FOUR, "0 S9", Waive(0), bomb(FOUR), Explanation(Cause.OWN_TRICK)),
    ("WINDOW 3", "J9 " + FOUR, "2 S9", Waive(0), bomb(FOUR), Explanation(Cause.PARTNERS_TRICK, 2)),
    ("WINDOW 2", "J9 " + FOUR, "1 S9", Waive(0), bomb(FOUR), Explanation(Cause.KEEPS_BOMB)),
    (
        "WINDOW 2",
        "J9 " + FOUR,
        "1 PK,TK",
        bomb(FOUR),
        Waive(0),
        Explanation(Cause.POINTS, number=20),
    ),
    ("WINDOW 2", FOUR, "1 S9", bomb(FOUR), Waive(0), Explanation(Cause.OUT)),
    (
        "GIFT 0",
        "J9 S3",
        TAKEN,
        GiveTrick(0, 3),
        None,
        Explanation(Cause.MOST_CARDS, 3),
    ),
    ("GIFT 0", "J9 S3", TAKEN, GiveTrick(0, 1), None, None),
)


def test_reasons(subtests: pytest.Subtests) -> None:
    for phase, hand, trick, best, other, wanted in CASES:
        kind, _, more = phase.partition("|")
        sizes = {1: 7, 3: 1 if more == "1 card" else 8}
        lines = [more] if more and more != "1 card" else []
        if "out" in more:
            sizes |= dict.fromkeys(map(int, more.split()[1:]), 0)
        seen = view(position(kind, hand, trick, sizes, lines), 0)
        with subtests.test(f"{phase}: {hand} on {trick}"):
            assert explain(seen, best, other) == wanted


def passed(*cards: str) -> PassCards:
    """Return a gift of these cards to the left, the partner and the right."""
    return PassCards(0, tuple((to, play(card).cards) for to, card in enumerate(cards, 1)))


EXCHANGES: tuple[tuple[str, PassCards, PassCards | None, Explanation | None], ...] = (
    (
        "JA DRAGON J2",
        passed("J3", "JK", "J2"),
        passed("J3", "JA", "J2"),
        Explanation(Cause.KEEPS_ACE),
    ),
    (
        "JQ J2 " + FOUR,
        passed("J2", "JQ", "J3"),
        passed("J2", "J8", "J3"),
        Explanation(Cause.KEEPS_BOMB),
    ),
    ("JQ J2 " + FOUR, passed("J2", "JQ", "J8"), None, Explanation(Cause.HIGH_TO_PARTNER, 2)),
    ("PHOENIX J2", passed("J2", "PHOENIX", "J8"), None, Explanation(Cause.HIGH_TO_PARTNER, 2)),
    (
        "J9 J2 J3",
        passed("J2", "J9", "J3"),
        passed("J2", "J9", "JQ"),
        Explanation(Cause.LOW_TO_OTHERS),
    ),
    ("J9 J2 J3", passed("J2", "J9", "J3"), passed("J2", "J9", "J4"), None),
    ("J9 J2 JK", passed("J2", "J9", "JK"), None, None),
    ("J9 J2 DOG", passed("J2", "J9", "DOG"), None, None),
)


def test_reasons_of_an_exchange(subtests: pytest.Subtests) -> None:
    for hand, best, other, wanted in EXCHANGES:
        seen = view(position("EXCHANGE 0", hand), 0)
        with subtests.test(f"{hand}: {best}"):
            assert explain(seen, best, other) == wanted


def test_reasons_of_a_wish() -> None:
    """A rank passed to an opponent, not one passed to a partner."""
    seen = view(position("LEAD 0", "MAHJONG J9 SK", "-"), 0)
    gifts = ((0, 1, play("J5").cards), (0, 2, play("J6").cards), (3, 0, play("J7").cards))
    seen = replace(seen, known_gifts=gifts)
    lead = play("MAHJONG")
    assert explain(seen, lead._replace(wish=5), None) == Explanation(Cause.WISH_FOR_GIFT, 1)
    for rank in (6, 7, 8):
        assert explain(seen, lead._replace(wish=rank), None) is None


def test_reasons_of_calls() -> None:
    """Their probability, in steps; no reason if it is unknown."""
    seen = view(position("LEAD 0", "JA J9 SK", "-"), 0)
    for action in (CallTichu(0), AnswerGrand(0, True), AnswerGrand(0, False)):
        assert explain(seen, action, None, 0.68) == Explanation(Cause.CHANCE, number=70)
        assert explain(seen, action, None) is None
    for chance, told in ((0.0, 5), (0.01, 5), (0.999, 95)):
        assert explain(seen, CallTichu(0), None, chance) == Explanation(Cause.CHANCE, number=told)


def test_advice_about_a_call_tells_its_chance() -> None:
    match, _ = deal(new_match(Options()), range(56))
    (best, other) = advise(view(match, 0), 1, 0.0, 240)
    assert best.explanation is not None
    assert best.explanation.cause is Cause.CHANCE
    assert other.explanation is None


def test_advice_comes_with_its_reason() -> None:
    seen = view(position("TURN 0", "J9 S9", "1 P8,T8", lines=["started 0 1 2 3"]), 0)
    assert [advice.explanation for advice in advise(seen, 1, 0.0, 240)] == [
        Explanation(Cause.OUT),
        None,
    ]
