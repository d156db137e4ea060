"""Interactions whose channel Discord names by id alone: they are answered anyway."""

from __future__ import annotations

from typing import Any

import pytest
from simcord import InteractionResult

from bot.ids import ChannelId
from cogs.pages.verbs import Verb
from engine import Phase
from tests.cogs.eyes import cards_in_text
from tests.cogs.fast_forward import fast_forward, reached
from tests.cogs.forged_clicks import forge_from
from tests.cogs.table_play import seat_all
from tests.cogs.test_history_threads import archive
from tests.cogs.turn_based_people import DIRECT, direct, game_of, seated, tables
from tests.cogs.worlds import World
from tests.simcord_clicks import find, text

PEOPLE = ("Ada", "Ben", "Cai", "Dan")


@pytest.fixture(params=["missing", "null"], autouse=True)
def nameless(
    world: World, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> list[str]:
    """Remove the channel from all interactions; return a list that collects the channel ids."""
    emit, channels = world.env.backend.emit, list[str]()

    def emit_less(event: str, payload: dict[str, Any]) -> None:
        if event == "INTERACTION_CREATE":
            payload = {key: value for key, value in payload.items() if key != "channel"}
            if request.param == "null":
                payload["channel"] = None
            channels.append(payload["channel_id"])
        emit(event, payload)

    monkeypatch.setattr(world.env.backend, "emit", emit_less)
    return channels


def shows_hand(result: InteractionResult) -> bool:
    """Return whether the answer is a private hand."""
    answer = result.response
    assert answer is not None
    return answer.ephemeral and len(set(cards_in_text(text(answer)))) >= 8


async def test_answers_commands_and_clicks_in_a_channel(world: World, nameless: list[str]) -> None:
    players = await seat_all(world, world.people(*PEOPLE))
    await fast_forward(world, reached(Phase.TURN))
    assert world.table().channel_id == world.channel.id
    people = [player.person for player in players]
    assert shows_hand(await people[0].slash("tichu hand"))
    assert shows_hand(await people[1].press(Verb.HAND))
    for person in people[:3]:
        await person.slash("tichu stop")
    assert world.bot.tables.in_channel(ChannelId(world.channel.id)) is None
    assert {*nameless} == {str(world.channel.id)}


async def test_opens_a_table_in_a_thread_and_sends_direct_messages(world: World) -> None:
    people = await seated(world, DIRECT, DIRECT, DIRECT, DIRECT)
    (thread,) = world.channel.threads
    assert game_of(world, people).channel_id == thread.id
    assert shows_hand(await people[0].press(Verb.HAND))
    assert shows_hand(await people[1].slash("tichu hand"))
    await world.env.advance_time(62)
    asked = next(person for person in people if direct(world, person))
    (message,) = direct(world, asked)
    opened = await asked.member.user.click(message, custom_id=find(message, Verb.HAND).custom_id)
    assert shows_hand(opened)


async def test_answers_in_an_unknown_archived_thread(world: World) -> None:
    people = await seated(world, DIRECT, DIRECT, DIRECT, DIRECT)
    (thread,) = world.channel.threads
    (table,) = tables(world, thread)
    await archive(world, thread)
    opened = await forge_from(people[0], thread, table, find(table, Verb.HAND).custom_id)
    assert shows_hand(opened)
