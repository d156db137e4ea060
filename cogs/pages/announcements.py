"""Short public lines: calls and bombs, and who leaves or takes a seat."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bot.table.state import Game
from bot.text.cards import Speaker
from cogs.pages.names import safe, seat_name
from engine.events import Called, Event, Played, Withdrawn
from engine.state import Call


def announcements(state: Game, events: Sequence[Event], words: Speaker) -> Iterator[str]:
    """A line for each call and each bomb among the events."""
    say = words.say
    for event in events:
        if isinstance(event, Called):
            name = f"**{seat_name(state, event.seat, words)}**"
            if event.call is Call.GRAND:
                yield f"{words.art.icon('grand')} " + say(
                    "{name} calls **Grand Tichu!**", name=name
                )
            else:
                yield f"{words.art.icon('tichu')} " + say("{name} calls **Tichu!**", name=name)
            if event.reopened:
                yield "-# " + say("Cards that were already passed must be passed again.")
        elif isinstance(event, Withdrawn):
            name = f"**{seat_name(state, event.seat, words)}**"
            yield say(
                "{name} withdraws the {call} made at the same time.",
                name=name,
                call=words.call(event.call),
            )
        elif isinstance(event, Played) and event.combination.is_bomb:
            yield f"{words.art.icon('bomb')} " + say(
                "{name} bombs: {cards}",
                name=f"**{seat_name(state, event.seat, words)}**",
                cards=words.laid(event.combination),
            )


def seat_lines(before: Game, after: Game, words: Speaker) -> Iterator[str]:
    """A line for everybody who is away from now on, and for every seat with a new player."""
    say = words.say
    for old, chair in zip(before.chairs, after.chairs, strict=True):
        name = f"**{seat_name(after, chair.seat, words)}**"
        if old.user_id != chair.user_id:
            yield say("{name} plays on for **{other}**.", name=name, other=safe(old.name))
        elif chair.seat in after.notes.away and chair.seat not in before.notes.away:
            yield say(
                "{name} is away. A computer player moves instead until **I'm back** is pressed.",
                name=name,
            )
