"""Cost of one click: nothing is computed, written or sent twice."""

from __future__ import annotations

from typing import Any
from unittest.mock import patch

import discord
import pytest

from cogs.delivery.open_hands import IDLE_EVERY
from cogs.delivery.private_messages import PrivateMessage
from cogs.delivery.uploads import Files
from cogs.pages.controls import Page
from cogs.pages.hand.page import hand_fingerprint
from cogs.pages.table.page import table_page
from cogs.pages.verbs import Verb
from engine import Phase, view
from tests.cogs.fast_forward import fast_forward, reached
from tests.cogs.table_play import HandPlayer, seat_without_hands
from tests.cogs.worlds import World
from tests.simcord_clicks import Wire

NAMES = ("Ada", "Ben", "Cai", "Dan")


async def playing(world: World) -> list[HandPlayer]:
    """Return four players with open hands in the first trick, the one on turn first."""
    players = await seat_without_hands(world, world.people(*NAMES), target=5000)
    await fast_forward(world, reached(Phase.TURN), players=players)
    turn = world.game().round.turn
    return players[turn:] + players[:turn]


async def test_click_computes_each_view_fingerprint_and_page_once(
    world: World,
) -> None:
    """It also creates no discord.py components, which are many times slower than ours.

    Neither clicks nor the pages that answer them use them.
    """
    first, *_ = await playing(world)
    wire = Wire(world.env)
    item = discord.ui.Item
    with (
        patch("bot.table.views.view", wraps=view) as viewed,
        patch("cogs.delivery.open_hands.hand_fingerprint", wraps=hand_fingerprint) as looked_at,
        patch("cogs.delivery.messages.table_page", wraps=table_page) as pages,
        patch.object(item, "__init__", autospec=True, side_effect=item.__init__) as parts,
    ):
        await first.press(Verb.PASS if first.can(Verb.PASS) else Verb.PLAY)
        assert parts.call_count == 0
        discord.ui.TextDisplay("seen")
        assert parts.call_count == 1
    seen = [(id(call.args[0]), call.args[1]) for call in viewed.call_args_list]
    assert len(seen) == len(set(seen))
    chairs = [(id(call.args[0]), call.args[1]) for call in looked_at.call_args_list]
    assert {chair for _, chair in chairs} == {0, 1, 2, 3}
    assert len(chairs) == len(set(chairs))
    edits = [sent for sent in wire.sent if sent.method == "PATCH" and "/channels/" in sent.path]
    assert pages.call_count == len(edits) > 0


async def test_hands_are_edited_like_discord_py_without_its_message_objects(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, *others = await playing(world)
    edit, messages = PrivateMessage.edit, discord.Webhook._create_message  # noqa: SLF001

    async def twice(self: PrivateMessage, page: Page, files: Files = ()) -> Any:
        made_before = made.call_count
        kept = await edit(self, page, files)
        assert made.call_count == made_before
        await self.token.edit_message(self.id_in_url, view=page, attachments=[])
        assert made.call_count > made_before
        return kept

    monkeypatch.setattr(PrivateMessage, "edit", twice)
    wire = Wire(world.env)
    with patch.object(
        discord.Webhook, "_create_message", autospec=True, side_effect=messages
    ) as made:
        await first.press(Verb.PASS if first.can(Verb.PASS) else Verb.PLAY)
        await world.env.advance_time(IDLE_EVERY.total_seconds())
    edits = [sent for sent in wire.sent if sent.path.startswith("/webhooks/")]
    for player in others:
        ours, theirs = (sent for sent in edits if sent.reader == player.person.id)
        assert {**ours.body, "tts": False} == theirs.body
        assert (ours.method, ours.path) == (theirs.method, theirs.path)
