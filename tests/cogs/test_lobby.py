"""The lobby: joining and leaving, permissions, options and the end."""

from __future__ import annotations

from simcord import InteractionResult, ResponseMessage

from bot.ids import ChannelId
from bot.table.deadlines import LOBBY_MINUTES
from bot.table.options import TableOptions
from bot.text.labels import team_emoji
from bot.text.options import computers, missed_wish, rating_line, turn_limit
from cogs.pages.table.blocked import permission_names
from cogs.pages.verbs import Verb
from tests.cogs.forged_clicks import forge
from tests.cogs.history_pages import page
from tests.cogs.worlds import SAY, World, refusal
from tests.simcord_clicks import (
    Control,
    Person,
    Wire,
    controls,
    deny,
    fire_all,
    has,
    line_with,
    messages,
    numbers,
    private,
    text,
    verbs,
    with_verb,
)

NAMES = permission_names(SAY)
SELECT = 3


def lobby(world: World) -> dict[str, Control]:
    """Return the buttons of the newest lobby message, by verb."""
    message, _ = world.newest_with(Verb.LEAVE)
    return {control.verb: control for control in controls(message)}


def names(world: World) -> list[str]:
    """Return the names at the table of the channel by seat."""
    return [chair.name for chair in world.table().chairs]


async def arrange(world: World, person: Person, verb: Verb, *seats: str) -> InteractionResult:
    """Choose these seats on the host's page for swapping, adding or removing."""
    asked = await person.press(Verb.SWAP, on=public(world))
    return await person.choose(verb, *seats, on=page(asked))


def kinds(world: World) -> str:
    """Return the seats as ``PCC.``: a person, two computers and a free chair."""
    signs = {"person": "P", "computer": "C", "empty": "."}
    return "".join(signs[chair.kind] for chair in world.table().chairs)


def public(world: World) -> ResponseMessage:
    """Return the newest lobby message."""
    return world.newest_with(Verb.LEAVE)[0]


async def test_people_join_and_leave(world: World) -> None:
    ada, ben, cai, dan, eve = world.people("Ada", "Ben", "Cai", "Dan", "Eve")
    await ada.slash("tichu new")
    assert world.table().options == TableOptions(), "a match to a thousand points"
    assert names(world) == ["Ada", "", "", ""]
    assert Verb.START not in lobby(world)
    await world.join(ben)
    assert refusal("already-seated") in private(await ben.press(Verb.JOIN, "1"))
    await world.join(cai)
    await ben.press(Verb.LEAVE)
    assert names(world) == ["Ada", "", "Cai", ""]
    assert refusal("not-seated") in private(await ben.press(Verb.LEAVE))
    await world.join(dan)
    message, join = public(world), lobby(world)["join"]
    await world.join(eve)
    assert names(world) == ["Ada", "Dan", "Cai", "Eve"]
    assert "Eve" in text(message)
    assert {*lobby(world)} == {"leave", "start", "swap", "options", "rules", "learn", "more"}
    assert all(control.enabled for control in lobby(world).values())
    assert refusal("table-full") in private(await forge(ben, message, join.custom_id))
    assert len(messages(world.env, world.channel)) == 1


async def test_button_that_starts_the_match_comes_first(world: World) -> None:
    ada, *_ = world.people("Ada")
    await ada.slash("tichu new")
    rest = [Verb.INVITE, Verb.LEAVE, Verb.SWAP, Verb.OPTIONS, Verb.RULES, Verb.LEARN, Verb.MORE]
    assert list(verbs(public(world))) == [Verb.JOIN, Verb.JOIN, Verb.FILL, *rest]
    await ada.press(Verb.FILL)
    assert list(verbs(public(world))) == [Verb.START, Verb.JOIN, *rest]


async def test_people_choose_their_team(world: World) -> None:
    """Seated players change sides with the same buttons."""
    ada, ben, cai = world.people("Ada", "Ben", "Cai")
    await ada.slash("tichu new")
    await ben.press(Verb.JOIN, "0")
    assert names(world) == ["Ada", "", "Ben", ""]
    assert [control.args for control in with_verb(public(world), Verb.JOIN)] == ["1"]
    for name, team in (("Ada", 0), ("Ben", 0)):
        assert team_emoji(team) in line_with(public(world), name)
    await ben.press(Verb.JOIN, "1")
    await cai.press(Verb.JOIN, "1")
    assert names(world) == ["Ada", "Ben", "", "Cai"]
    stale = f"b:{world.table().id}:0:join:1"
    assert refusal("team-full") in private(await forge(ada, public(world), stale))
    await ada.slash("tichu stop")
    await ada.slash("tichu new", variant="trichu")
    await ben.press(Verb.JOIN)
    assert names(world) == ["Ada", "Ben", ""]


