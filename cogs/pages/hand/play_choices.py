"""Plays offered on the hand page, their order, and button ids.

All of them are legal actions of the view. Their order comes from `_cost` and not from the rules:
the most natural plays come first.
"""

from __future__ import annotations

from typing import NamedTuple

from cogs.pages.controls import BUTTONS_PER_ROW
from engine import (
    CARDS_OF_RANK,
    DRAGONS,
    MAHJONGS,
    NATURALS,
    PHOENIXES,
    RANKS,
    CardSet,
    Combination,
    Kind,
    NotationError,
    Play,
    Rank,
    View,
    readings,
    with_key_on,
)

MOST_OFFERED = 25
"""The number of options that fit into one select."""
_END_OF_SETS = 1 << 112
"""First number that is no set of cards, because two decks have 112 cards."""


def write_choice(cards: CardSet, phoenix: tuple[Rank, ...] = ()) -> str:
    """Return a play as short text for a button's id; `read_choice` parses it.

    It contains the set of cards in hexadecimal, then the ranks of the Phoenixes.
    """
    return f"{cards:x}" + "".join(f".{rank}" for rank in phoenix)


def read_choice(text: str) -> tuple[CardSet, tuple[Rank, ...]]:
    """Parse the text of `write_choice`: the set of cards and the Phoenix ranks.

    Raises `NotationError` for any other text.
    """
    cards, *ranks = text.split(".")
    try:
        choice = int(cards, 16), tuple(int(rank) for rank in ranks)
    except ValueError:
        raise NotationError("not a choice of cards") from None
    if not 0 < choice[0] < _END_OF_SETS or not set(choice[1]) <= set(RANKS):
        raise NotationError("not a choice of cards")
    return choice


def legal_combinations(view: View) -> list[Combination]:
    """Return the different combinations among the view's legal plays."""
    combinations: dict[tuple[CardSet, tuple[Rank, ...]], Combination] = {}
    for action in view.actions:
        if isinstance(action, Play):
            phoenix = action.phoenix or ()
            if (action.cards, phoenix) not in combinations:
                for reading in readings(action.cards):
                    if reading.phoenix == phoenix:
                        combinations[action.cards, phoenix] = with_key_on(reading, view.top)
    return list(combinations.values())


class Offer(NamedTuple):
    """The plays that a page offers by name."""

    best: tuple[Combination, ...]
    """The most natural plays, for buttons; on a lead at least one of each kind, but no bomb."""
    more: tuple[Combination, ...]
    """Other plays, by kind and rank: for buttons if they fit into one row, else for a select."""


def offered_plays(view: View) -> Offer:
    """Return the most natural plays, of which no two look alike on buttons.

    The best ones leave the hand's bombs complete, if such plays exist. Single special cards are
    always offered, and bombs on a lead. For other bombs the page has a button **Bomb!**.
    """
    natural, others = _different_plays(view)
    without_bombs = [play for play in natural if not play.is_bomb]
    bombs = view.hand.bombs()
    keeping_bombs = [
        play for play in without_bombs if not any(play.cards & bomb.cards for bomb in bombs)
    ]
    without_bombs = keeping_bombs or without_bombs
    leading = view.top is None
    best: list[Combination] = []
    if leading:
        for play in without_bombs:
            if play.kind not in {other.kind for other in best}:
                best.append(play)
    most = max(len(best), BUTTONS_PER_ROW) if leading else BUTTONS_PER_ROW - 1  # beside **Pass**
    best = (best + [play for play in without_bombs if play not in best])[:most]
    more = [play for play in (*natural, *others) if play not in best]
    to_offer = sorted(more, key=lambda play: not _must_offer(play))[:MOST_OFFERED]
    return Offer(tuple(best), tuple(sorted(to_offer, key=_kind_key)))


