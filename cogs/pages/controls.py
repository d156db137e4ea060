"""Buttons and selects that outlive a restart, and the page they stand on.

Every control carries its verb and arguments in its ``custom_id``; one of a table also the table and
the revision it was made for. `Click` is what one press says. Pages are made anew for each render
and never kept by discord.py.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import discord
from discord import app_commands, ui

from bot.ids import ChannelId, Revision, TableId, UserId
from bot.table.permission import OWN
from cogs.pages.verbs import Verb
from engine import NotationError, Seat

_FORM = (
    r"(?:(?P<table>\d{1,15}):(?P<revision>\d{1,9})(?:@(?P<seat>\d{1,2}))?:)?"
    r"(?P<verb>[a-z-]{1,20}):(?P<args>[\w.,>-]{0,60})"
)
"""``table:revision@seat:verb:arguments``, or ``verb:arguments`` where it is about no table."""
LONGEST_ID = 100
_VERBS = frozenset(map(str, Verb))
_SELECTS = (ui.Select, ui.UserSelect, ui.ChannelSelect)

Part = ui.Item[Any]
"""Anything that stands on a page: text, a line, a row of controls."""


@dataclass(frozen=True, slots=True)
class Click:
    """One press of a button or one choice in a select, as sent by Discord."""

    interaction: discord.Interaction[Any]
    """The interaction, which has to be answered."""
    verb: str
    """What is asked for: one of `Verb`, or something forged."""
    args: str = dataclasses.field(repr=False)
    """What the control was made with; its form depends on the verb."""
    table_id: TableId = 0
    """The table; 0 where the control is about none."""
    revision: Revision = 0
    """The revision of the table that the control was made for."""
    seat: Seat = OWN
    """The seat acted for."""
    values: tuple[str, ...] = dataclasses.field(default=(), repr=False)
    """What was chosen in a select."""
    users: tuple[discord.User | discord.Member, ...] = ()
    """Members who were chosen."""

    @property
    def user_id(self) -> UserId:
        """The user who has clicked."""
        return self.interaction.user.id

    @property
    def chosen(self) -> str:
        """The first value that was chosen, or the argument of the control."""
        return self.values[0] if self.values else self.args


class _Control:
    """What buttons and selects share: the parts of their id, and where a click goes."""

    on_click: ClassVar[Callable[[Click], Awaitable[None]]]
    """Who handles clicks; set once when the cog is loaded."""


class TableButton(ui.DynamicItem[Part], _Control, template="b:" + _FORM):
    """A button of a table."""

    def __init__(self, item: Part, match: re.Match[str] | None = None) -> None:
        super().__init__(item)
        self._match = match or _checked(TableButton, self.custom_id)

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction[Any], item: ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        """Called by discord.py for a click; decides nothing."""
        return cls(item, match)

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Pass the click on."""
        await _Control.on_click(_click(interaction, self._match))


class TableSelect(ui.DynamicItem[Part], _Control, template="s:" + _FORM):
    """A select of a table."""

    def __init__(self, item: Part, match: re.Match[str] | None = None) -> None:
        super().__init__(item)
        self._match = match or _checked(TableSelect, self.custom_id)

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction[Any], item: ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        """Called by discord.py for a choice; decides nothing."""
        return cls(item, match)

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Pass the choice on."""
        values = tuple(value for value in _chosen(self.item) if isinstance(value, str))
        await _Control.on_click(_click(interaction, self._match, values))


class TablePeople(ui.DynamicItem[Part], _Control, template="u:" + _FORM):
    """A select of a table in which a member of the server is chosen."""

    def __init__(self, item: Part, match: re.Match[str] | None = None) -> None:
        super().__init__(item)
        self._match = match or _checked(TablePeople, self.custom_id)

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction[Any], item: ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        """Called by discord.py for a choice; decides nothing."""
        return cls(item, match)

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Pass the choice on."""
        users = tuple(
            user for user in _chosen(self.item) if isinstance(user, discord.User | discord.Member)
        )
        click = _click(interaction, self._match)
        await _Control.on_click(dataclasses.replace(click, users=users))