async def test_computer_players_take_the_needed_seats(world: World) -> None:
    ada, ben = world.people("Ada", "Ben")
    await ada.slash("tichu new", computers=1)
    await world.join(ben)
    assert kinds(world) == "PCP."
    assert refusal("host-only", host=ada.id) in private(await ben.press(Verb.FILL))
    await ada.press(Verb.FILL)
    assert kinds(world) == "PCPC"
    assert Verb.FILL not in lobby(world)
    assert lobby(world)["join"].args == "", "whose seat it is does not matter"
    assert len({*names(world)}) == 4
    computer = world.bot.art.icon("computer")
    for name in (names(world)[1], names(world)[3]):
        assert f"{computer} **{name}**" in text(public(world))
    before = names(world)
    await world.restart()
    assert names(world) == before
    await ada.press(Verb.START)
    assert world.table().running
    assert names(world) == before


async def test_forty_people_fill_a_table_at_once(world: World) -> None:
    """It happens once, and only the host may do it."""
    ada, *others = world.people("Ada", *(f"Person {number}" for number in range(3)))
    await ada.slash("tichu new", variant="grandseigneur")
    message, fill = public(world), lobby(world)["fill"]
    results = await fire_all(
        world.env,
        [person.member.click(message, custom_id=fill.custom_id) for person in (ada, *others) * 10],
    )
    refused = [result for result in results if result.response and result.response.ephemeral]
    assert len(refused) == 30
    assert {private(result) for result in refused} == {refusal("host-only", host=ada.id)}
    assert kinds(world) == "PCCCC" + 7 * "."
    assert world.lobby().revision == 1


async def test_the_host_adds_and_removes_one_player(world: World) -> None:
    ada, ben, cai = world.people("Ada", "Ben", "Cai")
    await ada.slash("tichu new")
    await world.join(ben)
    added = await arrange(world, ada, Verb.ADD_COMPUTER, "3")
    assert kinds(world) == "PP.C"
    assert names(world)[3] in text(page(added)), "the page shows the seats after it"
    await ada.choose(Verb.REMOVE, "3", on=page(added))
    assert kinds(world) == "PP.."
    await arrange(world, ada, Verb.REMOVE, "1")
    assert names(world) == ["Ada", "", "", ""]
    assert "Ben" not in text(public(world))
    for person in (ben, cai):
        pressed = await person.press(Verb.SWAP, on=public(world))
        assert refusal("host-only", host=ada.id) in private(pressed)
        for select in ("swap", "add-computer", "remove-computer"):
            answer = await forge(
                person, public(world), f"s:1:{world.lobby().revision}:{select}:", ["1", "2"]
            )
            assert refusal("host-only", host=ada.id) in private(answer)
    assert kinds(world) == "P..."


async def test_changed_seats_are_shown_again(world: World) -> None:
    """Otherwise the host would remove somebody who just joined."""
    ada, ben = world.people("Ada", "Ben")
    await ada.slash("tichu new", computers=1)
    asked = page(await ada.press(Verb.SWAP))
    await arrange(world, ada, Verb.REMOVE, "1")
    await world.join(ben)
    assert names(world)[1] == "Ben"
    again = page(await ada.choose(Verb.REMOVE, "1", on=asked))
    assert names(world)[1] == "Ben"
    assert "Ben" in text(again)
    await ada.choose(Verb.REMOVE, "1", on=again)
    assert kinds(world) == "P..."


async def test_only_the_host_starts(world: World) -> None:
    ada, ben = world.people("Ada", "Ben")
    await ada.slash("tichu new", computers=2)
    await world.join(ben)
    assert refusal("host-only", host=ada.id) in private(await ben.press(Verb.START))
    assert world.table().status == "lobby"
    await ada.press(Verb.LEAVE)
    assert world.table().host_id == ben.id
    assert f"<@{ben.id}>" in text(public(world))
    await world.join(ada)
    assert refusal("host-only", host=ben.id) in private(await ada.press(Verb.START))
    await ben.press(Verb.START)
    assert world.table().running


