"""Two guilds with tables of every kind, and people with every permission and none.

`Arena.may` decides who may use a control. It reads `CONTROLS`, the seats and Discord's permissions,
and does not use the bot's own check.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import discord
from simcord import ChannelHandle, GuildHandle
from simcord.backend.models import Overwrite
from simcord.enums import OverwriteType

import cogs.clicks.router  # noqa: F401 - registers all controls
from bot.ids import TableId, UserId
from bot.table.commands import Command, OfferSeat, VoteToStop
from bot.table.state import Game, Lobby, OpenTable
from cogs.clicks.registry import CONTROLS, Where, Who
from cogs.pages.verbs import Verb
from engine import Match, Phase
from tests.cogs.fast_forward import fast_forward, match_over, reached
from tests.cogs.table_play import HandPlayer, seat_all
from tests.cogs.worlds import World
from tests.simcord_clicks import Person, deny, newcomers

_VIEW = discord.Permissions(view_channel=True).value
_MODERATES = discord.Permissions(manage_messages=True, manage_guild=True)


_FOR_A_SEAT = {
    verb
    for verb, control in CONTROLS.items()
    if (control.who, control.where) == (Who.SEATED, Where.ANYWHERE)
    and verb not in (Verb.BACK, Verb.WAIT, Verb.CONTINUE)
}
"""Verbs for one hand; all others act for a person and ignore the seat of the click."""


class Place(NamedTuple):
    """A channel of a guild, or a user's direct messages (guild `None`)."""

    guild_id: int | None
    channel_id: int


class Aim(NamedTuple):
    """A person, a verb, a place, a table and one of its seats."""

    person: Person
    place: Place
    verb: str
    table_id: int
    seat: int | None = None


