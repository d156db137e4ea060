"""Reactions of people at a table: their buttons, and their line in the table message.

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
    """The reactions, by their text in button ids."""

    WELL_PLAYED = "well-played"
    THANKS = "thanks"
    SORRY = "sorry"
    HURRY = "hurry"


class SentReaction(NamedTuple):
    """A reaction that a person has sent to their table."""

    user_id: UserId
    reaction: Reaction


_EMOJIS = {
    Reaction.WELL_PLAYED: "👏",
    Reaction.THANKS: "🙏",
    Reaction.SORRY: "😅",
    Reaction.HURRY: "⏰",
}


def _reaction_text(reaction: Reaction, say: Say) -> str:
    """Return the text of a reaction, as on its button."""
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
    """Parse the arguments of a reaction button; raise `Refused` for forged ones."""
    try:
        return Reaction(args)
    except ValueError:
        raise Refused(Reason.UNKNOWN_BUTTON) from None


def _offered_reactions(state: Game) -> list[Reaction]:
    """Return the reactions offered at a table; a turn-based one has no “Hurry up!”."""
    return [each for each in Reaction if each is not Reaction.HURRY or not state.options.turn_based]


def check_offered(state: Game, reaction: Reaction) -> None:
    """Raise `Refused` if this reaction is not offered at this table."""
    if reaction not in _offered_reactions(state):
        raise Refused(Reason.UNKNOWN_BUTTON)


def reaction_row(state: Game, words: Speaker, *more: Part) -> Part:
    """Return a row with a button for each reaction, then `more` buttons (at most one)."""
    controls = Controls(state.id, state.revision)
    buttons = [
        controls.button(
            Verb.REACT, _reaction_text(each, words.say), each.value, emoji=_EMOJIS[each]
        )
        for each in _offered_reactions(state)
    ]
    return row(*buttons, *more)


def with_reaction_buttons(
    state: Game, rows: Sequence[Part], words: Speaker, *, is_choosing: bool
) -> list[Part]:
    """Return the rows of a hand page with buttons to react, for a player who waits.

    **Say…** is added to the last row if it has room. If the player `is_choosing` a reaction, there
    is a button for each instead. A person who plays only with computer players gets none.
    """
    if is_choosing:
        back_button = Controls(state.id, state.revision).button(Verb.REFRESH, words.say("Back"))
        return [*rows, reaction_row(state, words, back_button)]
    if state.alone:
        return list(rows)
    button = Controls(state.id, state.revision).button(Verb.SAY, words.say("Say…"), emoji="💬")
    last = rows[-1]["components"] if rows else ()
    has_room = len(last) < _MOST_BUTTONS
    if last and has_room and "label" in last[0]:  # a select has no label
        return [*rows[:-1], row(*last, button)]
    return [*rows, row(button)]


def reactions_line(state: Game, said: Iterable[SentReaction], words: Speaker) -> str:
    """Return one line with these reactions, if the people still sit at the table."""
    parts = []
    for user_id, reaction in said:
        seat = state.seat_of(user_id)
        if seat is not None:
            name = f"**{seat_name(state, seat, words)}**"
            phrase = words.say.labelled(name, _reaction_text(reaction, words.say))
            parts.append(f"{_EMOJIS[reaction]} {phrase}")
    return " · ".join(parts)


def reaction_confirmation(reaction: Reaction, words: Speaker, *, is_delayed: bool) -> str:
    """Return the confirmation for a person who has just reacted.

    A reaction that `is_delayed` is shown with the next move, if that comes soon enough.
    """
    if is_delayed:
        when = words.say("It appears with the next move, if that comes within 5 minutes.")
    else:
        when = words.say("Everyone at the table sees it.")
    return f"{_EMOJIS[reaction]} **{_reaction_text(reaction, words.say)}** {when}"
