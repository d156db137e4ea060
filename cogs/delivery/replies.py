"""How a click or a command is answered: always, once, in time, and privately where it must be."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable
from typing import Any, TypeVar

import discord

from bot.errors import Reason, Refused
from bot.storage import StorageError
from bot.table.commands import ComeBack, own_seat
from bot.table.state import Game, OpenTable
from bot.text.sentences import apology, sentence, storage_trouble
from cogs.delivery.announcer import Surface
from cogs.pages.controls import Page
from cogs.pages.hand import hand_page
from cogs.pages.hand_choices import Draft
from engine.errors import IllegalAction, NotationError

log = logging.getLogger(__name__)

T = TypeVar("T")
Interaction = discord.Interaction[Any]

_NOBODY_LISTENS = (10062, 40060, 10015, 50027)
"""Too late, answered already, token expired: there is nobody to say anything to, as little as
when Discord is in trouble itself."""
DEFER_AFTER_SECONDS = 2.0
"""Discord waits three seconds for an answer; before that we ask for more time."""


async def in_time(interaction: Interaction, work: Awaitable[T]) -> T:
    """The result of `work`; Discord is asked for patience if it takes long."""
    task = asyncio.ensure_future(work)
    try:
        done, _ = await asyncio.wait({task}, timeout=DEFER_AFTER_SECONDS)
        if not done and not interaction.response.is_done():
            if interaction.type is discord.InteractionType.component:
                await interaction.response.defer()
            else:
                await interaction.response.defer(ephemeral=True, thinking=True)
    finally:
        result = await task
    return result


def on_private_page(interaction: Interaction) -> bool:
    """Whether the click was on a private message, which then is edited as the answer."""
    message = interaction.message
    return message is not None and message.flags.ephemeral


def _answers_public_page(interaction: Interaction) -> bool:
    """Whether the interaction's original message is public: no hand must ever be pushed there."""
    deferred = discord.InteractionResponseType.deferred_message_update
    return not on_private_page(interaction) and interaction.response.type is deferred


async def tell(interaction: Interaction, content: str) -> None:
    """A private sentence."""
    if interaction.response.is_done():
        await interaction.followup.send(content, ephemeral=True)
    else:
        await interaction.response.send_message(content, ephemeral=True)


async def show(interaction: Interaction, page: Page) -> None:
    """A private page: in place of the private page that was clicked on, else a new one."""
    if on_private_page(interaction):
        await replace(interaction, page)
    elif interaction.response.is_done():
        await interaction.followup.send(view=page, ephemeral=True)
    else:
        await interaction.response.send_message(view=page, ephemeral=True)


async def replace(interaction: Interaction, page: Page) -> None:
    """Edit the message that was clicked on."""
    if interaction.response.is_done():
        await interaction.edit_original_response(view=page)
    else:
        await interaction.response.edit_message(view=page)


async def show_hand(
    surface: Surface, interaction: Interaction, state: OpenTable, draft: Draft | None = None
) -> None:
    """The clicker's hand, kept fresh from now on; `Refused` if he does not sit there.

    Whoever looks at his hand is there: if he was away, he is back.
    """
    seat = own_seat(state, interaction.user.id)
    if not isinstance(state, Game):
        raise Refused(Reason.NOT_STARTED)
    if state.running and seat in state.notes.away:
        back = surface.bot.tables.execute(state.id, interaction.user.id, ComeBack())
        state = await in_time(interaction, back)
        assert isinstance(state, Game)
    to = surface.private(interaction)
    await show(interaction, hand_page(state, seat, to, draft))
    if not _answers_public_page(interaction):
        surface.hands.opened(interaction, state, seat, to)
    surface.catch_up(state.id)


async def refuse(surface: Surface, interaction: Interaction, error: Exception) -> None:
    """Answer somebody whose request raised `error`; what is unforeseen is logged."""
    say = surface.private(interaction).say
    try:
        if isinstance(error, Refused | IllegalAction):
            await tell(interaction, sentence(say, error))
        elif isinstance(error, NotationError):
            await tell(interaction, sentence(say, Refused(Reason.UNKNOWN_BUTTON)))
        elif isinstance(error, StorageError):
            log.error("a request could not be stored: %s", error)
            await tell(interaction, storage_trouble(say))
        elif isinstance(error, discord.HTTPException) and (
            error.status >= 500 or error.code in _NOBODY_LISTENS
        ):
            log.warning("Discord did not take a request: %s", error)
            if error.status >= 500 and interaction.response.is_done():
                await tell(interaction, apology(say))  # he was asked for patience
        else:
            log.error("an error nobody foresaw", exc_info=error)
            await tell(interaction, apology(say))
    except discord.HTTPException as failure:
        log.warning("an answer did not reach Discord: %s", failure)
