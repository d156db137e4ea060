"""`/tichu history`: what is over, who may see it, and the way from there to a round."""

from __future__ import annotations

from bot.table.options import TableOptions
from cogs.pages.verbs import Verb
from engine import Options, Phase
from tests.cogs.fast_forward import fast_forward, reached
from tests.cogs.history_pages import a_match, choose, page, press, said, stored_match
from tests.cogs.table_play import seat_all
from tests.cogs.worlds import World, refusal
from tests.simcord_clicks import Person, deny, find, messages, newcomers, text, with_verb


async def test_a_match_is_found_by_those_who_played_it(world: World) -> None:
    players = await a_match(world, target=100)
    ada, ben = players[0].person, players[1].person
    (eve,) = world.people("Eve")
    match = world.last_game().match
    for person in (ada, ben):
        found = await said(person, "history")
        assert "**Table 1**" in found
        assert "Nanjing, 1 round" in found or f"Nanjing, {len(match.results)} rounds" in found
        for total in match.totals:
            assert str(total) in found
        assert found.index("🏆") < found.index("Ada" if 0 in match.winners else "Ben")
    assert "no match" in await said(eve, "history")
    assert "**Table 1**" in await said(eve, "history", player=ada.member)
    assert "**Table 1**" in await said(eve, "history", which="channel")
    assert "**Table 1**" in await said(eve, "history", which="server")
    assert "no match" in await said(ada, "history", player=eve.member, which="server")


async def test_from_the_list_to_a_round(world: World) -> None:
    players = await a_match(world, target=100)
    ada = players[0].person
    match = world.last_game().match
    at = page(await ada.slash("tichu history"))
    rounds = await choose(ada, at, Verb.MATCH, "1")
    assert rounds.id == at.id
    for result in match.results:
        assert f"**Round {result.number}**" in text(rounds)
    for _, call, made in (entry for result in match.results for entry in result.calls):
        assert f"{'✅' if made else '❌'} {call.name.capitalize()}"[:4] in text(rounds)
    replay = await choose(ada, rounds, Verb.REPLAY_ROUND, "1")
    assert "Replay of round 1 at table 1" in text(replay)
    again = await press(ada, replay, Verb.MATCH)
    assert text(again) == text(rounds)


async def test_a_match_that_was_stopped_is_in_the_list(world: World) -> None:
    players = await seat_all(world, world.people("Ada", "Ben"))
    for player in players:
        await player.person.slash("tichu stop")
    found = page(await players[0].person.slash("tichu history"))
    assert "stopped" in text(found)
    assert "🏆" not in text(found)
    rounds = await choose(players[0].person, found, Verb.MATCH, "1")
    assert refusal("no-round-over") in text(rounds)


async def short_matches(world: World, people: list[Person], number: int) -> None:
    """So many matches that are stopped at once."""
    for _ in range(number):
        await seat_all(world, people)
        for person in people:
            await person.slash("tichu stop")


async def test_pages_are_turned(world: World) -> None:
    people = world.people("Ada", "Ben")
    await short_matches(world, people, 19)
    ada = people[0]

    def tables(content: str) -> list[int]:
        return [
            int(line.split("**")[1].split()[1]) for line in content.split("\n") if "**T" in line
        ]

    at = page(await ada.slash("tichu history"))
    every = list(range(19, 0, -1))
    assert tables(text(at)) == every[:8]
    assert [option.value for option in find(at, Verb.MATCH).options] == list(map(str, every[:8]))
    (older,) = with_verb(at, Verb.HISTORY)
    assert older.label == "Older"
    at = await press(ada, at, Verb.HISTORY, "older")
    assert tables(text(at)) == every[8:16]
    at = await press(ada, at, Verb.HISTORY, "older")
    assert tables(text(at)) == every[16:]
    (newer,) = with_verb(at, Verb.HISTORY)
    assert newer.label == "Newer"
    at = await press(ada, at, Verb.HISTORY, "newer")
    assert tables(text(at)) == every[8:16]
    at = await press(ada, at, Verb.HISTORY, "newer")
    assert tables(text(at)) == every[:8]


async def test_matches_of_hidden_channels_are_not_told(world: World) -> None:
    await stored_match(world, 3)
    hall = world.guild.create_text_channel("hall")
    (eve,) = world.people("Eve", channel=hall)
    at = page(await eve.slash("tichu history", which="server"))
    assert "**Table 1**" in text(at)
    assert "no match" in await said(eve, "history", which="channel")
    deny(world.env, world.channel, eve.id, "view_channel")
    assert "no match" in await said(eve, "history", which="server")
    told = await eve.choose(Verb.MATCH, "1", on=at)
    assert told.response is not None
    assert refusal("no-such-table", number=1) in told.response.content
    elsewhere = world.env.create_guild("Other server")
    channel = elsewhere.create_text_channel("tichu")
    (stranger,) = newcomers(world.env, elsewhere, channel, "Fay")
    assert "no match" in await said(stranger, "history", which="server")


async def test_nothing_of_it_is_public(world: World) -> None:
    players = await a_match(world, target=100)
    before = [text(message) for message in messages(world.env, world.channel)]
    ada = players[0].person
    at = page(await ada.slash("tichu history"))
    at = await choose(ada, at, Verb.MATCH, "1")
    at = await choose(ada, at, Verb.REPLAY_ROUND, "1")
    await press(ada, at, Verb.PROOF)
    await choose(ada, at, Verb.SAVE, "txt.round")
    assert [text(message) for message in messages(world.env, world.channel)] == before


async def test_rounds_of_a_long_match_have_pages(world: World) -> None:
    twelve = TableOptions(rules=Options(variant="grandseigneur", players=5, rounds=12))
    await stored_match(world, 3, twelve)
    (ada,) = world.people("Ada")
    at = page(await ada.slash("tichu history", which="channel"))
    at = await choose(ada, at, Verb.MATCH, "1")
    assert [o.value for o in find(at, Verb.REPLAY_ROUND).options] == list(map(str, range(1, 11)))
    assert text(at).count("👑") == 10
    at = await press(ada, at, Verb.MATCH, "1")
    assert [o.value for o in find(at, Verb.REPLAY_ROUND).options] == ["11", "12"]
    at = await press(ada, at, Verb.MATCH, "0")
    assert "**Round 1**" in text(at)


async def test_a_call_stays_with_whom_made_it_when_the_seat_is_handed_over(world: World) -> None:
    ada, ben = await seat_all(world, world.people("Ada", "Ben"), target=5000)
    await ben.press_with(Verb.GRAND, "yes")
    await fast_forward(world, reached(Phase.ROUND_END))
    await world.leave_match(ben.person)
    assert "Computer for Ben" in [chair.name for chair in world.table().chairs]
    at = page(await ada.person.slash("tichu replay"))
    rounds = text(await press(ada.person, at, Verb.MATCH))
    assert "Grand Tichu Ben" in rounds
    assert "Computer for Ben" not in rounds
