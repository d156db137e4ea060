"""`/tichu tables`: lobbies and matches with a free seat, and the user's own tables."""

from __future__ import annotations

from simcord import ResponseMessage

from bot.table.deadlines import IDLE
from bot.table.interruptions import awaited_users
from cogs.pages.table.open_tables import url
from cogs.pages.verbs import Verb
from engine import Phase
from tests.cogs.fast_forward import fast_forward, reached
from tests.cogs.history_pages import page
from tests.cogs.table_play import seat_without_hands
from tests.cogs.worlds import World, refusal
from tests.simcord_clicks import Person, controls, deny, has, line_with, shown, text, with_verb


async def listed(person: Person, which: str | None = None) -> ResponseMessage:
    """Return the page that this person gets."""
    options = {} if which is None else {"which": which}
    return page(await person.slash("tichu tables", **options))


def tables(found: ResponseMessage, *wanted: Verb) -> list[int]:
    """Return the tables of these buttons, in order."""
    return [int(each.custom_id.split(":")[1]) for each in with_verb(found, *wanted)]


def elsewhere(world: World, person: Person, name: str) -> Person:
    """Return the same person in a new channel."""
    return Person(world.env, person.member, world.guild.create_text_channel(name))


def addresses(found: ResponseMessage) -> list[str]:
    """Return the targets of the links on a page."""
    return [each.url for each in controls(found) if each.url]


async def test_lists_visible_lobbies_and_matches_with_a_free_seat(
    world: World,
) -> None:
    ada, ben, cai, eve = world.people("Ada", "Ben", "Cai", "Eve")
    assert not with_verb(await listed(eve), Verb.COME, Verb.SIT)
    await ada.slash("tichu new", computers=3)
    await ada.press(Verb.START)
    there = elsewhere(world, ben, "lobby")
    await there.slash("tichu new", thread=True)
    hidden = elsewhere(world, cai, "hidden")
    await hidden.slash("tichu new")
    deny(world.env, hidden.channel, eve.id, "view_channel")
    match, (lobby, secret) = (
        world.table(),
        [table for table in world.bot.tables.all() if table.status == "lobby"],
    )
    found = await listed(eve)
    assert (tables(found, Verb.COME), tables(found, Verb.SIT)) == ([lobby.id], [match.id])
    assert shown(found, "Ada", "Ben", "Cai") == ["Ben", "Ada"]
    lobby_message, table_message = lobby.messages.lobby, world.table().messages.table
    assert addresses(found) == [
        f"https://discord.com/channels/{world.guild.id}/{lobby.channel_id}/{lobby_message}",
        f"https://discord.com/channels/{world.guild.id}/{world.channel.id}/{table_message}",
    ]
    assert tables(await listed(eve, "here"), Verb.COME, Verb.SIT) == [match.id]
    inside = Person(world.env, eve.member, there.channel)
    assert tables(await listed(inside, "here"), Verb.COME) == [lobby.id], "in a thread of it"
    assert tables(await listed(cai), Verb.COME) == [lobby.id], "not the own one"
    assert secret.id not in tables(found, Verb.COME)

    await eve.press(Verb.COME, on=found)
    assert [chair.name for chair in world.bot.tables.get(lobby.id).chairs][:2] == ["Ben", "Eve"]
    found = await listed(cai)
    await cai.press(Verb.SIT, on=found)
    assert [each.user_id for each in world.game().notes.coming.values()] == [], "one of several"
    free = with_verb(found, Verb.SIT)
    await cai.press(Verb.SIT, free[0].args, on=found)
    assert [each.user_id for each in world.game().notes.coming.values()] == [cai.id]

    world.env.backend.create_thread(there.channel.id, "ours", ben.id)
    await world.env.settle()
    ours = there.channel.threads[-1]
    await Person(world.env, ben.member, ours).slash("tichu new")
    own = world.lobby(ours).id
    found = await listed(Person(world.env, cai.member, there.channel), "here")
    assert tables(found, Verb.COME) == [own, lobby.id], "a thread that people have made, too"


async def test_lists_own_tables_with_their_hands(world: World) -> None:
    """Tables where it is the user's turn come first; from any channel and guild."""
    ada, ben = world.people("Ada", "Ben")
    await seat_without_hands(world, [ada, ben])
    await fast_forward(world, reached(Phase.TURN), seed=1)
    playing = world.game()
    there = elsewhere(world, ada, "lobby")
    await there.slash("tichu new")
    server = world.env.create_guild("Away")
    abroad = Person(world.env, server.add_member(ada.member.user), server.create_text_channel("a"))
    await abroad.slash("tichu new", computers=3)
    await abroad.press(Verb.START)
    theirs = world.table(abroad.channel)
    person = ada if awaited_users(playing) == (ada.id,) else ben
    found = await listed(person, "mine")
    assert tables(found, Verb.HAND)[0] == playing.id, "it is their turn"
    found = await listed(there, "mine")
    assert sorted(tables(found, Verb.HAND)) == sorted((playing.id, theirs.id))
    assert len(addresses(found)) == 3
    assert shown(found, "Away") == ["Away"], "a channel there has no name here"
    assert not with_verb(found, Verb.COME, Verb.SIT)
    (way,) = [each for each in with_verb(found, Verb.HAND) if f":{theirs.id}:" in each.custom_id]
    await there.member.click(found, custom_id=way.custom_id)
    assert has(there.latest_private(), Verb.GRAND), "the hand has come in the place of the list"


async def test_paused_table_can_be_continued_from_the_list(world: World) -> None:
    ada, ben = world.people("Ada", "Ben")
    await seat_without_hands(world, [ada])
    await fast_forward(world, reached(Phase.ROUND_END), seed=1)
    await world.env.advance_time(IDLE.total_seconds() + 1)
    paused = world.game()
    assert paused.yields
    there = elsewhere(world, ada, "other")
    found = await listed(there, "mine")
    await there.press(Verb.CONTINUE, on=found)
    assert not world.game().timers.paused
    await world.env.advance_time(IDLE.total_seconds() + 1)
    await ben.slash("tichu new")
    found = await listed(there, "mine")
    await there.press(Verb.CONTINUE, on=found)
    assert refusal("channel-busy") in text(there.latest_private())


async def test_says_where_a_computer_partner_can_be_replaced(world: World) -> None:
    ada, ben, eve = world.people("Ada", "Ben", "Eve")
    await seat_without_hands(world, [ada, ben])
    game = world.game()
    names = [chair.name for chair in game.chairs]
    lobby = elsewhere(world, eve, "lobby")
    await lobby.slash("tichu new")
    more = page(await ada.press(Verb.MORE, on=world.newest_with(Verb.MORE)[0]))
    assert shown(more, *names, "Eve")[-2:] == [names[2], "Eve"]
    assert url(world.table(lobby.channel)) in text(more)
    assert names[2] in text(await listed(ada, "mine"))
    watching = page(await eve.press(Verb.MORE, on=world.newest_with(Verb.MORE)[0]))
    assert names[2] not in text(watching), "only who plays with them is told"
    await fast_forward(world, reached(Phase.ROUND_END), seed=1)
    hand = page(await ada.slash("tichu hand"))
    assert names[2] in line_with(hand, "/tichu tables")
