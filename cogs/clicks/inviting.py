"""Clicks on **Invite** of a lobby, and on the private page behind it.

Nobody can be notified many times: each person is invited once to a table, and a few times an
hour at most, whoever invites them; and nobody invites many people in a row. The role that
managers of the server have chosen has a cooldown.
"""

from __future__ import annotations

import contextlib
from collections.abc import Awaitable, Callable, Mapping, Sequence

import discord

from bot.client import TichuBot
from bot.errors import Reason, Refused
from bot.ids import GuildId, RoleId, UserId
from bot.runtime.cooldowns import Cooldowns
from bot.storage import StorageError
from bot.table.commands import CallRole, Invite
from bot.table.inviting import Guest, check_guest, may_invite
from bot.table.permission import own_lobby, require_lobby
from bot.table.state import Lobby, OpenTable
from bot.text.sentences import sentence
from cogs.clicks.click import Click
from cogs.delivery.announcer import Announcer
from cogs.delivery.channel_permissions import may_mention
from cogs.delivery.replies import Reply
from cogs.pages.names import safe
from cogs.pages.table.inviting import RoleToInvite, invite_page
from cogs.pages.verbs import Verb

_IN_A_ROW, _PER_MINUTE = 15, 1
"""The most people that somebody may invite in a row, and then in each minute."""
_AT_ONCE, _PER_HOUR = 3, 3
"""The most invitations that somebody gets at once, and then in each hour."""


