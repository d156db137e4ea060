"""Reasons why chosen cards cannot be played, in words."""

from __future__ import annotations

from bot.table.state import Game
from bot.text.cards import Speaker
from bot.text.sentences import sentence
from cogs.pages.names import seat_name
from engine import CardSet, Combination, IllegalAction, Match, Play, Reason, Seat, verify


def refusal_reason(state: Game, seat: Seat, cards: CardSet, words: Speaker) -> str:
    """Return the reason why this seat could not play these cards on its turn.

    While a bomb window is open, that is its turn after the window.
    """
    upcoming = state.situation(seat).upcoming
    top = upcoming.top
    # The Table may have to beat a play of the dealer, who also decides for the Table (T8).
    is_own_play = upcoming.top_seat == state.decider(seat)
    name = "" if top is None or is_own_play else seat_name(state, upcoming.top_seat, words)
    return refusal_text(
        state.views.after_window.match, Play(seat, cards), words, top=top, name=name
    )


def refusal_text(
    match: Match, play: Play, words: Speaker, *, top: Combination | None, name: str
) -> str:
    """Return the reason for which the rules refuse a play on its seat's turn.

    `top` is the play to beat, `None` on a lead. `name` is its player; if it is empty, the reason
    does not name the play.
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
