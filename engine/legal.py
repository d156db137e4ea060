"""Every action that a seat (or the clock) may take now; exactly what `apply` accepts.

`CallTichu(same=True)` is left out: only the clock outside knows what is truly simultaneous (N78).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from engine.actions import (
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
from engine.calls import check_call
from engine.cards import MAHJONGS, RANKS
from engine.combinations import Combination, Kind, beats
from engine.errors import IllegalAction
from engine.round import WINDOWS, Phase, Round
from engine.state import Match
from engine.trick import BOMB_SIZE
from engine.types import Seat
from engine.wish import fulfilling_plays, possible_plays


def legal(match: Match, seat: Seat) -> Iterator[Action]:
    """The legal actions of one seat, or of the clock (`CLOCK`), in no particular order."""
    if seat == CLOCK:
        yield from _of_clock(match)
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


def _of_clock(match: Match) -> Iterator[Action]:
    """The actions of the clock: it closes a bomb window, or stops the match after a vote.

    Section 3, step 3; G27.
    """
    round_ = match.round
    if match.phase is Phase.ROUND_END:
        if match.variant.may_stop(match):
            yield StopMatch()
    elif round_ is not None and round_.phase in WINDOWS and not round_.asked:
        yield CloseWindow()


def _grand_answers(_: Match, round_: Round, seat: Seat) -> Iterator[Action]:
    """Both answers to the Grand Tichu question, until the seat has given one (N11)."""
    if round_.opening.answers[seat] is None:
        yield from (AnswerGrand(seat, answer) for answer in (True, False))


def _exchanges(match: Match, round_: Round, seat: Seat) -> Iterator[Action]:
    """Every right exchange of a seat; it may be replaced until the last one commits (N9, N10)."""
    for gifts in match.variant.possible_gifts(round_, seat):
        yield PassCards(seat, gifts)


def _in_turn(match: Match, round_: Round, seat: Seat) -> Iterator[Action]:
    """Plays and the pass of the seat on turn, bombs of the others (N17-N19, N56)."""
    if seat == round_.turn:
        for play in legal_plays(match, seat):
            yield from _as_actions(match, round_, seat, play)
        if may_pass(match, seat):
            yield Pass(seat)
    elif round_.phase is Phase.TURN:
        for bomb in possible_bombs(round_, seat):
            yield Bomb(seat, bomb.cards)


def _in_window(_: Match, round_: Round, seat: Seat) -> Iterator[Action]:
    """The bombs of a seat and the waiver, until the seat has chosen one of them (N60, N61)."""
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
    """The opponents that the winner of a Dragon's trick may give it to (N49)."""
    if seat == round_.turn:
        for receiver in match.variant.gift_receivers(round_, seat):
            yield GiveTrick(seat, receiver)


_IN_PHASE: dict[Phase, Callable[[Match, Round, Seat], Iterator[Action]]] = {
    Phase.GRAND: _grand_answers,
    Phase.EXCHANGE: _exchanges,
    Phase.LEAD: _in_turn,
    Phase.TURN: _in_turn,
    Phase.WINDOW: _in_window,
    Phase.CLOSING: _in_window,
    Phase.GIFT: _dragon_gifts,
}
"""What a seat may do in each phase of a round, calls aside."""


def can_call(match: Match, seat: Seat) -> bool:
    """Whether the seat may call a small Tichu now (N71)."""
    round_ = match.round
    assert round_ is not None
    try:
        check_call(match, round_, CallTichu(seat))
    except IllegalAction:
        return False
    return not round_.asked


def legal_plays(match: Match, seat: Seat) -> list[Combination]:
    """The combinations this seat may lay at its lead or turn, the wish respected (section 6)."""
    round_ = match.round
    assert round_ is not None
    if not match.options.wish_penalty:
        duty = fulfilling_plays(match, round_, seat)
        if duty:
            return duty
    return possible_plays(round_, seat)


def may_pass(match: Match, seat: Seat) -> bool:
    """Whether the seat on turn may pass: not on the lead, not when bound by a wish (N18, N28)."""
    round_ = match.round
    assert round_ is not None
    if round_.phase is not Phase.TURN or round_.turn != seat:
        return False
    return match.options.wish_penalty or not fulfilling_plays(match, round_, seat)


def possible_bombs(round_: Round, seat: Seat) -> list[Combination]:
    """The bombs of this seat that beat the trick (N56).

    Whether the seat may throw one at this moment is not looked at.
    """
    top = round_.top
    if top is None or round_.hands[seat].size < BOMB_SIZE:
        return []
    return [bomb for bomb in round_.hands[seat].bombs() if beats(bomb, top)]


def _as_actions(match: Match, round_: Round, seat: Seat, play: Combination) -> Iterator[Action]:
    """A combination as actions: with each wish, with each partner for the Dog (N26, S6)."""
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
