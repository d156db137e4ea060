"""The text notation of actions: read leniently, written canonically.

``write_action`` of what ``read_action`` read is always the same text for the same action.
"""

from __future__ import annotations

import re

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
from engine.cards import (
    DECK_SIZE,
    MAHJONG,
    PHOENIXES,
    card_text,
    indices,
    rank_of,
    rank_text,
    read_card,
    read_rank,
)
from engine.combinations import Combination
from engine.errors import NotationError, quoted


def write_play(cards: int, phoenix: tuple[int, ...] | None = ()) -> str:
    """Cards of a play in canonical order: ``PHOENIX=9,S9``; a Phoenix alone without its rank."""
    stated = list(phoenix or ())
    parts = []
    for card in indices(cards):
        if 1 << card & PHOENIXES and stated:
            rank = stated.pop(0)
            key = (rank, -1, card // DECK_SIZE)
            parts.append((key, f"{card_text(card)}={rank_text(rank)}"))
        else:
            face = card % DECK_SIZE
            suit = face % 4 if face < 52 else 0
            parts.append(((rank_of(card), suit, card // DECK_SIZE), card_text(card)))
    return ",".join(text for _, text in sorted(parts))


def write_combination(combination: Combination) -> str:
    """A combination as the cards of a play."""
    return write_play(combination.cards, combination.phoenix)


def read_play(text: str) -> tuple[int, tuple[int, ...] | None]:
    """Cards and stated Phoenix ranks (`None` when none is stated) of a play in notation."""
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


def write_action(action: Action) -> str:
    """An action in canonical notation, without its seat."""
    match action:
        case AnswerGrand(call=answer):
            return f"grand:{_YES[answer]}"
        case AnswerWithdraw(withdraw=answer):
            return f"withdraw:{_YES[answer]}"
        case CallTichu(same=same):
            return "tichu:same" if same else "tichu"
        case PassCards(gifts=gifts):
            return "pass-cards:" + ",".join(
                f"{card_text(card)}>{to}"
                for to, cards in sorted(gifts)
                for card in sorted(indices(cards), key=_gift_order)
            )
        case Play(cards=cards, phoenix=phoenix, wish=wish, to=to):
            text = "play:" + write_play(cards, phoenix)
            if wish is not None:
                text += f" wish={rank_text(wish)}"
            return text if to is None else f"{text} to={to}"
        case Pass():
            return "pass"
        case Bomb(cards=cards):
            return "bomb:" + write_play(cards)
        case Waive():
            return "waive"
        case CloseWindow():
            return "close"
        case GiveTrick(to=to):
            return f"give:{to}"
        case StopMatch():
            return "stop"


def _gift_order(card: int) -> tuple[int, int, int]:
    """Cards given to one seat: the Mah Jong, the ordinary ones by rank, Phoenix, Dragon."""
    copy, face = divmod(card, DECK_SIZE)
    return (1 if face == MAHJONG else rank_of(card) or face), face, copy


def read_action(seat: int, text: str) -> Action:
    """The action of a seat from notation; `NotationError` if it is none."""
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


_YES = {True: "yes", False: "no"}
_ANSWER = {"yes": True, "no": False}


def _read_gifts(text: str) -> tuple[tuple[int, int], ...]:
    gifts: dict[int, int] = {}
    for part in text.split(","):
        card, arrow, to = part.partition(">")
        if not arrow:
            raise NotationError(f"{quoted(part)} does not say who gets the card")
        bit = 1 << read_card(card)
        if gifts.get(int(to), 0) & bit:
            raise NotationError(f"{quoted(card)} is given twice")
        gifts[int(to)] = gifts.get(int(to), 0) | bit
    return tuple(sorted(gifts.items()))


def _read_play_action(seat: int, text: str) -> Play:
    wish: int | None = None
    to: int | None = None
    words = text.split()
    while len(words) > 1 and re.match(r"(wish|to)=", words[-1]):
        name, _, value = words.pop().partition("=")
        if name == "wish":
            wish = read_rank(value)
        else:
            to = int(value)
    cards, phoenix = read_play(" ".join(words))
    return Play(seat, cards, phoenix, wish, to)