def _different_plays(view: View) -> tuple[list[Combination], list[Combination]]:
    """Return the plays that look different on buttons, each list in order of their cost.

    Plays look alike if they differ only in suits, or in the card that the Phoenix replaces. The
    first list has the most natural play of each shape and rank. A shape is a kind and a number of
    cards. Plays in which the Phoenix replaces a card are limited to one for each shape.
    """
    hand_cards, leading = view.hand.cards, view.top is None
    cheapest: dict[object, tuple[float, Combination]] = {}
    for play in legal_combinations(view):
        if play.is_bomb and not leading:
            continue
        numbers = tuple(
            (play.cards & CARDS_OF_RANK[rank]).bit_count() + play.phoenix.count(rank)
            for rank in RANKS
        )
        replaced = PHOENIXES if play.size > 1 else 0
        look = (play.kind, numbers, play.cards & ~NATURALS & ~replaced)
        cost = _cost(play, hand_cards, leading=leading)
        if look not in cheapest or cost < cheapest[look][0]:
            cheapest[look] = cost, play
    by_cost = [play for _, play in sorted(cheapest.values(), key=lambda entry: entry[0])]
    natural: dict[object, Combination] = {}
    for play in by_cost:
        shape = (play.kind, play.size, 0 if _phoenix_replaces_card(play) else play.key)
        natural.setdefault(shape, play)
    first = list(natural.values())
    if leading:
        first = _without_lesser_leads(first)
    return first, [play for play in by_cost if play not in first]


def _phoenix_replaces_card(play: Combination) -> bool:
    """Return whether the Phoenix replaces another card in a play."""
    return play.size > 1 and play.cards & PHOENIXES != 0


def _without_lesser_leads(by_cost: list[Combination]) -> list[Combination]:
    """Drop leads that hardly anybody chooses from plays ordered by cost.

    These are parts of a cheaper run, and plays with the Phoenix whose shape is possible without it.
    """
    natural_shapes = {
        (play.kind, play.size) for play in by_cost if not _phoenix_replaces_card(play)
    }
    kept: list[Combination] = []
    for play in by_cost:
        is_part_of_run = play.kind in (Kind.STRAIGHT, Kind.STAIRS) and any(
            other.kind is play.kind and not play.cards & ~other.cards for other in kept
        )
        wastes_phoenix = _phoenix_replaces_card(play) and (play.kind, play.size) in natural_shapes
        if not is_part_of_run and not wastes_phoenix:
            kept.append(play)
    return kept


def _must_offer(play: Combination) -> bool:
    """Return whether a play must be offered even if there are many others."""
    is_special = play.size == 1 and not play.cards & NATURALS
    return is_special or play.is_bomb


def _kind_key(play: Combination) -> tuple[int, int, int]:
    """Return the key by which the select of plays is sorted."""
    return list(Kind).index(play.kind), play.size, play.key


def _cost(play: Combination, hand_cards: CardSet, *, leading: bool) -> float:
    """Return the cost of a play; plays with a low cost are natural.

    A play costs more if it splits cards of equal rank, uses the Phoenix, the Dragon or a bomb, or
    has a high rank. A lead costs less the more cards it has. The play of all cards costs least.
    """
    cost = -20.0 if play.cards == hand_cards else 0.0
    for rank in RANKS:
        cards_of_rank = hand_cards & CARDS_OF_RANK[rank]
        played_count = (play.cards & cards_of_rank).bit_count()
        if played_count and played_count < cards_of_rank.bit_count():
            cost += 3.0 if cards_of_rank.bit_count() >= 4 and not play.is_bomb else 1.0
    cost += 2.5 * (play.cards & PHOENIXES).bit_count()
    cost += 2.0 * bool(play.cards & DRAGONS)
    if play.is_bomb:
        cost += 8.0
    cost += play.key / 10
    if leading:
        cost -= 0.9 * (play.cards & (NATURALS | MAHJONGS)).bit_count()
        if play.kind is Kind.DOG:
            cost += 2.0
    return cost


def usual_wish(view: View) -> Rank | None:
    """Return the rank of the card passed to the next opponent, who probably still has it."""
    given = dict(view.given or ())
    partners = view.seating.partners(view.turn)
    for other in view.seating.after(view.turn)[:-1]:
        if other in given and other not in partners:
            return next((rank for rank in RANKS if given[other] & CARDS_OF_RANK[rank]), None)
    return None


def chosen_readings(view: View, cards: CardSet) -> list[Combination]:
    """Return the legal combinations of the chosen cards, highest first."""
    legal = {
        (action.cards, action.phoenix or ()) for action in view.actions if isinstance(action, Play)
    }
    return [
        with_key_on(reading, view.top)
        for reading in readings(cards)
        if (reading.cards, reading.phoenix) in legal
    ]
