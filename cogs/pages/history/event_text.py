"""The events of a round in words, for the replay page."""

from __future__ import annotations

from bot.history.replay import Replay
from bot.table.state import Game
from bot.text.cards import Speaker
from cogs.pages.names import seat_name
from cogs.pages.replay_query import ReplayQuery
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
    Points,
    RoundDealt,
    RoundEnded,
    Seat,
    TrickStep,
    TrickTaken,
    WentOut,
    Withdrawn,
)


def step_texts(replay: Replay, query: ReplayQuery, words: Speaker) -> list[str]:
    """Return the texts of everything that happened in a step of a replay.

    They are joined in one line, so none ends with a full stop.
    """
    state = replay.at(query.place)
    events = replay.played_round.step_events(query.place, by_trick=query.by_trick)
    texts = (event_text(state, event, words) for event in events)
    return [text.removesuffix(".") for text in texts if text]


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
        case TrickTaken(seat=seat, points=points):
            return _with_points(trick_end(state, seat, None, words), points, words)
        case DragonGiven(seat=seat, receiver=receiver, points=points):
            return _with_points(trick_end(state, seat, receiver, words), points, words)
        case WentOut(seat=seat):
            return say("{name} is out", name=name(seat))
        case RoundEnded():
            return say("Round over")
    return ""


def _with_points(end: str, points: Points, words: Speaker) -> str:
    """Return the text on the end of a trick with its points, if it has any."""
    if not points:
        return end
    return f"{end.removesuffix('.')} ({words.say.many('{n} point', '{n} points', points)})"