class Arena:
    """The tables and the people; `open` creates them."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.home = world.guild
        self.away = world.env.create_guild("Away")
        self.people: list[Person] = []
        self.places: dict[int, Place] = {}
        """Places of the tables by id, including the finished one."""
        self.over: Game
        """The finished table."""
        self._servers: dict[int, list[GuildHandle]] = {}

    async def open(self) -> None:
        """Seat everybody, play to the wanted states, and remove permissions."""
        await self._play("over", match_over, "Mia", "Ned", target=100)
        self.over = self.world.last_game()
        ada, ben, *_ = await self._play(
            "turn", reached(Phase.TURN), "Ada", "Ben", "Cai", "Dan", hints=True
        )
        await self._play("results", reached(Phase.ROUND_END), "Gus", "Hal")
        hidden = self.home.create_text_channel("hidden")
        *_, lou = await self._play("", reached(Phase.EXCHANGE), "Ivy", "Jon", "Lou", there=hidden)
        await self._play("far", reached(Phase.GRAND), "Zoe", "Yan", server=self.away)
        eve, fay = self._come(self.home.create_text_channel("lobby"), "Eve", "Fay")
        await eve.slash("tichu new", computers=1)
        await self.world.join(fay)
        (sam,) = self._come(self.home.create_text_channel("threads"), "Sam")
        await sam.slash("tichu new", thread=True)

        turn = ada.person.channel
        kim, pat, mod = self._come(turn, "Kim", "Pat", "Mod")
        (zed,) = self._come(self.away.create_text_channel("zed"), "Zed", server=self.away)
        self._grant(self.home, mod, _MODERATES)
        self._grant(self.away, zed, discord.Permissions.all())
        for person in (ada.person, zed):  # in both guilds
            server = self.away if person is ada.person else self.home
            self.world.env.backend.add_member(server.id, person.id, announce=True)
            self._servers[person.id].append(server)
        await self._tell(ada.person, OfferSeat(UserId(kim.id), "Kim"))
        await self._tell(ben.person, VoteToStop())
        deny(self.world.env, turn, pat.id, "view_channel")
        self._hide(hidden, lou.person)
        for table in self.world.bot.tables.all():
            self.places[table.id] = Place(table.guild_id, table.channel_id)
        self.places[self.over.id] = Place(self.home.id, self.over.channel_id)

    def _come(
        self, channel: ChannelHandle, *names: str, server: GuildHandle | None = None
    ) -> list[Person]:
        guild = server or self.home
        people = newcomers(self.world.env, guild, channel, *names)
        self._servers |= {person.id: [guild] for person in people}
        self.people += people
        return people

    async def _play(
        self,
        channel: str,
        until: Callable[[Match], bool],
        *names: str,
        server: GuildHandle | None = None,
        there: ChannelHandle | None = None,
        **options: object,
    ) -> list[HandPlayer]:
        """Start a match of these people and computers, and play until `until` holds."""
        place = there or (server or self.home).create_text_channel(channel)
        people = self._come(place, *names, server=server)
        players = await seat_all(self.world, people, **options)
        await fast_forward(self.world, until, channel=place, seed=2)
        return players

    async def _tell(self, person: Person, command: Command) -> None:
        """Execute this command of a user at the table of their channel."""
        table = self.world.table(person.channel)
        with self.world.env._bot_scope():
            await self.world.bot.tables.execute(table.id, UserId(person.id), command)
        await self.world.env.settle()

    def _grant(self, server: GuildHandle, person: Person, rights: discord.Permissions) -> None:
        role = server.create_role("rights", permissions=rights)
        self.world.env.backend.add_member_role(server.id, person.id, role.id)

    def _hide(self, channel: ChannelHandle, lost: Person) -> None:
        """Hide a channel from everybody but its players, and from `lost` as well."""
        backend = self.world.env.backend
        everyone = Overwrite(self.home.id, OverwriteType.ROLE, allow=0, deny=_VIEW)
        backend.set_overwrite(channel.id, everyone)
        for user_id in self.world.table(channel).user_ids():
            if user_id != lost.id:
                own = Overwrite(user_id, OverwriteType.MEMBER, allow=_VIEW, deny=0)
                backend.set_overwrite(channel.id, own)

    # --- places of clicks ------------------------------------------------------------------------

    def places_of(self, person: Person) -> list[Place]:
        """Return all channels of a user's guilds, visible or not, and their direct messages."""
        backend = self.world.env.backend
        inbox = Place(None, backend.get_dm_channel(person.id).id)
        servers = [server.id for server in self._servers[person.id]]
        return [
            *(
                Place(channel.guild_id, channel.id)
                for channel in backend.channels.values()
                if channel.guild_id in servers
            ),
            inbox,
        ]

    def rights(self, person: Person, place: Place) -> discord.Permissions:
        """Return a user's Discord permissions in a place; none outside of their guilds."""
        if place.guild_id not in [server.id for server in self._servers[person.id]]:
            return discord.Permissions.none()
        backend = self.world.env.backend
        assert place.guild_id is not None
        found = backend.compute_permissions(place.guild_id, person.id, place.channel_id)
        return discord.Permissions(found)

    # --- permissions of clicks -------------------------------------------------------------------

    def sits(self, person: Person, table: OpenTable | None) -> bool:
        """Return whether a user has a seat at a table."""
        return table is not None and table.seat_of(UserId(person.id)) is not None

    def reaches(self, person: Person, place: Place, table: OpenTable) -> bool:
        """Return whether a user may know of a table."""
        here = place.guild_id == table.guild_id
        return self.sits(person, table) or (here and self._views(person, table.id))

    def _views(self, person: Person, table_id: int) -> bool:
        return self.rights(person, self.places[table_id]).view_channel

    def may(self, aim: Aim) -> bool:
        """Return whether `CONTROLS` allow it."""
        control = CONTROLS.get(aim.verb)
        if control is None:
            return False
        return self._where(control.where, aim) and self._who(control.who, aim)

    def _where(self, where: Where, aim: Aim) -> bool:
        there = self.places.get(aim.table_id)
        if where is Where.ANYWHERE:
            return True
        if where is Where.SERVER:
            return aim.place.guild_id is not None
        if where is Where.PAST:
            return aim.place.guild_id is not None or self.sits(
                aim.person, self.world.bot.tables.find(TableId(aim.table_id))
            )
        if there is None or not self._views(aim.person, aim.table_id):
            return False
        if where is Where.TABLE_SERVER:
            return aim.place.guild_id == there.guild_id
        return aim.place == there

    def _who(self, who: Who, aim: Aim) -> bool:
        person, table = aim.person, self.world.bot.tables.find(TableId(aim.table_id))
        here = self.rights(person, aim.place)
        if who is Who.SEATED:
            seat = aim.seat if aim.verb in _FOR_A_SEAT else None
            return table is not None and self._acts_for(person, table, seat)
        if who is Who.HOST:
            return isinstance(table, Lobby) and table.host_id == person.id
        if who is Who.OFFERED:
            return isinstance(table, Game) and person.id in table.notes.offers.values()
        if who is Who.PLAYED:
            return aim.table_id == self.over.id and self.sits(person, self.over)
        if who is Who.READER:
            if aim.place.guild_id is None:
                return CONTROLS[aim.verb].where is Where.PAST
            there = self.places.get(aim.table_id)
            seen = there is not None and there.guild_id == aim.place.guild_id
            return aim.verb == Verb.HISTORY or (seen and self._views(person, aim.table_id))
        if who is Who.MODERATOR:
            return here.manage_messages
        if who is Who.SEATED_OR_MODERATOR:
            return here.manage_messages or self.sits(person, table)
        if who is Who.MANAGER:
            return here.manage_guild
        if who is Who.WRITER:
            return here.send_messages
        return who is Who.ANYBODY

    def _acts_for(self, person: Person, table: OpenTable, seat: int | None) -> bool:
        """Return whether the user has a seat there and decides for the named seat, if any."""
        chair = table.seat_of(UserId(person.id))
        if chair is None or seat is None or not isinstance(table, Game):
            return chair is not None
        return seat in table.seats_of_chair(chair)
