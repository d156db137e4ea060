"""Customs: bonuses for what people do, in points."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

import pytest

from engine import Match, Pass, PassCards, View, read_cards, view, write_action
from players.expert import thinking
from players.expert.choices import Choice, choice_of, choices
from players.expert.customs import custom
from players.expert.kernels import Kernels
from players.expert.thinking import Expert
from players.limit import Limit
from tests.players.novice.table import position

STARTED = ("started 0 1 2 3",)
KERNELS = Kernels()


def customs(match: Match, *actions: str) -> list[float]:
    """Return the bonus of each of these actions of seat 0, in notation."""
    seen = view(match, 0)
    found = {
        write_action(choice.action): custom(seen, choice, KERNELS)
        for choice in choices(seen, 0, KERNELS)
    }
    return [found[action] for action in actions]


def turn(
    hand: str, trick: str, sizes: Mapping[int, int] | None = None, lines: Sequence[str] = STARTED
) -> Match:
    return position("TURN 0", hand, trick, sizes or {}, lines)


def test_people_go_out() -> None:
    out, passed = customs(turn("JA", "1 P4"), "play:JA", "pass")
    assert out > passed


def test_a_partners_trick_is_not_beaten_with_high_cards() -> None:
    match = turn("S9 JK J8 S8 P8 PHOENIX T2", "2 P7")
    low, high, phoenix, passed = customs(match, "play:S9", "play:JK", "play:PHOENIX", "pass")
    assert high == phoenix < passed == low
    long, passed = customs(turn("J8 S8 P8 T2", "2 J7,S7,P7"), "play:J8,S8,P8", "pass")
    assert long < passed
    pair, phoenix, passed = customs(
        turn("J9 S9 PHOENIX T2", "2 P7,S7"), "play:J9,S9", "play:PHOENIX=9,J9", "pass"
    )
    assert phoenix < passed == pair
    high, passed = customs(turn("S9 JK T2", "1 P7"), "play:JK", "pass")
    assert high == passed, "an opponent's trick"


def test_a_loose_card_beats_an_opponents_single() -> None:
    match = turn("J8 J10 S10 JA PHOENIX", "1 P7")
    loose, pair, ace, phoenix, passed = customs(
        match, "play:J8", "play:J10", "play:JA", "play:PHOENIX", "pass"
    )
    assert loose > pair == ace == phoenix == passed


def test_bombs_are_kept_whole() -> None:
    match = turn("J8 S8 P8 T8 J9 JQ", "1 P7")
    broken, loose, bomb = customs(match, "play:J8", "play:J9", "play:J8,S8,P8,T8")
    assert broken < bomb < loose
    broken, bomb = customs(turn("J8 S8 P8 T8 J9", "2 P7"), "play:J8", "play:J8,S8,P8,T8")
    assert broken == bomb < 0, "also from a bomb on the partner's trick"


def test_no_single_is_led_to_a_last_card() -> None:
    hand = "J4 S4 J9 JA"
    single, ace, pair = (f"play:{cards}" for cards in ("J9", "JA", "J4,S4"))
    last = position("LEAD 0", hand, sizes={1: 1}, lines=STARTED)
    low, high, long = customs(last, single, ace, pair)
    assert low < high == long
    for sizes in ({1: 2}, {2: 1}):  # more cards, or the partner's last one
        assert customs(position("LEAD 0", hand, sizes=sizes, lines=STARTED), single) == [0]


def test_the_dog_is_led_to_a_partner() -> None:
    hand = "DOG J4 S4"
    assert customs(position("LEAD 0", hand, lines=STARTED), "play:DOG") == [0]
    alone = position("LEAD 0", hand, sizes={2: 0}, lines=(*STARTED, "out 2"))
    dog, pair = customs(alone, "play:DOG", "play:J4,S4")
    assert dog < pair


def test_a_partner_gets_good_cards() -> None:
    seen = view(turn("J4 S5 P8 JJ PA PHOENIX DOG", "1 P7"), 0)
    gifts = [
        PassCards(0, ((1, read_cards("J4")), (2, read_cards(card)), (3, read_cards("S5"))))
        for card in ("DOG", "P8", "JJ", "PA", "PHOENIX")
    ]
    dog, eight, jack, ace, phoenix = [
        custom(seen, choice_of(seen, gift), KERNELS) for gift in gifts
    ]
    assert dog < eight < jack < ace == phoenix


@pytest.mark.parametrize("game, passes", [("nanjing", True), ("grandseigneur", False)])
def test_an_expert_has_customs_in_games_with_points(
    game: str, passes: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    def likes_passes(view: View, choice: Choice, kernels: Kernels) -> float:
        return 1000.0 * isinstance(choice.action, Pass)

    monkeypatch.setattr(thinking, "custom", likes_passes)
    seen = view(position("TURN 0", "JA", "1 P4", lines=STARTED, game=game), 0)
    action = Expert(KERNELS).choose(seen, random.Random(1), Limit(0.0, 12))
    assert isinstance(action, Pass) == passes
