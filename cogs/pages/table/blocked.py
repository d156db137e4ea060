"""Notice on private pages while the bot cannot write at their table."""

from __future__ import annotations

from dataclasses import dataclass

from bot.ids import ChannelId
from bot.text import Say
from bot.text.people import channel_mention


@dataclass(frozen=True, slots=True)
class Blocked:
    """Reason why Discord rejects what the bot writes in a channel."""

    channel_id: ChannelId
    permissions: tuple[str, ...] = ()
    """Missing permissions, by Discord's names; empty if unknown."""
    closed: bool = False
    """True for a thread that is locked or archived."""


def blocked_text(blocked: Blocked, say: Say) -> str:
    """Return the notice that the bot cannot update the table, but that moves still count."""
    channel, names = channel_mention(blocked.channel_id), permission_names(say)
    if blocked.closed:
        reason = say("I can't write in {channel}: it's locked or archived.", channel=channel)
    elif blocked.permissions:
        missing = say.join(names[name] for name in blocked.permissions)
        # Translators: {permissions} are one or more names of permissions, also in other sentences
        reason = say(
            "I can't write in {channel}: I'm missing {permissions} there.",
            channel=channel,
            permissions=missing,
        )
    else:
        reason = say("Discord doesn't let me write in {channel} right now.", channel=channel)
    return f"🔇 {reason} " + say("Your moves count; the table catches up by itself.")


def permission_names(say: Say) -> dict[str, str]:
    """Return the name of each permission in Discord's settings, by its name in the API."""
    return {
        "view_channel": say("View Channel"),
        "send_messages": say("Send Messages"),
        "send_messages_in_threads": say("Send Messages in Threads"),
        "create_public_threads": say("Create Public Threads"),
    }
