"""Challenges by clicks: offered, answered, played by both, compared; and their other ends."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest
from simcord import ResponseMessage

from bot.boards.challenge import MOST_OPEN
from bot.challenge_records import TIME_LIMIT, Challenge
from bot.errors import Reason
from bot.ids import ChallengeId, TableId, UserId
from bot.live import challenges as looking
from bot.records import PersonalSettings
from bot.table.commands import Act, GoOn
from bot.table.solo_game import SoloGame
from bot.text.people import mention
from cogs.delivery.challenges import ChallengePosts
from cogs.pages.verbs import Verb
from players.boards import VERSION
from tests.bot.forgotten_people import traces
from tests.bot.solo_worlds import SoloPool, choice_of
from tests.cogs.daily_play import DailyPlayer
from tests.cogs.fast_forward import carried_out
from tests.cogs.forged_clicks import forge
from tests.cogs.history_pages import page, press
from tests.cogs.test_places import Spot, everywhere
from tests.cogs.worlds import World, a_world, refusal
from tests.simcord_clicks import (
    Person,
    Wire,
    enabled,
    find,
    fire_all,
    has,
    messages,
    numbers,
    text,
    verbs,
    with_verb,
)

_HEX = re.compile(r"\b[0-9a-f]{64}\b")


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    """Yield a world with computers that answer at once."""
    async with a_world(tmp_path, pool=SoloPool()) as opened:
        opened.let_people_hurry()
        yield opened


async def offer(person: Person, other: Person) -> ResponseMessage:
    """Challenge somebody; return the user's private page."""
    return page(await person.slash("tichu challenge", player=other.member))


async def challenges(person: Person) -> ResponseMessage:
    """Return the private list of challenges."""
    return page(await person.slash("tichu challenge"))


def public(world: World) -> ResponseMessage:
    """Return the only public message."""
    (message,) = messages(world.env, world.channel)
    return message


async def accepted(world: World) -> tuple[Person, Person, ResponseMessage]:
    """Return two people with an accepted challenge, and the list of the second one."""
    ada, ben = world.people("Ada", "Ben")
    await offer(ada, ben)
    return ada, ben, page(await ben.press(Verb.CHALLENGE_ACCEPT, on=public(world)))


def pings(wire: Wire) -> list[list[int]]:
    """Return the people whom each request may notify."""
    bodies = [sent.body for sent in wire.sent if isinstance(sent.body, dict)]
    allowed = [(body.get("data") or body).get("allowed_mentions") or {} for body in bodies]
    return [each["users"] for each in allowed if each.get("users")]


async def begin(world: World, person: Person) -> SoloGame:
    """Begin the next deal, or go on with it; return the game."""
    hand = await press(person, await challenges(person), Verb.CHALLENGE_PLAY)
    ids = (each.custom_id.split(":")[1] for each in enabled(hand))
    (table_id,) = {int(each) for each in ids if each.isdecimal()}
    game = world.bot.tables.find(TableId(table_id))
    assert isinstance(game, SoloGame)
    return game


async def play_on(world: World, game: SoloGame, most: int = 1000) -> SoloGame:
    """Let the person choose at most so many times; return the game."""
    for _ in range(most):
        if not game.running:
            break
        action = choice_of(game, game.host_id % 100)
        command = GoOn(game.revision) if action is None else Act(action, game.revision)
        after = await carried_out(world, game, command)
        assert isinstance(after, SoloGame)
        game = after
    await world.env.settle()
    return game


async def play_deal(world: World, person: Person) -> int:
    """Play the next deal to its end; return its points."""
    game = await play_on(world, await begin(world, person))
    round_ = await world.bot.store.boards.own_round(game.board_id, UserId(person.id))
    assert round_ is not None
    assert round_.points is not None
    return round_.points


async def newest(world: World) -> Challenge:
    """Return the stored challenge with the highest number."""
    found = None
    for number in range(1, 20):
        found = await world.bot.store.challenges.get(ChallengeId(number)) or found
    assert found is not None
    return found


async def settle(world: World) -> None:
    """Wait for the next look at all challenges."""
    await world.env.advance_time(looking.LOOK_EVERY.total_seconds() + 1)


async def publish_nothing(*_: object) -> None:
    """Replace the public messages of a bot that is killed before it sends them."""


