"""Parser of the text notation of actions and plays.

An action may be spelled in several ways; `write_action` always writes the canonical one. The
functions that write notation are defined in `actions` and `cards` and are exported
from here, too.
"""

from __future__ import annotations

import re

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
    write_action,
)
from .cards import PHOENIXES, read_card, read_rank, write_play
from .combinations import Combination
from .errors import NotationError, quoted
from .types import CardSet, Gifts, Rank, Seat

__all__ = [
    "read_action",
    "read_play",
    "write_action",
    "write_combination",
    "write_play",
]


def write_combination(combination: Combination) -> str:
    """Return a combination in notation, as the cards of a play: ``PHOENIX=9,S9``."""
    return write_play(combination.cards, combination.phoenix)


def read_play(text: str) -> tuple[CardSet, tuple[Rank, ...] | None]:
    """Return the cards of a play in notation and the stated ranks of its Phoenixes, ascending.

    The ranks are `None` if none is stated. Raises `NotationError` if the text is not a set of
    cards.
    """
    cards, phoenix = 0, []
    for word in re.split(r"[,\s]+", text.strip()):
        face, equals, rank = word.partition("=")
        bit = 1 << read_card(face)
        if cards & bit:
            raise NotationError(f"{quoted(word)} stands twice in {quoted(text)}")
        if equals:
            if not bit & PHOENIXES:
                raise NotationError(f"only a Phoenix can stand for a rank, not {quoted(word)}")
            phoenix.append(read_rank(rank))
        cards |= bit
    return cards, tuple(sorted(phoenix)) if phoenix else None


def read_action(seat: Seat, text: str) -> Action:
    """Return the action of a seat from its notation, legal or not.

    Raises `NotationError` if the text is not an action.
    """
    word, _, rest = text.strip().partition(":")
    rest = rest.strip()
    try:
        match word:
            case "grand":
                return AnswerGrand(seat, _ANSWER[rest])
            case "withdraw":
                return AnswerWithdraw(seat, _ANSWER[rest])
            case "tichu" if rest in ("", "same"):
                return CallTichu(seat, rest == "same")
            case "pass-cards":
                return PassCards(seat, _read_gifts(rest))
            case "play":
                return _read_play_action(seat, rest)
            case "bomb":
                cards, phoenix = read_play(rest)
                if phoenix is None:
                    return Bomb(seat, cards)
            case "give":
                return GiveTrick(seat, int(rest))
        if not rest and word in ("pass", "waive"):
            return Pass(seat) if word == "pass" else Waive(seat)
        if not rest and word in ("close", "stop") and seat == CLOCK:
            return CloseWindow() if word == "close" else StopMatch()
    except (KeyError, ValueError) as error:
        if isinstance(error, NotationError):
            raise
    raise NotationError(f"{quoted(text)} is not an action of seat {seat}")


_ANSWER = {"yes": True, "no": False}


def _read_gifts(text: str) -> Gifts:
    """Return receivers and their cards from the notation of an exchange: ``S2>1,J3>2``."""
    gifts: dict[Seat, CardSet] = {}
    for part in text.split(","):
        card, arrow, seat = part.partition(">")
        if not arrow:
            raise NotationError(f"{quoted(part)} does not say who gets the card")
        bit, receiver = 1 << read_card(card), int(seat)
        if gifts.get(receiver, 0) & bit:
            raise NotationError(f"{quoted(card)} is given twice")
        gifts[receiver] = gifts.get(receiver, 0) | bit
    return tuple(sorted(gifts.items()))


def _read_play_action(seat: Seat, text: str) -> Play:
    """Return a play from its cards, optionally followed by ``wish=RANK`` and ``to=SEAT``."""
    found: dict[str, str] = {}
    words = text.split()
    while len(words) > 1 and re.match(r"(wish|to)=", words[-1]):
        name, _, value = words.pop().partition("=")
        if name in found:
            raise NotationError(f"{name}= is given twice in {quoted(text)}")
        found[name] = value
    wish = read_rank(found["wish"]) if "wish" in found else None
    partner = int(found["to"]) if "to" in found else None
    cards, phoenix = read_play(" ".join(words))
    return Play(seat, cards, phoenix, wish, partner)
