"""Of several equally good choices, the one a person would take comes first."""

from __future__ import annotations

from engine import Bomb, Match, Play, read_cards, view, write_action
from players.expert.ties import tie_order
from tests.players.novice.table import position

STARTED = ("started 0 1 2 3",)


def order(match: Match, seat: int = 0) -> list[str]:
    """Return all legal actions of a seat in the order of `ties`."""
    seen = view(match, seat)
    return [write_action(a) for a in sorted(seen.actions, key=lambda a: tie_order(seen, a))]


def test_a_partners_trick_is_left_to_them() -> None:
    assert order(position("TURN 0", "S9 JA", "2 P8", lines=STARTED)) == [
        "pass",
        "play:S9",
        "play:JA",
    ]


def test_an_opponents_trick_is_taken() -> None:
    for opponent in (1, 3):
        match = position("TURN 0", "S9 JA", f"{opponent} P8", lines=STARTED)
        assert order(match) == ["play:S9", "play:JA", "pass"]


def test_it_is_the_same_for_every_seat() -> None:
    """Seats 1 and 3 are partners, too."""
    partner, opponent = (
        position("TURN 1", "S9", f"{top} P8", lines=STARTED, seat=1) for top in (3, 0)
    )
    assert order(partner, 1) == ["pass", "play:S9"]
    assert order(opponent, 1) == ["play:S9", "pass"]


def test_the_dragon_and_the_phoenix_are_kept() -> None:
    """Also where more cards could be laid with the Phoenix."""
    found = order(position("LEAD 0", "JK SK DRAGON PHOENIX", lines=STARTED))
    assert found[:3] == ["play:JK,SK", "play:JK", "play:SK"]
    assert found[3:] == [
        "play:PHOENIX=K,JK,SK",
        "play:PHOENIX=K,JK",
        "play:PHOENIX=K,SK",
        "play:PHOENIX",
        "play:DRAGON",
    ]
    found = order(position("TURN 0", "JA DRAGON PHOENIX", "1 P8", lines=STARTED))
    assert found == ["play:JA", "play:PHOENIX", "play:DRAGON", "pass"]


def test_many_cards_are_laid_before_few() -> None:
    found = order(position("LEAD 0", "J4 JK SK PK", lines=STARTED))
    assert found[0] == "play:JK,SK,PK"
    assert found[-4:] == ["play:J4", "play:JK", "play:SK", "play:PK"]


def test_low_cards_are_laid_before_high_ones() -> None:
    found = order(position("LEAD 0", "J4 S4 J9 S9 JQ", lines=STARTED))
    assert found[:2] == ["play:J4,S4", "play:J9,S9"]
    assert found[2::2] == ["play:J4", "play:J9", "play:JQ"]


def test_nothing_is_bombed_that_need_not_be() -> None:
    hand = "J9 S9 P9 T9 J10 S10 P10 T10 JK"
    found = order(position("WINDOW 0", hand, "1 P8", lines=STARTED))
    assert found == ["waive", "bomb:J9,S9,P9,T9", "bomb:J10,S10,P10,T10"]


def test_a_bomb_in_turn_comes_after_all_other_plays() -> None:
    """Although it has four or five cards; all others keep their order."""
    found = order(position("LEAD 0", "J5 J6 J7 J8 J9 S9 P9 T9 DRAGON", lines=STARTED))
    bombs = [found.index(f"play:{cards}") for cards in ("J5,J6,J7,J8,J9", "J9,S9,P9,T9")]
    assert sorted(bombs) == [len(found) - 2, len(found) - 1]
    found = order(position("TURN 0", "J9 S9 P9 T9 JK", "1 P8", lines=STARTED))
    assert found[-2:] == ["play:J9,S9,P9,T9", "pass"]


def test_a_bomb_out_of_turn_comes_after_all_plays() -> None:
    """Even after one with the Dragon."""
    seen = view(position("LEAD 0", "J9 S9 P9 T9 DRAGON", lines=STARTED), 0)
    bomb, dragon = Bomb(0, read_cards("J9 S9 P9 T9")), Play(0, read_cards("DRAGON"))
    assert tie_order(seen, dragon) < tie_order(seen, bomb)
