"""Checks that a user may use a control from where they are.

Discord accepts only clicks on controls of real messages, but the checks do not rely on that: any
`custom_id` could be forged. A click is checked once, before its handler runs. If a user neither
sees a table nor sits there, they are answered as for an unknown table, so that no refusal reveals
its existence.
"""

from __future__ import annotations

from dataclasses import replace

from bot.errors import Reason, Refused
from bot.history.listing import Venue
from bot.ids import TableId, UserId
from bot.records import LARGEST_NUMBER
from bot.table.permission import own_seat
from bot.table.private_game import GameForOne
from bot.table.solo_game import SOLO_IDS
from bot.table.state import OpenTable
from bot.text.people import channel_mention
from cogs.clicks.context import ClickContext
from cogs.clicks.registry import Control, Where, Who
from cogs.delivery.channel_permissions import check_may_write, may_look
from cogs.delivery.places import server_of
from cogs.delivery.replies import Interaction


def check_rights(ctx: ClickContext, control: Control | None) -> Control:
    """Return the control if this user may use it from where they are; else raise `Refused`.

    If the user cannot see the table, `table_id` becomes 0 and the click is handled as for an
    unknown table.
    """
    if control is None or control.who is Who.NOBODY:
        raise Refused(Reason.UNKNOWN_BUTTON)
    if control.where is Where.SERVER:
        if not ctx.guild_id:
            raise Refused(Reason.SERVERS_ONLY)
    elif control.where is not Where.PAST:
        _check_reach(ctx, control.where)
    _check_permission(ctx, control.who)
    return control


def _check_reach(ctx: ClickContext, where: Where) -> None:
    """Set the `table_id` of the click to 0 if the user cannot reach the table.

    Raise `Refused` if they can reach it, but not from here: the control must be used on the table's
    server or in its channel.
    """
    interaction, table = ctx.interaction, ctx.bot.tables.find(ctx.click.table_id)
    if table is None:  # the table is over, but may be read for a rematch
        if ctx.click.table_id >= SOLO_IDS:
            raise Refused(Reason.SOLO_ROUND_OVER)
        if ctx.click.table_id > LARGEST_NUMBER:
            raise Refused(Reason.PRIVATE_GAME_OVER)
        if where is Where.TABLE_CHANNEL and not interaction.permissions.view_channel:
            ctx.click = replace(ctx.click, table_id=TableId(0))
        return
    if not reaches(interaction, table):
        ctx.click = replace(ctx.click, table_id=TableId(0))
        return
    in_place = where is not Where.TABLE_CHANNEL or interaction.channel_id == table.channel_id
    if where is not Where.ANYWHERE and not (in_place and sees(interaction, table)):
        raise Refused(Reason.ANOTHER_CHANNEL, channel=channel_mention(table.channel_id))


def reaches(interaction: Interaction, table: OpenTable) -> bool:
    """Return whether this user sits at the table, or sees its channel if it is not private."""
    if table.seat_of(UserId(interaction.user.id)) is not None:
        return True
    return not isinstance(table, GameForOne) and sees(interaction, table)


def sees(interaction: Interaction, table: OpenTable) -> bool:
    """Return whether the user is on the server of a table and may view its channel."""
    return server_of(interaction) == table.guild_id and may_look(
        interaction, Venue(table.channel_id, table.parent_channel_id, sat=False)
    )


def _check_permission(ctx: ClickContext, who: Who) -> None:
    """Raise `Refused` if the control needs permissions on Discord that the user lacks."""
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
    """Return whether the user may manage the server, by the permissions in the interaction."""
    return server_of(interaction) != 0 and interaction.permissions.manage_guild
