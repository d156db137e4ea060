"""Serves a bot in SimCord's preview: a simulated server with one channel, on a page for six people.

Used by `demo.__main__`. Nothing here knows the game.
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
from discord.ext import commands
from simcord import ChannelHandle, Env, MemberActor
from simcord.backend.cdn import CDN_BASE

from bot.ids import ChannelId, GuildId, UserId
from demo.refreshing import Live
from demo.thread_pages import follow_threads

Bot = commands.Bot | commands.AutoShardedBot
Sleep = Callable[[float], Awaitable[None]]
"""Waits for the given number of seconds of virtual time."""


class Place(NamedTuple):
    """The simulated server in which the bot runs, as code knows it that fills the database."""

    guild_id: GuildId
    channel_id: ChannelId
    people: Mapping[str, UserId]
    """Name -> id, for all members of the server."""
    now: datetime
    """The time of the simulated Discord."""


Prepare = Callable[[Place], Awaitable[object]]
"""What is done when the server is made and the bot has not started yet."""
Begin = Callable[[Env, ChannelHandle, Sequence[MemberActor]], Awaitable[object]]
"""What is done when the bot has started and nobody has seen the channel yet."""

GUILD = "Tichu Corner"
CHANNEL = "tichu-table"
PEOPLE = ("Ada", "Ben", "Cleo", "Dan", "Eva", "Finn")  # the first one is a moderator of the server
OTHERS = ("Gina", "Hugo", "Iris", "Jack", "Kim", "Leo")
"""Members of the server who are not on the page."""
ROLE = "Card players"
"""A role of the server that anyone may mention, such as for invitations."""
STARTS = datetime(2026, 1, 25, 20, tzinfo=UTC)
"""The time at which the demo begins: late in a month, so that its season has a past as well."""

_SETTLE_SECONDS = 600.0
"""The longest the bot may take for one click before SimCord reports an error.

A machine with much else to do needs a while for the first picture: it comes from a new process.
"""
_CLOSE_SECONDS = 5.0
"""The longest the bot may take to close before it is left alone."""


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

    `make_bot` gets the sleep that the bot has to use for all its timers: then they run in the
    virtual time of SimCord. `speed` is the number of virtual seconds in a real one, `locale` the
    language of the server and of everybody's Discord. With the `port` 0 a free one is taken.
    `greet` is called once, with the address of the page. `prepare` is awaited after the bot is made
    and before it starts, `begin` before the page is open; it is given the six people on the page.
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
        live = Live(env, preview, speed)
        follow_threads(env, channel, live)
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
    """Yield a bot that is logged in to a simulated Discord, with its channel and six people.

    The server has one channel and twelve members; the six people are those on the page. All of them
    have Discord in the language `locale`.
    """

    async def sleep(seconds: float) -> None:
        await env.external_wait(asyncio.sleep(seconds), reason="the clock of the bot")

    bot = make_bot(sleep)
    unsharded = isinstance(bot, discord.AutoShardedClient) and bot.shard_count is None
    env = Env(bot, shard_count=1 if unsharded else None, settle_timeout=_SETTLE_SECONDS)
    _be_patient(env)
    _keep_emoji_pictures(env)
    _speak(env, locale)
    env.backend.advance_clock((STARTS - env.now()).total_seconds())
    env.backend.edit_bot_profile("Tichu")
    guild = env.create_guild(
        GUILD, description="A quiet place for a game of cards", preferred_locale=locale
    )
    channel = guild.create_text_channel(CHANNEL, topic="Type /tichu new to open a table")
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
    try:
        if prepare is not None:
            ids = {name: member.id for name, member in members.items()}
            await prepare(Place(guild.id, channel.id, ids, env.now()))
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


def _be_patient(env: Env) -> None:
    """Let the start take as long as a click may: SimCord has five seconds for it."""
    settle = env._settle_internal

    async def patient(**options: Any) -> None:
        options.pop("timeout", None)
        await settle(**options)

    env._settle_internal = patient  # type: ignore[method-assign]


def _speak(env: Env, locale: str) -> None:
    """Let everybody's Discord have this language; in SimCord it is American English."""
    emit = env.backend.emit

    def localised(event: str, payload: Mapping[str, Any]) -> None:
        if event == "INTERACTION_CREATE":
            payload = {**payload, "locale": locale, "guild_locale": locale}
        emit(event, payload)

    env.backend.emit = localised  # type: ignore[method-assign]


def _keep_emoji_pictures(env: Env) -> None:
    """Keep the pictures of the application's emojis for the page; SimCord itself drops them."""
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
    """Yield an event that is set by Ctrl-C and SIGTERM, where the system lets asyncio handle signals."""
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
