"""Rules of `tests.strict_places`: they refuse exactly what Discord refuses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import discord
import pytest
from simcord import ChannelHandle
from simcord.backend.errors import BackendError, SetupError
from simcord.backend.models import Interaction
from simcord.http import router

from cogs.delivery.replies import Interaction as Received
from tests.cogs.test_places import SPOTS, Spot, direct, foreign, in_group
from tests.cogs.worlds import World
from tests.simcord_clicks import Person, messages
from tests.strict_discord import strictness
from tests.strict_places import FOLLOW_UPS, foreign_server

PRIVATE = discord.MessageFlags(ephemeral=True).value
MADE_PRIVATE = "Discord has made a public answer private"


class Asked(NamedTuple):
    """An interaction that the bot leaves to the test."""

    world: World
    record: Interaction
    received: Received

    def answer(self, flags: int = 0) -> Any:
        """Answer with a new message."""
        path = f"/interactions/{self.record.id}/{self.record.token}/callback"
        body = {"type": 4, "data": {"content": "words", "flags": flags}}
        return router.dispatch(self.world.env.backend, "POST", path, json=body)

    def follow_up(self, flags: int = PRIVATE) -> Any:
        """Send another message."""
        backend = self.world.env.backend
        path = f"/webhooks/{backend.application_id}/{self.record.token}"
        body = {"content": "more", "flags": flags}
        return router.dispatch(backend, "POST", path, json=body)


@pytest.fixture
async def ask(world: World, monkeypatch: pytest.MonkeyPatch) -> Callable[[Person], Any]:
    """Return a function that sends a command for a person, which the bot does not answer."""
    received: list[Received] = []

    async def leave(interaction: Received) -> bool:
        received.append(interaction)
        return False

    monkeypatch.setattr(world.bot, "accepts", leave)

    async def asked(person: Person) -> Asked:
        await person.slash("tichu rules")
        record = world.env.backend.interactions[received[-1].id]
        return Asked(world, record, received[-1])

    return asked


def breaches(world: World) -> list[str]:
    return strictness(world.env.backend).breaches


@pytest.mark.parametrize("make", SPOTS.values(), ids=SPOTS)
async def test_interaction_says_where_it_comes_from(
    world: World, ask: Callable[[Person], Any], make: Callable[[World, Person], Spot]
) -> None:
    (ada,) = world.people("Ada")
    person, _ = make(world, ada)
    asked = await ask(person)
    asked.answer(PRIVATE)
    received, guild = asked.received, person.channel.guild
    assert received.channel_id == person.channel.id
    assert received.user.id == ada.id
    assert received.guild_id == (None if guild is None else guild.id)
    assert not received.is_guild_integration()
    if guild is None:
        is_group = received.context.private_channel
        assert received.context.dm_channel is not is_group
        assert received.permissions == discord.Permissions()
        assert received.app_permissions.use_external_emojis is not is_group
    else:
        assert received.context.guild
        assert received.permissions.manage_guild, "those of the user there"
        assert world.bot.get_guild(guild.id) is None, "the bot has not heard of it"


async def test_command_is_offered_where_the_app_is_installed(world: World) -> None:
    (ada,) = world.people("Ada")
    away = foreign_server(world.env, "Away")
    there = Person(world.env, away.add_member(ada.member.user), away.create_text_channel("general"))
    with pytest.raises(SetupError):
        await there.slash("tichu rules")
    person, _ = in_group(world, ada)  # installs it
    await there.slash("tichu rules")
    with pytest.raises(SetupError):
        await ada.member.context_menu(person.channel, "Tichu profile", ada.member)


@pytest.mark.parametrize("external_apps", [True, False])
async def test_public_answer_in_another_server_needs_a_permission(
    world: World, ask: Callable[[Person], Any], external_apps: bool
) -> None:
    (ada,) = world.people("Ada")
    person, _ = foreign(world, ada, external_apps=external_apps)
    asked = await ask(person)
    asked.answer()
    assert len(messages(world.env, person.channel)) == external_apps
    assert breaches(world) == ([] if external_apps else [MADE_PRIVATE])
    breaches(world).clear()


async def test_follow_ups_are_limited_where_only_the_user_has_the_app(
    world: World, ask: Callable[[Person], Any]
) -> None:
    (ada,) = world.people("Ada")
    person, _ = foreign(world, ada, external_apps=True)
    asked = await ask(person)
    asked.answer(PRIVATE)
    for _ in range(FOLLOW_UPS):
        asked.follow_up()
    with pytest.raises(BackendError) as refused:
        asked.follow_up()
    assert refused.value.code == 40094
    others = [ada, direct(world, ada, installed=True).person]
    for asked in [await ask(each) for each in others]:
        asked.answer(PRIVATE)
        for _ in range(FOLLOW_UPS + 1):
            asked.follow_up()


async def test_follow_up_in_a_group_is_private(world: World, ask: Callable[[Person], Any]) -> None:
    (ada,) = world.people("Ada")
    person, _ = in_group(world, ada)
    asked = await ask(person)
    asked.answer()
    asked.follow_up(0)
    assert len(messages(world.env, person.channel)) == 1
    assert breaches(world) == [MADE_PRIVATE]
    breaches(world).clear()


@pytest.mark.parametrize("make", [in_group, SPOTS["server without the bot"]])
async def test_bot_writes_nowhere_by_itself(
    world: World, make: Callable[[World, Person], Spot]
) -> None:
    (ada,) = world.people("Ada")
    channel: ChannelHandle = make(world, ada).person.channel
    with pytest.raises(BackendError) as refused:
        router.dispatch(
            world.env.backend, "POST", f"/channels/{channel.id}/messages", json={"content": "Hi"}
        )
    assert refused.value.code == 50001
    assert messages(world.env, channel) == []
