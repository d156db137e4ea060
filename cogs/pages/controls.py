"""Buttons and selects that outlive a restart, and the page they stand on.

Every control carries its verb and arguments in its ``custom_id``; one of a table also the table and
the revision it was made for. What a press of it says is read by `cogs/clicks/click.py`.

Parts are written as Discord wants them from the start: a page is made for nearly every request, and
discord.py's own parts are objects that point at each other, which take many times as long.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import discord
from discord import ui

from bot.ids import ChannelId, Revision, RoleId, TableId
from cogs.pages.verbs import Verb
from engine import NotationError, Seat

_FORM = (
    r"(?P<kind>[bsucr]):(?:(?P<table>\d{1,15}):(?P<revision>\d{1,9})(?:@(?P<seat>\d{1,2}))?:)?"
    r"(?P<verb>[a-z-]{1,20}):(?P<args>[\w.,>-]{0,60})"
)
"""``kind:table:revision@seat:verb:arguments``; ``kind:verb:arguments`` where it is about no table.

The kinds are a button (b), and selects of strings (s), users (u), channels (c) and roles (r).
"""
_ID = re.compile(_FORM)
LONGEST_ID = 100
LONGEST_NOTICE = 2000
"""The characters that Discord allows in the text of a message that is no page."""
LONGEST_LABEL = 80
"""The characters that Discord allows on a button."""
LONGEST_PLACEHOLDER = 150
"""The characters that it allows in a select before something is chosen."""
LONGEST_OPTION = 100
"""The characters that it allows in each of the two lines of an option."""
_VERBS = frozenset(map(str, Verb))

Part: TypeAlias = dict[str, Any]
"""Anything that stands on a page, as Discord is told: text, a line, a row of controls.

It is not changed once it is made.
"""
_ROW: Final = 1
_BUTTON: Final = 2
_SELECT: Final = 3
_USERS: Final = 5
_ROLES: Final = 6
_CHANNELS: Final = 8
TYPES: Final = {"b": _BUTTON, "s": _SELECT, "u": _USERS, "c": _CHANNELS, "r": _ROLES}
"""Discord's number for each kind of control, by the letter in its id."""
POSTABLE = (discord.ChannelType.text, discord.ChannelType.news)
"""The kinds of channels in which the bot posts by itself."""
MOST_CHOSEN = 25
"""The most that can be chosen, and shown as chosen, in one select."""
_TEXT: Final = 10
_GALLERY: Final = 12
_LINE: Final = 14
_LINK: Final = discord.ButtonStyle.link.value
_FRAME: Final = 17


def read_id(custom_id: object) -> re.Match[str] | None:
    """The parts of the id of a control; `None` if it is no such id."""
    return _ID.fullmatch(custom_id) if isinstance(custom_id, str) else None


def _checked(custom_id: str) -> str:
    """An id we made ourselves; one that no click could find again is a mistake."""
    if read_id(custom_id) is None or len(custom_id) > LONGEST_ID:
        raise ValueError(f"no id of a control: {_outline(custom_id)}")
    return custom_id


def _outline(custom_id: str) -> str:
    """What may be logged of an id: its verb and its length. Its arguments may name cards."""
    verbs = [part for part in custom_id.split(":") if part in _VERBS]
    return f"{''.join(verbs[:1]) or 'no verb'}, {len(custom_id)} characters"


