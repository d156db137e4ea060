"""What a press of a control says: it is read here, and answered by the other files of this folder.

A click is read from what Discord sends: discord.py would first make all parts of the page on which
the control stands.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import discord

from bot.ids import Revision, TableId, UserId
from bot.table.permission import OWN
from cogs.pages.controls import TYPES, read_id
from engine import Seat

_RESOLVED: Final = {"c": "channels", "r": "roles"}
"""Where Discord tells what these are, by the letter of the kind."""


class Chosen(NamedTuple):
    """A member of the server who was chosen in a select."""

    id: UserId
    """The user."""
    display_name: str
    """What they are called on the server."""
    bot: bool
    """Whether it is no person."""
    sees: bool = True
    """Whether they are on the server, and see the channel as far as Discord tells it."""


@dataclass(frozen=True, slots=True)
class Click:
    """One press of a button or one choice in a select, as sent by Discord."""

    interaction: discord.Interaction[Any]
    """The interaction, which has to be answered."""
    verb: str
    """What is asked for: one of `Verb`, or something forged."""
    args: str = dataclasses.field(repr=False)
    """What the control was made with; its form depends on the verb."""
    table_id: TableId = TableId(0)
    """The table; 0 where the control is about none."""
    revision: Revision = Revision(0)
    """The revision of the table that the control was made for."""
    seat: Seat = OWN
    """The seat acted for."""
    values: tuple[str, ...] = dataclasses.field(default=(), repr=False)
    """What was chosen in a select."""
    users: tuple[Chosen, ...] = ()
    """Members who were chosen."""

    @property
    def user_id(self) -> UserId:
        """The user who has clicked."""
        return UserId(self.interaction.user.id)

    @property
    def chosen(self) -> str:
        """The first value that was chosen, or the argument of the control."""
        return self.values[0] if self.values else self.args


def read_click(interaction: discord.Interaction[Any]) -> Click | None:
    """What was clicked on or chosen; `None` if it is no control of ours."""
    if interaction.type is not discord.InteractionType.component:
        return None
    data: Mapping[str, Any] = dict(interaction.data or {})
    match = read_id(data.get("custom_id"))
    if match is None:
        return None
    kind, values, users = match["kind"], tuple[str, ...](), tuple[Chosen, ...]()
    if data.get("component_type") == TYPES[kind]:
        if kind == "s":
            values = _texts(data.get("values"))
        elif kind == "u":
            users = _users(data)
        elif kind in _RESOLVED:
            values = _texts(data.get("resolved", {}).get(_RESOLVED[kind]))
    return Click(
        interaction,
        verb=match["verb"],
        args=match["args"],
        table_id=TableId(int(match["table"] or 0)),
        revision=Revision(int(match["revision"] or 0)),
        seat=int(match["seat"]) if match["seat"] else OWN,
        values=values,
        users=users,
    )


def _texts(chosen: Iterable[object] | None) -> tuple[str, ...]:
    """What was chosen; a forged choice may be anything."""
    return tuple(value for value in chosen or () if isinstance(value, str))


def _users(data: Mapping[str, Any]) -> tuple[Chosen, ...]:
    """The users who were chosen, in this order; Discord tells who they are."""
    resolved = data.get("resolved", {})
    users, members = resolved.get("users", {}), resolved.get("members", {})
    chosen = []
    for id_ in _texts(data.get("values")):
        if (user := users.get(id_)) is not None:
            member = members.get(id_, {})
            names = (member.get("nick"), user.get("global_name"), user["username"])
            chosen.append(
                Chosen(
                    UserId(int(id_)),
                    next(filter(None, names)),
                    user.get("bot", False),
                    id_ in members and _sees(member.get("permissions")),
                )
            )
    return tuple(chosen)


def _sees(permissions: object) -> bool:
    """Whether somebody with these permissions sees the channel; so does who has none told."""
    if not isinstance(permissions, str) or not permissions.isdecimal():
        return True
    return discord.Permissions(int(permissions)).view_channel
