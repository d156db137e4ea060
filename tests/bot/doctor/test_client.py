"""Channels in which the doctor works, and the events it receives there."""

from __future__ import annotations

from collections.abc import AsyncIterator

import discord
import pytest
from simcord.enums import ChannelType

from bot.doctor.client import DoctorClient, SetupError, connected
from bot.doctor.operator import COMMAND
from bot.ids import ChannelId
from tests.bot.doctor.clinic import COMMANDS, Clinic, clinic
from tests.simcord_clicks import deny


@pytest.fixture
async def there() -> AsyncIterator[Clinic]:
    async with clinic() as started:
        yield started


async def test_refuses_an_unknown_channel(there: Clinic) -> None:
    with pytest.raises(SetupError, match="sees no channel 12"):
        there.client.text_channel(ChannelId(12))


@pytest.mark.parametrize("kind", [ChannelType.VOICE, ChannelType.NEWS])
async def test_accepts_only_text_channels(there: Clinic, kind: ChannelType) -> None:
    channel = there.env.backend.create_channel(there.guild.id, "other", type=kind)
    await there.env.settle()
    with pytest.raises(SetupError, match="no ordinary text channel"):
        there.client.text_channel(ChannelId(channel.id))


async def test_names_missing_permissions(there: Clinic) -> None:
    assert there.client.user is not None
    lost = "attach_files", "read_message_history"
    deny(there.env, there.channel, there.client.user.id, *lost)
    await there.env.settle()
    with pytest.raises(SetupError, match=r"In #tests .* Read Message History, Attach Files"):
        there.client.text_channel(ChannelId(there.channel.id))


async def test_reports_a_refused_test_command(there: Clinic) -> None:
    there.refuse("POST", COMMANDS, 403, 50001)
    with pytest.raises(SetupError, match="register the test command"):
        await there.outcome(1)
    assert list(there.everything()) == []


async def test_reports_a_lost_login_at_once(there: Clinic, monkeypatch: pytest.MonkeyPatch) -> None:
    async def refused(*_: object, **__: object) -> None:
        raise discord.ConnectionClosed(None, shard_id=0, code=4004)  # type: ignore[arg-type]

    async def nothing(*_: object) -> None:
        pass

    monkeypatch.setattr(DoctorClient, "login", nothing)
    monkeypatch.setattr(DoctorClient, "connect", refused)
    monkeypatch.setattr(DoctorClient, "wait_until_ready", nothing)
    client = DoctorClient(there.api, None)
    with pytest.raises(discord.ConnectionClosed):
        async with connected(client, "token"):
            pytest.fail("it is not connected")


async def test_answers_only_expected_interactions(there: Clinic) -> None:
    other = {"name": COMMAND, "type": 1, "description": "Test"}
    there.env.backend.register_commands(there.guild.id, [other])
    result = await there.people[0].slash(there.channel, COMMAND)
    assert result.response is None
