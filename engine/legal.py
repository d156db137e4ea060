"""Lists of the legal actions of a seat or of the clock.

`legal_actions` yields all actions that `apply` accepts except ``CallTichu(same=True)``, because
only the application knows which calls are simultaneous (N78).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from .actions import (
    CLOCK,
    Action,
    AnswerGrand,
    AnswerWithdraw,
    Bomb,
    CallTichu,
    CloseWindow,
    GiveTrick,
    Pass,
    PassCards,
    Play,
    StopMatch,
    Waive,
)
from .calls import check_call
from .cards import MAHJONGS, RANKS
from .combinations import Combination, Kind, beats
from .errors import IllegalAction
from .match import apply
from .round import WINDOW_PHASES, Phase, Round
from .state import Match
from .trick import BOMB_SIZE, fulfilling_plays, possible_plays
from .types import Seat


def legal_actions(match: Match, seat: Seat) -> Iterator[Action]:
    """Yield the legal actions of one seat, or of the clock (`CLOCK`), in no particular order."""
    if seat == CLOCK:
        yield from _clock_actions(match)
        return
    round_ = match.round
    if round_ is None or round_.phase is Phase.ROUND_END:
        return
    if round_.asked:
        if round_.asked >> seat & 1:
            yield from (AnswerWithdraw(seat, answer) for answer in (True, False))
        return
    if round_.phase is not Phase.GRAND and can_call(match, seat):
        yield CallTichu(seat)
    yield from _IN_PHASE[round_.phase](match, round_, seat)


def _clock_actions(match: Match) -> Iterator[Action]:
    """Yield the actions of the clock: close a bomb window, or stop the match after a vote.

    Section 3, step 3; G27.
    """
    round_ = match.round
    if match.phase is Phase.ROUND_END:
        if match.variant.may_stop(match):
            yield StopMatch()
    elif round_ is not None and round_.phase in WINDOW_PHASES and not round_.asked:
        yield CloseWindow()


def _grand_answers(_: Match, round_: Round, seat: Seat) -> Iterator[Action]:
    """Yield both answers to the Grand Tichu question if the seat has given none (N11)."""
    if round_.opening.answers[seat] is None:
        yield from (AnswerGrand(seat, answer) for answer in (True, False))


def _exchanges(match: Match, round_: Round, seat: Seat) -> Iterator[Action]:
    """Yield all legal exchanges of a seat, also to replace a committed one (N9, N10)."""
    for gifts in match.variant.possible_gifts(round_, seat):
        yield PassCards(seat, gifts)


def _turn_actions(match: Match, round_: Round, seat: Seat) -> Iterator[Action]:
    """Yield the plays and the pass of the seat on turn, or bombs of another (N17-N19, N56)."""
    if seat == round_.turn:
        for play in legal_plays(match, seat):
            yield from _as_actions(match, round_, seat, play)
        if may_pass(match, seat):
            yield Pass(seat)
    elif round_.phase is Phase.TURN:
        for bomb in possible_bombs(round_, seat):
            yield Bomb(seat, bomb.cards)


def _window_actions(_: Match, round_: Round, seat: Seat) -> Iterator[Action]:
    """Yield the bombs of a seat and the waiver until it has chosen one (N60, N61)."""
    if (
        round_.hands[seat].size < BOMB_SIZE
        or round_.waived >> seat & 1
        or any(other == seat for other, _ in round_.submitted)
    ):
        return
    for bomb in possible_bombs(round_, seat):
        yield Bomb(seat, bomb.cards)
    yield Waive(seat)


def _dragon_gifts(match: Match, round_: Round, seat: Seat) -> Iterator[Action]:
    """Yield the gifts of a trick won with the Dragon (N49)."""
    if seat == round_.turn:
        for receiver in match.variant.gift_receivers(round_, seat):
            yield GiveTrick(seat, receiver)


_IN_PHASE: dict[Phase, Callable[[Match, Round, Seat], Iterator[Action]]] = {
    Phase.GRAND: _grand_answers,
    Phase.EXCHANGE: _exchanges,
    Phase.LEAD: _turn_actions,
    Phase.TURN: _turn_actions,
    Phase.WINDOW: _window_actions,
    Phase.CLOSING: _window_actions,
    Phase.GIFT: _dragon_gifts,
}
"""The functions that list the actions of a seat in each phase, except calls."""


def can_call(match: Match, seat: Seat) -> bool:
    """Return whether the seat may call a small Tichu now (N71)."""
    round_ = match.round
    assert round_ is not None
    try:
        check_call(match, round_, CallTichu(seat))
    except IllegalAction:
        return False
    return not round_.asked


def legal_plays(match: Match, seat: Seat) -> list[Combination]:
    """Return the combinations that the seat may lay at its lead or turn (section 6).

    An open wish limits them unless the match punishes missed wishes (N37).
    """
    round_ = match.round
    assert round_ is not None
    if not match.options.wish_penalty:
        fulfilling = fulfilling_plays(match, round_, seat)
        if fulfilling:
            return fulfilling
    return possible_plays(round_, seat)


def may_pass(match: Match, seat: Seat) -> bool:
    """Return whether the seat may pass: on turn, not leading, not bound by a wish (N18, N28)."""
    round_ = match.round
    assert round_ is not None
    if round_.phase is not Phase.TURN or round_.turn != seat:
        return False
    return match.options.wish_penalty or not fulfilling_plays(match, round_, seat)


def possible_bombs(round_: Round, seat: Seat) -> list[Combination]:
    """Return the seat's bombs that beat the trick, even if it may not throw one now (N56)."""
    top = round_.top
    if top is None or round_.hands[seat].size < BOMB_SIZE:
        return []
    return [bomb for bomb in round_.hands[seat].bombs() if beats(bomb, top)]


def _as_actions(match: Match, round_: Round, seat: Seat, play: Combination) -> Iterator[Action]:
    """Yield a combination as actions, with each wish or each partner for the Dog (N26, S6)."""
    stated = play.phoenix or None
    if play.kind is Kind.DOG:
        targets: tuple[Seat | None, ...] = match.variant.dog_targets(round_, seat) or (None,)
        for partner in targets:
            yield Play(seat, play.cards, stated, None, partner)
        return
    yield Play(seat, play.cards, stated)
    if play.cards & MAHJONGS:
        for rank in RANKS:
            yield Play(seat, play.cards, stated, rank)


def after_quiet_window(match: Match) -> Match:
    """Return the position after the open window if nobody bombs, or `match` if none is open.

    Sealed bombs are ignored, so the result reveals nothing about them.
    """
    round_ = match.round
    if round_ is None or round_.phase not in WINDOW_PHASES:
        return match
    quiet = match._replace(round=round_._replace(submitted=(), asked=0))
    return apply(quiet, CloseWindow())[0]
