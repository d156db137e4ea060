"""Reactions of people at a table: buttons, and one line.

The line is in the table message.

They are not part of the game: nothing is stored, and no button becomes stale.
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
"""The number of buttons that fit into one row."""


class Reaction(StrEnum):
    """The reactions. Their texts are part of button ids."""

    WELL_PLAYED = "well-played"
    THANKS = "thanks"
    SORRY = "sorry"
    HURRY = "hurry"


class Said(NamedTuple):
    """A person's reaction."""

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
    """Return the reaction of a button; raise `Refused` for a forged one."""
    try:
        return Reaction(args)
    except ValueError:
        raise Refused(Reason.UNKNOWN_BUTTON) from None


def _offered(state: Game) -> list[Reaction]:
    """Return the reactions for this table; a turn-based one has no “Hurry up!”."""
    return [each for each in Reaction if each is not Reaction.HURRY or not state.options.turn_based]


def check_offered(state: Game, reaction: Reaction) -> None:
    """Raise `Refused` if this reaction is not offered at this table."""
    if reaction not in _offered(state):
        raise Refused(Reason.UNKNOWN_BUTTON)


def reaction_row(state: Game, words: Speaker, *more: Part) -> Part:
    """Return a button for each reaction, followed by `more` (at most one)."""
    controls = Controls(state.id, state.revision)
    buttons = [
        controls.button(Verb.REACT, _words(each, words.say), each.value, emoji=_SIGNS[each])
        for each in _offered(state)
    ]
    return row(*buttons, *more)


def reactions_of_hand(
    state: Game, rows: Sequence[Part], words: Speaker, *, chooses: bool
) -> list[Part]:
    """Return the rows of a hand whose reader waits, with a way to react.

    That is one more button, in the last row if it has room, or all reactions if the reader
    `chooses` one. A person who plays only with computer players gets none.
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
    """Return one line with the reactions of people at the table."""
    told = []
    for user_id, reaction in said:
        seat = state.seat_of(user_id)
        if seat is not None:
            name = f"**{seat_name(state, seat, words)}**"
            spoken = words.say.labelled(name, _words(reaction, words.say))
            told.append(f"{_SIGNS[reaction]} {spoken}")
    return " · ".join(told)


def said_now(reaction: Reaction, words: Speaker, *, waits: bool) -> str:
    """Return the confirmation for a person who has just reacted.

    If it `waits`, it is shown with the next move, unless that comes too late for it.
    """
    if waits:
        told = words.say("It appears with the next move, if that comes within 5 minutes.")
    else:
        told = words.say("Everyone at the table sees it.")
    return f"{_SIGNS[reaction]} **{_words(reaction, words.say)}** {told}"
