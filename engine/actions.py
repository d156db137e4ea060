"""Everything that can be done in a game, one class for each line of the notation.

`seat` is the seat acted for (in Trichu the dealer acts for the Table); the clock is seat -1.
`repr` of an action is its seat and its notation, such as ``<0 play:J8,S8>``.
"""

from __future__ import annotations

from typing import NamedTuple, TypeVar

from engine.cards import DECK_SIZE, MAHJONG, card_text, indices, rank_of, rank_text, write_play
from engine.types import Card, CardSet, Gifts, Rank, Seat
from engine.values import own_kind

T = TypeVar("T", bound=tuple[object, ...])

CLOCK: Seat = -1
"""The seat in actions that nobody takes: the clock outside, or a vote."""


def _action(kind: type[T]) -> type[T]:
    """Class decorator: an action equals only its own kind, and its `repr` is its notation."""

    def shown(self: Action) -> str:
        who = "clock" if self.seat == CLOCK else self.seat
        return f"<{who} {_shown(self)}>"

    kind.__repr__ = shown  # type: ignore[assignment, method-assign]
    return own_kind(kind)


@_action
class AnswerGrand(NamedTuple):
    """Answer to the Grand Tichu question, sealed until all have answered (N11, C21)."""

    seat: Seat
    call: bool


@_action
class AnswerWithdraw(NamedTuple):
    """Answer of a seat that was asked whether to withdraw its simultaneous call (N78)."""

    seat: Seat
    withdraw: bool


@_action
class CallTichu(NamedTuple):
    """A small Tichu call (N71).

    `same` says that it came at truly the same time as a partner's; the clock outside decides (N78).
    """

    seat: Seat
    same: bool = False


@_action
class PassCards(NamedTuple):
    """The exchange of one seat: pairs of a receiving seat and the cards it gets (N9).

    The pairs are in order of the receiving seats. The `repr` names only the receivers, because the
    cards never become public.
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
    """The ranks that the Phoenixes stand for, ascending; `None` leaves them to rule N46."""
    wish: Rank | None = None
    """The rank wished for, 2 to 14; only with the Mah Jong (N26)."""
    partner: Seat | None = None
    """The partner that a Dog goes to, where its player may choose (S6)."""


@_action
class Pass(NamedTuple):
    """A pass in turn (N19)."""

    seat: Seat


@_action
class Bomb(NamedTuple):
    """A bomb in a window (a sealed submission) or in somebody else's turn (N56, N61)."""

    seat: Seat
    cards: CardSet


@_action
class Waive(NamedTuple):
    """A seat says in a bomb window that it will not bomb (section 3, step 2)."""

    seat: Seat


@_action
class CloseWindow(NamedTuple):
    """The clock closes a bomb window (section 3, step 3)."""

    seat: Seat = CLOCK


@_action
class GiveTrick(NamedTuple):
    """The Dragon's trick goes to an opponent (N49)."""

    seat: Seat
    receiver: Seat


@_action
class StopMatch(NamedTuple):
    """The vote to stop the match between two rounds succeeded, in games that have one (G27)."""

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
    """An action in canonical notation, without its seat."""
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
    """Cards with their receivers: ``S2>1,J3>2``."""
    return ",".join(
        f"{card_text(card)}>{receiver}"
        for receiver, cards in sorted(gifts)
        for card in sorted(indices(cards), key=_gift_order)
    )


def _gift_order(card: Card) -> tuple[int, int, int]:
    """Sort key of cards given to one seat: Mah Jong, ordinary cards by rank, Phoenix, Dragon."""
    copy, face = divmod(card, DECK_SIZE)
    return (1 if face == MAHJONG else rank_of(card) or face), face, copy


def _shown(action: Action) -> str:
    """An action in notation for its `repr`; of an exchange the receivers, but not the cards."""
    if isinstance(action, PassCards):
        return "pass-cards:" + ",".join(f"?>{receiver}" for receiver, _ in sorted(action.gifts))
    if isinstance(action, Play | Bomb) and action.cards < 0:
        return f"{type(action).__name__}?"
    try:
        return write_action(action)
    except (LookupError, TypeError, ValueError):  # nonsense, such as a wish for rank 99
        return f"{type(action).__name__}?"
