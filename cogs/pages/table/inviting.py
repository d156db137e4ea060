"""Invitations to a lobby: the private page to choose people, and the public message."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

import discord

from bot.ids import RoleId, UserId
from bot.table.state import Lobby
from bot.text.cards import Speaker
from bot.text.options import game_title, length
from bot.text.people import channel_mention, isolated, mention, role_mention, visible
from cogs.pages.controls import Controls, Notice, Page, Part, row, text
from cogs.pages.verbs import Verb

MOST_INVITED_AT_ONCE = 10
"""Largest number of members that can be chosen at a time."""


class RoleToInvite(NamedTuple):
    """The role that managers of the server have chosen for invitations."""

    id: RoleId
    """The role."""
    name: str
    """Its name, for a button."""
    free_at: datetime | None = None
    """The time from which it may be invited again; `None` if it may be invited now."""
    trouble: str = ""
    """The reason it cannot be invited at all, as a sentence."""


def invite_page(
    lobby: Lobby, role: RoleToInvite | None, words: Speaker, notes: Sequence[str] = ()
) -> Page:
    """Return the private page to choose people to invite; `notes` are on top."""
    say = words.say
    lines = ["### " + say("Invite"), *notes]
    free_seats = say.many("{n} seat to fill", "{n} seats to fill", lobby.room)
    facts = [free_seats, say("each person is pinged once per table")]
    lines.append("-# " + " · ".join(facts))
    if (members := lobby.invitations.members) or lobby.invitations.role_id:
        mentions = [mention(member) for member in members]
        mentions += [role_mention(role_id) for role_id in (lobby.invitations.role_id,) if role_id]
        lines.append("-# " + say("Invited: {people}", people=" ".join(mentions)))
    controls = Controls(lobby.id, lobby.revision)
    items: list[Part] = [text("\n".join(lines))]
    if lobby.room:
        invited = str(len(members))  # a new id: Discord clears the select after an invitation
        items.append(
            controls.people(
                Verb.INVITE, say("Members to invite…"), invited, most=MOST_INVITED_AT_ONCE
            )
        )
    if role is not None and lobby.room and lobby.invitations.role_id is None:
        items += _role_items(role, controls, words)
    return Page(*items)


def _role_items(role: RoleToInvite, controls: Controls, words: Speaker) -> list[Part]:
    """Return the button that invites the role, or the reason it cannot be invited now."""
    say = words.say
    if role.trouble:
        return [text("-# " + role.trouble)]
    if role.free_at is not None:
        time = discord.utils.format_dt(role.free_at, "R")
        sentence = say("{role} can be invited again {when}.", role=role_mention(role.id), when=time)
        return [text("-# " + sentence)]
    return [
        row(
            controls.button(
                Verb.CALL_ROLE, say("Invite @{role}", role=isolated(visible(role.name)))
            )
        )
    ]


def invitation_notice(
    lobby: Lobby,
    members: Sequence[UserId],
    role_id: RoleId | None,
    by: UserId | None,
    words: Speaker,
) -> Notice:
    """Return the public message to invited people; it notifies those it may mention."""
    say, controls = words.say, Controls(lobby.id, lobby.revision)
    mentions = say.join(mention(member) for member in members) or role_mention(role_id)
    channel, options = channel_mention(lobby.channel_id), lobby.options
    invitation = (
        say(
            "{name} invites you to a game of Tichu in {channel}!", name=mention(by), channel=channel
        )
        if by is not None
        else say("You're invited to a game of Tichu in {channel}!", channel=channel)
    )
    game = f"{game_title(say, options.variant)} · {length(options, say)}"
    return Notice(
        f"{invitation} {mentions}\n{game}",
        row(
            controls.button(Verb.COME, say("Join"), style=discord.ButtonStyle.success),
            controls.button(Verb.RULES, say("Rules"), lobby.options.variant),
        ),
    )
