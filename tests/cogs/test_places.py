"""Commands in direct messages, in groups, and in servers without the bot: private, or refused."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import NamedTuple

import discord
import pytest
from simcord import ResponseMessage

from bot.ids import TableId, UserId
from bot.text.people import channel_mention
from cogs.clicks.context import ClickContext
from cogs.clicks.limits import PAGE
from cogs.clicks.registry import CONTROLS, Where, Who
from cogs.clicks.registry import Control as Registered
from cogs.clicks.sharing import share_line
from cogs.pages.verbs import Verb
from engine import Phase
from tests.bot.played import Evening, Sketch
from tests.cogs.fast_forward import fast_forward, reached
from tests.cogs.forged_clicks import forge
from tests.cogs.table_play import seat_all, seat_without_hands
from tests.cogs.test_absent import said
from tests.cogs.worlds import SAY, World, refusal
from tests.simcord_clicks import Control, Person, controls, enabled, has, messages, text, with_verb
from tests.strict_places import Visitor, foreign_server, group, install

ANYWHERE = (
    *("hand", "tables", "profile", "replay", "rules", "learn", "puzzle", "challenge", "settings"),
)
"""Commands that answer with a page in each place."""
ON_SERVERS = (
    *("new", "table", "leave", "stop", "verify", "history", "leaderboard"),
    *("event", "tournament", "league"),
)
"""Commands without required options that need a server."""
CLICKS = 40
"""Number of clicks on the pages of a command."""
LINE = "Tichu daily 214 · +185"


class Spot(NamedTuple):
    """A place, and the people who may use the app there."""

    person: Person
    can_post: bool


def direct(world: World, ada: Person, *, installed: bool) -> Spot:
    user = ada.member.user
    if installed:
        install(world.env, user.id)
    return Spot(Person(world.env, Visitor(world.env, user), user.dm_channel), False)


def in_group(world: World, ada: Person) -> Spot:
    install(world.env, ada.id)
    friend = world.env.create_user("friend")
    channel = group(world.env, ada.member.user, friend)
    return Spot(Person(world.env, Visitor(world.env, ada.member.user), channel), True)


def foreign(world: World, ada: Person, *, external_apps: bool) -> Spot:
    install(world.env, ada.id)
    guild = foreign_server(world.env, "Elsewhere", external_apps=external_apps)
    allowed = discord.Permissions(manage_guild=True, manage_messages=True)
    manager = guild.create_role("Manager", permissions=allowed)
    member = guild.add_member(ada.member.user, roles=[manager])
    return Spot(Person(world.env, member, guild.create_text_channel("general")), external_apps)


SPOTS: dict[str, Callable[[World, Person], Spot]] = {
    "direct message": lambda world, ada: direct(world, ada, installed=False),
    "direct message, installed": lambda world, ada: direct(world, ada, installed=True),
    "group": in_group,
    "server without the bot": lambda world, ada: foreign(world, ada, external_apps=True),
    "the same without external apps": lambda world, ada: foreign(world, ada, external_apps=False),
}
everywhere = pytest.mark.parametrize("make", SPOTS.values(), ids=SPOTS)


def public(person: Person) -> list[ResponseMessage]:
    """Return what others read in the channel of a person."""
    return messages(person.env, person.channel)


async def finish_round(world: World, person: Person) -> TableId:
    """Finish a round with computers; return the number of the table."""
    await seat_without_hands(world, [person])
    await fast_forward(world, reached(Phase.ROUND_END))
    return world.game().id


async def answer(person: Person, command: str, **options: object) -> ResponseMessage:
    """Return the private answer to a command."""
    result = await person.slash(f"tichu {command}", **options)
    assert result.response is not None
    assert result.response.ephemeral
    return result.response


async def use(person: Person, page: ResponseMessage, control: Control) -> None:
    """Press a button, or choose the first options of a select."""
    if control.options:
        values = [each.value for each in control.options[: control.least]]
        await person.member.select(page, values, custom_id=control.custom_id)
    else:
        await person.member.click(page, custom_id=control.custom_id)


async def click_through(person: Person, page: ResponseMessage) -> set[str]:
    """Use each enabled control of a page, and then of the pages that it leads to.

    Return the verbs of what was used.
    """
    used, verbs = set[str](), set[str]()
    for _ in range(CLICKS):
        unused = [each for each in enabled(page) if each.custom_id not in used]
        unused = [each for each in unused if each.options or each.custom_id.startswith("b")]
        if not unused:
            break
        control = unused[0]
        used.add(control.custom_id)
        verbs.add(control.verb)
        await use(person, page, control)
        page = person.latest_private()
        assert public(person) == []
    return verbs


@everywhere
@pytest.mark.parametrize("command", ANYWHERE)
async def test_nothing_is_public_outside_servers_with_the_bot(
    world: World, make: Callable[[World, Person], Spot], command: str
) -> None:
    (ada,) = world.people("Ada")
    world.let_people_hurry()
    person, _ = make(world, ada)
    page = await answer(person, command)
    await click_through(person, page)
    assert public(person) == []


@everywhere
async def test_commands_for_a_channel_say_so(
    world: World, make: Callable[[World, Person], Spot]
) -> None:
    (ada,) = world.people("Ada")
    world.let_people_hurry()
    person, _ = make(world, ada)
    for command in ON_SERVERS:
        assert text(await answer(person, command)) == refusal("servers-only"), command
    assert text(await answer(person, "shuffle", word="luck")) == refusal("servers-only")
    assert text(await answer(person, "tables", which="server")) == refusal("servers-only")
    assert public(person) == []
    assert list(world.bot.tables.all()) == []


@everywhere
async def test_lists_of_tables_lead_only_to_own_ones(
    world: World, make: Callable[[World, Person], Spot]
) -> None:
    (ada,) = world.people("Ada")
    person, _ = make(world, ada)
    for command in ("hand", "tables"):
        page = await answer(person, command)
        (shown,) = with_verb(page, Verb.TABLES)
        await use(person, page, shown)
        assert len(with_verb(person.latest_private(), Verb.TABLES)) == 1


@everywhere
async def test_hand_of_a_running_match_is_played_from_anywhere(
    world: World, make: Callable[[World, Person], Spot]
) -> None:
    ada, ben = await seat_all(world, world.people("Ada", "Ben"))
    await fast_forward(world, reached(Phase.TURN), players=[ben])
    person, _ = make(world, ada.person)
    hand = await answer(person, "hand")
    while not (plays := with_verb(hand, Verb.PLAY)):
        if not await ben.act():
            await world.to_next_deadline()
    seat = world.game().seat_of(UserId(person.id)) or 0
    before = world.game().round.hands[seat].cards
    await use(person, hand, plays[0])
    await world.to_next_deadline()  # of the bomb window
    assert world.game().round.hands[seat].cards != before
    assert public(person) == []
    for _ in range(2):  # two rounds, each with a new table message
        await fast_forward(world, reached(Phase.ROUND_END))
        await fast_forward(world, reached(Phase.TURN))
    assert public(person) == []
    shown = [message.id for message in person.private()]
    assert shown == [hand.id], "the hand does not move where there is no table"


@everywhere
async def test_pages_work_after_a_restart(
    world: World, make: Callable[[World, Person], Spot]
) -> None:
    ada, ben = await seat_all(world, world.people("Ada", "Ben"))
    await fast_forward(world, reached(Phase.TURN), players=[ben])
    person, _ = make(world, ada.person)
    world.let_people_hurry()
    puzzle, hand = await answer(person, "puzzle"), await answer(person, "hand")
    await world.restart()
    world.let_people_hurry()
    (choice,) = with_verb(puzzle, Verb.PUZZLE_ANSWER)
    await use(person, puzzle, choice)
    assert has(person.latest_private(SAY("Puzzle")), Verb.PUZZLE_PLAY)
    await person.press(Verb.SAY, on=hand)
    assert has(hand, Verb.REACT)
    assert public(person) == []


@everywhere
async def test_hand_without_one_match_shows_the_own_tables(
    world: World, make: Callable[[World, Person], Spot]
) -> None:
    (ada,) = world.people("Ada")
    person, _ = make(world, ada)
    page = await answer(person, "hand")
    assert SAY("You're not at any table. Open one with /tichu new.") in text(page)
    second = world.guild.create_text_channel("second")
    for channel in (world.channel, second):
        there = Person(world.env, ada.member, channel)
        await there.slash("tichu new", computers=3)
        await there.press(Verb.START)
    page = await answer(person, "hand")
    assert [each.verb for each in enabled(page)].count(Verb.HAND) == 2


@everywhere
async def test_own_rounds_are_replayed_and_no_others(
    world: World, make: Callable[[World, Person], Spot]
) -> None:
    ada, eve = world.people("Ada", "Eve")
    world.let_people_hurry()
    person, _ = make(world, ada)
    stranger, _ = make(world, eve)
    assert text(await answer(person, "replay")) == refusal("nothing-played")
    table = await finish_round(world, ada)
    page = await answer(person, "replay")
    assert has(page, Verb.REPLAY)
    used = await click_through(person, page)
    assert {Verb.REPLAY, Verb.PROOF} & used
    assert has(await answer(person, "replay", table=table), Verb.REPLAY)
    refused = await answer(stranger, "replay", table=table)
    assert text(refused) == refusal("not-your-table", number=table)
    assert public(person) == []


@everywhere
async def test_profile_is_the_own_one_of_all_servers(
    world: World, make: Callable[[World, Person], Spot]
) -> None:
    ada, ben, *others = world.people("Ada", "Ben", "Cai", "Dan")
    world.let_people_hurry()
    person, _ = make(world, ada)
    people = [UserId(each.id) for each in (ada, ben, *others)]
    rounds = [Sketch((250, 50))]
    await Evening(rounds=rounds, people=people, guild_id=world.guild.id).store(world.bot.store)
    page = await answer(person, "profile")
    assert SAY("On all servers") in text(page)
    assert not has(page, Verb.SHARE_PROFILE)
    other = f"b:{Verb.PROFILE}:{ben.id}."
    assert refusal("servers-only") in said(await forge(person, page, other))


async def test_manager_of_another_server_sets_nothing(world: World) -> None:
    (ada,) = world.people("Ada")
    world.let_people_hurry()
    person, _ = foreign(world, ada, external_apps=True)
    page = await answer(person, "settings")
    assert not has(page, Verb.SERVER)
    for custom_id in (f"b:{Verb.SERVER}:tables", f"b:{Verb.SERVER_SET}:pictures.off"):
        assert refusal("servers-only") in said(await forge(person, page, custom_id))


# --- what may be public ---------------------------------------------------------------------------


def instead_of_lessons(
    patch: pytest.MonkeyPatch, handler: Callable[[ClickContext], Awaitable[None]]
) -> None:
    """Let the button of the lessons do something else."""
    control = Registered(handler, Who.ANYBODY, Where.ANYWHERE, PAGE)
    patch.setitem(CONTROLS, Verb.LEARN, control)


@everywhere
async def test_public_answers_are_impossible_there(
    world: World, make: Callable[[World, Person], Spot], monkeypatch: pytest.MonkeyPatch
) -> None:
    sent = []

    async def post(ctx: ClickContext) -> None:
        sent.append(await ctx.reply.send_to_all(LINE))
        await ctx.reply.send_text("done")

    (ada,) = world.people("Ada")
    person, _ = make(world, ada)
    page = await answer(person, "learn")
    instead_of_lessons(monkeypatch, post)
    await forge(person, page, f"b:{Verb.LEARN}:")
    assert sent == [None]
    assert public(person) == []


@everywhere
async def test_shared_line_is_posted_or_offered_to_copy(
    world: World, make: Callable[[World, Person], Spot], monkeypatch: pytest.MonkeyPatch
) -> None:
    posted = []

    async def share(ctx: ClickContext) -> None:
        posted.append(await share_line(ctx, LINE))

    (ada,) = world.people("Ada")
    person, can_post = make(world, ada)
    page = await answer(person, "learn")
    instead_of_lessons(monkeypatch, share)
    await forge(person, page, f"b:{Verb.LEARN}:")
    assert posted == [can_post]
    if can_post:
        (shared,) = public(person)
        assert text(shared).endswith(LINE)
    else:
        assert public(person) == []
        assert LINE in text(person.latest_private(SAY("I can't post here. You can copy it:")))


async def test_table_of_another_process_is_named(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    (ada,) = world.people("Ada")
    await ada.slash("tichu new", computers=3)
    await ada.press(Verb.START)
    person, _ = direct(world, ada, installed=False)
    table = world.game()
    stored = await world.bot.store.tables.open_of(UserId(ada.id))
    assert [each.id for each in stored] == [table.id]
    monkeypatch.setattr(world.bot.leases, "serves", lambda guild_id: guild_id == 0)
    monkeypatch.setattr(type(world.bot.leases), "shared", True)
    monkeypatch.setattr(world.bot.tables, "all", lambda: iter(()))
    page = await answer(person, "hand")
    assert channel_mention(table.channel_id) in text(page)
    assert not [each for each in controls(page) if each.verb == Verb.HAND]
