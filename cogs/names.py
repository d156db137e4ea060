"""Names of people and seats as they stand in messages."""

from __future__ import annotations

import re

from bot.table import TableState

_ACTIVE = re.compile(r"[\\`*_~|\[\]()<>@#:-]")
"""What begins or ends markdown, a link, a mention or an emoji."""


def safe(name: str) -> str:
    """A name that Discord shows as it is: no markdown, no link, no mention."""
    return _ACTIVE.sub(r"\\\g<0>", name)


def seat_name(state: TableState, seat: int) -> str:
    """The name of whoever sits there, as it may stand in a message."""
    return safe(state.chairs[seat].name)


def team_name(state: TableState, column: int) -> str:
    """The names of everybody whose result goes to a score column, joined."""
    round_, match = state.round, state.match
    if match is None or round_ is None:
        return ""
    return " & ".join(
        seat_name(state, seat)
        for seat in range(len(state.chairs))
        if match.variant.column(round_, seat) == column
    )


def jump(state: TableState) -> str:
    """A link to the table message, or the channel while there is none."""
    if state.table_message_id is None:
        return f"<#{state.channel_id}>"
    return (
        f"https://discord.com/channels/{state.guild_id}/{state.channel_id}/{state.table_message_id}"
    )
