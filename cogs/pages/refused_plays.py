"""Why chosen cards cannot be played: the reason for which the rules refuse them, in words."""

from __future__ import annotations

from bot.table.state import Game
from bot.text.cards import Speaker
from bot.text.sentences import sentence
from cogs.pages.names import seat_name
from engine import CardSet, IllegalAction, Play, Reason, Seat, verify


def why_not(state: Game, seat: Seat, cards: CardSet, words: Speaker) -> str:
    """The reason for which this seat cannot play these cards, with the play that lies there.

    They are cards that it cannot play at its turn, or after the bomb window that is open now.
    """
    live = state.situation(seat).live
    try:
        verify(state.views.after_window.match, Play(seat, cards))
    except IllegalAction as refusal:
        if refusal.code == Reason.NO_COMBINATION:
            return words.say("not a combination.")
        if refusal.code == Reason.DOES_NOT_BEAT and live.top is not None:
            play = words.by(live.top, seat_name(state, live.top_seat, words))
            return words.say("doesn't beat **{play}**.", play=play)
        return sentence(words.say, refusal)
    raise AssertionError("these cards can be played")