class InviteClicks:
    """Handles the clicks with which people are invited; refusals are raised."""

    def __init__(self, bot: TichuBot, announcer: Announcer) -> None:
        self.bot = bot
        self.announcer = announcer
        self.verbs: Mapping[str, Callable[[Click], Awaitable[None]]] = {
            Verb.INVITE: self._invite,
            Verb.CALL_ROLE: self._call_role,
        }
        now = bot.clock.now
        self._hosts = Cooldowns(now, burst=_IN_A_ROW, per_second=_PER_MINUTE / 60)
        self._guests = Cooldowns(now, burst=_AT_ONCE, per_second=_PER_HOUR / 3600)

    async def _invite(self, click: Click) -> None:
        """Invite the members who were chosen, as far as they may be; show who else could be."""
        if click.users:
            lobby, notes = await self._send(click)
        else:
            lobby, notes = own_lobby(self._table(click), click.user_id), []
        await self._show(click, lobby, notes)

    async def _send(self, click: Click) -> tuple[Lobby, list[str]]:
        """The lobby to which those who were chosen are invited; why some of them are not.

        The lobby takes all or nobody, and asks who may under its lock. The same is asked here
        before, as it counts what each of them costs, and invites the others if one may not be. If
        it refuses, as when somebody else has invited one of them just now, all have cost nothing,
        and who is left is invited anew.
        """
        guests: Sequence[Guest] = [
            Guest(member.id, safe(member.display_name), member.bot, member.sees)
            for member in click.users
        ]
        notes = list[str]()
        refused_before = False
        while True:
            lobby = may_invite(self._table(click), click.user_id)
            welcome, more = await self._welcome(click, lobby, guests)
            notes = list(dict.fromkeys(notes + more))
            if not welcome:
                return lobby, notes
            again, guests = refused_before and len(welcome) == len(guests), welcome
            try:
                inviting = Invite(tuple(guests))
                changing = self.bot.tables.execute(click.table_id, click.user_id, inviting)
                return require_lobby(await Reply(click.interaction).changing(changing)), notes
            except Refused:
                self._give_back(click, guests)
                if again:  # none of these is why
                    raise
                refused_before = True
            except StorageError:
                self._give_back(click, guests)
                raise

    async def _welcome(
        self, click: Click, lobby: Lobby, guests: Sequence[Guest]
    ) -> tuple[list[Guest], list[str]]:
        """Those of the guests who may be invited, and why the others may not.

        Each try costs an invitation, and that somebody has had many reads as if they wanted none:
        nobody learns by trying when others have quiet hours.
        """

        def pay() -> None:
            if not self._hosts.spend(click.user_id, 1):
                raise Refused(Reason.INVITED_MANY)

        say = self.announcer.private(click.interaction).say
        settings = self.bot.store.personal_settings
        welcome, notes = list[Guest](), list[str]()
        for guest in guests:
            chosen = await Reply(click.interaction).reading(settings.get(guest.id))
            try:
                check_guest(lobby, guest, chosen, self.bot.clock.now(), pay)
                if not self._guests.spend(guest.id, 1):
                    raise Refused(Reason.NOT_TO_BE_INVITED, name=guest.name)
            except Refused as refused:
                notes.append("⚠️ " + sentence(say, refused))
            else:
                welcome.append(guest)
        return welcome, notes

    def _give_back(self, click: Click, guests: Sequence[Guest]) -> None:
        """Give back what was spent for invitations that were not sent."""
        for guest in guests:
            self._hosts.give_back(click.user_id, 1)
            self._guests.give_back(guest.id, 1)

    async def _call_role(self, click: Click) -> None:
        """Invite those who hold the role that managers of the server have chosen.

        Who may is asked before its cooldown begins: nobody else can begin it, or learn of it.
        """
        lobby, role = may_invite(self._table(click), click.user_id), self._role(click)
        if role is None:
            raise Refused(Reason.NO_ROLE_TO_INVITE)
        if role.trouble:
            raise Refused(Reason.ROLE_NOT_MENTIONABLE, role=f"<@&{role.id}>")
        changing = self._mention(lobby, click.user_id, role.id)
        lobby = require_lobby(await Reply(click.interaction).changing(changing))
        await self._show(click, lobby)

    async def _mention(self, lobby: Lobby, user_id: UserId, role_id: RoleId) -> OpenTable:
        """The lobby to which the role is invited.

        Its cooldown begins before: rather one invitation less than one too many. Nothing comes
        between asking for it and its beginning, so of two lobbies at once only one gets further.
        If the lobby then refuses, the cooldown has not begun.
        """
        settings, guild_id = self.bot.store.server_settings, lobby.guild_id
        now = self.bot.clock.now()
        if (free_at := settings.role_free_at(guild_id, now)) is not None:
            when = discord.utils.format_dt(free_at, "R")
            raise Refused(Reason.ROLE_CALLED_LATELY, when=when)
        before = settings.role_invited_at(guild_id)
        await settings.note_role_invited(guild_id, now)
        try:
            return await self.bot.tables.execute(lobby.id, user_id, CallRole(role_id))
        except Refused:
            with contextlib.suppress(StorageError):
                await settings.note_role_invited(guild_id, before)
            raise

    def _table(self, click: Click) -> OpenTable:
        return self.bot.tables.get(click.table_id)

    async def _show(self, click: Click, lobby: Lobby, notes: Sequence[str] = ()) -> None:
        words = self.announcer.private(click.interaction)
        page = invite_page(lobby, self._role(click), words, notes)
        await Reply(click.interaction).show(page)

    def _role(self, click: Click) -> RoleToInvite | None:
        """The role that managers of the server have chosen, if it is still there."""
        guild, settings = click.interaction.guild, self.bot.store.server_settings
        role_id = settings.get(GuildId(click.interaction.guild_id or 0)).invitation_role_id
        role = guild.get_role(role_id) if guild is not None and role_id is not None else None
        if guild is None or role is None:
            return None
        trouble = ""
        if not may_mention(role, click.interaction.app_permissions):
            say = self.announcer.private(click.interaction).say
            refused = Refused(Reason.ROLE_NOT_MENTIONABLE, role=role.mention)
            trouble = "⚠️ " + sentence(say, refused)
        free_at = settings.role_free_at(GuildId(guild.id), self.bot.clock.now())
        return RoleToInvite(RoleId(role.id), role.name, free_at, trouble)