class ServerChannel(ui.DynamicItem[Part], _Control, template="c:" + _FORM):
    """A select in which a channel of the server is chosen, one that can be written in."""

    def __init__(self, item: Part, match: re.Match[str] | None = None) -> None:
        super().__init__(item)
        self._match = match or _checked(ServerChannel, self.custom_id)

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction[Any], item: ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        """Called by discord.py for a choice; decides nothing."""
        return cls(item, match)

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Pass the choice on, as ids."""
        kinds = app_commands.AppCommandChannel | app_commands.AppCommandThread
        ids = tuple(str(channel.id) for channel in _chosen(self.item) if isinstance(channel, kinds))
        await _Control.on_click(_click(interaction, self._match, ids))


CONTROLS = (TableButton, TableSelect, TablePeople, ServerChannel)
"""Every kind of control, to be registered at start-up."""


def on_click(handler: Callable[[Click], Awaitable[None]]) -> None:
    """Let `handler` take every click from now on."""
    _Control.on_click = staticmethod(handler)


def _checked(
    kind: type[TableButton | TableSelect | TablePeople | ServerChannel], custom_id: str | None
) -> re.Match[str]:
    """The parts of an id we made ourselves; one that no click could find again is a mistake."""
    pattern: re.Pattern[str] = kind.__discord_ui_compiled_template__
    found = pattern.fullmatch(custom_id or "")
    if found is None or len(found.string) > LONGEST_ID:
        raise ValueError(f"no id of a control: {_outline(custom_id or '')}")
    return found


def _outline(custom_id: str) -> str:
    """What may be logged of an id: its verb and its length. Its arguments may name cards."""
    verbs = [part for part in custom_id.split(":") if part in _VERBS]
    return f"{''.join(verbs[:1]) or 'no verb'}, {len(custom_id)} characters"


def _chosen(item: Part) -> Sequence[object]:
    """What was chosen in a select: if the click is forged anything, and of another control."""
    return item.values if isinstance(item, _SELECTS) else ()


def _click(
    interaction: discord.Interaction[Any], match: re.Match[str], values: tuple[str, ...] = ()
) -> Click:
    return Click(
        interaction,
        verb=match["verb"],
        args=match["args"],
        table_id=int(match["table"] or 0),
        revision=int(match["revision"] or 0),
        seat=int(match["seat"]) if match["seat"] else OWN,
        values=values,
    )


@dataclass(frozen=True, slots=True)
class Controls:
    """Makes controls: those of one table at one revision, or (by default) about no table."""

    table_id: TableId | None = None
    revision: Revision = 0
    seat: Seat | None = None
    """The seat acted for, on the page of somebody who sits elsewhere."""

    def _id(self, kind: str, verb: Verb, args: str) -> str:
        if self.table_id is None:
            return f"{kind}:{verb}:{args}"
        seat = "" if self.seat is None else f"@{self.seat}"
        return f"{kind}:{self.table_id}:{self.revision}{seat}:{verb}:{args}"

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
        """A button; its label is cut to Discord's 80 characters."""
        return TableButton(
            ui.Button(
                label=label[:80],
                style=style,
                emoji=emoji,
                disabled=disabled,
                custom_id=self._id("b", verb, args),
            )
        )

    def select(
        self,
        verb: Verb,
        placeholder: str,
        options: Sequence[discord.SelectOption],
        args: str = "",
        *,
        least: int = 1,
        most: int = 1,
    ) -> Part:
        """A row with a select of 1 to 25 options."""
        item: Part = TableSelect(
            ui.Select(
                placeholder=placeholder[:150],
                options=list(options),
                min_values=least,
                max_values=most,
                custom_id=self._id("s", verb, args),
            )
        )
        return row(item)

    def channel(self, verb: Verb, placeholder: str, chosen: ChannelId | None) -> Part:
        """A row with a select of one text or announcement channel of the server."""
        shown = discord.SelectDefaultValueType.channel
        select: ui.ChannelSelect[Any] = ui.ChannelSelect(
            placeholder=placeholder[:150],
            channel_types=[discord.ChannelType.text, discord.ChannelType.news],
            custom_id=self._id("c", verb, ""),
            default_values=[]
            if chosen is None
            else [discord.SelectDefaultValue(id=chosen, type=shown)],
        )
        item: Part = ServerChannel(select)
        return row(item)

    def people(self, verb: Verb, placeholder: str) -> Part:
        """A row with a select of one member of the server."""
        select: ui.UserSelect[Any] = ui.UserSelect(
            placeholder=placeholder[:150], custom_id=self._id("u", verb, "")
        )
        item: Part = TablePeople(select)
        return row(item)


def number(value: str) -> int:
    """A number out of a control; `NotationError` for a forged one."""
    if not value.isascii() or not value.isdigit():
        raise NotationError("not a number")
    return int(value)


def row(*items: Part) -> Part:
    """A row of up to five buttons, or one select."""
    return ui.ActionRow(*items)


def option(
    label: str,
    value: str,
    *,
    description: str | None = None,
    emoji: discord.PartialEmoji | str | None = None,
    default: bool = False,
) -> discord.SelectOption:
    """An option of a select, cut to what Discord allows."""
    return discord.SelectOption(
        label=label[:100],
        value=value,
        description=description[:100] if description else None,
        emoji=emoji,
        default=default,
    )


class Page(ui.LayoutView):
    """A message made of a framed part and rows of controls below its texts.

    It is written out when it is made, and its parts are let go: they point at each other, and as
    long as a request is under way with them the garbage collector would have to look after them.
    """

    def __init__(self, *items: Part, accent: discord.Colour | None = None) -> None:
        super().__init__(timeout=None)
        frame: ui.Container[Any] = ui.Container(accent_colour=accent)
        for item in items:
            frame.add_item(item)
        self.add_item(frame)
        self.stop()  # clicks are found by their ids: discord.py need not keep the page
        self._written: list[dict[str, Any]] = super().to_components()  # type: ignore[no-untyped-call]
        self.clear_items()

    def to_components(self) -> list[dict[str, Any]]:
        """What is sent to Discord; not to be changed."""
        return self._written

    def has_components_v2(self) -> bool:
        """Whether it is of Discord's newer kind: always."""
        return True


def text(content: str) -> Part:
    """A block of text."""
    return ui.TextDisplay(content)


def gallery(name: str, alt: str | None = None) -> Part:
    """An attached picture, by the name of its file.

    `alt` says what it shows, in up to 1,024 characters.
    """
    return ui.MediaGallery(discord.MediaGalleryItem(f"attachment://{name}", description=alt))


def line() -> Part:
    """A thin line between two blocks."""
    return ui.Separator()
