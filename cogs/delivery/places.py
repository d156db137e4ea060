"""Places of interactions: servers with the bot, direct messages with it, and all others.

A person can install the app for themselves and then uses it everywhere. Facts about that
(discord-api-docs at c98d64b, under `developers/`):

- `context` is 0 in servers, 1 in direct messages with the bot, and 2 in direct messages and groups
  of other people (interactions/receiving-and-responding.mdx, "Interaction Context Types"). Servers
  have `guild_id` and `member`, all others only `user` ("Interaction Structure").
- In a server without the bot, `member.permissions` are those of the user there, so a moderator has
  theirs. discord.py makes an unavailable guild from `guild`, which is not in its cache.
- Users with Use External Apps get public answers there; for others Discord makes each answer
  private (topics/permissions.mdx, `USE_EXTERNAL_APPS`). So does a missing Send Messages
  (resources/application.mdx, "User Context"). Neither is an error (change-log.mdx,
  "User-Installable Apps Preview").
- Follow-ups in direct messages were always private during that preview. Whether they still are is
  not documented, so only a first response counts as public there.
- An interaction there may have five follow-ups (interactions/receiving-and-responding.mdx, "Create
  Followup Message"); edits do not count.
- Everyone who sees a public answer can use its components, without having installed the app
  (tutorials/developing-a-user-installable-app.mdx, "message component interactions").
- `app_permissions` also contained permissions of the user there (#7251, reported, open).
"""

from __future__ import annotations

import discord

from bot.client import TichuBot
from bot.ids import GuildId
from cogs.delivery.channel_permissions import may_write_here


def server_of(interaction: discord.Interaction[TichuBot]) -> GuildId:
    """Return the server with the bot from which an interaction comes; 0 from anywhere else."""
    guild_id = GuildId(interaction.guild_id or 0)
    return guild_id if interaction.client.get_guild(guild_id) is not None else GuildId(0)


def can_post_publicly(interaction: discord.Interaction[TichuBot]) -> bool:
    """Return whether others see an answer that is not ephemeral.

    Use this only for what the user asks to share. All other answers outside servers with the bot
    are private, see `Reply.send_to_all`. Nobody else reads a direct message with the bot.
    """
    if interaction.guild_id is None:
        return interaction.context.private_channel and not interaction.response.is_done()
    allowed = server_of(interaction) != 0 or interaction.permissions.use_external_apps
    return allowed and may_write_here(interaction)
