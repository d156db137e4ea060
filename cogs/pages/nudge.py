"""Public messages that bring people back to the table: each has the way to their hand."""

from __future__ import annotations

from collections.abc import Sequence

import discord

from bot.ids import UserId
from bot.table.state import Game
from bot.text.cards import Speaker
from cogs.pages.controls import Controls, Page, row, text
from cogs.pages.verbs import Verb


def nudge_page(state: Game, user_ids: Sequence[UserId], words: Speaker) -> Page:
    """The ping for these people; it notifies those whom the message is allowed to mention."""
    people = " ".join(f"<@{user_id}>" for user_id in user_ids)
    return _page(state, words.say("{people}, your turn!", people=people), words)


def restarted_page(state: Game, words: Speaker) -> Page:
    """What people read who have waited for the bot while it was away."""
    return _page(state, words.say("I restarted – carry on!"), words)


def _page(state: Game, line: str, words: Speaker) -> Page:
    """One line, and the button that opens the hand."""
    hand = Controls(state.id, state.revision).button(
        Verb.HAND,
        words.say("My hand"),
        style=discord.ButtonStyle.primary,
        emoji=words.art.icon_emoji("cardback"),
    )
    return Page(text(line), row(hand))
