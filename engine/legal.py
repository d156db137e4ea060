"""Every action that a seat (or the clock) may take now; exactly what `apply` accepts.

`CallTichu(same=True)` is left out: only the clock outside knows what is truly simultaneous (N78).
"""

from __future__ import annotations

from collections.abc import Iterator

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
from engine.state import WINDOWS, Match, Phase, Round
from engine.trick import BOMB_SIZE
from engine.wish import fulfilling_plays, possible_plays


def legal(match: Match, seat: int) -> Iterator[Action]:
    """The legal actions of one seat, or of the clock (`CLOCK`), in no particular order."""
    round_ = match.round
    if seat == CLOCK and match.phase is Phase.ROUND_END and match.variant.may_stop(match):
        yield StopMatch()
    if round_ is None or round_.phase is Phase.ROUND_END:
        return
    if round_.asked:
        if seat != CLOCK and round_.asked >> seat & 1:
            yield from (AnswerWithdraw(seat, answer) for answer in (True, False))
        return
    phase = round_.phase
    if seat == CLOCK:
        if phase in WINDOWS:
            yield CloseWindow()
        return
    if phase is Phase.GRAND:
        if round_.opening.answers[seat] is None:
            yield from (AnswerGrand(seat, answer) for answer in (True, False))
        return
    if can_call(match, seat):
        yield CallTichu(seat)
    if phase is Phase.EXCHANGE:
        for gifts in match.variant.possible_gifts(round_, seat):
            yield PassCards(seat, gifts)
    elif phase in WINDOWS:
        yield from _in_window(round_, seat)
    elif phase is Phase.GIFT:
        if seat == round_.turn:
            for to in match.variant.gift_receivers(round_, seat):
                yield GiveTrick(seat, to)
    elif seat == round_.turn:
        for play in legal_plays(match, seat):
            yield from _as_actions(match, round_, seat, play)
        if may_pass(match, seat):
            yield Pass(seat)
    elif phase is Phase.TURN:
        for bomb in possible_bombs(round_, seat):
            yield Bomb(seat, bomb.cards)


def can_call(match: Match, seat: int) -> bool:
    """Whether the seat may call a small Tichu now (N71)."""
    round_ = match.round
    assert round_ is not None
    try:
        check_call(match, round_, CallTichu(seat))
    except IllegalAction:
        return False
    return not round_.asked


def legal_plays(match: Match, seat: int) -> list[Combination]:
    """The combinations this seat may lay at its lead or turn, the wish respected (section 6)."""
    round_ = match.round
    assert round_ is not None
    if not match.options.wish_penalty:
        duty = fulfilling_plays(match, round_, seat)
        if duty:
            return duty
    return possible_plays(round_, seat)


def may_pass(match: Match, seat: int) -> bool:
    """Whether the seat on turn may pass: not on the lead, not when bound by a wish (N18, N28)."""
    round_ = match.round
    assert round_ is not None
    if round_.phase is not Phase.TURN or round_.turn != seat:
        return False
    return match.options.wish_penalty or not fulfilling_plays(match, round_, seat)


def possible_bombs(round_: Round, seat: int) -> list[Combination]:
    """The bombs of this seat that beat the trick, were it allowed to throw one now (N56)."""
    top = round_.top
    if top is None or round_.hands[seat].size < BOMB_SIZE:
        return []
    return [bomb for bomb in round_.hands[seat].bombs() if beats(bomb, top)]


def _in_window(round_: Round, seat: int) -> Iterator[Action]:
    if (
        round_.hands[seat].size < BOMB_SIZE
        or round_.waived >> seat & 1
        or any(other == seat for other, _ in round_.submitted)
    ):
        return
    for bomb in possible_bombs(round_, seat):
        yield Bomb(seat, bomb.cards)
    yield Waive(seat)


def _as_actions(match: Match, round_: Round, seat: int, play: Combination) -> Iterator[Action]:
    """A combination as actions: with each wish, with each partner for the Dog (N26, S6)."""
    stated = play.phoenix or None
    if play.kind is Kind.DOG:
        targets: tuple[int | None, ...] = match.variant.dog_targets(round_, seat) or (None,)
        for to in targets:
            yield Play(seat, play.cards, stated, None, to)
        return
    yield Play(seat, play.cards, stated)
    if play.cards & MAHJONGS:
        for rank in RANKS:
            yield Play(seat, play.cards, stated, rank)
