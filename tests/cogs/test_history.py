"""`/tichu history`: finished matches, their visibility, and the way to a round."""

from __future__ import annotations

from bot.ids import UserId
from bot.table.options import TableOptions
from bot.text.cards import Speaker, variant_name
from cogs.pages.verbs import Verb
from engine import Options, Phase
from tests.bot.played import Evening, Sketch
from tests.cogs.fast_forward import fast_forward, reached
from tests.cogs.history_pages import (
    a_match,
    choose,
    listed,
    page,
    press,
    round_and_table,
    said,
    stored_match,
    tables_on,
)
from tests.cogs.table_play import seat_all
from tests.cogs.worlds import SAY, World, refusal
from tests.simcord_clicks import (
    Person,
    deny,
    find,
    has,
    line_with,
    messages,
    newcomers,
    numbers,
    shown,
    text,
    with_verb,
)


async def test_players_find_their_match(world: World) -> None:
    """The list leads to its rounds; nothing is public."""
    world.let_people_hurry()
    players = await a_match(world, target=100)
    before = [text(message) for message in messages(world.env, world.channel)]
    ada, ben = players[0].person, players[1].person
    (eve,) = world.people("Eve")
    match = world.last_game().match
    for person in (ada, ben):
        assert await listed(person) == [1]
        found = await said(person, "history")
        line = line_with(found, variant_name(SAY, "nanjing"))
        assert numbers(line)[::2] == [1, len(match.results)]
        for total in match.totals:
            assert str(total) in found
        assert found.index("🏆") < found.index("Ada" if 0 in match.winners else "Ben")
    assert await listed(eve) == []
    assert await listed(eve, player=ada.member) == [1]
    assert await listed(eve, which="channel") == [1]
    assert await listed(eve, which="server") == [1]
    assert await listed(ada, player=eve.member, which="server") == []
    await leads_to_a_round(world, ada)
    assert [text(message) for message in messages(world.env, world.channel)] == before


async def leads_to_a_round(world: World, ada: Person) -> None:
    """Check the way from the list to the match, a round, its proof and file, and back."""
    match = world.last_game().match
    at = page(await ada.slash("tichu history"))
    rounds = await choose(ada, at, Verb.MATCH, "1")
    assert rounds.id == at.id
    options = find(rounds, Verb.REPLAY_ROUND).options
    assert [option.value for option in options] == [str(each.number) for each in match.results]
    for _, call, made in (entry for result in match.results for entry in result.calls):
        assert f"{Speaker(SAY, world.bot.art).call(call)} {'✓' if made else '✗'}" in text(rounds)
    of_the_match = text(rounds)
    replay = await choose(ada, rounds, Verb.REPLAY_ROUND, "1")
    assert round_and_table(replay) == [1, 1]
    assert has(replay, Verb.REPLAY)
    await press(ada, replay, Verb.PROOF)
    await choose(ada, replay, Verb.SAVE, "txt.round")
    again = await press(ada, replay, Verb.MATCH)
    assert text(again) == of_the_match


async def test_lists_a_stopped_match(world: World) -> None:
    players = await seat_all(world, world.people("Ada", "Ben"))
    for player in players:
        await player.person.slash("tichu stop")
    found = page(await players[0].person.slash("tichu history"))
    assert tables_on(found) == [1]
    assert "🏆" not in text(found), "nobody has won"
    rounds = await choose(players[0].person, found, Verb.MATCH, "1")
    assert refusal("no-round-over") in text(rounds)


async def stored(world: World, people: list[Person], rounds: int = 1) -> None:
    """Store a match of these four people with `rounds` rounds, without playing it."""
    sketches = [Sketch((70, 30)) for _ in range(rounds)]
    ids = [UserId(person.id) for person in people]
    await Evening(sketches, ids, guild_id=world.guild.id).store(world.bot.store)