async def test_both_play_four_deals_and_compare(world: World) -> None:
    wire = Wire(world.env)
    ada, ben, shown = await accepted(world)
    assert pings(wire) == [[ben.id]], "one mention, of the person who is challenged"
    assert has(shown, Verb.CHALLENGE_PLAY)
    assert not has(public(world), Verb.CHALLENGE_ACCEPT)
    own = [await play_deal(world, ada) for _ in range(4)]
    shown = await challenges(ada)
    assert not has(shown, Verb.CHALLENGE_PLAY)
    assert not has(shown, Verb.CHALLENGE_COMPARE)
    other = [await play_deal(world, ben) for _ in range(4)]
    assert (await newest(world)).status == "finished"
    result = public(world)
    assert {sum(own), sum(other)} <= {int(each) for each in numbers(text(result))}
    for person, points in ((ada, (own, other)), (ben, (other, own))):
        compared = page(await person.press(Verb.CHALLENGE_COMPARE, on=result))
        assert compared.ephemeral
        lines = [line for line in text(compared).splitlines() if line.startswith("**")]
        assert len(with_verb(compared, Verb.REPLAY)) == 4
        differences = [mine - theirs for mine, theirs in zip(*points, strict=True)]
        assert [numbers(line)[1] for line in lines] == differences
    assert pings(wire) == [[ben.id]]
    assert len(messages(world.env, world.channel)) == 1


async def test_a_deal_by_clicks_ends_with_its_result_and_offers_the_next(world: World) -> None:
    _, ben, shown = await accepted(world)
    player = DailyPlayer(world, ben)
    player.hand = shown
    await player.press(Verb.CHALLENGE_PLAY)
    result = await player.finish()
    board, *_ = await world.bot.boards.of_challenge((await newest(world)).id)
    own = await world.bot.store.boards.own_round(board.id, UserId(ben.id))
    assert own is not None
    assert own.points in numbers(text(result).splitlines()[0])
    assert has(result, Verb.REVIEW)
    assert not has(result, Verb.REPLAY), "the other person has not played it"
    await player.press(Verb.CHALLENGE_PLAY)
    assert player.game is not None
    assert player.game.number == 2
    await player.press(Verb.CHALLENGES)
    assert has(player.hand, Verb.CHALLENGE_PLAY)


async def test_nothing_of_the_other_is_shown_before_the_end(world: World) -> None:
    ada, ben, _ = await accepted(world)
    points = [await play_deal(world, ada) for _ in range(4)]
    shown = await challenges(ben)
    wanted = {abs(each) for each in (*points, sum(points))} - {1, 2, 3, 4}
    assert not wanted & {abs(int(each)) for each in numbers(text(shown))}
    assert not wanted & {abs(int(each)) for each in numbers(text(public(world)))}
    for person in (ada, ben):
        shown = await challenges(person)
        number = (await newest(world)).id
        refused = page(await forge(person, shown, f"b:{Verb.CHALLENGE_COMPARE}:{number}"))
        assert text(refused) == refusal(Reason.CHALLENGE_OPEN)
        deals = page(await person.press(Verb.CHALLENGE_DEALS, on=public(world)))
        boards = await world.bot.boards.of_challenge(number)
        assert _HEX.findall(text(deals)) == [each.commitment for each in boards]
    assert not any(map(world.bot.boards.is_over, boards))
    await press(ada, await challenges(ada), Verb.CHALLENGE_LEAVE)
    await ada.press(Verb.CHALLENGE_LEAVE_NOW)
    deals = page(await ben.press(Verb.CHALLENGE_DEALS, on=public(world)))
    assert {each.secret for each in boards} <= {*_HEX.findall(text(deals))}
    boards = await world.bot.boards.of_challenge(number)
    assert all(map(world.bot.boards.is_over, boards))


async def test_the_public_message_names_the_commitments_of_the_deals(world: World) -> None:
    await accepted(world)
    boards = await world.bot.boards.of_challenge((await newest(world)).id)
    assert len({each.secret for each in boards}) == 4
    assert all(each.commitment[:8] in text(public(world)) for each in boards)


async def test_declined_and_withdrawn_offers_end_without_a_ping(world: World) -> None:
    ada, ben, cai = world.people("Ada", "Ben", "Cai")
    wire = Wire(world.env)
    await offer(ada, ben)
    shown = page(await ben.press(Verb.CHALLENGE_DECLINE, on=public(world)))
    assert shown.ephemeral
    assert not has(public(world), Verb.CHALLENGE_ACCEPT, Verb.CHALLENGE_COMPARE)
    refused = page(await ada.slash("tichu challenge", player=ben.member))
    assert "declined" in text(refused)
    shown = await offer(ada, cai)
    assert find(shown, Verb.CHALLENGE_LEAVE).label == "Withdraw"
    await press(ada, shown, Verb.CHALLENGE_LEAVE)
    await ada.press(Verb.CHALLENGE_LEAVE_NOW)
    late = messages(world.env, world.channel)[-1]
    assert not has(late, Verb.CHALLENGE_ACCEPT)
    assert (await newest(world)).status == "left"
    assert pings(wire) == [[ben.id], [cai.id]]


