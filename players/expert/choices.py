"""Choices that the Expert compares: legal actions of a seat, each also as numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice, product
from typing import Any, NamedTuple

import numpy as np

from engine import (
    CARDS_OF_RANK,
    MAHJONGS,
    RANKS,
    WINDOW_PHASES,
    Action,
    AnswerGrand,
    Bomb,
    CardSet,
    Combination,
    GiveTrick,
    Kind,
    Pass,
    PassCards,
    Phase,
    Play,
    Rank,
    Seat,
    View,
    Waive,
)
from players.expert import search
from players.expert.kernels import Kernels
from players.expert.rows import KINDS
from players.expert.two_decks.hands import fold
from players.novice.moves import action_of, distinct, moves, must_play
from players.novice.outlook import Outlook

_MOST_PLAYS = 28
"""Maximum number of plays to compare."""
_MOST_WISHES = 3
"""Maximum number of wishes to compare, beside those for cards that the seat gave away."""
_MOST_GIFTS = (5, 3)
"""Maximum numbers of cards to try as gifts for a partner and for an opponent."""
_MOST_EXCHANGES = 45
"""Maximum number of exchanges to compare."""


class Choice(NamedTuple):
    """An action to compare with others."""

    action: Action
    """Action of the seat if this choice is the best."""
    numbers: Any
    """Numbers of the choice for the compiled code; see `players.expert.search`."""


def choices(view: View, seat: Seat, kernels: Kernels) -> list[Choice]:
    """Return the choices of `seat` worth comparing; empty where the Novice decides."""
    if view.phase is Phase.GRAND:
        return [_grand(seat, answer) for answer in (False, True)]
    if view.phase is Phase.EXCHANGE:
        return _exchanges(view, seat, kernels)
    if view.phase is Phase.GIFT:
        gifts = [action for action in view.actions if isinstance(action, GiveTrick)]
        return [Choice(action, _numbers(search.GIFT, receiver=action.receiver)) for action in gifts]
    if view.phase in WINDOW_PHASES:
        bombs = {fold(bomb.cards): bomb for bomb in view.bombs}  # of equal cards any will do
        found = [Choice(Bomb(seat, bomb.cards), _play(bomb)) for bomb in bombs.values()]
        return [Choice(Waive(seat), _numbers(search.WAIVE)), *found]
    return _plays(view, seat, kernels)


def _numbers(code: int, wish: Rank = 0, receiver: Seat = -1) -> Any:
    """Return a choice as numbers for the compiled code.

    `code` is its kind, `wish` is 0 for none, `receiver` is -1 for none.
    """
    numbers = np.zeros(search.CHOICE, np.int64)
    numbers[search.CODE] = code
    numbers[search.RECEIVER] = receiver
    numbers[search.WISH] = wish
    return numbers


def _play(play: Combination, wish: Rank = 0) -> Any:
    """Return a play as numbers."""
    numbers = _numbers(search.PLAY, wish=wish)
    numbers[search.CARDS], numbers[search.TWICE] = fold(play.cards)
    numbers[search.KIND] = KINDS[play.kind]
    numbers[search.SIZE] = play.size
    numbers[search.KEY] = play.key
    return numbers


def _grand(seat: Seat, answer: bool) -> Choice:
    """Return an answer to the Grand Tichu question as a choice."""
    numbers = _numbers(search.GRAND)
    numbers[search.CALL] = 200 * answer
    return Choice(AnswerGrand(seat, answer), numbers)


def _plays(view: View, seat: Seat, kernels: Kernels) -> list[Choice]:
    """Return a pass, if allowed, and plays.

    Of too many plays, those that leave the least effort are returned.
    """
    options = moves(view)
    hand = view.hand
    found: list[Choice] = []
    if not must_play(view, options):
        found.append(Choice(Pass(seat), _numbers(search.PASS)))
    plays = distinct(hand, options)
    if len(plays) > _MOST_PLAYS:
        plays.sort(key=lambda play: kernels.effort(hand.cards & ~play.cards) - 0.1 * play.size)
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
    """Return the Dog, once for each partner to choose from."""
    dogs = [
        other for other in view.actions if isinstance(other, Play) and other.partner is not None
    ]
    dogs = [other for other in dogs if other.cards == action.cards] or [action]
    return [
        Choice(dog, _numbers(search.DOG, receiver=-1 if dog.partner is None else dog.partner))
        for dog in dogs
    ]


def _wishes(view: View, seat: Seat) -> list[Rank | None]:
    """Return no wish, the ranks given to opponents, and the highest ranks of others."""
    outlook = Outlook(view, seat)
    given = [
        cards
        for other in outlook.opponents
        for _, receiver, cards in view.known_gifts
        if receiver == other.seat
    ]
    ranks = [rank for cards in given for rank in RANKS if cards & CARDS_OF_RANK[rank]]
    held, unseen = view.hand.cards, outlook.unseen
    ranks += [
        rank
        for rank in reversed(RANKS)
        if unseen & CARDS_OF_RANK[rank] and not held & CARDS_OF_RANK[rank]
    ]
    return [None, *dict.fromkeys(ranks[: _MOST_WISHES + len(view.given or ())])]


def _exchanges(view: View, seat: Seat, kernels: Kernels) -> list[Choice]:
    """Return exchanges of the best cards for each receiver, the most promising first."""
    if not view.variant.scored:
        return []  # forced gifts by rank are not simulated in playouts
    candidates = []
    for gift in view.gifts:
        helps = view.seats[gift.receiver].team == view.seats[seat].team
        ranked = kernels.ranked_gifts(view, seat, gift.receiver)
        candidates.append([(gift.receiver, card) for card in ranked[: _MOST_GIFTS[not helps]]])
    found = []
    for gifts in islice(_best_first(candidates), _MOST_EXCHANGES):
        numbers = _numbers(search.EXCHANGE)
        for receiver, card in gifts:
            numbers[search.GIVEN + receiver] = card
        found.append(Choice(PassCards(seat, tuple(sorted(gifts))), numbers))
    return found


def _best_first(
    candidates: Sequence[Sequence[tuple[Seat, CardSet]]],
) -> Iterator[tuple[tuple[Seat, CardSet], ...]]:
    """Yield the ways to take one gift from each list without repeating a card, best first.

    Each list must begin with its best gift.
    """
    ways = product(*(range(len(gifts)) for gifts in candidates))
    for places in sorted(ways, key=sum):
        chosen = tuple(gifts[place] for gifts, place in zip(candidates, places, strict=True))
        if len({card for _, card in chosen}) == len(chosen):
            yield chosen