@dataclass(frozen=True, slots=True)
class Controls:
    """Makes controls: those of one table at one revision, or (by default) about no table."""

    table_id: TableId | None = None
    revision: Revision = Revision(0)
    seat: Seat | None = None
    """The seat acted for, on the page of somebody who sits elsewhere."""

    def _id(self, kind: str, verb: Verb, args: str) -> str:
        if self.table_id is None:
            return _checked(f"{kind}:{verb}:{args}")
        seat = "" if self.seat is None else f"@{self.seat}"
        return _checked(f"{kind}:{self.table_id}:{self.revision}{seat}:{verb}:{args}")

    def button(
        self,
        verb: Verb,
        label: str,
        args: str = "",
        *,
        style: discord.ButtonStyle = discord.ButtonStyle.secondary,
        emoji: discord.PartialEmoji | str | None = None,
        disabled: bool = False,
    ) -> Part:
        """A button; its label is cut if it is too long."""
        part: Part = {
            "type": _BUTTON,
            "style": style.value,
            "disabled": disabled,
            "label": cut(label, LONGEST_LABEL),
            "custom_id": self._id("b", verb, args),
        }
        if emoji:
            part["emoji"] = _emoji(emoji)
        return part

    def switch(
        self, verb: Verb, label: str, name: str = "", *, on: bool, disabled: bool = False
    ) -> Part:
        """A button that shows whether something is on, and asks for the opposite.

        Its arguments are `on` or `off`, behind the `name` of what it is and a dot, if it has one.
        """
        colours, asked = discord.ButtonStyle, "off" if on else "on"
        return self.button(
            verb,
            label,
            f"{name}.{asked}" if name else asked,
            style=colours.success if on else colours.secondary,
            emoji="✅" if on else "⬜",
            disabled=disabled,
        )

    def select(
        self,
        verb: Verb,
        placeholder: str,
        options: Sequence[Part],
        args: str = "",
        *,
        least: int = 1,
        most: int = 1,
    ) -> Part:
        """A row with a select of 1 to 25 options."""
        part = self._choice("s", _SELECT, verb, placeholder, args)
        return row({**part, "options": list(options), "min_values": least, "max_values": most})

    def channels(
        self,
        verb: Verb,
        placeholder: str,
        chosen: Collection[ChannelId],
        args: str = "",
        *,
        kinds: Iterable[discord.ChannelType] = POSTABLE,
        least: int = 1,
        most: int = 1,
    ) -> Part:
        """A row with a select of channels of the server, of these kinds; some are `chosen`."""
        part = self._choice("c", _CHANNELS, verb, placeholder, args)
        part["channel_types"] = [kind.value for kind in kinds]
        return row({**_chosen(part, "channel", chosen), "min_values": least, "max_values": most})

    def role(self, verb: Verb, placeholder: str, chosen: RoleId | None, args: str = "") -> Part:
        """A row with a select of one role of the server, or none."""
        part = self._choice("r", _ROLES, verb, placeholder, args)
        return row({**_chosen(part, "role", () if chosen is None else (chosen,)), "min_values": 0})

    def people(self, verb: Verb, placeholder: str, args: str = "", *, most: int = 1) -> Part:
        """A row with a select of one member of the server, or of `most`.

        With other `args` than before it forgets who was chosen.
        """
        part = self._choice("u", _USERS, verb, placeholder, args)
        part["max_values"] = most
        return row(part)

    def _choice(self, kind: str, number: int, verb: Verb, placeholder: str, args: str = "") -> Part:
        """What all selects have; `number` is Discord's for this kind."""
        return {
            "type": number,
            "custom_id": self._id(kind, verb, args),
            "min_values": 1,
            "max_values": 1,
            "disabled": False,
            "placeholder": cut(placeholder, LONGEST_PLACEHOLDER),
        }


def _chosen(part: Part, kind: str, ids: Collection[int]) -> Part:
    """A select in which these channels or roles are chosen; Discord must know all of them."""
    if not ids:
        return part
    return {**part, "default_values": [{"id": each, "type": kind} for each in ids]}


def _emoji(emoji: discord.PartialEmoji | str) -> Part:
    """An emoji on a button or in a select: one of the bot's, or a sign of Unicode."""
    if isinstance(emoji, str):
        return {"id": None, "name": emoji}
    return {"id": emoji.id, "name": emoji.name}


