"""The private page of ``/tichu settings``: what somebody wants, and what moderators set up."""

from __future__ import annotations

from typing import NamedTuple

import discord

from bot.ids import ChannelId
from bot.score_records import WORLD, Preferences
from bot.text.cards import Speaker
from cogs.pages.controls import Controls, Page, Part, line, row, text
from cogs.pages.verbs import Verb

_CONTROLS = Controls()
"""Settings belong to no table and are never out of date."""


class ServerSettings(NamedTuple):
    """What moderators see of their server: the channel for the table of honour.

    `trouble` says why the bot cannot write there.
    """

    channel_id: ChannelId | None = None
    trouble: str = ""


def settings_page(
    preferences: Preferences, server: ServerSettings | None, speaker: Speaker, note: str = ""
) -> Page:
    """Everybody's own choices; below them those for the server, for moderators only."""
    say = speaker.say
    here = (
        say("You are not on leaderboards, and nobody else sees your profile.")
        if preferences.hidden
        else say("You are on the leaderboards of this server, and others may see your profile.")
    )
    world = (
        say("You are on the leaderboard of all servers.")
        if preferences.listed(WORLD)
        else say("You are not on the leaderboard of all servers.")
    )
    blocks = [
        text("\n".join(filter(None, ("## " + say("Settings"), note)))),
        text(f"{here}\n{world}"),
        row(
            _switch(
                Verb.LISTED,
                say("Show me on leaderboards and let others see my profile"),
                on=not preferences.hidden,
            )
        ),
        row(
            _switch(
                Verb.WORLDWIDE,
                say("Show me on the leaderboard of all servers"),
                on=preferences.listed(WORLD),
                disabled=preferences.hidden,
            )
        ),
    ]
    if server is not None:
        blocks += [line(), *_server(server, speaker)]
    return Page(*blocks)


def _switch(verb: Verb, label: str, *, on: bool, disabled: bool = False) -> Part:
    """A button that shows whether something is on, and asks for the opposite."""
    colours = discord.ButtonStyle
    return _CONTROLS.button(
        verb,
        label,
        "off" if on else "on",
        style=colours.success if on else colours.secondary,
        emoji="✅" if on else "⬜",
        disabled=disabled,
    )


def _server(server: ServerSettings, speaker: Speaker) -> list[Part]:
    """The table of honour: what it is, where it is posted, another channel or none."""
    say, channel_id = speaker.say, server.channel_id
    where = (
        say("It is posted in {channel}.", channel=f"<#{channel_id}>")
        if channel_id is not None
        else say("No channel is chosen: there is none.")
    )
    words = [
        "### " + say("Table of honour"),
        say(
            "When a month is over (UTC), I post who was best in it, without pinging anybody; the "
            "first time for the month in which the channel is chosen."
        ),
        where,
        server.trouble,
    ]
    chosen = channel_id if not server.trouble else None
    return [
        text("\n".join(filter(None, words))),
        _CONTROLS.channel(Verb.HONOURS, say("A channel for the table of honour …"), chosen),
        row(
            _CONTROLS.button(
                Verb.NO_HONOURS, say("No table of honour"), disabled=channel_id is None
            )
        ),
    ]
