"""The deal, the Grand Tichu question and the exchange (N5-N12, N78, C20, C21)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from .actions import AnswerGrand, AnswerWithdraw, PassCards
from .cards import MAHJONG, MAHJONGS, card_set
from .errors import IllegalAction, Reason
from .events import Called, CallsOpened, CardsPassed, Event, RoundDealt, Withdrawn
from .hand import Hand
from .round import Call, Opening, Phase, Round, Seating
from .state import Match
from .types import Card, CardSet, Seat, SeatSet, Team

T = TypeVar("T")


def deal(match: Match, deck: Sequence[Card], dealer: Seat | None) -> tuple[Match, list[Event]]:
    """Deal the next round from a deck order, first card first (N5, N6, N11, G7-G11).

    With `dealer` this seat deals. Raises `IllegalAction` while a round is being played, after the
    end of the match, and if `deck` is not the deck of the game.
    """
    variant = match.variant
    if match.phase is not Phase.ROUND_END:
        raise IllegalAction(Reason.WRONG_PHASE, "N5", phase=match.phase.value)
    if sorted(deck) != sorted(variant.deck(match.options)):
        raise IllegalAction(Reason.WRONG_DECK, "N1")
    if dealer is None:
        dealer = variant.next_dealer(match) if match.results else match.first_dealer
    round_ = _new_round(match, dealer, deck)
    events: list[Event] = [RoundDealt(round_.number, dealer)]
    match = match.with_round(round_)
    if not variant.grand_cards:
        match = _begin_exchange(match, round_, events)
    return match, events


def _new_round(match: Match, dealer: Seat, deck: Sequence[Card]) -> Round:
    """Return a round at its start (N6, N11, G7).

    The hands hold the cards seen before the Grand Tichu question; the rest is in `Opening.stock`.
    """
    variant = match.variant
    seating = variant.seating(match, dealer)
    seats = len(seating.order)
    dealt: list[list[Card]] = [[] for _ in range(seats)]
    stock, left_over = _split_left_over(deck, variant.undealt_count(match.options))
    takers = variant.deal_order(seating)
    for place, card in enumerate(stock):
        dealt[takers[place % seats]].append(card)
    first_count = variant.grand_cards or len(stock)
    nobody = (None,) * seats
    return Round(
        number=len(match.results) + 1,
        dealer=dealer,
        seating=seating,
        phase=Phase.GRAND,
        turn=dealer,
        hands=tuple(Hand(card_set(cards[:first_count])) for cards in dealt),
        opening=Opening(
            stock=tuple(card_set(cards[first_count:]) for cards in dealt),
            answers=tuple(
                None if variant.may_call_grand(seating, seat) else False for seat in range(seats)
            ),
            given=nobody,
            received=((),) * seats,
            left_over=card_set(left_over),
        ),
        calls=nobody,
        asked=0,
        last_callers=0,
        started=0,
        trick=(),
        trick_cards=0,
        top=None,
        top_seat=-1,
        passes=0,
        submitted=(),
        waived=0,
        wish=None,
        out=(),
        piles=(0,) * seats,
        discards=0,
        past=(),
    )


def _split_left_over(deck: Sequence[Card], count: int) -> tuple[list[Card], list[Card]]:
    """Return the cards to deal, and the last `count` cards, which are left over.

    The Mah Jong is always dealt; if it is among the last cards, the one before is left over (G10).
    """
    left_over = [card for card in deck if card != MAHJONG][len(deck) - 1 - count :]
    return [card for card in deck if card not in left_over], left_over


def later_partners(seating: Seating, callers: Sequence[Seat]) -> SeatSet:
    """Return the callers who must answer whether they withdraw a simultaneous call (N78).

    Within each team these are all callers except the first in turn order from the dealer.
    """
    asked = 0
    teams_seen: set[Team] = set()
    for seat in seating.order:
        if seat in callers:
            if seating.teams[seat] in teams_seen:
                asked |= 1 << seat
            teams_seen.add(seating.teams[seat])
    return asked


def check_grand(match: Match, round_: Round, action: AnswerGrand) -> None:
    """Raise `IllegalAction` unless this seat has a Grand Tichu question to answer (N11, T3)."""
    if not match.variant.scored:
        raise IllegalAction(Reason.NO_CALLS, "G2")
    if round_.phase is not Phase.GRAND:
        raise IllegalAction(Reason.GRAND_TOO_LATE, "N11")
    if not match.variant.may_call_grand(round_.seating, action.seat):
        raise IllegalAction(Reason.NO_GRAND_FOR_DEALER, "T3")
    if round_.opening.answers[action.seat] is not None:
        raise IllegalAction(Reason.ALREADY_ANSWERED, "N11")


def answer_grand(
    match: Match, round_: Round, action: AnswerGrand, _: None, events: list[Event]
) -> Match:
    """Record a sealed answer; the last one reveals all calls (N11, C21)."""
    opening = round_.opening
    answers = _with_item(opening.answers, action.seat, action.call)
    round_ = round_._replace(opening=opening._replace(answers=answers))
    if None in answers:
        return match.with_round(round_)
    callers = tuple(seat for seat, call in enumerate(answers) if call)
    calls = tuple(Call.GRAND if call else None for call in answers)
    asked = later_partners(round_.seating, callers)
    round_ = round_._replace(calls=calls, asked=asked)
    return match.with_round(round_) if asked else _open_calls(match, round_, events)


def _open_calls(match: Match, round_: Round, events: list[Event]) -> Match:
    """Deal the rest of the cards and go on to the exchange (N9, N11)."""
    callers = tuple(seat for seat, call in enumerate(round_.calls) if call)
    events.append(CallsOpened(callers))
    events += [Called(seat, Call.GRAND) for seat in callers]
    opening = round_.opening
    hands = tuple(
        Hand(hand.cards | stock) for hand, stock in zip(round_.hands, opening.stock, strict=True)
    )
    opening = opening._replace(stock=(0,) * len(hands))
    return _begin_exchange(match, round_._replace(hands=hands, opening=opening), events)


def _begin_exchange(match: Match, round_: Round, events: list[Event]) -> Match:
    """Start the exchange, or the first lead if nobody has to give cards (G11)."""
    variant = match.variant
    given = tuple(
        None if variant.receivers(round_, seat) else () for seat in range(len(round_.hands))
    )
    opening = round_.opening._replace(given=given)
    round_ = round_._replace(phase=Phase.EXCHANGE, opening=opening)
    return match.with_round(round_ if None in given else _begin_play(round_, events))


def check_withdraw(_: Match, round_: Round, action: AnswerWithdraw) -> None:
    """Raise `IllegalAction` unless this seat is asked whether to withdraw (N78)."""
    if not round_.asked >> action.seat & 1:
        raise IllegalAction(Reason.NOT_ASKED_TO_WITHDRAW, "N78")


def answer_withdraw(
    match: Match, round_: Round, action: AnswerWithdraw, _: None, events: list[Event]
) -> Match:
    """Keep or withdraw a simultaneous call (N78)."""
    seat = action.seat
    call = round_.calls[seat]
    assert call is not None
    round_ = round_._replace(asked=round_.asked & ~(1 << seat))
    if action.withdraw:
        round_ = round_._replace(calls=_with_item(round_.calls, seat, None))
        events.append(Withdrawn(seat, call))
    if round_.phase is Phase.GRAND and not round_.asked:
        return _open_calls(match, round_, events)
    return match.with_round(round_)


def check_exchange(match: Match, round_: Round, action: PassCards) -> None:
    """Raise `IllegalAction` unless these cards may be passed now (N9, N10).

    A committed exchange may be replaced until the last seat commits.
    """
    if round_.phase is not Phase.EXCHANGE:
        raise IllegalAction(Reason.WRONG_PHASE, "N9", phase=round_.phase.value)
    match.variant.check_gifts(round_, action.seat, action.gifts)


def pass_cards(
    match: Match, round_: Round, action: PassCards, _: None, events: list[Event]
) -> Match:
    """Commit an exchange; the last one reveals all and starts the first lead (N10, N12)."""
    opening = round_.opening
    given = _with_item(opening.given, action.seat, tuple(sorted(action.gifts)))
    round_ = round_._replace(opening=opening._replace(given=given))
    return match.with_round(round_ if None in given else _begin_play(round_, events))


def _begin_play(round_: Round, events: list[Event]) -> Round:
    """Reveal the exchange and give the lead to the holder of the Mah Jong (N10, N12, G21)."""
    given = round_.opening.given
    cards = [hand.cards for hand in round_.hands]
    received: list[list[tuple[Seat, CardSet]]] = [[] for _ in cards]
    for giver, gifts in enumerate(given):
        for receiver, gift in gifts or ():
            cards[giver] ^= gift
            received[receiver].append((giver, gift))
    for seat, gifts_received in enumerate(received):
        for _, gift in gifts_received:
            cards[seat] |= gift
    leader = next(seat for seat, hand in enumerate(cards) if hand & MAHJONGS)
    events.append(CardsPassed(leader))
    return round_._replace(
        phase=Phase.LEAD,
        turn=leader,
        hands=tuple(map(Hand, cards)),
        opening=round_.opening._replace(received=tuple(map(tuple, received))),
    )


def _with_item(values: tuple[T, ...], place: int, value: T) -> tuple[T, ...]:
    """Return the tuple with another value at one index."""
    return (*values[:place], value, *values[place + 1 :])