def cut(words: str, most: int) -> str:
    """The first `most` characters of a text. Only names are ever longer; the tests see to it."""
    return words[:most]


def length(words: str) -> int:
    """Return the length of a text, counted so that Discord never counts more.

    It is unknown whether it counts code points or units of UTF-16, of which emojis have two.
    """
    return len(words.encode("utf-16-le")) // 2


def number(value: str) -> int:
    """A number out of a control; `NotationError` for a forged one."""
    if not value.isascii() or not value.isdigit():
        raise NotationError("not a number")
    return int(value)


def row(*items: Part) -> Part:
    """A row of up to five buttons, or one select."""
    return {"type": _ROW, "components": list(items)}


def link(label: str, url: str) -> Part:
    """A button that leads to an address, and tells the bot nothing."""
    shown = cut(label, LONGEST_LABEL)
    return {"type": _BUTTON, "style": _LINK, "label": shown, "url": url, "disabled": False}


def option(
    label: str,
    value: str,
    *,
    description: str | None = None,
    emoji: discord.PartialEmoji | str | None = None,
    default: bool = False,
) -> Part:
    """An option of a select, cut to what Discord allows."""
    part: Part = {"label": cut(label, LONGEST_OPTION), "value": value, "default": default}
    if description:
        part["description"] = cut(description, LONGEST_OPTION)
    if emoji:
        part["emoji"] = _emoji(emoji)
    return part


class Page(ui.LayoutView):
    """A message made of one frame with texts, lines and rows of controls."""

    def __init__(self, *items: Part, accent: discord.Colour | None = None) -> None:
        super().__init__(timeout=None)
        self.stop()  # clicks are found by their ids: discord.py need not keep the page
        frame = {
            "type": _FRAME,
            "accent_color": None if accent is None else accent.value,
            "spoiler": False,
            "components": list(items),
        }
        self._written: list[dict[str, Any]] = [frame]

    @property
    def message(self) -> dict[str, Any]:
        """The arguments of discord.py to send this page, or to turn a message into it."""
        return {"content": None, "view": self}

    def to_components(self) -> list[dict[str, Any]]:
        """What is sent to Discord; not to be changed."""
        return self._written

    def fingerprint(self) -> bytes:
        """16 bytes that are the same for equal pages only: small enough to be kept."""
        return hashlib.blake2b(repr(self._written).encode(), digest_size=16).digest()

    def has_components_v2(self) -> bool:
        """Whether it is of Discord's newer kind: always."""
        return True


class Buttons(ui.View):
    """Rows of buttons below a message that is a line of text."""

    def __init__(self, *rows: Part) -> None:
        super().__init__(timeout=None)
        self.stop()  # as with a page
        self._rows = list(rows)

    def to_components(self) -> list[dict[str, Any]]:
        """What is sent to Discord; not to be changed."""
        return self._rows


class Notice(Buttons):
    """Lines of text with rows of buttons below, as a message of Discord's older kind.

    Every message that notifies somebody is one: the push notification of a page is empty
    (discord-api-docs #7854). It can become a page by an edit, but a page never becomes a notice.
    """

    def __init__(self, content: str, *rows: Part) -> None:
        super().__init__(*rows)
        self.content = content

    @property
    def message(self) -> dict[str, Any]:
        """The arguments of discord.py to send this notice, or to edit one."""
        return {"content": self.content, "view": self}


def text(content: str) -> Part:
    """A block of text."""
    return {"type": _TEXT, "content": content}


def gallery(name: str, alt: str | None = None) -> Part:
    """An attached picture, by the name of its file.

    `alt` says what it shows, in up to 1,024 characters.
    """
    item: Part = {"media": {"url": f"attachment://{name}"}, "spoiler": False}
    if alt is not None:
        item["description"] = alt
    return {"type": _GALLERY, "items": [item]}


def line() -> Part:
    """A thin line between two blocks."""
    return {"type": _LINE, "divider": True, "spacing": 1}
