"""Checks that a user may use a control from where they are.

Discord sends a click only for a control that really stood on a message, and the id of a control
names its table. This does not rely on that. A click is checked once, before anything is read from
it or computed. A table that a user neither sees nor sits at does not exist for them, so no refusal
reveals it.
"""

from __future__ import annotations

from dataclasses import replace

from bot.errors import Reason, Refused
from bot.history.listing import Venue
from bot.ids import TableId, UserId
from bot.table.permission import own_seat
from bot.table.state import OpenTable
from cogs.clicks.context import ClickContext
from cogs.clicks.registry import Control, Where, Who
from cogs.delivery.channel_permissions import check_may_write, may_look
from cogs.delivery.replies import Interaction


def check_rights(ctx: ClickContext, control: Control | None) -> Control:
    """Return the control if this user may use it from where they are; else raise `Refused`.

    If the user cannot see the table, `table_id` becomes 0 and the click is handled as for an
    unknown table.
    """
    if control is None or control.who is Who.NOBODY:
        raise Refused(Reason.UNKNOWN_BUTTON)
    if control.where is Where.SERVER:
        if ctx.interaction.guild_id is None:
            raise Refused(Reason.SERVERS_ONLY)
    else:
        _check_reach(ctx, control.where)
    _check_permission(ctx, control.who)
    return control


def _check_reach(ctx: ClickContext, where: Where) -> None:
    """Hide a table out of reach. Raise `Refused` if the control is used from elsewhere."""
    interaction, table = ctx.interaction, ctx.bot.tables.find(ctx.click.table_id)
    if table is None:  # a rematch finds one that is over: only for those who see the channel
        if where is Where.TABLE_CHANNEL and not interaction.permissions.view_channel:
            ctx.click = replace(ctx.click, table_id=TableId(0))
        return
    if not reaches(interaction, table):
        ctx.click = replace(ctx.click, table_id=TableId(0))
        return
    there = where is not Where.TABLE_CHANNEL or interaction.channel_id == table.channel_id
    if where is not Where.ANYWHERE and not (there and sees(interaction, table)):
        raise Refused(Reason.ANOTHER_CHANNEL, channel=f"<#{table.channel_id}>")


def reaches(interaction: Interaction, table: OpenTable) -> bool:
    """Return whether the table exists for this user: they sit at it, or see its channel."""
    return table.seat_of(UserId(interaction.user.id)) is not None or sees(interaction, table)


def sees(interaction: Interaction, table: OpenTable) -> bool:
    """Return whether the user is on the server of a table and may view its channel."""
    return interaction.guild_id == table.guild_id and may_look(
        interaction, Venue(table.channel_id, table.parent_channel_id, sat=False)
    )


def _check_permission(ctx: ClickContext, who: Who) -> None:
    """Raise `Refused` unless Discord's permissions suffice, where it depends on them."""
    interaction = ctx.interaction
    if who is Who.MODERATOR and not is_moderator(interaction):
        raise Refused(Reason.MODERATORS_ONLY)
    if who is Who.SEATED_OR_MODERATOR and not is_moderator(interaction):
        own_seat(ctx.table, ctx.user_id)
    if who is Who.MANAGER and not manages_server(interaction):
        raise Refused(Reason.MANAGERS_ONLY)
    if who is Who.WRITER:
        check_may_write(interaction)


def is_moderator(interaction: Interaction) -> bool:
    """Return whether the user may manage messages in the channel of the interaction."""
    return interaction.permissions.manage_messages


def manages_server(interaction: Interaction) -> bool:
    """Return whether the user may manage the server, as Discord says with each request."""
    return interaction.guild_id is not None and interaction.permissions.manage_guild
