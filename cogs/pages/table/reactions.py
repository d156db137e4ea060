"""What people at a table say to each other with a button: a short line in the table message.

It is no part of the game: nothing is stored, and no button becomes stale.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import NamedTuple

from bot.errors import Reason, Refused
from bot.ids import UserId
from bot.table.state import Game
from bot.text import Say
from bot.text.cards import Speaker
from cogs.pages.controls import Controls, Part, row
from cogs.pages.names import seat_name
from cogs.pages.verbs import Verb

_MOST_BUTTONS = 5
"""The buttons that fit into one row."""


class Reaction(StrEnum):
    """What can be said. Its text stands in the ids of buttons."""

    WELL_PLAYED = "well-played"
    THANKS = "thanks"
    SORRY = "sorry"
    HURRY = "hurry"


class Said(NamedTuple):
    """What somebody has said."""

    user_id: UserId
    reaction: Reaction


_SIGNS = {
    Reaction.WELL_PLAYED: "👏",
    Reaction.THANKS: "🙏",
    Reaction.SORRY: "😅",
    Reaction.HURRY: "⏰",
}


def _words(reaction: Reaction, say: Say) -> str:
    match reaction:
        case Reaction.WELL_PLAYED:
            return say("Well played!")
        case Reaction.THANKS:
            return say("Thanks!")
        case Reaction.SORRY:
            return say("Sorry!")
        case Reaction.HURRY:
            return say("Hurry up!")


def read_reaction(args: str) -> Reaction:
    """The reaction on a button; `Refused` for a forged one."""
    try:
        return Reaction(args)
    except ValueError:
        raise Refused(Reason.UNKNOWN_BUTTON) from None


def _offered(state: Game) -> list[Reaction]:
    """What can be said at this table: nobody is hurried who has days for a turn."""
    return [each for each in Reaction if each is not Reaction.HURRY or not state.options.turn_based]


def check_offered(state: Game, reaction: Reaction) -> None:
    """`Refused` if this cannot be said at this table."""
    if reaction not in _offered(state):
        raise Refused(Reason.UNKNOWN_BUTTON)


def reaction_row(state: Game, words: Speaker, *more: Part) -> Part:
    """A button for each reaction; with `more`, which may be one."""
    controls = Controls(state.id, state.revision)
    buttons = [
        controls.button(Verb.REACT, _words(each, words.say), each.value, emoji=_SIGNS[each])
        for each in _offered(state)
    ]
    return row(*buttons, *more)


def reactions_of_hand(
    state: Game, rows: Sequence[Part], words: Speaker, *, chooses: bool
) -> list[Part]:
    """The rows of a hand whose reader waits, with a way to say something meanwhile.

    That is one button more, in the last row if it has room there; or all of them, if the reader
    `chooses` one. Whoever plays alone with computer players has nobody to talk to.
    """
    if chooses:
        back = Controls(state.id, state.revision).button(Verb.REFRESH, words.say("Back"))
        return [*rows, reaction_row(state, words, back)]
    if state.alone:
        return list(rows)
    button = Controls(state.id, state.revision).button(Verb.SAY, words.say("Say…"), emoji="💬")
    last = rows[-1]["components"] if rows else ()
    if last and "label" in last[0] and len(last) < _MOST_BUTTONS:
        return [*rows[:-1], row(*last, button)]
    return [*rows, row(button)]


def said_lately(state: Game, said: Iterable[Said], words: Speaker) -> str:
    """One line with what these people say, as far as they sit there; empty if nobody does."""
    told = []
    for user_id, reaction in said:
        seat = state.seat_of(user_id)
        if seat is not None:
            name = f"**{seat_name(state, seat, words)}**"
            spoken = words.say.about(name, _words(reaction, words.say))
            told.append(f"{_SIGNS[reaction]} {spoken}")
    return " · ".join(told)


def said_now(reaction: Reaction, words: Speaker, *, waits: bool) -> str:
    """What somebody reads who has just said this at a table.

    If it `waits`, it comes with the next move, unless that comes too late for it.
    """
    if waits:
        told = words.say("It's shown with the next move, if that comes within 5 minutes.")
    else:
        told = words.say("Everyone reads it at the table.")
    return f"{_SIGNS[reaction]} **{_words(reaction, words.say)}** {told}"
