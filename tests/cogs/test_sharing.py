"""**Share**: a private page is posted publicly, without its personal parts."""

from __future__ import annotations

from itertools import product
from typing import Any

import discord
import pytest
from simcord import InteractionResult, ResponseMessage
from simcord.backend.models import Overwrite
from simcord.enums import OverwriteType

from bot.ids import UserId
from bot.score_records import Preferences
from cogs.clicks.limits import ANIMATION_PAUSE_S, SHARE_PAUSE_S
from cogs.pages.history.replay import TRICK_FILE
from cogs.pages.verbs import Verb
from engine import Phase
from tests.bot.played import EVENING, Evening, Sketch
from tests.cogs.eyes import cards_in
from tests.cogs.fast_forward import fast_forward, reached
from tests.cogs.forged_clicks import forge
from tests.cogs.history_pages import a_match, page, press
from tests.cogs.table_play import seat_without_hands
from tests.cogs.worlds import World, refusal
from tests.simcord_clicks import (
    Person,
    controls,
    deny,
    fire_all,
    has,
    shown_files,
    text,
    texts,
)

NAMES = ("Ada", "Ben", "Cai", "Dan")
VIEW = discord.Permissions(view_channel=True).value
ROUND = Sketch((250, 50), calls={0: ("tichu", True)})


async def played(world: World, rounds: int = 1) -> list[Person]:
    """Return four people who have played `rounds` rounds."""
    people = world.people(*NAMES)
    evening = Evening(
        rounds=[ROUND] * rounds,
        people=[UserId(person.id) for person in people],
        at=EVENING,
        guild_id=world.guild.id,
        names={UserId(person.id): name for person, name in zip(people, NAMES, strict=True)},
    )
    await evening.store(world.bot.store)
    return people


def shared(result: InteractionResult) -> ResponseMessage:
    """Return the public post, which pings nobody."""
    assert result.response is not None
    assert not result.response.ephemeral, text(result.response)
    return result.response


def not_shared(result: InteractionResult, code: str, **details: Any) -> None:
    """Check that nothing was posted, and the user reads the reason."""
    assert result.response is not None
    assert result.response.ephemeral
    assert refusal(code, **details) in text(result.response)


async def test_shares_a_leaderboard(world: World) -> None:
    ada, ben, *_ = await played(world, rounds=20)
    own = page(await ada.slash("tichu leaderboard", by="points"))
    assert len([line for line in text(own).splitlines() if line.startswith("<:turn:")]) == 1
    posted = shared(await ada.press(Verb.SHARE_LEADERS, on=own))
    assert all(name in text(posted) for name in NAMES)
    assert "<:turn:" not in text(posted), "nobody's line is marked"
    assert f"<@{ada.id}>" in texts(posted)[-1], "who has shared it"
    assert has(own, Verb.SHARE_LEADERS), "the private page stays"
    bens = page(await ben.press(Verb.LEADERS, on=posted))
    assert "Ben" in next(line for line in text(bens).splitlines() if line.startswith("<:turn:"))


async def test_shares_a_profile(world: World) -> None:
    ada, ben, *_ = await played(world)
    own = page(await ada.slash("tichu profile"))
    posted = shared(await ada.press(Verb.SHARE_PROFILE, on=own))
    assert texts(posted)[:-2] == texts(own)[: len(texts(posted)) - 2]
    assert not has(posted, Verb.SHARE_PROFILE)
    bens = page(await ben.press(Verb.ACHIEVEMENTS, on=posted))
    assert f"<@{ada.id}>" in text(bens)


async def test_does_not_share_a_hidden_profile(world: World) -> None:
    ada, ben, *_ = await played(world)
    await world.bot.store.preferences.choose(UserId(ada.id), Preferences(hidden=True))
    own = page(await ada.slash("tichu profile"))
    assert not has(own, Verb.SHARE_PROFILE)
    for person in (ada, ben):
        forged = await forge(person, own, f"b:share-profile:{ada.id}.nanjing")
        not_shared(forged, "profile-hidden")


async def test_shares_a_position_of_a_replay(world: World) -> None:
    ada, ben = (player.person for player in (await a_match(world, target=100))[:2])
    at = page(await ada.slash("tichu replay"))
    at = await press(ada, at, Verb.REPLAY, ".on")
    posted = shared(await ada.press(Verb.SHARE_REPLAY, on=at))
    assert set(cards_in(text(posted))) == set(cards_in(text(at))) != set()
    moves = [Verb.SHARED_REPLAY] * 4
    assert [control.verb for control in controls(posted)] == [*moves, Verb.REPLAY]
    bens = page(await ben.press(Verb.REPLAY, on=posted))
    assert texts(bens) == texts(at)


async def test_only_the_sharer_moves_a_shared_replay(world: World) -> None:
    ada, ben = (player.person for player in (await a_match(world, target=100))[:2])
    at = page(await ada.slash("tichu replay"))
    posted = shared(await ada.press(Verb.SHARE_REPLAY, on=at))
    before = texts(posted)
    not_shared(await ben.press(Verb.SHARED_REPLAY, f".on.{ada.id}", on=posted), "not-your-replay")
    assert texts(posted) == before
    moved = shared(await ada.press(Verb.SHARED_REPLAY, f".on.{ada.id}", on=posted))
    assert moved.id == posted.id
    own = await press(ada, at, Verb.REPLAY, ".on")
    assert texts(moved)[: len(texts(own))] == texts(own)
    forged = f"b:1:0:shared-replay:1.0.open.trick.on.{ben.id}"
    not_shared(await forge(ada, posted, forged), "not-your-replay")
    deny(world.env, world.channel, ada.id, "send_messages")
    not_shared(await ada.press(Verb.SHARED_REPLAY, f".last.{ada.id}", on=posted), "no-posting-here")