async def test_pages_forwards_and_backwards(world: World) -> None:
    """A match leads back to the page it was opened from."""
    world.let_people_hurry()
    people = world.people("Ada", "Ben", "Cai", "Dan")
    for _ in range(17):
        await stored(world, people)
    ada = people[0]

    at = page(await ada.slash("tichu history"))
    every = list(range(17, 0, -1))
    assert tables_on(at) == every[:8]
    (older,) = with_verb(at, Verb.HISTORY)
    assert older.args.endswith("older")
    at = await press(ada, at, Verb.HISTORY, "older")
    assert tables_on(at) == every[8:16]
    at = await press(ada, at, Verb.HISTORY, "older")
    assert tables_on(at) == every[16:] == [1]
    match = await choose(ada, at, Verb.MATCH, "1")
    at = await press(ada, match, Verb.HISTORY)
    assert tables_on(at) == [1]
    (newer,) = with_verb(at, Verb.HISTORY)
    assert newer.args.endswith("newer")
    at = await press(ada, at, Verb.HISTORY, "newer")
    assert tables_on(at) == every[8:16]
    at = await press(ada, at, Verb.HISTORY, "newer")
    assert tables_on(at) == every[:8]


async def test_omits_matches_of_hidden_channels(world: World) -> None:
    await stored_match(world, 3)
    hall = world.guild.create_text_channel("hall")
    (eve,) = world.people("Eve", channel=hall)
    at = page(await eve.slash("tichu history", which="server"))
    assert tables_on(at) == [1]
    assert await listed(eve, which="channel") == []
    deny(world.env, world.channel, eve.id, "view_channel")
    assert await listed(eve, which="server") == []
    told = await eve.choose(Verb.MATCH, "1", on=at)
    assert told.response is not None
    assert refusal("no-such-table", number=1) in told.response.content
    elsewhere = world.env.create_guild("Other server")
    channel = elsewhere.create_text_channel("tichu")
    (stranger,) = newcomers(world.env, elsewhere, channel, "Fay")
    assert await listed(stranger, which="server") == []


async def test_rounds_of_a_long_match_have_pages(world: World) -> None:
    people = world.people("Ada", "Ben", "Cai", "Dan")
    await stored(world, people, rounds=12)
    ada = people[0]
    at = page(await ada.slash("tichu history"))
    at = await choose(ada, at, Verb.MATCH, "1")
    assert [o.value for o in find(at, Verb.REPLAY_ROUND).options] == list(map(str, range(1, 11)))
    assert text(at).count("+70") == 10, "the score of each of them"
    at = await press(ada, at, Verb.MATCH, "1")
    assert [o.value for o in find(at, Verb.REPLAY_ROUND).options] == ["11", "12"]
    at = await press(ada, at, Verb.MATCH, "0")
    assert find(at, Verb.REPLAY_ROUND).options[0].value == "1"


async def test_names_the_winner_of_each_round_without_points(world: World) -> None:
    two = TableOptions(rules=Options(variant="grandseigneur", players=5, rounds=2))
    await stored_match(world, 3, two)
    (ada,) = world.people("Ada")
    at = page(await ada.slash("tichu history", which="channel"))
    assert text(await choose(ada, at, Verb.MATCH, "1")).count("👑") == 2


async def test_call_stays_with_its_caller_after_a_handover(world: World) -> None:
    ada, ben = await seat_all(world, world.people("Ada", "Ben"), target=5000)
    await ben.call_grand()
    await fast_forward(world, reached(Phase.ROUND_END))
    seat = world.table().seat_of(UserId(ben.person.id))
    assert seat is not None
    await world.leave_match(ben.person)
    computer = world.table().chairs[seat].name
    assert computer != "Ben"
    at = page(await ada.person.slash("tichu replay"))
    rounds = await press(ada.person, at, Verb.MATCH)
    (call,) = [line for line in text(rounds).splitlines() if shown(line, "Ben")]
    assert shown(call, "Ben", computer) == ["Ben"]
