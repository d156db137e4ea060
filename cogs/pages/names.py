"""Names of people and seats as they stand in messages."""

from __future__ import annotations

import re

from bot.table.state import Game, OpenTable, TableState
from bot.text.cards import Speaker
from bot.text.titles import title

_ACTIVE = re.compile(r"[\\`*_~|\[\]()<>@#:-]")
"""What begins or ends markdown, a link, a mention or an emoji."""


def safe(name: str) -> str:
    """A name that Discord shows as it is: no markdown, no link, no mention."""
    return _ACTIVE.sub(r"\\\g<0>", name)


def plain_name(state: TableState, seat: int, to: Speaker) -> str:
    """The name of a seat as it stands on a button: whoever sits there, or Trichu's Table."""
    return state.chairs[seat].name if seat < len(state.chairs) else to.say("The Table")


def seat_name(state: TableState, seat: int, to: Speaker) -> str:
    """The name of a seat as it may stand in a message."""
    return safe(plain_name(state, seat, to))


def column_name(state: Game, column: int, to: Speaker) -> str:
    """The names of all seats whose result goes to a column, joined."""
    return " & ".join(seat_name(state, seat, to) for seat in seats_of_column(state, column))


def plain_column(state: Game, column: int, to: Speaker) -> str:
    """A short heading for a column in a table of fixed width: the first names' beginnings."""
    seats = seats_of_column(state, column)
    people = len(state.chairs)
    names = [
        plain_name(state, seat, to).replace("`", "'") if seat < people else to.say("Table")
        for seat in seats
    ]
    return "+".join(name[: 7 // len(names)] for name in names)


def seats_of_column(state: Game, column: int) -> list[int]:
    """The seats whose result of this round goes to a column."""
    round_, match = state.round, state.match
    seats = range(len(round_.hands))
    return [seat for seat in seats if match.variant.column(round_, seat) == column]


def titled_name(state: TableState, seat: int, hierarchy: tuple[int, ...], to: Speaker) -> str:
    """A name in bold, with its title where there is a hierarchy (G13)."""
    name = f"**{seat_name(state, seat, to)}**"
    if not hierarchy:
        return name
    return f"{name}, {title(to.say, hierarchy.index(seat), len(hierarchy))}"


def jump(state: OpenTable) -> str:
    """A link to the table message, or the channel while there is none."""
    if state.messages.table is None:
        return f"<#{state.channel_id}>"
    return (
        f"https://discord.com/channels/{state.guild_id}/{state.channel_id}/{state.messages.table}"
    )