async def test_shares_a_trick_as_an_animation_once_in_a_while(world: World) -> None:
    ada = (await a_match(world, target=100))[0].person
    at = page(await ada.slash("tichu replay"))
    for _ in ("the exchange", "the first trick"):
        assert not has(at, Verb.ANIMATE), "no card is played yet"
        at = await press(ada, at, Verb.REPLAY, ".on")
    posted = shared(await ada.press(Verb.ANIMATE, on=at))
    assert shown_files(posted) == [TRICK_FILE]
    assert f"<@{ada.id}>" in text(posted)
    seconds = ANIMATION_PAUSE_S
    not_shared(await ada.press(Verb.ANIMATE, on=at), "shared-just-now", seconds=seconds)
    await world.env.advance_time(seconds)
    assert world.bot.user is not None
    deny(world.env, world.channel, world.bot.user.id, "attach_files")
    in_words = shared(await ada.press(Verb.ANIMATE, on=at))
    assert not shown_files(in_words)
    assert texts(in_words)[: len(texts(at))] == texts(at)


async def test_does_not_share_a_running_round(world: World) -> None:
    people = world.people(*NAMES)
    await seat_without_hands(world, people, target=5000)
    await fast_forward(world, reached(Phase.TURN))
    ada = people[0]
    at = page(await ada.slash("tichu leaderboard"))
    game = world.game()
    forged = await forge(
        ada, at, f"b:{game.id}:0:share-replay:{game.round.number}.1.open.trick.share"
    )
    not_shared(forged, "round-not-over", number=game.round.number)


async def test_shares_a_replay_only_where_everybody_may_see_it(world: World) -> None:
    ada = (await a_match(world, target=100))[0].person
    other = world.guild.create_text_channel("other")
    there = Person(world.env, ada.member, other)
    table = world.last_game().id
    at = page(await there.slash("tichu replay", table=table))
    shared(await there.press(Verb.SHARE_REPLAY, on=at))
    await world.env.advance_time(SHARE_PAUSE_S)
    everyone = world.guild.id  # the role of everybody has the id of the guild
    unseen = Overwrite(everyone, OverwriteType.ROLE, deny=VIEW)
    world.env.backend.set_overwrite(world.channel.id, unseen)
    allowed = Overwrite(ada.id, OverwriteType.MEMBER, allow=VIEW)
    world.env.backend.set_overwrite(world.channel.id, allowed)
    at = page(await ada.slash("tichu replay", table=table))
    not_shared(
        await forge(there, at, f"b:{table}:0:share-replay:1.0.public.trick.share"), "not-shown-here"
    )
    shared(await ada.press(Verb.SHARE_REPLAY, on=at))


async def test_sharing_needs_permission_to_write(world: World) -> None:
    ada, *_ = await played(world)
    own = page(await ada.slash("tichu leaderboard"))
    deny(world.env, world.channel, ada.id, "send_messages")
    not_shared(await ada.press(Verb.SHARE_LEADERS, on=own), "no-posting-here")


async def test_sharing_has_a_cooldown(world: World) -> None:
    ada, ben, *_ = await played(world)
    own = page(await ada.slash("tichu leaderboard"))
    bens = page(await ben.slash("tichu leaderboard"))
    shared(await ada.press(Verb.SHARE_LEADERS, on=own))
    too_soon = await ada.press(Verb.SHARE_LEADERS, on=own)
    not_shared(too_soon, "shared-just-now", seconds=SHARE_PAUSE_S)
    shared(await ben.press(Verb.SHARE_LEADERS, on=bens))
    await world.env.advance_time(SHARE_PAUSE_S)
    shared(await ada.press(Verb.SHARE_LEADERS, on=own))


async def test_double_tap_shares_once(world: World) -> None:
    ada, *_ = await played(world)
    own = page(await ada.slash("tichu leaderboard"))
    press = [ada.press(Verb.SHARE_LEADERS, on=own) for _ in range(2)]
    first, second = await fire_all(world.env, press)
    shared(first)
    not_shared(second, "shared-just-now", seconds=SHARE_PAUSE_S)


async def test_refusal_starts_no_cooldown(world: World) -> None:
    ada, *_ = await played(world)
    await world.bot.store.preferences.choose(UserId(ada.id), Preferences(hidden=True))
    own = page(await ada.slash("tichu leaderboard"))
    forged = await forge(ada, own, f"b:share-profile:{ada.id}.nanjing")
    not_shared(forged, "profile-hidden")
    shared(await ada.press(Verb.SHARE_LEADERS, on=own))


async def test_refuses_forged_buttons(world: World, subtests: pytest.Subtests) -> None:
    world.let_people_hurry()
    ada, *_ = await played(world)
    own = page(await ada.slash("tichu leaderboard"))
    forged = ("", "nanjing", "77", "1.2.3.4", "nanjing.ever.luck.here.0")
    verbs = (Verb.SHARE_LEADERS, Verb.SHARE_PROFILE, Verb.SHARE_REPLAY)
    for verb, args in product(verbs, forged):
        with subtests.test(verb=verb, args=args):
            result = await forge(ada, own, f"b:{verb}:{args}")
            assert result.response is not None
            assert result.response.ephemeral
