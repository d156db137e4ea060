"""Persistent buttons and selects, and the pages and notices that contain them.

Every control carries its verb and arguments in its ``custom_id``. A control of a table also carries
the table and the revision it was made for. `cogs/clicks/click.py` parses component interactions.

Parts are dictionaries in Discord's format. A page is made for nearly every request, and
discord.py's component objects, which refer to each other, take many times as long.
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

_ID_PATTERN = (
    r"(?P<kind>[bsucrm]):(?:(?P<table>\d{1,15}):(?P<revision>\d{1,9})(?:@(?P<seat>\d{1,2}))?:)?"
    r"(?P<verb>[a-z-]{1,20}):(?P<args>[\w.,>-]{0,60})"
)
"""``kind:table:revision@seat:verb:arguments``, or ``kind:verb:arguments`` without a table.

The kinds are a button (b), selects of strings (s), users (u), channels (c) and roles (r), and a
form (m).
"""
_ID = re.compile(_ID_PATTERN)
LONGEST_ID = 100
LONGEST_NOTICE = 2000
"""Largest number of characters in the text of a notice."""
LONGEST_LABEL = 80
"""Largest number of characters on a button."""
LONGEST_PLACEHOLDER = 150
"""Largest number of characters in a select before something is chosen."""
LONGEST_OPTION = 100
"""Largest number of characters in each of the two lines of an option."""
LONGEST_TITLE = 45
"""Largest number of characters in the title of a form, and above an input."""
GOLD: Final = discord.Colour(0xC8963E)
"""Colour at the edge of most pages."""
_VERBS = frozenset(map(str, Verb))

Part: TypeAlias = dict[str, Any]
"""A component in Discord's format: text, a line, a row of controls.

Nothing changes it after it is created.
"""
_ROW: Final = 1
_BUTTON: Final = 2
_SELECT: Final = 3
_USERS: Final = 5
_ROLES: Final = 6
_CHANNELS: Final = 8
TYPES: Final = {"b": _BUTTON, "s": _SELECT, "u": _USERS, "c": _CHANNELS, "r": _ROLES}
"""Discord's component type for each kind of control, by the letter in its id."""
POSTABLE = (discord.ChannelType.text, discord.ChannelType.news)
"""The kinds of channels in which the bot posts by itself."""
BUTTONS_PER_ROW = 5
"""The number of buttons that fit into one row."""
MOST_CHOSEN = 25
"""Largest number of values chosen, or shown as chosen, in one select."""
_TEXT: Final = 10
_GALLERY: Final = 12
_LINE: Final = 14
_LINK: Final = discord.ButtonStyle.link.value
_FRAME: Final = 17
_LABEL: Final = 18
_CHECKBOXES: Final = 22


def read_id(custom_id: object) -> re.Match[str] | None:
    """Parse the id of a control; return `None` for any other id."""
    return _ID.fullmatch(custom_id) if isinstance(custom_id, str) else None


def _checked_id(custom_id: str) -> str:
    """Return a generated id; raise `ValueError` if a click could not parse it."""
    if read_id(custom_id) is None or len(custom_id) > LONGEST_ID:
        raise ValueError(f"no id of a control: {_loggable_outline(custom_id)}")
    return custom_id


def _loggable_outline(custom_id: str) -> str:
    """Return a description of an id for a log: verb and length.

    The arguments are left out because they may name cards.
    """
    verbs = [part for part in custom_id.split(":") if part in _VERBS]
    return f"{''.join(verbs[:1]) or 'no verb'}, {len(custom_id)} characters"


