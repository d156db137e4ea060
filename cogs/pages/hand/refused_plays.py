"""Reasons why chosen cards cannot be played, in words."""

from __future__ import annotations

from bot.table.state import Game
from bot.text.cards import Speaker
from bot.text.sentences import sentence
from cogs.pages.names import seat_name
from engine import CardSet, IllegalAction, Match, Play, Reason, Seat, verify


def why_not(state: Game, seat: Seat, cards: CardSet, words: Speaker) -> str:
    """Return the reason why this seat cannot play these cards, with the current top play.

    It cannot play them at its turn, or after the open bomb window.
    """
    live = state.situation(seat).live
    top = "" if live.top is None else words.by(live.top, seat_name(state, live.top_seat, words))
    return refusal_of(state.views.after_window.match, Play(seat, cards), top, words)


def refusal_of(match: Match, play: Play, top: str, words: Speaker) -> str:
    """Return the reason for which the rules refuse a play at its seat's turn.

    `top` names the top play and its player; it is empty on a lead.
    """
    try:
        verify(match, play)
    except IllegalAction as refusal:
        if refusal.code == Reason.DOES_NOT_BEAT and top:
            return words.say("That doesn't beat **{play}**.", play=top)
        return sentence(words.say, refusal)
    raise AssertionError("these cards can be played")
