"""The events of a round in words, for the replay page."""

from __future__ import annotations

from collections.abc import Sequence

from bot.history.played_round import Position
from bot.table.state import Game
from bot.text.cards import Speaker
from cogs.pages.names import seat_name
from cogs.pages.table.page import step_text, trick_end
from engine import (
    Call,
    Called,
    CallsOpened,
    CardsPassed,
    DragonGiven,
    Event,
    LeadGiven,
    Passed,
    Played,
    RoundDealt,
    RoundEnded,
    Seat,
    TrickStep,
    TrickTaken,
    WentOut,
    Withdrawn,
)


def last_moves(state: Game, positions: Sequence[Position], limit: int, words: Speaker) -> list[str]:
    """Return the texts of the last events in these positions, the newest last.

    There are at most `limit`. They are joined in one line, so none ends with a full stop.
    """
    moves: list[str] = []
    for position in reversed(positions):
        texts = [event_text(state, event, words) for event in position.events]
        moves[:0] = [text.removesuffix(".") for text in texts if text]
        if len(moves) >= limit:
            break
    return moves[-limit:] if limit else []


def event_text(state: Game, event: Event, words: Speaker) -> str:
    """Return the text of one event; empty if players cannot see it."""
    say = words.say

    def name(seat: Seat) -> str:
        return seat_name(state, seat, words)

    match event:
        case RoundDealt():
            return say("Cards dealt")
        case CallsOpened(callers=()):
            return say("No Grand Tichu")
        case Called(seat=seat, call=Call.GRAND):
            return say("{name} calls **Grand Tichu!**", name=name(seat))
        case Called(seat=seat):
            return say("{name} calls **Tichu!**", name=name(seat))
        case Withdrawn(seat=seat, call=call):
            return say(
                "{name} withdraws their {call}",
                name=name(seat),
                call=words.call_within(call),
            )
        case CardsPassed(leader=leader):
            return say("{name} leads", name=name(leader))
        case Played(seat=seat, combination=combination, wish=wish):
            return step_text(state, TrickStep(seat, combination, wish), words)
        case Passed(seat=seat):
            return step_text(state, TrickStep(seat, None), words)
        case LeadGiven(leader=leader):
            nobody = -1
            return trick_end(state, nobody, leader, words)
        case TrickTaken(seat=seat):
            return trick_end(state, seat, None, words)
        case DragonGiven(seat=seat, receiver=receiver):
            return trick_end(state, seat, receiver, words)
        case WentOut(seat=seat):
            return say("{name} is out", name=name(seat))
        case RoundEnded():
            return say("Round over")
    return ""
