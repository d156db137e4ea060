"""What the Expert compares: legal actions of a seat, each with its row of numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice, product
from typing import Any, NamedTuple

import numpy as np

from bench.frozen.expert_2026_11.from_engine import (
    Action,
    AnswerGrand,
    Bomb,
    GiveTrick,
    Pass,
    PassCards,
    Play,
    Waive,
)
from bench.frozen.expert_2026_11.from_engine import MAHJONGS, OF_RANK, RANKS
from bench.frozen.expert_2026_11.from_engine import Combination, Kind
from bench.frozen.expert_2026_11.from_engine import WINDOWS, Phase
from bench.frozen.expert_2026_11.from_engine import VARIANTS
from bench.frozen.expert_2026_11.from_engine import View
from bench.frozen.expert_2026_11.expert import search
from bench.frozen.expert_2026_11.expert.rows import KINDS
from bench.frozen.expert_2026_11.expert.tools import Tools
from bench.frozen.expert_2026_11.novice.moves import action_of, distinct, moves, must_play
from bench.frozen.expert_2026_11.novice.outlook import Outlook

_MOST_PLAYS = 28
_MOST_WISHES = 3
_MOST_GIFTS = (5, 3)
"""So many cards are tried for a partner and for an opponent."""
_MOST_EXCHANGES = 45


class Choice(NamedTuple):
    """An action and the numbers that `players.expert.search` carries out."""

    action: Action
    numbers: Any


def choices(view: View, seat: int, tools: Tools) -> list[Choice]:
    """What is worth comparing; a single one where there is nothing to choose."""
    if view.phase is Phase.GRAND:
        return [_grand(seat, answer) for answer in (False, True)]
    if view.phase is Phase.EXCHANGE:
        return _exchanges(view, seat, tools)
    if view.phase is Phase.GIFT:
        gifts = [action for action in view.actions if isinstance(action, GiveTrick)]
        return [Choice(action, _numbers(search.GIFT, to=action.receiver)) for action in gifts]
    if view.phase in WINDOWS:
        bombs = [Choice(Bomb(seat, bomb.cards), _play(bomb)) for bomb in view.bombs]
        return [Choice(Waive(seat), _numbers(search.WAIVE)), *bombs]
    return _plays(view, seat, tools)


def _numbers(what: int, **values: int) -> Any:
    numbers = np.zeros(search.CHOICE, np.int64)
    numbers[search.WHAT] = what
    numbers[search.TO] = values.get("to", -1)
    numbers[search.WISH] = values.get("wish", 0)
    return numbers


def _play(play: Combination, wish: int = 0) -> Any:
    numbers = _numbers(search.PLAY, wish=wish)
    numbers[search.CARDS] = play.cards
    numbers[search.KIND] = KINDS[play.kind]
    numbers[search.SIZE] = play.size
    numbers[search.KEY] = play.key
    return numbers


def _grand(seat: int, answer: bool) -> Choice:
    numbers = _numbers(search.GRAND)
    numbers[search.CALL] = 200 * answer
    return Choice(AnswerGrand(seat, answer), numbers)


def _plays(view: View, seat: int, tools: Tools) -> list[Choice]:
    options = moves(view)
    hand = view.hand
    found: list[Choice] = []
    if not must_play(view, options):
        found.append(Choice(Pass(seat), _numbers(search.PASS)))
    plays = distinct(hand, options)
    if len(plays) > _MOST_PLAYS:
        plays.sort(key=lambda play: tools.effort(hand.cards & ~play.cards) - 0.1 * play.size)
        plays = plays[:_MOST_PLAYS]
    for play in plays:
        action = action_of(view, play)
        if play.kind is Kind.DOG:
            found += _dogs(view, action)
        elif play.cards & MAHJONGS:
            found += [
                Choice(action._replace(wish=wish), _play(play, wish or 0))
                for wish in _wishes(view, seat)
            ]
        else:
            found.append(Choice(action, _play(play)))
    return found


def _dogs(view: View, action: Play) -> list[Choice]:
    """The Dog to each partner that may be chosen, else to whom it goes by itself."""
    dogs = [other for other in view.actions if isinstance(other, Play) and other.partner is not None]
    dogs = [other for other in dogs if other.cards == action.cards] or [action]
    return [Choice(dog, _numbers(search.DOG, to=-1 if dog.partner is None else dog.partner)) for dog in dogs]


def _wishes(view: View, seat: int) -> list[int | None]:
    """No wish, what was passed to opponents, and the highest ranks that others must have."""
    outlook = Outlook(view, seat)
    given = dict(view.given or ())
    ranks = [
        rank
        for other in outlook.opponents
        for rank in RANKS
        if given.get(other.seat, 0) & OF_RANK[rank]
    ]
    held, unseen = view.hand.cards, outlook.unseen
    ranks += [
        rank for rank in reversed(RANKS) if unseen & OF_RANK[rank] and not held & OF_RANK[rank]
    ]
    return [None, *dict.fromkeys(ranks[: _MOST_WISHES + len(given)])]


def _exchanges(view: View, seat: int, tools: Tools) -> list[Choice]:
    """Combinations of the cards that look best given to each receiver, the best ones first."""
    if not VARIANTS[view.options.variant].scored:
        return []  # lords and paupers: what the others have to give is not played on
    tried = []
    for gift in view.gifts:
        helps = view.seats[gift.receiver].team == view.seats[seat].team
        ranked = tools.ranked_gifts(view, seat, gift.receiver)
        tried.append([(gift.receiver, card) for card in ranked[: _MOST_GIFTS[not helps]]])
    found = []
    for gifts in islice(_first_ones_first(tried), _MOST_EXCHANGES):
        numbers = _numbers(search.EXCHANGE)
        for to, card in gifts:
            numbers[search.GIVEN + to] = card
        found.append(Choice(PassCards(seat, tuple(sorted(gifts))), numbers))
    return found


def _first_ones_first(
    tried: Sequence[Sequence[tuple[int, int]]],
) -> Iterator[tuple[tuple[int, int], ...]]:
    """All ways to take one out of each list, no card twice."""
    ways = product(*(range(len(one)) for one in tried))
    for places in sorted(ways, key=sum):
        gifts = tuple(one[place] for one, place in zip(tried, places, strict=True))
        if len({card for _, card in gifts}) == len(gifts):
            yield gifts
