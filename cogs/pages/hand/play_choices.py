"""Plays offered on the hand page, their order, and button ids.

All of them are legal actions of the view. Their order is a matter of taste, not of rules: the most
natural plays come first.
"""

from __future__ import annotations

from typing import NamedTuple

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
MOST_BEST = 4
"""The number of plays that get a button of their own."""


def write_choice(cards: CardSet, phoenix: tuple[Rank, ...] = ()) -> str:
    """Return a play as short text for a button.

    It has the cards in hexadecimal, then the Phoenix ranks.

    `read_choice` parses it.
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
    if not 0 < choice[0] < 1 << 112 or not set(choice[1]) <= set(RANKS):
        raise NotationError("not a choice of cards")
    return choice


def legal_combinations(view: View) -> list[Combination]:
    """Return the different combinations among the view's legal plays."""
    seen: dict[tuple[CardSet, tuple[Rank, ...]], Combination] = {}
    for action in view.actions:
        if isinstance(action, Play):
            phoenix = action.phoenix or ()
            if (action.cards, phoenix) not in seen:
                for reading in readings(action.cards):
                    if reading.phoenix == phoenix:
                        seen[action.cards, phoenix] = with_key_on(reading, view.top)
    return list(seen.values())


class Offer(NamedTuple):
    """The plays that a page offers by name.

    All others are made by choosing cards.
    """

    best: tuple[Combination, ...]
    """The most natural ones, for buttons; on a lead of different kinds.

    Bombs are not among them, because **Bomb!** is also on the page.
    """
    more: tuple[Combination, ...]
    """All others, by kind and rank, for a select."""


def offered(view: View) -> Offer:
    """Return a play of each shape and rank, the most natural one.

    Of plays with the Phoenix there is one for each shape.

    Special cards that may be played alone, and bombs, are always among them.
    """
    by_cost = _natural(view)
    usual = [play for play in by_cost if not play.is_bomb]
    best: list[Combination] = []
    if view.top is None:
        for play in usual:
            if play.kind not in {other.kind for other in best}:
                best.append(play)
    best = (best + [play for play in usual if play not in best])[:MOST_BEST]
    more = [play for play in by_cost if play not in best]
    kept = sorted(more, key=lambda play: not _always(play))[:MOST_OFFERED]
    return Offer(tuple(best), tuple(sorted(kept, key=_by_kind)))


def _natural(view: View) -> list[Combination]:
    """Return the plays that are offered, the most natural first."""
    best: dict[tuple[Kind, int, int], tuple[float, Combination]] = {}
    held, leading = view.hand.cards, view.top is None
    for play in legal_combinations(view):
        shape = (play.kind, play.size, 0 if _takes_phoenix(play) else play.key)
        cost = _cost(play, held, leading=leading)
        if shape not in best or cost < best[shape][0]:
            best[shape] = cost, play
    by_cost = [play for _, play in sorted(best.values(), key=lambda entry: entry[0])]
    return _without_lesser_leads(by_cost) if leading else by_cost


def _takes_phoenix(play: Combination) -> bool:
    """Return whether the Phoenix replaces another card."""
    return play.size > 1 and play.cards & PHOENIXES != 0


def _without_lesser_leads(by_cost: list[Combination]) -> list[Combination]:
    """Drop the leads that hardly anybody chooses; the most natural come first.

    These are a run that is part of a more natural one, and the Phoenix in a shape that natural
    cards also make.
    """
    natural = {(play.kind, play.size) for play in by_cost if not _takes_phoenix(play)}
    kept: list[Combination] = []
    for play in by_cost:
        part = play.kind in (Kind.STRAIGHT, Kind.STAIRS) and any(
            other.kind is play.kind and not play.cards & ~other.cards for other in kept
        )
        spent = _takes_phoenix(play) and (play.kind, play.size) in natural
        if not part and not spent:
            kept.append(play)
    return kept


def _always(play: Combination) -> bool:
    """Return whether a play must be offered even if there are many others."""
    special = play.size == 1 and not play.cards & NATURALS
    return special or play.is_bomb


def _by_kind(play: Combination) -> tuple[int, int, int]:
    """Return the key by which the select is sorted."""
    return list(Kind).index(play.kind), play.size, play.key


def _cost(play: Combination, held: CardSet, *, leading: bool) -> float:
    """Return a penalty for an unnatural play; 0 is natural.

    It grows with equal cards torn apart, with the Phoenix or the Dragon spent, with a bomb used,
    and with high cards. A lead is more natural the more cards it takes.
    """
    cost = 0.0
    for rank in RANKS:
        group = held & CARDS_OF_RANK[rank]
        taken = (play.cards & group).bit_count()
        if taken and taken < group.bit_count():
            cost += 3.0 if group.bit_count() >= 4 and not play.is_bomb else 1.0
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


def chosen_readings(view: View, cards: CardSet) -> list[Combination]:
    """Return the combinations that the chosen cards can be, highest first."""
    legal = {
        (action.cards, action.phoenix or ()) for action in view.actions if isinstance(action, Play)
    }
    return [
        with_key_on(reading, view.top)
        for reading in readings(cards)
        if (reading.cards, reading.phoenix) in legal
    ]