async def test_the_host_swaps_seats(world: World) -> None:
    ada, ben = world.people("Ada", "Ben")
    await ada.slash("tichu new", computers=1)
    await world.join(ben)
    computer = names(world)[1]
    assert names(world) == ["Ada", computer, "Ben", ""]
    await arrange(world, ada, Verb.SWAP, "1", "2")
    assert names(world) == ["Ada", "Ben", computer, ""]
    assert team_emoji(1) in line_with(public(world), "Ben")
    await arrange(world, ada, Verb.SWAP, "1", "3")
    assert names(world) == ["Ada", "", computer, "Ben"]
    assert numbers(line_with(public(world), "Ben")) == [4]


# --- options -------------------------------------------------------------------------------------


async def test_only_unusual_options_are_named(world: World) -> None:
    ada, ben = world.people("Ada", "Ben")
    await ada.slash("tichu new")
    usual = text(public(world))
    assert numbers(usual)[:2] == [4, 1000], "how many play, and to how many points"
    assert rating_line(TableOptions(), 1.0, SAY) in usual.casefold()
    await ada.slash("tichu stop")
    chosen = {"turn-limit": 60, "missed-wish": "penalty", "fast-computers": True, "hints": True}
    await ben.slash("tichu new", **chosen)
    options, shown = world.table().options, text(public(world)).casefold()
    named = [
        turn_limit(60, SAY),
        missed_wish(options, SAY),
        computers(options, SAY),
        rating_line(options, 1.0, SAY),
    ]
    assert [word for word in named if word.casefold() in shown] == named
    assert shown.count("hints") == 1, "with what comes of them"
    assert [word for word in named if word.casefold() in usual.casefold()] == []


async def test_lobby_shows_its_state(world: World) -> None:
    """Missing players, the host, and the weight of the match."""
    world.let_people_hurry()
    ada, ben = world.people("Ada", "Ben")
    host = f"<@{ada.id}>"

    async def shown(**options: object) -> tuple[list[float], bool]:
        """Return the numbers beside the host's name, and whether the match can start."""
        await ada.slash("tichu new", **options)
        message = public(world)
        stands = numbers(line_with(message, host)), has(message, Verb.START)
        await ada.slash("tichu stop")
        return stands

    assert await shown() == ([3], False)
    assert await shown(computers=2) == ([1], False)
    assert await shown(computers=3) == ([], True)
    lords = {"variant": "grandseigneur"}
    assert await shown(**lords, computers=1) == ([3, 12], False)
    assert await shown(**lords, computers=5) == ([6], True)
    await ada.slash("tichu new", computers=3)
    assert rating_line(TableOptions(), 0.25, SAY) in text(public(world)).casefold()
    await ada.slash("tichu stop")
    await ada.slash("tichu new", computers=2)
    message = public(world)
    await world.join(ben)
    assert rating_line(TableOptions(), 1 / 3, SAY) in text(message).casefold()
    await ada.press(Verb.START)
    assert host not in text(message), "nobody is waited for"
    assert controls(message) == []


async def test_opens_the_rules_of_this_game(world: World) -> None:
    ada, ben = world.people("Ada", "Ben")
    await ada.slash("tichu new", variant="trichu")
    shown = page(await ben.press(Verb.RULES))
    assert text(shown) == text(page(await ben.slash("tichu rules", variant="trichu")))


# --- how it ends ---------------------------------------------------------------------------------


async def test_empty_lobby_is_closed(world: World) -> None:
    (ada,) = world.people("Ada")
    await ada.slash("tichu new", computers=3)
    message, _ = world.newest_with(Verb.LEAVE)
    before = text(message)
    await ada.press(Verb.LEAVE)
    assert world.bot.tables.in_channel(ChannelId(world.channel.id)) is None
    assert controls(message) == []
    assert text(message) != before
    await ada.slash("tichu new")
    assert names(world)[0] == "Ada"


async def test_idle_lobby_expires_without_a_ping(world: World) -> None:
    wire = Wire(world.env)
    ada, ben = world.people("Ada", "Ben")
    await ada.slash("tichu new")
    message, _ = world.newest_with(Verb.LEAVE)
    await world.env.advance_time(29 * 60)
    await world.join(ben)
    await world.env.advance_time(29 * 60)
    assert world.table().status == "lobby"
    await world.env.advance_time(61)
    assert world.bot.tables.in_channel(ChannelId(world.channel.id)) is None
    assert controls(message) == []
    assert len(messages(world.env, world.channel)) == 1
    for sent in wire.sent:
        body = sent.body.get("data") or sent.body
        if "components" in body and sent.method == "POST":
            assert body["allowed_mentions"] == {"parse": []}
    assert private(await forge(ada, message, "b:1:0:join:")) == refusal("table-over")