@dataclass(frozen=True, slots=True)
class Controls:
    """Factory of controls, for one revision of a table or for no table."""

    table_id: TableId | None = None
    revision: Revision = Revision(0)
    seat: Seat | None = None
    """The other seat that the player plays besides their own; `None` for their own seat."""

    def _id(self, kind: str, verb: Verb, args: str) -> str:
        if self.table_id is None:
            return _checked_id(f"{kind}:{verb}:{args}")
        seat = "" if self.seat is None else f"@{self.seat}"
        return _checked_id(f"{kind}:{self.table_id}:{self.revision}{seat}:{verb}:{args}")

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
        """Return a button; its label is cut if it is too long.

        Without a label it needs an emoji.
        """
        part: Part = {
            "type": _BUTTON,
            "style": style.value,
            "disabled": disabled,
            "custom_id": self._id("b", verb, args),
        }
        if label:
            part["label"] = cut(label, LONGEST_LABEL)
        if emoji:
            part["emoji"] = _emoji_field(emoji)
        return part

    def switch(
        self, verb: Verb, label: str, name: str = "", *, on: bool, disabled: bool = False
    ) -> Part:
        """Return a button that shows whether a setting is on, and that changes it when pressed.

        Its arguments are `on` or `off`, preceded by `name` and a dot if there is a name.
        """
        colours, requested = discord.ButtonStyle, "off" if on else "on"
        return self.button(
            verb,
            label,
            f"{name}.{requested}" if name else requested,
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
        """Return a row with a select of 1 to 25 options."""
        part = self._select_fields("s", _SELECT, verb, placeholder, args)
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
        """Return a row with a select of channels of these kinds; the `chosen` are preselected."""
        part = self._select_fields("c", _CHANNELS, verb, placeholder, args)
        part["channel_types"] = [kind.value for kind in kinds]
        return row(
            {**_with_preselected(part, "channel", chosen), "min_values": least, "max_values": most}
        )

    def role(self, verb: Verb, placeholder: str, chosen: RoleId | None, args: str = "") -> Part:
        """Return a row with a select of one role of the server, or none."""
        part = self._select_fields("r", _ROLES, verb, placeholder, args)
        return row(
            {
                **_with_preselected(part, "role", () if chosen is None else (chosen,)),
                "min_values": 0,
            }
        )

    def people(self, verb: Verb, placeholder: str, args: str = "", *, most: int = 1) -> Part:
        """Return a row with a select of up to `most` members.

        Changing `args` makes Discord clear the selection.
        """
        part = self._select_fields("u", _USERS, verb, placeholder, args)
        part["max_values"] = most
        return row(part)

    def form(self, verb: Verb, title: str, inputs: Sequence[Part], args: str = "") -> Form:
        """Return a form of 1 to 5 inputs."""
        return Form(self._id("m", verb, args), title, inputs)

    def _select_fields(
        self, kind: str, component_type: int, verb: Verb, placeholder: str, args: str = ""
    ) -> Part:
        """Return the fields that all selects have."""
        return {
            "type": component_type,
            "custom_id": self._id(kind, verb, args),
            "min_values": 1,
            "max_values": 1,
            "disabled": False,
            "placeholder": cut(placeholder, LONGEST_PLACEHOLDER),
        }


def _with_preselected(part: Part, kind: str, ids: Collection[int]) -> Part:
    """Return a select with these channels or roles preselected; all of them must exist."""
    if not ids:
        return part
    return {**part, "default_values": [{"id": each, "type": kind} for each in ids]}


def _emoji_field(emoji: discord.PartialEmoji | str) -> Part:
    """Return the field of a button or option for an emoji, custom or Unicode."""
    if isinstance(emoji, str):
        return {"id": None, "name": emoji}
    return {"id": emoji.id, "name": emoji.name}


def cut(text: str, limit: int) -> str:
    """Return the first `limit` characters of a text.

    Only texts with names of users or servers may exceed the limits of a page; tests check this.
    The end of an isolate is kept.
    """
    short = text[:limit]
    return f"{short[:-1]}\u2069" if short.rfind("\u2068") > short.rfind("\u2069") else short


def length(text: str) -> int:
    """Return an upper bound for the length of a text as Discord counts it.

    It is unknown whether Discord counts code points or UTF-16 units, of which emojis have two.
    """
    return len(text.encode("utf-16-le")) // 2


def read_number(value: str) -> int:
    """Parse a number in a control's arguments; raise `NotationError` for a forged one."""
    if not value.isascii() or not value.isdigit():
        raise NotationError("not a number")
    return int(value)


def row(*items: Part) -> Part:
    """Return a row of up to five buttons, or one select."""
    return {"type": _ROW, "components": list(items)}


def button_rows(buttons: Sequence[Part]) -> list[Part]:
    """Return rows of up to five of these buttons."""
    starts = range(0, len(buttons), BUTTONS_PER_ROW)
    return [row(*buttons[start : start + BUTTONS_PER_ROW]) for start in starts]


def link(label: str, url: str) -> Part:
    """Return a button that opens a URL and sends the bot nothing."""
    short_label = cut(label, LONGEST_LABEL)
    return {"type": _BUTTON, "style": _LINK, "label": short_label, "url": url, "disabled": False}


def option(
    label: str,
    value: str,
    *,
    description: str | None = None,
    emoji: discord.PartialEmoji | str | None = None,
    default: bool = False,
) -> Part:
    """Return an option of a select, with its texts cut to Discord's limits."""
    part: Part = {"label": cut(label, LONGEST_OPTION), "value": value, "default": default}
    if description:
        part["description"] = cut(description, LONGEST_OPTION)
    if emoji:
        part["emoji"] = _emoji_field(emoji)
    return part


class Page(ui.LayoutView):
    """A message that consists of one container with texts, lines and rows of controls."""

    def __init__(self, *items: Part, accent: discord.Colour | None = None) -> None:
        super().__init__(timeout=None)
        self.stop()  # clicks are routed by their ids, so discord.py need not keep the page
        frame = {
            "type": _FRAME,
            "accent_color": None if accent is None else accent.value,
            "spoiler": False,
            "components": list(items),
        }
        self._components: list[dict[str, Any]] = [frame]

    @property
    def message(self) -> dict[str, Any]:
        """Arguments for discord.py to send this page, or to turn a message into it."""
        return {"content": None, "view": self}

    def to_components(self) -> list[dict[str, Any]]:
        """Return the components in Discord's format. Callers must not change them."""
        return self._components

    def fingerprint(self) -> bytes:
        """Return 16 bytes that are equal only for equal pages."""
        return hashlib.blake2b(repr(self._components).encode(), digest_size=16).digest()

    def has_components_v2(self) -> bool:
        """Return true, because a page uses Components V2."""
        return True


class Buttons(ui.View):
    """Rows of buttons below a message with plain text."""

    def __init__(self, *rows: Part) -> None:
        super().__init__(timeout=None)
        self.stop()  # as with a page
        self._rows = list(rows)

    def to_components(self) -> list[dict[str, Any]]:
        """Return the components in Discord's format. Callers must not change them."""
        return self._rows


class Form(ui.Modal):
    """A modal with a submit button, whose values arrive together as one click.

    Inputs stand in labels of at most 45 characters, with descriptions of at most 100
    (discord-api-docs, components/reference.mdx, "Label", "String Select", "Checkbox Group").
    """

    def __init__(self, custom_id: str, title: str, inputs: Sequence[Part]) -> None:
        super().__init__(title=cut(title, LONGEST_TITLE), custom_id=custom_id)
        self.stop()  # as with a page
        self._inputs = list(inputs)

    def to_components(self) -> list[dict[str, Any]]:
        """Return the components in Discord's format. Callers must not change them."""
        return self._inputs


class Notice(Buttons):
    """Plain text with rows of buttons below, as a message of Discord's older kind.

    Every message that notifies somebody is a notice, because the push notification of a page is
    empty (discord-api-docs #7854). An edit can turn it into a page, but never a page into a notice.
    """

    def __init__(self, content: str, *rows: Part) -> None:
        super().__init__(*rows)
        self.content = content

    @property
    def message(self) -> dict[str, Any]:
        """Arguments for discord.py to send this notice, or to edit one."""
        return {"content": self.content, "view": self}


def choice_input(label: str, name: str, options: Sequence[Part], description: str = "") -> Part:
    """Return a form's select of 1 to 25 options, one of which must be chosen."""
    select = {"type": _SELECT, "custom_id": name, "options": list(options)}
    part: Part = {"type": _LABEL, "label": cut(label, LONGEST_TITLE), "component": select}
    if description:
        part["description"] = cut(description, LONGEST_OPTION)
    return part


def checkboxes_input(label: str, name: str, options: Sequence[Part], description: str) -> Part:
    """Return a form's checkboxes, one for each of 1 to 10 options."""
    boxes = {
        "type": _CHECKBOXES,
        "custom_id": name,
        "options": list(options),
        "min_values": 0,
        "required": False,
    }
    return {
        "type": _LABEL,
        "label": cut(label, LONGEST_TITLE),
        "description": cut(description, LONGEST_OPTION),
        "component": boxes,
    }


def text(content: str) -> Part:
    """Return a block of text."""
    return {"type": _TEXT, "content": content}


def gallery(name: str, alt: str | None = None) -> Part:
    """Return an attached picture, by the name of its file.

    `alt` is its alternative text, up to 1,024 characters.
    """
    return pictures([(name, alt)])


def pictures(named: Iterable[tuple[str, str | None]]) -> Part:
    """Return at most ten attached pictures, as for `gallery`."""
    items = list[Part]()
    for name, alt in named:
        items.append({"media": {"url": f"attachment://{name}"}, "spoiler": False})
        if alt is not None:
            items[-1]["description"] = alt
    return {"type": _GALLERY, "items": items}


def line() -> Part:
    """Return a thin line between two blocks."""
    return {"type": _LINE, "divider": True, "spacing": 1}
