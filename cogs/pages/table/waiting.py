"""Who waits at a table, as the answer to `/tichu table` tells it beside the table itself."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from bot.ids import UserId
from bot.table.state import Game
from bot.text.cards import Speaker
from cogs.pages.names import safe, seat_name
from cogs.pages.table.pauses import paused_text
from engine import Seat


def who_waits(state: Game, reader: UserId, words: Speaker) -> Iterator[str]:
    """Lines that tell a reader whom everybody waits for, and who waits for a seat.

    A computer player is never waited for, and while a bomb window is open nobody is.
    """
    say = words.say
    if state.timers.paused:
        yield paused_text(state, words)
    elif state.between_rounds:
        if late := [chair.seat for chair in state.people() if _is_late(state, chair.seat)]:
            yield say(
                "Not ready yet: {names}.", names=_names(state, late, reader, say("you"), words)
            )
    elif state.awaited:
        you = say.sense("Waiting for you", "you")
        names = _names(state, state.awaited, reader, you, words)
        yield say("Waiting for {names}.", names=names)
    for seat, who in state.notes.coming.items():
        other = seat_name(state, seat, words)
        if who.user_id == reader:
            yield say("You'll take {name}'s seat after this round.", name=other)
        else:
            name = f"**{safe(who.name)}**"
            yield say("{name} takes {other}'s seat after this round.", name=name, other=other)


def _is_late(state: Game, chair: Seat) -> bool:
    """Whether the next round would begin earlier if this person were ready."""
    person = state.chairs[chair]
    return person.user_id not in state.notes.ready and chair not in state.notes.away


def _names(state: Game, chairs: Iterable[Seat], reader: UserId, you: str, words: Speaker) -> str:
    """The people on these chairs, of whom the reader is called `you`."""
    own = state.seat_of(reader)
    names = (you if at == own else seat_name(state, at, words) for at in chairs)
    return words.say.listed(f"**{name}**" for name in names)
