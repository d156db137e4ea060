"""Actions of seats and of the clock, one class for each line of the notation.

`seat` is the seat that acts; in Trichu the dealer also acts for the Table's seat. The clock is seat
-1. The `repr` of an action is its seat and notation, such as ``<0 play:J8,S8>``.
"""

from __future__ import annotations

from typing import NamedTuple, TypeVar

from .cards import DECK_SIZE, MAHJONG, card_text, indices, rank_of, rank_text, write_play
from .types import Card, CardSet, Gifts, Rank, Seat, typed_equality

T = TypeVar("T", bound=tuple[object, ...])

CLOCK: Seat = -1
"""The seat of actions that no player takes: a timeout, or the result of a vote."""


def _action(kind: type[T]) -> type[T]:
    """Class decorator that adds equality by type and a `repr` in notation."""

    def shown(self: Action) -> str:
        who = "clock" if self.seat == CLOCK else self.seat
        return f"<{who} {_shown(self)}>"

    kind.__repr__ = shown  # type: ignore[assignment, method-assign]
    return typed_equality(kind)


@_action
class AnswerGrand(NamedTuple):
    """An answer to the Grand Tichu question, sealed until all have answered (N11, C21)."""

    seat: Seat
    call: bool


@_action
class AnswerWithdraw(NamedTuple):
    """An answer to the question whether to withdraw a simultaneous call (N78)."""

    seat: Seat
    withdraw: bool


@_action
class CallTichu(NamedTuple):
    """A small Tichu call (N71).

    `same` marks a call made at the same time as a partner's. The application decides that, because
    the engine has no clock (N78).
    """

    seat: Seat
    same: bool = False


@_action
class PassCards(NamedTuple):
    """The exchange of one seat: pairs of a receiver and its cards, sorted by receiver (N9).

    The `repr` names only the receivers, because the cards never become public.
    """

    seat: Seat
    gifts: Gifts


@_action
class Play(NamedTuple):
    """A lead or a play in turn (N17).

    In notation: ``play:S8,P8``, ``play:MAHJONG wish=9``, ``play:DOG to=4``.
    """

    seat: Seat
    cards: CardSet
    phoenix: tuple[Rank, ...] | None = None
    """The ranks that the Phoenixes stand for, ascending; `None` applies rule N46."""
    wish: Rank | None = None
    """The rank wished for, 2 to 14; only with the Mah Jong (N26)."""
    partner: Seat | None = None
    """The partner chosen to lead after a Dog, in games with this choice (S6)."""


@_action
class Pass(NamedTuple):
    """A pass in turn (N19)."""

    seat: Seat


@_action
class Bomb(NamedTuple):
    """A bomb, sealed in a window or thrown in another seat's turn (N56, N61)."""

    seat: Seat
    cards: CardSet


@_action
class Waive(NamedTuple):
    """A decision not to bomb in the open window (section 3, step 2)."""

    seat: Seat


@_action
class CloseWindow(NamedTuple):
    """The end of a bomb window, decided by the clock (section 3, step 3)."""

    seat: Seat = CLOCK


@_action
class GiveTrick(NamedTuple):
    """The gift of the Dragon's trick to an opponent (N49)."""

    seat: Seat
    receiver: Seat


@_action
class StopMatch(NamedTuple):
    """A successful vote to stop the match between two rounds, in games that have one (G27)."""

    seat: Seat = CLOCK


Action = (
    AnswerGrand
    | AnswerWithdraw
    | CallTichu
    | PassCards
    | Play
    | Pass
    | Bomb
    | Waive
    | CloseWindow
    | GiveTrick
    | StopMatch
)

_ANSWERS = {True: "yes", False: "no"}


def write_action(action: Action) -> str:
    """Return an action in canonical notation, without its seat."""
    match action:
        case AnswerGrand(call=answer):
            return f"grand:{_ANSWERS[answer]}"
        case AnswerWithdraw(withdraw=answer):
            return f"withdraw:{_ANSWERS[answer]}"
        case CallTichu(same=same):
            return "tichu:same" if same else "tichu"
        case PassCards(gifts=gifts):
            return "pass-cards:" + _write_gifts(gifts)
        case Play(cards=cards, phoenix=phoenix, wish=wish, partner=partner):
            text = "play:" + write_play(cards, phoenix)
            if wish is not None:
                text += f" wish={rank_text(wish)}"
            return text if partner is None else f"{text} to={partner}"
        case Pass():
            return "pass"
        case Bomb(cards=cards):
            return "bomb:" + write_play(cards)
        case Waive():
            return "waive"
        case CloseWindow():
            return "close"
        case GiveTrick(receiver=receiver):
            return f"give:{receiver}"
        case StopMatch():
            return "stop"


def _write_gifts(gifts: Gifts) -> str:
    """Return gifts in notation, each card with its receiver: ``S2>1,J3>2``."""
    return ",".join(
        f"{card_text(card)}>{receiver}"
        for receiver, cards in sorted(gifts)
        for card in sorted(indices(cards), key=_gift_order)
    )


def _gift_order(card: Card) -> tuple[int, int, int]:
    """Return the sort key of a gift: Mah Jong, ordinary cards by rank, Phoenix, Dragon."""
    copy, face = divmod(card, DECK_SIZE)
    return (1 if face == MAHJONG else rank_of(card) or face), face, copy


def _shown(action: Action) -> str:
    """Return an action in notation for its `repr`, without the cards of an exchange."""
    if isinstance(action, PassCards):
        return "pass-cards:" + ",".join(f"?>{receiver}" for receiver, _ in sorted(action.gifts))
    if isinstance(action, Play | Bomb) and action.cards < 0:
        return f"{type(action).__name__}?"
    try:
        return write_action(action)
    except (LookupError, TypeError, ValueError):  # invalid values, such as a wish for rank 99
        return f"{type(action).__name__}?"
