"""Seats left by a person: offered to everybody below the line about it."""

from __future__ import annotations

from cogs.pages.verbs import Verb
from engine import Phase
from tests.cogs.eyes import Eyes
from tests.cogs.fast_forward import fast_forward, reached
from tests.cogs.forged_clicks import forge
from tests.cogs.test_absent import said
from tests.cogs.test_handover import begun
from tests.cogs.worlds import World, refusal
from tests.simcord_clicks import requests_since, shown, text, with_verb


async def test_seat_left_by_a_person_is_offered_once(world: World) -> None:
    eyes = Eyes(world)
    players, (eve, finn) = await begun(world, target=5000)
    cursor = len(world.env.http_requests)
    await world.leave_match(players[1].person)
    line, button = world.newest_with(Verb.SIT)
    words = text(line)
    assert shown(words, "Ben", world.table().chairs[1].name)
    result = await eve.press(Verb.SIT, on=line)
    assert result.response is not None
    assert result.response.ephemeral
    assert world.game().notes.coming[1].user_id == eve.id
    assert text(line) == words
    assert not with_verb(line, Verb.SIT), "somebody waits for it"
    assert refusal("seat-taken") in said(await forge(finn, line, button.custom_id))
    told = said(await finn.slash("tichu table"))
    assert shown(told, "Eve"), "who waits for a seat"
    awaited = [world.table().chairs[seat].name for seat in world.game().awaited]
    assert shown(told, *awaited) == awaited, "whom all wait for"
    assert not shown(said(await eve.slash("tichu table")), "Eve"), "that is you"

    await eve.press(Verb.STAY_OUT, on=result.response)
    assert with_verb(line, Verb.SIT), "nobody comes any more"
    await world.restart()
    await finn.press(Verb.SIT, on=line)
    await world.restart()
    await fast_forward(world, reached(Phase.ROUND_END))
    assert world.table().chairs[1].user_id == finn.id
    assert not with_verb(line, Verb.SIT)
    assert world.game().messages.free == {}
    bodies = [request.json for request in requests_since(world.env, cursor)]
    offers = [body for body in bodies if isinstance(body, dict) and body.get("content") == words]
    assert len(offers) == 1
    assert not any(offers[0]["allowed_mentions"].values()), "nobody is pinged"
    assert eyes.leaks == []