async def test_one_table_for_each_channel(world: World) -> None:
    ada, ben = world.people("Ada", "Ben")
    await ada.slash("tichu new")
    assert refusal("channel-taken") in private(await ben.slash("tichu new"))
    other = world.guild.create_text_channel("other")
    await Person(world.env, ben.member, other).slash("tichu new")
    assert world.table(other).host_id == ben.id
    assert world.table().host_id == ada.id


async def test_names_missing_permissions_before_posting(world: World) -> None:
    (ada,) = world.people("Ada")
    assert world.bot.user is not None
    me = world.bot.user.id
    deny(world.env, world.channel, me, "send_messages")
    answer = private(await ada.slash("tichu new"))
    assert NAMES["send_messages"] in answer
    assert f"<#{world.channel.id}>" in answer
    deny(world.env, world.channel, me, "create_public_threads", "send_messages_in_threads")
    answer = private(await ada.slash("tichu new", thread=True))
    assert NAMES["create_public_threads"] in answer
    assert NAMES["send_messages_in_threads"] in answer
    assert messages(world.env, world.channel) == []
    assert world.channel.threads == []
    assert await world.bot.store.tables.all_open() == []
    deny(world.env, world.channel, me)
    await ada.slash("tichu new", computers=3)
    deny(world.env, world.channel, me, "send_messages")
    assert NAMES["send_messages"] in private(await ada.press(Verb.START))
    assert world.table().status == "lobby"
    deny(world.env, world.channel, me)
    await ada.press(Verb.START)
    assert world.table().running


async def test_lobby_can_be_posted_again_and_closed_by_the_host(world: World) -> None:
    ada, ben = world.people("Ada", "Ben")
    await ada.slash("tichu new")
    first, _ = world.newest_with(Verb.LEAVE)
    await ben.slash("tichu table")
    second, _ = world.newest_with(Verb.LEAVE)
    assert second.id != first.id
    await world.join(ben)
    assert "Ben" in text(second)
    assert refusal("not-started") in private(await ben.slash("tichu hand"))
    assert refusal("host-only", host=ada.id) in private(await ben.slash("tichu stop"))
    await ben.slash("tichu leave")
    assert names(world) == ["Ada", "", "", ""]
    assert "Ben" not in text(second)
    await ada.slash("tichu stop")
    assert controls(second) == []
    assert world.bot.tables.in_channel(ChannelId(world.channel.id)) is None
    for command in ("hand", "table", "leave", "stop"):
        assert refusal("no-table-here") in private(await ada.slash(f"tichu {command}"))


async def test_empty_lobby_is_not_called_expired(world: World) -> None:
    (ada,) = world.people("Ada")
    said = []
    for left in (True, False):
        await ada.slash("tichu new")
        lobby_message, _ = world.newest_with(Verb.LEAVE)
        if left:
            await ada.press(Verb.LEAVE)
        else:
            await world.env.advance_time(60 * LOBBY_MINUTES + 1)
        assert controls(lobby_message) == []
        said.append(text(lobby_message).splitlines()[-1])
    assert said[0] != said[1]


async def test_refuses_a_thread_inside_a_thread(world: World) -> None:
    (ada,) = world.people("Ada")
    await ada.slash("tichu new", thread=True)
    (thread,) = world.channel.threads
    inside = Person(world.env, ada.member, thread)
    await inside.slash("tichu stop")
    assert refusal("no-threads-here") in private(await inside.slash("tichu new", thread=True))
    await inside.slash("tichu new")
    assert world.table(thread).host_id == ada.id


async def test_limits_tables_of_a_guild(world: World) -> None:
    world.bot.tables.limits.per_guild = 1
    (ada,) = world.people("Ada")
    await ada.slash("tichu new")
    other = Person(world.env, ada.member, world.guild.create_text_channel("other"))
    assert refusal("too-many-tables", limit=1) in private(await other.slash("tichu new"))
    assert refusal("too-many-tables", limit=1) in private(
        await other.slash("tichu new", thread=True)
    )
    assert other.channel.threads == []
