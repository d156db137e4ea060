"""The demo's first messages: a lobby, a welcome, and help with typed commands."""

from __future__ import annotations

import re
from collections.abc import Sequence

from simcord import ChannelHandle, Env, MemberActor
from simcord.backend.models import Message

from bot.art.emojis import Emojis
from bot.text import Say, speech
from bot.text.cards import Speaker
from cogs.pages.controls import Page, row, text
from cogs.pages.rules import learn_button
from demo.serve import PEOPLE, SECOND_CHANNEL

_COMMAND = re.compile(r"\s*([/!]\s*tichu\b|tichu\s+\w+\s*($|\w+:))", re.IGNORECASE)
"""Line that is meant as a command: `/tichu new computers:3`, or `tichu new`."""
_COMPUTERS = 3


async def welcome(env: Env, channel: ChannelHandle, people: Sequence[MemberActor]) -> None:
    """Post a welcome and a lobby that needs only **Start**; then watch for plain lines.

    The welcome leads to the lessons, too. The first of the people is the host of the lobby, with
    computers in all other seats. The welcome is posted last, because a page opens on the newest
    message and the button is then visible above it.
    """
    await people[0].slash(channel, "tichu new", computers=_COMPUTERS)
    say = speech(env.backend.get_guild(people[0].guild.id).preferred_locale)
    page = Page(text(welcome_text(say)), row(learn_button(Speaker(say, Emojis.plain()))))
    await env.bot.get_partial_messageable(channel.id).send(view=page)
    _listen(env, channel, say)


def welcome_text(say: Say) -> str:
    """Return the first steps; names on the page around the channel stay English."""
    return "\n".join(
        (
            say("## Welcome to Tichu"),
            say(
                "Hi {name}! The table above is ready: you and a computer against two more.",
                name=PEOPLE[0],
            ),
            say("1. Press **Start** there, then **My hand**: your first eight cards."),
            say("2. Answer *Grand Tichu?*, pass three cards – and play."),
            say(
                "-# New to it? **Learn Tichu** plays with you, step by step. For another game open"
                " **{channel}**, type `/` and pick **tichu new**.",
                channel=SECOND_CHANNEL,
            ),
        )
    )


def command_text(say: Say) -> str:
    """Return the help for giving a command."""
    return say(
        "That was only a message. To use a command, type `/` and pick it from the list that opens,"
        " **tichu new** for a new table. Options like *computers* come after that."
    )


def _listen(env: Env, channel: ChannelHandle, say: Say) -> None:
    """Answer everybody who writes a command as a plain message.

    The bot cannot read messages, because it does not request their content from Discord. The demo
    can.
    """
    announce = env.backend.announce_message_create

    def announced(message: Message) -> None:
        announce(message)
        by_person = message.author_id != env.backend.bot_user.id
        if by_person and message.channel_id == channel.id and _COMMAND.match(message.content or ""):
            env.bot.dispatch("plain_command")

    @env.bot.event
    async def on_plain_command() -> None:
        await _post(env, channel, command_text(say))

    env.backend.announce_message_create = announced  # type: ignore[method-assign]


async def _post(env: Env, channel: ChannelHandle, line: str) -> None:
    """Post a line of the bot in the channel."""
    await env.bot.get_partial_messageable(channel.id).send(line)
