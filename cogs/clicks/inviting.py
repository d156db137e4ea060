"""Controls of **Invite** in a lobby, and on the private page that it opens.

Nobody gets many notifications: a person is invited to a table only once, and by all others together
a few times an hour at most. A user can invite only a limited number of people in a row. The role
that managers of the server have chosen for invitations has a cooldown.
"""

from __future__ import annotations

import contextlib
from collections.abc import Sequence

import discord

from bot.errors import Reason, Refused
from bot.ids import GuildId, RoleId
from bot.storage import StorageError
from bot.table.commands import Invite, InviteRole
from bot.table.inviting import Guest, check_guest, may_invite
from bot.table.permission import own_lobby, require_lobby
from bot.table.state import Lobby, OpenTable
from bot.text.people import role_mention
from bot.text.sentences import sentence
from cogs.clicks.context import ClickContext
from cogs.clicks.limits import POST
from cogs.clicks.registry import Where, Who, control
from cogs.clicks.table_actions import execute
from cogs.delivery.channel_permissions import may_mention
from cogs.pages.names import name_or_mention
from cogs.pages.table.inviting import RoleToInvite, invite_page
from cogs.pages.verbs import Verb


@control(Verb.INVITE, who=Who.SEATED, where=Where.TABLE_CHANNEL, cost=POST)
async def invite(ctx: ClickContext) -> None:
    """Invite the chosen members, if there are any, and show the page for inviting others."""
    if ctx.click.users:
        lobby, notes = await _invite_chosen(ctx)
    else:
        lobby, notes = own_lobby(ctx.table, ctx.user_id), []
    await _show(ctx, lobby, notes)


async def _invite_chosen(ctx: ClickContext) -> tuple[Lobby, list[str]]:
    """Invite the chosen members; return the lobby, and notes why some were not invited.

    The command invites all of its guests or raises `Refused`, so each guest is checked before. If
    the command refuses nevertheless, because another player has just invited one of the guests, all
    are checked again. If the second check finds nothing wrong with any guest, the refusal has
    another reason and is raised.
    """
    guests: Sequence[Guest] = [
        Guest(id_, name_or_mention(name, id_), is_bot, sees_channel)
        for id_, name, is_bot, sees_channel in ctx.click.users
    ]
    notes = list[str]()
    refused_before = False
    while True:
        lobby = may_invite(ctx.table, ctx.user_id)
        accepted, new_notes = await _check_guests(ctx, lobby, guests)
        notes = list(dict.fromkeys(notes + new_notes))
        if not accepted:
            return lobby, notes
        no_guest_is_the_reason = refused_before and len(accepted) == len(guests)
        guests = accepted
        try:
            invited = await execute(ctx, lobby.id, Invite(tuple(guests)))
            return require_lobby(invited), notes
        except Refused:
            _give_back(ctx, guests)
            if no_guest_is_the_reason:
                raise
            refused_before = True
        except StorageError:
            _give_back(ctx, guests)
            raise


async def _check_guests(
    ctx: ClickContext, lobby: Lobby, guests: Sequence[Guest]
) -> tuple[list[Guest], list[str]]:
    """Return the guests who may be invited, and notes why the others may not.

    Each attempt counts towards the user's limit, and the refusal is the same for a guest who wants
    no invitations and for one who has had many. So nobody finds out quiet hours by trying.
    """

    def spend_invitation() -> None:
        if not ctx.services.limits.invitations_sent.spend(ctx.user_id, 1):
            raise Refused(Reason.INVITED_MANY)

    say = ctx.words.say
    settings = ctx.bot.store.personal_settings
    accepted, notes = list[Guest](), list[str]()
    for guest in guests:
        guest_settings = await ctx.reply.read(settings.get(guest.id))
        try:
            check_guest(lobby, guest, guest_settings, ctx.bot.clock.now(), spend_invitation)
            if not ctx.services.limits.invitations_received.spend(guest.id, 1):
                raise Refused(Reason.NOT_TO_BE_INVITED, name=guest.name)
        except Refused as refused:
            notes.append("⚠️ " + sentence(say, refused))
        else:
            accepted.append(guest)
    return accepted, notes


def _give_back(ctx: ClickContext, guests: Sequence[Guest]) -> None:
    """Give back the tokens spent for invitations that were not sent."""
    for guest in guests:
        ctx.services.limits.invitations_sent.give_back(ctx.user_id, 1)
        ctx.services.limits.invitations_received.give_back(guest.id, 1)


@control(Verb.CALL_ROLE, who=Who.SEATED, where=Where.TABLE_CHANNEL, cost=POST)
async def call_role(ctx: ClickContext) -> None:
    """Invite the role that managers of the server have chosen.

    The user's rights are checked first, so that nobody else can start the role's cooldown, or learn
    about it.
    """
    lobby, role = may_invite(ctx.table, ctx.user_id), _role(ctx)
    if role is None:
        raise Refused(Reason.NO_ROLE_TO_INVITE)
    if role.trouble:
        raise Refused(Reason.ROLE_NOT_MENTIONABLE, role=role_mention(role.id))
    lobby = require_lobby(await ctx.reply.change(_invite_role(ctx, lobby, role.id)))
    await _show(ctx, lobby)


async def _invite_role(ctx: ClickContext, lobby: Lobby, role_id: RoleId) -> OpenTable:
    """Start the role's cooldown and invite the role; return the lobby afterwards.

    The cooldown is stored first, because a missing invitation is better than a second one. Nothing
    is awaited between its check and its start, so that only one of two concurrent lobbies succeeds.
    If the lobby refuses the invitation, the previous cooldown is restored.
    """
    settings, guild_id = ctx.bot.store.server_settings, lobby.guild_id
    now = ctx.bot.clock.now()
    if (free_at := settings.role_free_at(guild_id, now)) is not None:
        when = discord.utils.format_dt(free_at, "R")
        raise Refused(Reason.ROLE_CALLED_LATELY, when=when)
    before = settings.role_invited_at(guild_id)
    await settings.note_role_invited(guild_id, now)
    try:
        return await ctx.bot.tables.execute(lobby.id, ctx.user_id, InviteRole(role_id))
    except Refused:
        with contextlib.suppress(StorageError):
            await settings.note_role_invited(guild_id, before)
        raise


async def _show(ctx: ClickContext, lobby: Lobby, notes: Sequence[str] = ()) -> None:
    await ctx.reply.show(invite_page(lobby, _role(ctx), ctx.words, notes))


def _role(ctx: ClickContext) -> RoleToInvite | None:
    """Return the role that managers of the server have chosen, if it still exists."""
    guild, settings = ctx.interaction.guild, ctx.bot.store.server_settings
    role_id = settings.get(ctx.guild_id).invitation_role_id
    role = guild.get_role(role_id) if guild is not None and role_id is not None else None
    if guild is None or role is None:
        return None
    trouble = ""
    if not may_mention(role, ctx.interaction.app_permissions):
        refused = Refused(Reason.ROLE_NOT_MENTIONABLE, role=role_mention(role.id))
        trouble = "⚠️ " + sentence(ctx.words.say, refused)
    free_at = settings.role_free_at(GuildId(guild.id), ctx.bot.clock.now())
    return RoleToInvite(RoleId(role.id), role.name, free_at, trouble)
