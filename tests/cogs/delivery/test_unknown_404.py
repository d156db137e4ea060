"""A 404 for a table message may come from a proxy, so the bot asks for the message."""

from __future__ import annotations

from simcord import ResponseMessage

from cogs.pages.verbs import Verb
from tests.cogs.delivery.test_table_channel import at_the_lead, call
from tests.cogs.worlds import World
from tests.simcord_clicks import has, messages, text

MESSAGE = "/channels/*/messages/*"


async def test_unknown_404_for_a_deleted_table_message_posts_a_new_one(world: World) -> None:
    """The error has no code of Discord, so the message is fetched first."""
    ada, *_ = await at_the_lead(world)
    (table,) = tables_of(world)
    world.env.backend.delete_message(world.channel.id, table.id)
    world.env.inject_error("PATCH", MESSAGE, status=404, code=0)
    await call(ada)
    await world.env.settle()
    (new,) = tables_of(world)
    assert new.id > table.id
    assert world.game().messages.table == new.id


async def test_unknown_404_for_an_existing_table_message_is_retried(
    world: World,
) -> None:
    ada, *_ = await at_the_lead(world)
    (table,) = tables_of(world)
    before = text(table)
    world.env.inject_error("PATCH", MESSAGE, status=404, code=0, times=2)
    await call(ada)
    await world.env.advance_time(0.5)
    assert text(tables_of(world)[0]) == before
    await world.env.advance_time(2.5)
    (same,) = tables_of(world)
    assert same.id == table.id
    assert text(same) != before


async def test_unknown_404_during_an_outage_waits_for_a_clear_answer(world: World) -> None:
    ada, *_ = await at_the_lead(world)
    (table,) = tables_of(world)
    world.env.backend.delete_message(world.channel.id, table.id)
    world.env.inject_error("PATCH", MESSAGE, status=404, code=0, times=2)
    world.env.inject_error("GET", MESSAGE, status=503)
    await call(ada)
    await world.env.advance_time(0.5)
    assert tables_of(world) == []
    await world.env.advance_time(0.5)
    (new,) = tables_of(world)
    assert new.id > table.id


def tables_of(world: World) -> list[ResponseMessage]:
    """Return the table messages in the channel."""
    return [message for message in messages(world.env, world.channel) if has(message, Verb.MORE)]


async def test_unknown_404_is_believed_where_the_bot_may_not_read(world: World) -> None:
    ada, *_ = await at_the_lead(world)
    (table,) = tables_of(world)
    world.env.inject_error("PATCH", MESSAGE, status=404, code=0)
    world.env.inject_error("GET", MESSAGE, status=403, code=50013)
    await call(ada)
    await world.env.settle()
    assert world.game().messages.table != table.id
