"""Serves a bot in SimCord's preview: a server with two channels on a page for six.

Used by `demo.__main__`. Nothing here depends on the game.
"""

from __future__ import annotations

import asyncio
import base64
import signal
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime
from typing import Any, NamedTuple

import discord
from discord import app_commands
from discord.ext import commands
from simcord import ChannelHandle, Env, MemberActor
from simcord.backend.cdn import CDN_BASE

from bot.ids import ChannelId, GuildId, UserId
from demo.avatars import give_avatar
from demo.refreshing import PreviewUpdater

Bot = commands.Bot | commands.AutoShardedBot
Sleep = Callable[[float], Awaitable[None]]
"""Coroutine function that waits for a number of seconds of virtual time."""


class Place(NamedTuple):
    """The simulated server, as the code that fills the database sees it."""

    guild_id: GuildId
    channel_id: ChannelId
    people: Mapping[str, UserId]
    """Name -> id of all members of the server."""
    now: datetime
    """Time of the simulated Discord."""


Prepare = Callable[[Place], Awaitable[object]]
"""Hook that runs after the server is made and before the bot starts."""
Begin = Callable[[Env, ChannelHandle, Sequence[MemberActor]], Awaitable[object]]
"""Hook that runs after the bot has started and before the page is open."""

GUILD = "Tichu Corner"
CHANNEL, SECOND_CHANNEL = "tichu-table", "second-table"
PEOPLE = ("Ada", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gina", "Hugo")  # the first is a moderator
OTHERS = ("Iris", "Jack", "Kim", "Leo")
"""Members of the server who are not on the page."""
ROLE = "Card players"
"""Role of the server that anyone may mention, such as for invitations."""
STARTS = datetime(2026, 1, 25, 20, tzinfo=UTC)
"""Start time of the demo, late in a month, so that its season has a past as well."""

_TOPIC = "Type /tichu new to open a table"
_SETTLE_SECONDS = 600.0
"""Longest time for one click before SimCord reports an error, in seconds.

A busy machine needs a while for the first picture, which comes from a new process.
"""
_CLOSE_SECONDS = 5.0
"""Longest time for the bot to close before it is abandoned, in seconds."""


async def serve(
    make_bot: Callable[[Sleep], Bot],
    *,
    port: int = 0,
    speed: float = 1.0,
    locale: str = "en-GB",
    greet: Callable[[str], None] = print,
    prepare: Prepare | None = None,
    begin: Begin | None = None,
) -> None:
    """Run a bot in a simulated Discord until Ctrl-C, SIGTERM, or the page ends the session.

    `make_bot` gets the sleep function that the bot must use for all its timers, so that they run in
    the virtual time of SimCord. `speed` is the number of virtual seconds in a real one, `locale`
    the language of the server and of everybody's Discord. `port` 0 stands for a free port. `greet`
    is called once, with the address of the page. `prepare` is awaited after the bot is made and
    before it starts. `begin` is awaited before the page is open, with the six people on the page.
    The bot is closed at the end.

    Raises `simcord.SetupError` if the port is taken.
    """
    async with (
        _stopping() as stop,
        bot_in_a_server(make_bot, prepare, locale) as (env, channel, people),
    ):
        if begin is not None:
            await begin(env, channel, people)
        preview = env.preview(channel, viewers=people, layout="channel", locale=locale, port=port)
        live = PreviewUpdater(env, preview, speed)
        async with preview:
            clock = asyncio.create_task(live.run())
            ends = [asyncio.create_task(stop.wait()), asyncio.create_task(preview.wait_closed())]
            greet(preview.url)
            try:
                await asyncio.wait([clock, *ends], return_when=asyncio.FIRST_COMPLETED)
                if clock.done():
                    clock.result()
            finally:
                for task in (clock, *ends):
                    task.cancel()
                await asyncio.gather(clock, *ends, return_exceptions=True)


@asynccontextmanager
async def bot_in_a_server(
    make_bot: Callable[[Sleep], Bot], prepare: Prepare | None, locale: str = "en-GB"
) -> AsyncIterator[tuple[Env, ChannelHandle, list[MemberActor]]]:
    """Yield a bot that is logged in to a simulated Discord, its channel and six people.

    The server has a second channel and twelve members; the six people are those on the page.
    Everybody's Discord has the language `locale`.
    """

    async def sleep(seconds: float) -> None:
        await env.external_wait(asyncio.sleep(seconds), reason="the clock of the bot")

    bot = make_bot(sleep)
    unsharded = isinstance(bot, discord.AutoShardedClient) and bot.shard_count is None
    env = Env(bot, shard_count=1 if unsharded else None, settle_timeout=_SETTLE_SECONDS)
    _extend_start_timeout(env)
    _keep_emoji_pictures(env)
    _set_locale(env, locale)
    _accept_refusals(env)
    env.backend.advance_clock((STARTS - env.now()).total_seconds())
    env.backend.edit_bot_profile("Tichu")
    guild = env.create_guild(
        GUILD, description="A quiet place for a game of cards", preferred_locale=locale
    )
    channel = guild.create_text_channel(CHANNEL, topic=_TOPIC)
    moderator = guild.create_role(
        "Moderator", permissions=discord.Permissions(manage_guild=True, manage_messages=True)
    )
    players = guild.create_role(ROLE, mentionable=True)
    members = {
        name: guild.add_member(
            env.create_user(name.lower(), global_name=name),
            roles=(moderator,) if name == PEOPLE[0] else (players,),
        )
        for name in (*PEOPLE, *OTHERS)
    }
    guild.create_text_channel(SECOND_CHANNEL, topic=_TOPIC)
    for user in (env.backend.bot_user, *(env.backend.get_user(m.id) for m in members.values())):
        give_avatar(env, user)
    try:
        if prepare is not None:
            ids = {name: UserId(member.id) for name, member in members.items()}
            await prepare(Place(GuildId(guild.id), ChannelId(channel.id), ids, env.now()))
        await env.start()
        with env.time_context():
            if not env.backend.commands:
                await bot.tree.sync()
            yield env, channel, [members[name] for name in PEOPLE]
    finally:
        try:
            with suppress(TimeoutError):
                await asyncio.wait_for(bot.close(), _CLOSE_SECONDS)
        finally:
            await env.shutdown()


def _extend_start_timeout(env: Env) -> None:
    """Extend the timeout of the start, five seconds in SimCord, to that of a click."""
    settle = env._settle_internal

    async def patient(**options: Any) -> None:
        options.pop("timeout", None)
        await settle(**options)

    env._settle_internal = patient  # type: ignore[method-assign]


def _set_locale(env: Env, locale: str) -> None:
    """Set the language of everybody's Discord, which SimCord leaves at American English."""
    emit = env.backend.emit

    def localised(event: str, payload: Mapping[str, Any]) -> None:
        if event == "INTERACTION_CREATE":
            payload = {**payload, "locale": locale, "guild_locale": locale}
        emit(event, payload)

    env.backend.emit = localised  # type: ignore[method-assign]


def _accept_refusals(env: Env) -> None:
    """Do not report a command that the bot has refused as one that failed."""
    record = env._record_error

    def record_others(error: BaseException) -> None:
        if not isinstance(error, app_commands.AppCommandError):
            record(error)

    env._record_error = record_others  # type: ignore[method-assign]


def _keep_emoji_pictures(env: Env) -> None:
    """Store the pictures of the application's emojis for the page; SimCord drops them."""
    create = env.backend.create_application_emoji

    def keep(name: str, *, animated: bool = False) -> Any:
        emoji = create(name, animated=animated)
        body = env.http_requests[-1].json
        picture = str(body.get("image", "")) if isinstance(body, dict) else ""
        if ";base64," in picture:
            url = f"{CDN_BASE}/emojis/{emoji.id}.{'gif' if animated else 'png'}"
            env.backend.cdn._blobs[url] = base64.b64decode(picture.partition(";base64,")[2])
        return emoji

    env.backend.create_application_emoji = keep  # type: ignore[method-assign]


@asynccontextmanager
async def _stopping() -> AsyncIterator[asyncio.Event]:
    """Yield an event that Ctrl-C and SIGTERM set, if asyncio can handle signals here."""
    stop, loop = asyncio.Event(), asyncio.get_running_loop()
    handled = []
    for number in (signal.SIGINT, signal.SIGTERM):
        with suppress(NotImplementedError, RuntimeError):
            loop.add_signal_handler(number, stop.set)
            handled.append(number)
    try:
        yield stop
    finally:
        for number in handled:
            loop.remove_signal_handler(number)