async def test_only_the_challenged_person_answers(world: World) -> None:
    ada, ben, cai = world.people("Ada", "Ben", "Cai")
    await offer(ada, ben)
    before = await newest(world)
    for person in (ada, cai):
        for verb in (Verb.CHALLENGE_ACCEPT, Verb.CHALLENGE_DECLINE):
            refused = page(await person.press(verb, on=public(world)))
            assert text(refused) == refusal(Reason.NOT_YOUR_CHALLENGE)
    for verb in (Verb.CHALLENGE_PLAY, Verb.CHALLENGE_LEAVE_NOW, Verb.CHALLENGE_COMPARE):
        for number in (before.id, 77, 10**15):
            refused = page(await forge(cai, public(world), f"b:{verb}:{number}"))
            assert refused.ephemeral
            assert verbs(refused) == []
    refused = page(await forge(ada, public(world), f"b:{Verb.CHALLENGE_PLAY}:{before.id}"))
    assert text(refused) == refusal(Reason.CHALLENGE_OFFERED)
    assert await newest(world) == before


async def test_refuses_people_who_cannot_be_challenged(world: World) -> None:
    ada, ben, cai, dan = world.people("Ada", "Ben", "Cai", "Dan")
    await world.bot.store.personal_settings.choose(
        UserId(cai.id), PersonalSettings(invitations=False)
    )
    await world.bot.store.personal_settings.choose(
        UserId(dan.id), PersonalSettings(quiet=(0, 1439))
    )
    for person, reason, details in (
        (ada, Reason.CHALLENGE_YOURSELF, {}),
        (cai, Reason.NOT_TO_BE_INVITED, {"name": "Cai"}),
        (dan, Reason.NOT_TO_BE_INVITED, {"name": "Dan"}),
    ):
        assert text(await offer(ada, person)) == refusal(reason, **details)
    robot = world.guild.add_member(world.env.create_user("robot", bot=True))
    refused = page(await ada.slash("tichu challenge", player=robot))
    assert text(refused) == refusal(Reason.MEMBER_IS_BOT, name="robot")
    assert messages(world.env, world.channel) == []
    await offer(ada, ben)
    for first, second in ((ada, ben), (ben, ada)):
        assert text(await offer(first, second)) == refusal(Reason.CHALLENGED_ALREADY)


async def test_limits_open_challenges_and_pings(world: World) -> None:
    ada, *others = world.people("Ada", *(f"Player{number}" for number in range(MOST_OPEN + 1)))
    for other in others[:-1]:
        await offer(ada, other)
    refused = await offer(ada, others[-1])
    assert text(refused) == refusal(Reason.MANY_CHALLENGES, limit=MOST_OPEN)
    wire = Wire(world.env)
    eve = others[-1]
    for other in others[:-1]:
        await offer(other, eve)
    assert len(pings(wire)) == 3, "as for invitations to tables"


async def test_two_answers_at_once_count_once(world: World) -> None:
    ada, ben = world.people("Ada", "Ben")
    await offer(ada, ben)
    both = [ben.press(verb) for verb in (Verb.CHALLENGE_ACCEPT, Verb.CHALLENGE_DECLINE)]
    await fire_all(world.env, both)
    status = (await newest(world)).status
    assert status in ("accepted", "declined")
    assert has(public(world), Verb.CHALLENGES) == (status == "accepted")


@pytest.mark.usefixtures("daily_looks")
async def test_offers_and_challenges_expire(world: World) -> None:
    ada, ben, _ = await accepted(world)
    for _ in range(4):
        await play_deal(world, ada)
    await play_deal(world, ben)
    await world.env.advance_time(TIME_LIMIT.total_seconds())
    await settle(world)
    assert (await newest(world)).status == "expired"
    compared = page(await ada.press(Verb.CHALLENGE_COMPARE, on=public(world)))
    assert f"{mention(ben.id)} didn't finish in time." in text(compared)
    await offer(ada, ben)
    await world.env.advance_time(TIME_LIMIT.total_seconds())
    await settle(world)
    assert not has(messages(world.env, world.channel)[-1], Verb.CHALLENGE_ACCEPT)
    assert (await newest(world)).status == "expired"


