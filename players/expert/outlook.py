"""Judgement of the public position by a seat: plays that win, and threats.

The row holds all hands, but only the number of cards of the other hands is read here.
`players.novice.outlook` has the Novice's version; a test checks that both agree.
"""

from __future__ import annotations

from engine import CardSet, Rank, Seat
from players.expert import layout
from players.expert import weights as weight
from players.expert.compiled import compiled, count
from players.expert.layout import Row
from players.expert.rules import cards_of_rank
from players.expert.weights import Weights


@compiled
def unseen(row: Row, seat: Seat) -> CardSet:
    """Return the cards that are hidden from `seat`."""
    hidden = layout.DECK & ~row[layout.PLAYED] & ~row[layout.HAND + seat]
    if row[layout.SEES + seat]:
        for other in range(row[layout.GAME_SEATS]):
            if row[layout.SEES + seat] >> other & 1:
                hidden &= ~row[layout.HAND + other]
    return hidden


@compiled
def _can_form_run(left: CardSet, top: Rank, length: int, each: int, wild: int) -> int:
    """Return 1 if the cards `left` can form a run with the highest rank `top`, else 0.

    The run has `length` ranks with `each` cards of every rank. `wild` is the number of Phoenixes.
    """
    missing = 0
    for rank in range(max(2, top - length + 1), top + 1):
        missing += max(0, each - count(left & cards_of_rank(rank)))
    return 1 if missing <= wild else 0


@compiled
def _count_beating_ways(left: CardSet, kind: int, size: int, key: int) -> int:
    """Return the number of ways in which the cards `left` could beat a play.

    Against a single each higher card is one way; against other plays, each rank of a higher play.
    """
    wild = 1 if left & layout.PHOENIX else 0
    if kind == layout.SINGLE:
        if key == layout.DRAGON_KEY:
            return 0
        rank = max(2, key // 2 + 1)
        higher = count((left & layout.NATURALS) >> 4 * (rank - 2))
        return higher + wild + (1 if left & layout.DRAGON else 0)
    ways, rank = 0, key // 2
    if kind == layout.STRAIGHT:
        for top in range(rank + 1, 15):
            ways += _can_form_run(left, top, size, 1, wild)
        return ways
    if kind == layout.STAIRS:
        for top in range(rank + 1, 15):
            ways += _can_form_run(left, top, size // 2, 2, wild)
        return ways
    needed = 2 if kind == layout.PAIR else 3
    for higher in range(rank + 1, 15):
        naturals = count(left & cards_of_rank(higher))
        if naturals and naturals + wild >= needed:
            ways += 1
    return ways


@compiled
def can_beat(hand: CardSet, kind: int, size: int, key: int) -> bool:
    """Return whether an open hand can beat a play, bombs aside."""
    if (
        kind >= layout.FOUR_BOMB
        or count(hand) < size
        or _count_beating_ways(hand, kind, size, key) == 0
    ):
        return False
    if kind != layout.FULL_HOUSE:
        return True
    wild = 1 if hand & layout.PHOENIX else 0
    for higher in range(key // 2 + 1, 15):
        # Phoenixes left for the pair; negative if the triple cannot be formed.
        wild_left = wild - max(0, 3 - count(hand & cards_of_rank(higher)))
        for rank in range(2, 15):
            if (
                wild_left >= 0
                and rank != higher
                and count(hand & cards_of_rank(rank)) + wild_left >= 2
            ):
                return True
    return False


@compiled
def win_chance(row: Row, seat: Seat, kind: int, size: int, key: int, weights: Weights) -> float:
    """Return the estimated chance that no opponent beats this play of `seat`, bombs aside.

    Each way to beat it is used with the same chance, which depends on the kind of the play and on
    the share of the hidden cards that opponents hold.
    """
    if kind == layout.DOG:
        return 0.0
    if kind >= layout.FOUR_BOMB:
        return 1.0
    hidden, rival_cards, enough_cards, seen_chance = unseen(row, seat), 0, False, 1.0
    for other in range(row[layout.GAME_SEATS]):
        if row[layout.TEAM + other] != row[layout.TEAM + seat]:
            cards = count(row[layout.HAND + other])
            if row[layout.SEES + seat] >> other & 1:
                if can_beat(row[layout.HAND + other], kind, size, key):
                    seen_chance *= 1.0 - weights[weight.SEEN_BEATS]
            else:
                rival_cards += cards
                enough_cards = enough_cards or cards >= size
    if not enough_cards:
        return seen_chance
    if kind == layout.SINGLE:
        way_chance = weights[weight.BEAT_SINGLE]
    elif kind == layout.PAIR:
        way_chance = weights[weight.BEAT_PAIR]
    elif kind == layout.TRIPLE:
        way_chance = weights[weight.BEAT_TRIPLE]
    elif kind == layout.FULL_HOUSE:
        way_chance = weights[weight.BEAT_FULL_HOUSE]
    else:
        way_chance = weights[weight.BEAT_RUN]
    share = min(1.0, rival_cards / max(1, count(hidden)))
    return seen_chance * (1.0 - way_chance * share) ** _count_beating_ways(hidden, kind, size, key)


@compiled
def has_open_call(row: Row, seat: Seat) -> bool:
    """Return whether a call of this seat can still succeed."""
    return row[layout.CALL + seat] > 0 and row[layout.OUT_COUNT] == 0


@compiled
def partner_has_open_call(row: Row, seat: Seat) -> bool:
    """Return whether a partner's call can still succeed, so that `seat` must not go out first."""
    if row[layout.OUT_COUNT]:
        return False
    for other in range(row[layout.GAME_SEATS]):
        if (
            other != seat
            and row[layout.TEAM + other] == row[layout.TEAM + seat]
            and row[layout.CALL + other] > 0
        ):
            return True
    return False


@compiled
def danger(row: Row, seat: Seat, weights: Weights) -> float:
    """Return the urgency of stopping this opponent from going out: 0 is none, 1 is high."""
    cards = count(row[layout.HAND + seat])
    if not cards:
        return 0.0
    if has_open_call(row, seat):
        is_tichu = row[layout.CALL + seat] == layout.TICHU_STAKE
        factor = 1.0 if is_tichu else weights[weight.GRAND]
        return factor * max(0.0, weights[weight.CALLED] + weights[weight.CALLED_CARD] * cards)
    near = max(0.0, weights[weight.NEAR] + weights[weight.NEAR_CARD] * cards)
    if not row[layout.SCORED]:
        return weights[weight.ALONE] * near
    if not row[layout.OUT_COUNT]:
        return near
    if row[layout.TEAM + row[layout.OUT]] == row[layout.TEAM + seat]:
        return weights[weight.NEAR_SECOND] * near  # this team may make a double victory
    return (1.0 + weights[weight.NEAR_SWEEP]) * near
