"""Short public lines for the drama of the game: calls and bombs, and little else."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bot.table import TableState
from bot.text.cards import Speaker
from cogs.names import seat_name
from engine.events import Called, Event, Played, Withdrawn
from engine.state import Call


def announcements(state: TableState, events: Sequence[Event], to: Speaker) -> Iterator[str]:
    """A line for each call and each bomb among the events."""
    say = to.say
    for event in events:
        if isinstance(event, Called):
            name = f"**{seat_name(state, event.seat, to)}**"
            if event.call is Call.GRAND:
                yield f"{to.art.icon('grand')} " + say("{name} calls **Grand Tichu!**", name=name)
            else:
                yield f"{to.art.icon('tichu')} " + say("{name} calls **Tichu!**", name=name)
            if event.reopened:
                yield "-# " + say("Cards that were already passed must be passed again.")
        elif isinstance(event, Withdrawn):
            name = f"**{seat_name(state, event.seat, to)}**"
            yield say(
                "{name} withdraws the {call} made at the same time.",
                name=name,
                call=to.call(event.call),
            )
        elif isinstance(event, Played) and event.combination.is_bomb:
            yield f"{to.art.icon('bomb')} " + say(
                "{name} bombs: {cards}",
                name=f"**{seat_name(state, event.seat, to)}**",
                cards=to.laid(event.combination),
            )
