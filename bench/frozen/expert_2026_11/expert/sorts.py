"""One play of each sort: suits do not matter, except that bombs are left whole if possible.

Used by the playing policy and as the choices that the Expert compares.
"""

from __future__ import annotations

from bench.frozen.expert_2026_11.expert import layout as at
from bench.frozen.expert_2026_11.expert.compiled import compiled, count
from bench.frozen.expert_2026_11.expert.plays import Plays, beats, in_bombs, list_bombs, move, put
from bench.frozen.expert_2026_11.expert.rules import of_rank

MOST = 512
"""More plays of different sorts than a hand has."""


@compiled
def _take(group: int, number: int, spared: int) -> int:
    """So many cards of a group, those of bombs last."""
    cards = 0
    for _ in range(number):
        left = group & ~cards
        free = left & ~spared
        left = free if free else left
        cards |= left & -left
    return cards


@compiled
def list_sorts(hand: int, top_kind: int, top_size: int, top_key: int, plays: Plays) -> int:
    """What beats a play; `top_kind` -1 for all that can be led."""
    number, spared = 0, in_bombs(hand)
    lead = top_kind < 0
    if lead or top_kind == at.SINGLE:
        number = _singles(hand, spared, top_key if not lead else -1, plays, number)
    if lead or top_kind == at.PAIR:
        number = _equal(hand, spared, 2, top_key if not lead else -1, plays, number)
    if lead or top_kind == at.TRIPLE:
        number = _equal(hand, spared, 3, top_key if not lead else -1, plays, number)
    if lead or top_kind == at.FULL_HOUSE:
        number = _full_houses(hand, spared, top_key if not lead else -1, plays, number)
    if lead or top_kind == at.STAIRS:
        number = _stairs(
            hand, spared, 0 if lead else top_size, 0 if lead else top_key, plays, number
        )
    if lead or top_kind == at.STRAIGHT:
        number = _straights(
            hand, spared, 0 if lead else top_size, 0 if lead else top_key, plays, number
        )
    if spared:
        begin = number
        number = list_bombs(hand, plays, number)
        if top_kind >= at.FOUR_BOMB:
            kept = begin
            for place in range(begin, number):
                play = plays[place]
                if beats(play[1], play[2], play[3], top_kind, top_size, top_key):
                    move(plays, kept, place)
                    kept += 1
            number = kept
    return number


@compiled
def _singles(hand: int, spared: int, above: int, plays: Plays, number: int) -> int:
    if above < 0 and hand & at.DOG_CARD:
        number = put(plays, number, at.DOG_CARD, at.DOG, 1, 0)
    if above < 2 and hand & at.MAHJONG:
        number = put(plays, number, at.MAHJONG, at.SINGLE, 1, 2)
    for rank in range(2, 15):
        group = hand & of_rank(rank)
        if group and 2 * rank > above:
            number = put(plays, number, _take(group, 1, spared), at.SINGLE, 1, 2 * rank)
    if hand & at.PHOENIX and above < at.DRAGON_KEY:
        key = at.PHOENIX_LED if above < 0 else above + 1
        number = put(plays, number, at.PHOENIX, at.SINGLE, 1, key)
    if hand & at.DRAGON:
        number = put(plays, number, at.DRAGON, at.SINGLE, 1, at.DRAGON_KEY)
    return number


@compiled
def _equal(hand: int, spared: int, size: int, above: int, plays: Plays, number: int) -> int:
    """Pairs or triples: without the Phoenix where possible, and with it."""
    kind = at.PAIR if size == 2 else at.TRIPLE
    for rank in range(2, 15):
        group = hand & of_rank(rank)
        held = count(group)
        if 2 * rank <= above or held < size - 1 or not held:
            continue
        if held >= size:
            number = put(plays, number, _take(group, size, spared), kind, size, 2 * rank)
        if hand & at.PHOENIX:
            cards = _take(group, size - 1, spared) | at.PHOENIX
            number = put(plays, number, cards, kind, size, 2 * rank)
    return number


@compiled
def _full_houses(hand: int, spared: int, above: int, plays: Plays, number: int) -> int:
    for rank in range(2, 15):
        group = hand & of_rank(rank)
        held = count(group)
        if 2 * rank <= above or held < 2:
            continue
        for other in range(2, 15):
            pair = hand & of_rank(other)
            more = count(pair)
            if other == rank or not more:
                continue
            if held >= 3 and more >= 2:
                cards = _take(group, 3, spared) | _take(pair, 2, spared)
                number = put(plays, number, cards, at.FULL_HOUSE, 5, 2 * rank)
            if hand & at.PHOENIX and held >= 3 and more == 1:
                cards = _take(group, 3, spared) | pair | at.PHOENIX
                number = put(plays, number, cards, at.FULL_HOUSE, 5, 2 * rank)
            if hand & at.PHOENIX and held == 2 and more >= 2:
                cards = group | _take(pair, 2, spared) | at.PHOENIX
                number = put(plays, number, cards, at.FULL_HOUSE, 5, 2 * rank)
    return number


@compiled
def _stairs(hand: int, spared: int, size: int, above: int, plays: Plays, number: int) -> int:
    """Stairs with the Phoenix where a card is missing."""
    for low in range(2, 14):
        cards, wild = 0, hand & at.PHOENIX
        for rank in range(low, 15):
            group = hand & of_rank(rank)
            if count(group) >= 2:
                cards |= _take(group, 2, spared)
            elif group and wild:
                cards |= group | wild
                wild = 0
            else:
                break
            length = 2 * (rank - low + 1)
            if length >= 4 and 2 * rank > above and (length == size or not size):
                number = put(plays, number, cards, at.STAIRS, length, 2 * rank)
    return number


@compiled
def _straights(hand: int, spared: int, size: int, above: int, plays: Plays, number: int) -> int:
    """Straights with the Phoenix where a card is missing, else at the upper end."""
    for low in range(1, 11):
        cards, wild = 0, hand & at.PHOENIX
        for rank in range(low, 15):
            group = hand & of_rank(rank)
            if group:
                cards |= _take(group, 1, spared)
            elif wild and rank > 1:
                cards |= wild
                wild = 0
            else:
                break
            length = rank - low + 1
            if length < 5 or 2 * rank <= above or (size and length != size):
                continue
            held = cards if cards & at.PHOENIX else _mixed(hand, cards)
            if held:
                number = put(plays, number, held, at.STRAIGHT, length, 2 * rank)
    return number


@compiled
def _mixed(hand: int, cards: int) -> int:
    """A straight of several suits of the same ranks; 0 if there is none."""
    for suit in range(4):
        if cards & ~(at.SUIT << suit) == 0:
            for rank in range(2, 15):
                group = hand & of_rank(rank)
                other = group & ~cards
                if cards & of_rank(rank) and other:
                    return cards & ~of_rank(rank) | (other & -other)
            return 0
    return cards
