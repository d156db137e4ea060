"""Lines about the players whom a table waits for, and parts of a paused table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import discord

from bot.ids import UserId
from bot.table.state import Game
from bot.text.cards import Speaker
from bot.text.people import visible_name
from cogs.pages.controls import Controls, Part
from cogs.pages.names import safe, seat_name
from cogs.pages.verbs import Verb
from engine import Seat


def waiting_lines(state: Game, reader: UserId, words: Speaker) -> Iterator[str]:
    """Yield lines about awaited players, and about people who will take a seat.

    Computer players are never awaited, and nobody is awaited while a bomb window is open.
    """
    say = words.say
    if state.timers.paused:
        yield paused_text(state, words)
    elif state.between_rounds:
        if unready := [chair.seat for chair in state.people() if _delays_round(state, chair.seat)]:
            yield say(
                "Not ready yet: {names}.", names=_names(state, unready, reader, say("you"), words)
            )
    elif state.awaited:
        you = say.sense("Waiting for you", "you")
        names = _names(state, state.awaited, reader, you, words)
        yield say("Waiting for {names}.", names=names)
    for seat, newcomer in state.notes.coming.items():
        other = seat_name(state, seat, words)
        if newcomer.user_id == reader:
            yield say("You'll take {name}'s seat after this round.", name=other)
        else:
            name = f"**{safe(visible_name(say, newcomer.name, seat))}**"
            yield say("{name} takes {other}'s seat after this round.", name=name, other=other)


def _delays_round(state: Game, chair: Seat) -> bool:
    """Return whether the next round would begin earlier if this player were ready."""
    person = state.chairs[chair]
    return person.user_id not in state.notes.ready and chair not in state.notes.away


def _names(state: Game, chairs: Iterable[Seat], reader: UserId, you: str, words: Speaker) -> str:
    """Return the names of these players; the reader is called `you`."""
    own = state.seat_of(reader)
    names = (you if seat == own else seat_name(state, seat, words) for seat in chairs)
    return words.say.join(f"**{name}**" for name in names)


def paused_text(state: Game, words: Speaker) -> str:
    """Return the text that the table is paused, and when it closes."""
    say = words.say
    sentence = say("Everyone is away – paused.") if state.deserted else say("Paused.")
    end = state.timers.deadlines.get("abandoned")
    if end is None:
        return sentence
    closing_time = discord.utils.format_dt(end, "R")
    return sentence + "\n-# " + say("Closes {when} if nobody continues.", when=closing_time)


def continue_button(state: Game, words: Speaker) -> Part:
    """Return the button that resumes a paused table."""
    return Controls(state.id, state.revision).button(
        Verb.RESUME, words.say("Continue"), style=discord.ButtonStyle.success
    )
