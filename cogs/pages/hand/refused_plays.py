"""Reasons why chosen cards cannot be played, in words."""

from __future__ import annotations

from bot.table.state import Game
from bot.text.cards import Speaker
from bot.text.sentences import sentence
from cogs.pages.names import seat_name
from engine import CardSet, Combination, IllegalAction, Match, Play, Reason, Seat, verify


def why_not(state: Game, seat: Seat, cards: CardSet, words: Speaker) -> str:
    """Return the reason why this seat cannot play these cards, with the current top play.

    It cannot play them at its turn, or after the open bomb window.
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
    """Return the reason for which the rules refuse a play at its seat's turn.

    `top` is the top play, `name` its player; both are empty on a lead.
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
