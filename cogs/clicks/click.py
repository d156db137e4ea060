"""Parses component interactions and submitted forms into `Click`.

They are parsed from the raw payload, because discord.py would first build all components of the
page.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import discord

from bot.ids import Revision, TableId, UserId
from bot.table.permission import OWN_SEAT
from cogs.pages.controls import TYPES, read_id
from engine import Seat

_KINDS: Final = {
    discord.InteractionType.component: "bsucr",
    discord.InteractionType.modal_submit: "m",
}
"""The kinds of controls, by the type of the interaction in which they are used."""
_LONGEST_ID: Final = 20
"""Largest number of digits in an id of Discord."""
_RESOLVED: Final = {"c": "channels", "r": "roles"}
"""Fields of the payload with the chosen channels or roles, by the kind of the select."""


class ChosenUser(NamedTuple):
    """A user who was chosen in a select."""

    id: UserId
    """The user."""
    display_name: str
    """Their name on the server."""
    bot: bool
    """True for a bot."""
    sees_channel: bool = True
    """False if they are not on the server, or cannot see the channel."""


@dataclass(frozen=True, slots=True)
class Click:
    """One use of a button, select or form, as sent by Discord."""

    verb: str
    """One of `Verb`, unless the click is forged."""
    args: str = dataclasses.field(repr=False)
    """Arguments of the control; their form depends on the verb."""
    table_id: TableId = TableId(0)
    """The table; 0 for a control without one."""
    revision: Revision = Revision(0)
    """The revision of the table when the control was made."""
    seat: Seat = OWN_SEAT
    """The seat for which the user acts."""
    values: tuple[str, ...] = dataclasses.field(default=(), repr=False)
    """Values chosen in a select, or in all inputs of a form."""
    users: tuple[ChosenUser, ...] = ()
    """Users chosen in a select."""

    @property
    def chosen(self) -> str:
        """First chosen value, or the argument of the control."""
        return self.values[0] if self.values else self.args


def read_click(interaction: discord.Interaction[Any]) -> Click | None:
    """Parse the use of a control; return `None` if it is not one of this bot."""
    data: Mapping[str, Any] = dict(interaction.data or {})
    match = read_id(data.get("custom_id"))
    if match is None or match["kind"] not in _KINDS.get(interaction.type, ""):
        return None
    kind, values, users = match["kind"], tuple[str, ...](), tuple[ChosenUser, ...]()
    if kind == "m":
        values = _submitted(data.get("components"))
    elif data.get("component_type") == TYPES[kind]:
        if kind == "s":
            values = _texts(data.get("values"))
        elif kind == "u":
            users = _users(data)
        elif kind in _RESOLVED:
            values = _ids(_mapping(_mapping(data.get("resolved")).get(_RESOLVED[kind])))
    return Click(
        verb=match["verb"],
        args=match["args"],
        table_id=TableId(int(match["table"] or 0)),
        revision=Revision(int(match["revision"] or 0)),
        seat=int(match["seat"]) if match["seat"] else OWN_SEAT,
        values=values,
        users=users,
    )


def _texts(values: object) -> tuple[str, ...]:
    """Return those values that are texts; a forged payload may contain anything."""
    known = values if isinstance(values, Iterable) else ()
    return tuple(value for value in known if isinstance(value, str))


def _ids(values: object) -> tuple[str, ...]:
    """Return those values that are ids."""
    return tuple(each for each in _texts(values) if each.isdecimal() and len(each) <= _LONGEST_ID)


def _mapping(value: object) -> Mapping[str, Any]:
    """Return the value, or an empty mapping if it is none."""
    return value if isinstance(value, Mapping) else {}


def _submitted(inputs: object) -> tuple[str, ...]:
    """Return the values of all inputs of a form in order."""
    known = inputs if isinstance(inputs, Iterable) else ()
    parts = [_mapping(_mapping(each).get("component")) for each in known]
    return tuple(value for part in parts for value in _texts(part.get("values")))


def _users(data: Mapping[str, Any]) -> tuple[ChosenUser, ...]:
    """Return the chosen users in order."""
    resolved = _mapping(data.get("resolved"))
    users, members = _mapping(resolved.get("users")), _mapping(resolved.get("members"))
    chosen = []
    for id_ in _ids(data.get("values")):
        user, member = users.get(id_), _mapping(members.get(id_))
        if isinstance(user, Mapping):
            names = (member.get("nick"), user.get("global_name"), user.get("username"), id_)
            chosen.append(
                ChosenUser(
                    UserId(int(id_)),
                    next(filter(None, names)),
                    user.get("bot", False),
                    id_ in members and _allow_view(member.get("permissions")),
                )
            )
    return tuple(chosen)


def _allow_view(permissions: object) -> bool:
    """Return whether these permissions allow viewing the channel; true if they are unknown."""
    if not isinstance(permissions, str) or not permissions.isdecimal():
        return True
    return discord.Permissions(int(permissions)).view_channel
