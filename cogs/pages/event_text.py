"""What happened in a round, event by event, for the replay page."""

from __future__ import annotations

from collections.abc import Sequence

from bot.history.replay import Position
from bot.table.state import TableState
from bot.text.cards import Speaker
from cogs.pages.names import seat_name
from cogs.pages.table import step_text, trick_end
from engine.events import (
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
    TrickTaken,
    WentOut,
    Withdrawn,
)
from engine.state import Call, Laid


def last_moves(
    state: TableState, positions: Sequence[Position], most: int, to: Speaker
) -> list[str]:
    """At most so many things that happened last in these positions, the newest last.

    They stand in a row with something between them, so none has a full stop.
    """
    found: list[str] = []
    for position in reversed(positions):
        words = [event_words(state, event, to) for event in position.events]
        found[:0] = [said.removesuffix(".") for said in words if said]
        if len(found) >= most:
            break
    return found[-most:] if most else []


def event_words(state: TableState, event: Event, to: Speaker) -> str:
    """One event in words; empty for those that nobody at the table notices."""
    say = to.say

    def name(seat: int) -> str:
        return seat_name(state, seat, to)

    match event:
        case RoundDealt():
            return say("The cards are dealt.")
        case CallsOpened(callers=()):
            return say("Nobody calls Grand Tichu.")
        case Called(seat=seat, call=Call.GRAND):
            return say("{name} calls **Grand Tichu!**", name=name(seat))
        case Called(seat=seat):
            return say("{name} calls **Tichu!**", name=name(seat))
        case Withdrawn(seat=seat, call=call):
            return say(
                "{name} withdraws the {call} made at the same time.",
                name=name(seat),
                call=to.call(call),
            )
        case CardsPassed(leader=leader):
            return say("{name} leads.", name=name(leader))
        case Played(seat=seat, combination=combination, wish=wish):
            return step_text(state, Laid(seat, combination, wish), to)
        case Passed(seat=seat):
            return step_text(state, Laid(seat, None), to)
        case LeadGiven(to=leader):
            return trick_end(state, -1, leader, to)
        case TrickTaken(seat=seat):
            return trick_end(state, seat, None, to)
        case DragonGiven(seat=seat, to=receiver):
            return trick_end(state, seat, receiver, to)
        case WentOut(seat=seat):
            return say("{name} is out.", name=name(seat))
        case RoundEnded():
            return say("The round is over.")
    return ""
