"""Why chosen cards cannot be played: the reason for which the rules refuse them, in words."""

from __future__ import annotations

from bot.table.state import Game
from bot.text.cards import Speaker
from bot.text.sentences import sentence
from cogs.pages.names import seat_name
from engine import CardSet, Combination, IllegalAction, Match, Play, Reason, Seat, verify


def why_not(state: Game, seat: Seat, cards: CardSet, words: Speaker) -> str:
    """The reason for which this seat cannot play these cards, with the play that lies there.

    They are cards that it cannot play at its turn, or after the bomb window that is open now.
    """
    live = state.situation(seat).live
    own = live.top_seat == state.decider(seat)  # the dealer's, for the Table (T8)
    name = "" if live.top is None or own else seat_name(state, live.top_seat, words)
    return refusal_of(
        state.views.after_window.match, Play(seat, cards), words, top=live.top, name=name
    )


def refusal_of(
    match: Match, play: Play, words: Speaker, *, top: Combination | None, name: str
) -> str:
    """The reason for which the rules refuse a play at its seat's turn.

    `top` is the play that lies there, and `name` whose it is; empty on a lead and for the reader.
    """
    try:
        verify(match, play)
    except IllegalAction as refusal:
        if refusal.code == Reason.DOES_NOT_BEAT and top is not None and name:
            return words.say(
                "That doesn't beat **{name}'s {combination}**.",
                name=name,
                combination=words.combination_within(top),
            )
        return sentence(words.say, refusal)
    raise AssertionError("these cards can be played")