@pytest.mark.usefixtures("daily_looks")
async def test_expires_while_the_bot_is_offline(world: World) -> None:
    await accepted(world)
    for task in asyncio.all_tasks():
        if task.get_name() == "challenges":
            task.cancel()
    await world.env.advance_time(TIME_LIMIT.total_seconds())
    assert (await newest(world)).status == "accepted"
    await world.restart()
    await world.env.settle()
    assert (await newest(world)).status == "expired"
    assert has(public(world), Verb.CHALLENGE_COMPARE)


async def test_a_deal_goes_on_after_a_restart(world: World) -> None:
    _, ben, _ = await accepted(world)
    game = await play_on(world, await begin(world, ben), 5)
    await world.restart()
    world.let_people_hurry()
    resumed = await begin(world, ben)
    assert resumed.match == game.match
    assert not (await play_on(world, resumed)).running


async def test_an_old_hand_leads_to_the_challenges(world: World) -> None:
    _, ben, _ = await accepted(world)
    game = await play_on(world, await begin(world, ben))
    shown = await challenges(ben)
    old = await forge(ben, shown, f"b:{game.id}:0:{Verb.REFRESH}:")
    assert old.response is not None
    assert "/tichu challenge" in text(old.response)


async def test_a_message_that_a_kill_has_left_behind_is_brought_up_to_date(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada, ben = world.people("Ada", "Ben")
    wire = Wire(world.env)
    with monkeypatch.context() as killed:
        killed.setattr(ChallengePosts, "_publish", publish_nothing)
        await offer(ada, ben)
        assert messages(world.env, world.channel) == []
        await world.restart()
    await settle(world)
    assert has(public(world), Verb.CHALLENGE_ACCEPT)
    with monkeypatch.context() as killed:
        killed.setattr(ChallengePosts, "_publish", publish_nothing)
        await ben.press(Verb.CHALLENGE_ACCEPT, on=public(world))
        assert has(public(world), Verb.CHALLENGE_ACCEPT)
        await world.restart()
    await settle(world)
    assert not has(public(world), Verb.CHALLENGE_ACCEPT)
    assert pings(wire) == [[ben.id]]


async def test_ends_when_the_computers_are_updated(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada, ben, _ = await accepted(world)
    await play_deal(world, ada)
    monkeypatch.setattr("bot.live.challenges.VERSION", VERSION + 1)
    shown = await challenges(ben)
    assert not has(shown, Verb.CHALLENGE_PLAY)
    assert (await newest(world)).status == "updated"
    assert "updated" in text(public(world))


async def test_leaving_ends_it_for_both_and_late_results_do_not_count(world: World) -> None:
    ada, ben, _ = await accepted(world)
    await play_deal(world, ada)
    game = await begin(world, ben)
    await press(ada, await challenges(ada), Verb.CHALLENGE_LEAVE)
    left = page(await ada.press(Verb.CHALLENGE_LEAVE_NOW))
    assert has(left, Verb.CHALLENGE_COMPARE)
    await world.env.advance_time(1)
    await play_on(world, game)
    compared = page(await ben.press(Verb.CHALLENGE_COMPARE, on=public(world)))
    assert f"{mention(ada.id)} left it." in text(compared)
    assert text(compared).count("not finished") == 3 + 4


async def test_forgetting_a_person_ends_their_challenges(world: World, tmp_path: Path) -> None:
    ada, ben, _ = await accepted(world)
    await play_deal(world, ada)
    await play_deal(world, ben)
    asked = await press(ben, page(await ben.slash("tichu settings")), Verb.FORGET_ME)
    await press(ben, asked, Verb.FORGET_ME_NOW)
    assert traces(tmp_path / "tichu.db", ben.id, "Ben") == []
    assert mention(ben.id) not in text(public(world))
    shown = await challenges(ada)
    assert "Former player" in text(shown)
    assert mention(ben.id) not in text(shown)
    assert has(page(await ada.press(Verb.CHALLENGE_COMPARE, on=shown)), Verb.CHALLENGES)


@everywhere
async def test_is_played_and_not_offered_outside_of_servers_with_the_bot(
    world: World, make: Callable[[World, Person], Spot]
) -> None:
    ada, ben, _ = await accepted(world)
    person, _ = make(world, ada)
    (cai,) = world.people("Cai")
    for other in (ben, cai):
        refused = page(await person.slash("tichu challenge", player=other.member.user))
        assert text(refused) == refusal(Reason.NO_CHALLENGE_HERE)
    await play_deal(world, person)
    assert messages(world.env, person.channel) == []
    assert len(messages(world.env, world.channel)) == 1
