"""Choices that the Expert compares: legal actions, each also as numbers for compiled code."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice, product
from typing import Any, NamedTuple

import numpy as np

from engine import (
    CARDS_OF_RANK,
    DOGS,
    MAHJONGS,
    RANKS,
    WINDOW_PHASES,
    Action,
    AnswerGrand,
    Bomb,
    Call,
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
    readings,
    with_key_on,
)
from players.expert import search
from players.expert.kernels import Kernels
from players.expert.rows import KINDS
from players.expert.two_decks.hands import from_engine_set
from players.novice.moves import action_of, distinct, moves, must_play
from players.novice.outlook import Outlook

_MOST_PLAYS = 28
"""Maximum number of plays to compare."""
_BONUS_PER_CARD = 0.1
"""Bonus for each card of a play when plays are selected, in units of effort."""
_MOST_WISHES = 3
"""Maximum number of wishes to compare, beside those for cards that the seat gave away."""
_MOST_GIFTS_TO_PARTNER, _MOST_GIFTS_TO_OPPONENT = 5, 3
"""Maximum numbers of cards to try as gifts."""
_MOST_EXCHANGES = 45
"""Maximum number of exchanges to compare."""


class Choice(NamedTuple):
    """An action to compare with others."""

    action: Action
    """Action of the seat if this choice is the best."""
    numbers: Any
    """Numbers of the choice for the compiled code; see `players.expert.search`."""


def choices(view: View, seat: Seat, kernels: Kernels) -> list[Choice]:
    """Return the choices of `seat` that are worth comparing; empty if the Novice is to decide."""
    if view.phase is Phase.GRAND:
        return [_grand_choice(seat, answer) for answer in (False, True)]
    if view.phase is Phase.EXCHANGE:
        return _exchange_choices(view, seat, kernels)
    if view.phase is Phase.GIFT:
        gifts = [action for action in view.actions if isinstance(action, GiveTrick)]
        return [Choice(action, _numbers(search.GIFT, receiver=action.receiver)) for action in gifts]
    if view.phase in WINDOW_PHASES:
        # Of bombs with equal cards of two decks, only one is kept.
        bombs = {from_engine_set(bomb.cards): bomb for bomb in view.bombs}
        bomb_choices = [
            Choice(Bomb(seat, bomb.cards), _play_numbers(bomb)) for bomb in bombs.values()
        ]
        return [Choice(Waive(seat), _numbers(search.WAIVE)), *bomb_choices]
    return _play_choices(view, seat, kernels)


def choice_of(view: View, action: Action) -> Choice:
    """Return an action of the view's seat as a choice, also one that `choices` leaves out.

    Raise `ValueError` for a withdrawal, which playouts do not know.
    """
    match action:
        case AnswerGrand():
            return _grand_choice(action.seat, action.call)
        case PassCards():
            return _exchange_choice(action)
        case Pass():
            return Choice(action, _numbers(search.PASS))
        case Waive():
            return Choice(action, _numbers(search.WAIVE))
        case GiveTrick():
            return Choice(action, _numbers(search.GIFT, receiver=action.receiver))
        case Play(cards=cards) if cards & DOGS:
            receiver = -1 if action.partner is None else action.partner
            return Choice(action, _numbers(search.DOG, receiver=receiver))
        case Play() | Bomb():
            wish = action.wish if isinstance(action, Play) else None
            return Choice(action, _play_numbers(_combination(view, action), wish or 0))
    raise ValueError("playouts do not know this action")


def waiting(action: Action, call: Call | None = None) -> Choice:
    """Return the choice of doing nothing, with this call or without; `action` stands for it."""
    numbers = _numbers(search.WAIT)
    numbers[search.CALL] = call.value if call is not None else 0
    return Choice(action, numbers)


def _combination(view: View, play: Play | Bomb) -> Combination:
    """Return the combination that a play or bomb forms on the current trick."""
    found = readings(play.cards)
    ranks = play.phoenix if isinstance(play, Play) else None
    stated = next((each for each in found if each.phoenix == (ranks or ())), found[0])
    return with_key_on(stated, view.top)


def _numbers(code: int, wish: Rank = 0, receiver: Seat = -1) -> Any:
    """Return the numbers of a choice of this kind; see `players.expert.search`.

    `wish` is 0 for none, `receiver` is -1 for none.
    """
    numbers = np.zeros(search.CHOICE, np.int64)
    numbers[search.CODE] = code
    numbers[search.RECEIVER] = receiver
    numbers[search.WISH] = wish
    return numbers


def _play_numbers(play: Combination, wish: Rank = 0) -> Any:
    """Return the numbers of a play, with a wish (0 for none)."""
    numbers = _numbers(search.PLAY, wish=wish)
    numbers[search.CARDS], numbers[search.TWICE] = from_engine_set(play.cards)
    numbers[search.KIND] = KINDS[play.kind]
    numbers[search.SIZE] = play.size
    numbers[search.KEY] = play.key
    return numbers


def _grand_choice(seat: Seat, answer: bool) -> Choice:
    """Return an answer to the Grand Tichu question as a choice."""
    numbers = _numbers(search.GRAND)
    numbers[search.CALL] = Call.GRAND.value * answer
    return Choice(AnswerGrand(seat, answer), numbers)


def _play_choices(view: View, seat: Seat, kernels: Kernels) -> list[Choice]:
    """Return a pass, if it is allowed, and plays: if there are too many, the best ones.

    The best ones leave a hand of the least effort; long plays get a bonus.
    """
    options = moves(view)
    hand = view.hand
    found_choices: list[Choice] = []
    if not must_play(view, options):
        found_choices.append(Choice(Pass(seat), _numbers(search.PASS)))
    plays = distinct(hand, options)
    if len(plays) > _MOST_PLAYS:
        plays.sort(
            key=lambda play: kernels.effort(hand.cards & ~play.cards) - _BONUS_PER_CARD * play.size
        )
        plays = plays[:_MOST_PLAYS]
    for play in plays:
        action = action_of(view, play)
        if play.kind is Kind.DOG:
            found_choices += _dog_choices(view, action)
        elif play.cards & MAHJONGS:
            found_choices += [
                Choice(action._replace(wish=wish), _play_numbers(play, wish or 0))
                for wish in _wishes_to_compare(view, seat)
            ]
        else:
            found_choices.append(Choice(action, _play_numbers(play)))
    return found_choices


def _dog_choices(view: View, action: Play) -> list[Choice]:
    """Return the Dog as one choice for each partner that it may be aimed at."""
    aimed_dogs = [
        legal
        for legal in view.actions
        if isinstance(legal, Play) and legal.partner is not None and legal.cards == action.cards
    ]
    return [
        Choice(dog, _numbers(search.DOG, receiver=-1 if dog.partner is None else dog.partner))
        for dog in aimed_dogs or [action]
    ]


def _wishes_to_compare(view: View, seat: Seat) -> list[Rank | None]:
    """Return the wishes to compare: none, ranks given to opponents, high ranks of others."""
    outlook = Outlook(view, seat)
    cards_given = [
        cards
        for other in outlook.opponents
        for _, receiver, cards in view.known_gifts
        if receiver == other.seat
    ]
    ranks = [rank for cards in cards_given for rank in RANKS if cards & CARDS_OF_RANK[rank]]
    held, unseen = view.hand.cards, outlook.unseen
    ranks += [
        rank
        for rank in reversed(RANKS)
        if unseen & CARDS_OF_RANK[rank] and not held & CARDS_OF_RANK[rank]
    ]
    return [None, *dict.fromkeys(ranks[: _MOST_WISHES + len(view.given or ())])]


def _exchange_choices(view: View, seat: Seat, kernels: Kernels) -> list[Choice]:
    """Return exchanges of good gifts for each receiver, the most promising ones first."""
    if not view.variant.scored:
        return []  # forced gifts by rank are not simulated in playouts
    candidates = []
    for gift in view.gifts:
        is_partner = view.seats[gift.receiver].team == view.seats[seat].team
        most = _MOST_GIFTS_TO_PARTNER if is_partner else _MOST_GIFTS_TO_OPPONENT
        ranked_cards = kernels.ranked_gifts(view, seat, gift.receiver)
        candidates.append([(gift.receiver, card) for card in ranked_cards[:most]])
    return [
        _exchange_choice(PassCards(seat, tuple(sorted(gifts))))
        for gifts in islice(_best_first(candidates), _MOST_EXCHANGES)
    ]


def _exchange_choice(action: PassCards) -> Choice:
    """Return an exchange as a choice."""
    numbers = _numbers(search.EXCHANGE)
    for receiver, cards in action.gifts:
        numbers[search.GIVEN + receiver] = cards
    return Choice(action, numbers)


def _best_first(
    candidates: Sequence[Sequence[tuple[Seat, CardSet]]],
) -> Iterator[tuple[tuple[Seat, CardSet], ...]]:
    """Yield the combinations of one gift from each list without a card that occurs twice.

    Each list has its best gift first. Combinations with low indices in the lists come first.
    """
    combinations = product(*(range(len(gifts)) for gifts in candidates))
    for indices in sorted(combinations, key=sum):
        chosen_gifts = tuple(gifts[index] for gifts, index in zip(candidates, indices, strict=True))
        if len({card for _, card in chosen_gifts}) == len(chosen_gifts):
            yield chosen_gifts
