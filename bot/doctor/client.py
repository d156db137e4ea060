"""Client of the doctor: logs in, finds the channel, registers the test command."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Final

import discord

from bot.doctor.api import Api, Ids
from bot.doctor.examination import Examination
from bot.doctor.operator import COMMAND, Operator
from bot.doctor.terminal import Terminal
from bot.doctor.visit import Deletion, Visit
from bot.ids import ChannelId, GuildId
from bot.runtime.clock import Clock
from bot.runtime.discord_requests import limit_requests

_NEEDED: Final = (
    "view_channel",
    "read_message_history",
    "send_messages",
    "attach_files",
    "create_public_threads",
    "send_messages_in_threads",
)
_COMMANDS: Final = "/applications/{application_id}/guilds/{guild_id}/commands"


class SetupError(Exception):
    """Raised when the doctor cannot work in this channel. The text is for the operator."""


class DoctorClient(discord.AutoShardedClient):
    """Discord client that handles only the doctor's buttons and its test command."""

    def __init__(self, api: Api, operator: Operator | None, shard_count: int | None = None) -> None:
        intents = discord.Intents.none()
        intents.guilds = True
        super().__init__(intents=intents, http_trace=api.trace, shard_count=shard_count)
        self._api = api
        self._operator = operator

    async def setup_hook(self) -> None:
        """Limit requests as the running bot does. Called by discord.py at login."""
        limit_requests(self.http)
        self._api.use(self.http)

    async def on_interaction(self, interaction: discord.Interaction[Any]) -> None:
        """Handle a command or a press. Called by discord.py."""
        if self._operator is not None:
            self._operator.handle(interaction)

    def text_channel(self, channel_id: ChannelId) -> discord.TextChannel:
        """Return the channel. Raise `SetupError` for a wrong type or missing permissions."""
        channel = self.get_channel(channel_id)
        if channel is None:
            raise SetupError(
                f"The bot sees no channel {channel_id}: copy the id of a text channel (Developer "
                "Mode, Copy Channel ID) in a server that the bot was invited to."
            )
        if not isinstance(channel, discord.TextChannel) or channel.is_news():
            raise SetupError(f"{channel_id} is no ordinary text channel: choose one.")
        allowed = channel.permissions_for(channel.guild.me)
        missing = [name for name in _NEEDED if not getattr(allowed, name)]
        if missing:
            names = ", ".join(name.replace("_", " ").title() for name in missing)
            raise SetupError(f"In #{channel.name} the bot needs these permissions, too: {names}.")
        return channel


@asynccontextmanager
async def connected(client: DoctorClient, token: str) -> AsyncIterator[None]:
    """Log in and stay connected until the block exits. Raise login and connection errors."""
    async with client:
        await client.login(token)
        connecting = asyncio.ensure_future(client.connect())
        ready = asyncio.ensure_future(client.wait_until_ready())
        try:
            await asyncio.wait({connecting, ready}, return_when=asyncio.FIRST_COMPLETED)
            if connecting.done():
                await connecting
            yield
        finally:
            connecting.cancel()
            ready.cancel()


@asynccontextmanager
async def registered_command(visit: Visit) -> AsyncIterator[None]:
    """Register the test command for the duration of the block; keep other commands."""
    ids: Ids = {"application_id": visit.application_id, "guild_id": visit.guild_id}
    body = {"name": COMMAND, "type": 1, "description": "Only for python -m bot doctor"}

    def deletion_of(command: Any) -> Deletion:
        return f"{_COMMANDS}/{{command_id}}", {**ids, "command_id": int(command["id"])}

    try:
        response = await visit.create(_COMMANDS, ids, deletion_of, json=body)
        if not response.ok:
            raise SetupError(
                f"Discord lets nobody register the test command ({response}): use --no-hand."
            )
        visit.keep_to_the_end()
        yield
    finally:
        await visit.clean_up(everything=True)


@asynccontextmanager
async def visiting(
    examination: Examination, channel_id: ChannelId, token: str, terminal: Terminal | None
) -> AsyncIterator[Visit]:
    """Log in and visit this channel until the block exits.

    Without a `terminal` there is no operator. Raise `SetupError` and login errors.
    """
    # The bot does not use voice, so it needs no packages for it.
    discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False
    api = Api()
    operator = None if terminal is None else Operator(api, terminal)
    client = DoctorClient(api, operator)
    async with connected(client, token):
        channel = client.text_channel(channel_id)
        application_id = client.application_id
        assert application_id is not None, "it is known after the login"
        visit = visit_of(examination, api, operator, channel, application_id)
        if operator is None:
            yield visit
            return
        async with registered_command(visit):
            yield visit


def visit_of(
    examination: Examination,
    api: Api,
    operator: Operator | None,
    channel: discord.TextChannel,
    application_id: int,
) -> Visit:
    """Return a new visit to a channel."""
    return Visit(
        api,
        application_id,
        GuildId(channel.guild.id),
        ChannelId(channel.id),
        channel.name,
        Clock(discord.utils.utcnow),
        examination.keep_old_message,
        examination.findings.old_message,
        operator,
        channel.permissions_for(channel.guild.me).manage_threads,
    )
