"""The public message of a challenge: the offer, and later what became of it.

It is a notice and never a page, because it mentions the person who is challenged, and the push
notification of a page is empty (discord-api-docs #7854).
"""

from __future__ import annotations

from collections.abc import Sequence

import discord

from bot.boards.challenge import OpenChallenge, Seen
from bot.text.cards import Speaker
from cogs.pages.challenges.lines import chance_line, end_line, name_of, verdict_line
from cogs.pages.controls import Controls, Notice, row
from cogs.pages.verbs import Verb

_CONTROLS = Controls()
_LABEL_LENGTH = 8
"""Number of characters of a commitment that its label shows."""


def challenge_notice(seen: Seen, commitments: Sequence[str], words: Speaker) -> Notice:
    """Return the public message, from what the challenger may see."""
    challenge = seen.challenge
    say, args, colours = words.say, str(challenge.id), discord.ButtonStyle
    challenger, challenged = (name_of(each, words) for each in challenge.people)
    deals = _CONTROLS.button(Verb.CHALLENGE_DEALS, say("Fair deals"), args, emoji="🔒")
    labels = " · ".join(f"{each[:_LABEL_LENGTH]}…" for each in commitments)
    fair = f"-# 🔒 {say.labelled(say('Fair deals'), labels)}"
    if challenge.status == "offered":
        lines = [
            say(
                "{challenged}, {name} challenges you to four deals of Tichu!",
                challenged=challenged,
                name=challenger,
            ),
            say(
                "You both play the same cards, each alone with three computers, whenever you like "
                "within seven days."
            ),
            fair,
        ]
        buttons = [
            _CONTROLS.button(Verb.CHALLENGE_ACCEPT, say("Accept"), args, style=colours.success),
            _CONTROLS.button(Verb.CHALLENGE_DECLINE, say("Decline"), args),
            deals,
        ]
    elif isinstance(seen, OpenChallenge):
        end = discord.utils.format_dt(challenge.until, "R")
        lines = [
            say(
                "{name} and {other} play the same four deals, each alone. The result comes when "
                "both are through, or {when}.",
                name=challenger,
                other=challenged,
                when=end,
            ),
            fair,
        ]
        buttons = [_CONTROLS.button(Verb.CHALLENGES, say("My challenges")), deals]
    else:
        lines = [
            end_line(challenge, words),
            verdict_line(seen, challenge.challenger, words),
            chance_line(seen, words),
        ]
        buttons = [deals]
        if challenge.was_played:
            buttons.insert(0, _CONTROLS.button(Verb.CHALLENGE_COMPARE, say("Compare"), args))
    return Notice("⚔️ " + "\n".join(filter(None, lines)), row(*buttons))
