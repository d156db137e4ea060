"""Controls of **Invite** in a lobby, and on the private page behind it.

Nobody can be notified many times: each person is invited once to a table, and a few times an hour
at most by all others together. Nobody invites many people in a row. The role that managers of the
server have chosen has a cooldown.
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
from bot.text.sentences import sentence
from cogs.clicks.context import ClickContext
from cogs.clicks.limits import POST
from cogs.clicks.registry import Where, Who, control
from cogs.clicks.table_actions import execute
from cogs.delivery.channel_permissions import may_mention
from cogs.pages.names import safe
from cogs.pages.table.inviting import RoleToInvite, invite_page
from cogs.pages.verbs import Verb


@control(Verb.INVITE, who=Who.SEATED, where=Where.TABLE_CHANNEL, cost=POST)
async def invite(ctx: ClickContext) -> None:
    """Invite the members who were chosen, as far as they may be; show who else could be."""
    if ctx.click.users:
        lobby, notes = await _send(ctx)
    else:
        lobby, notes = own_lobby(ctx.table, ctx.user_id), []
    await _show(ctx, lobby, notes)


async def _send(ctx: ClickContext) -> tuple[Lobby, list[str]]:
    """Invite the chosen members; return the lobby, and why some of them are not invited.

    The command invites all or nobody. Each guest is checked here before, to count the cost and to
    invite the others. If the command refuses all the same, because another player has just invited
    one of them, the costs are given back and the remaining ones are tried again.
    """
    guests: Sequence[Guest] = [
        Guest(member.id, safe(member.display_name), member.bot, member.sees)
        for member in ctx.click.users
    ]
    notes = list[str]()
    refused_before = False
    while True:
        lobby = may_invite(ctx.table, ctx.user_id)
        welcome, more = await _welcome(ctx, lobby, guests)
        notes = list(dict.fromkeys(notes + more))
        if not welcome:
            return lobby, notes
        again, guests = refused_before and len(welcome) == len(guests), welcome
        try:
            invited = await execute(ctx, lobby.id, Invite(tuple(guests)))
            return require_lobby(invited), notes
        except Refused:
            _give_back(ctx, guests)
            if again:  # none of these is why
                raise
            refused_before = True
        except StorageError:
            _give_back(ctx, guests)
            raise


async def _welcome(
    ctx: ClickContext, lobby: Lobby, guests: Sequence[Guest]
) -> tuple[list[Guest], list[str]]:
    """Return the guests who may be invited, and why the others may not.

    Each try costs an invitation. The refusal of a guest who has had many reads like that of one who
    wants none, so that nobody finds out quiet hours by trying.
    """

    def pay() -> None:
        if not ctx.services.limits.inviting.spend(ctx.user_id, 1):
            raise Refused(Reason.INVITED_MANY)

    say = ctx.words.say
    settings = ctx.bot.store.personal_settings
    welcome, notes = list[Guest](), list[str]()
    for guest in guests:
        chosen = await ctx.reply.read(settings.get(guest.id))
        try:
            check_guest(lobby, guest, chosen, ctx.bot.clock.now(), pay)
            if not ctx.services.limits.invited.spend(guest.id, 1):
                raise Refused(Reason.NOT_TO_BE_INVITED, name=guest.name)
        except Refused as refused:
            notes.append("⚠️ " + sentence(say, refused))
        else:
            welcome.append(guest)
    return welcome, notes


def _give_back(ctx: ClickContext, guests: Sequence[Guest]) -> None:
    """Give back what was spent for invitations that were not sent."""
    for guest in guests:
        ctx.services.limits.inviting.give_back(ctx.user_id, 1)
        ctx.services.limits.invited.give_back(guest.id, 1)


@control(Verb.CALL_ROLE, who=Who.SEATED, where=Where.TABLE_CHANNEL, cost=POST)
async def call_role(ctx: ClickContext) -> None:
    """Invite those who hold the role that managers of the server have chosen.

    Who may is asked before its cooldown begins: nobody else can begin it, or learn of it.
    """
    lobby, role = may_invite(ctx.table, ctx.user_id), _role(ctx)
    if role is None:
        raise Refused(Reason.NO_ROLE_TO_INVITE)
    if role.trouble:
        raise Refused(Reason.ROLE_NOT_MENTIONABLE, role=f"<@&{role.id}>")
    changing = _mention(ctx, lobby, role.id)
    lobby = require_lobby(await ctx.reply.change(changing))
    await _show(ctx, lobby)


async def _mention(ctx: ClickContext, lobby: Lobby, role_id: RoleId) -> OpenTable:
    """Invite the role; return the lobby after it.

    The cooldown begins first: rather one invitation too few than one too many. Nothing is awaited
    between its check and its begin, so only one of two concurrent lobbies gets further. It is
    undone if the lobby refuses.
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
        refused = Refused(Reason.ROLE_NOT_MENTIONABLE, role=role.mention)
        trouble = "⚠️ " + sentence(ctx.words.say, refused)
    free_at = settings.role_free_at(GuildId(guild.id), ctx.bot.clock.now())
    return RoleToInvite(RoleId(role.id), role.name, free_at, trouble)
