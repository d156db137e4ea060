"""The texts of the slash commands: there, short enough for Discord, and named as Discord wants."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from types import SimpleNamespace
from typing import Any, cast

import discord
import pytest
from pydantic import SecretStr

from bot.client import EXTENSIONS, TichuBot
from bot.live.service import Tables
from bot.runtime.settings import Settings

CHOICES_OR_OPTIONS = 25
SLASH, MEMBER = 1, 2


@pytest.fixture
async def definitions() -> list[dict[str, Any]]:
    """The slash commands as they are told to Discord."""
    return [found for found in await told() if found["type"] == SLASH]


async def loaded() -> TichuBot:
    """A bot with its cogs, which is not connected."""
    bot = TichuBot(Settings(_env_file=None, discord_token=SecretStr("token"), worker_processes=0))
    bot.tables = cast(Tables, SimpleNamespace(news=SimpleNamespace(listener=None)))
    for extension in EXTENSIONS:
        await bot.load_extension(extension)
    return bot


async def told() -> list[dict[str, Any]]:
    """All commands, menus too."""
    bot = await loaded()
    return [command.to_dict(bot.tree) for command in bot.tree.get_commands()]


def entries(definitions: list[dict[str, Any]]) -> Iterator[Mapping[str, Any]]:
    """Commands, subcommands and options, nested ones too."""
    for entry in definitions:
        yield entry
        yield from entries(entry.get("options") or [])


async def test_names_and_descriptions(definitions: list[dict[str, Any]]) -> None:
    found = list(entries(definitions))
    assert len(found) > 15
    for entry in found:
        assert re.fullmatch(r"[a-z][a-z-]{0,31}", entry["name"])
        description = entry["description"]
        assert 0 < len(description) <= 100
        assert description == description.strip()
        assert description != "…", entry["name"]  # what discord.py says without a description


async def test_choices(definitions: list[dict[str, Any]]) -> None:
    for entry in entries(definitions):
        choices = entry.get("choices") or []
        assert len(choices) <= CHOICES_OR_OPTIONS
        assert len(entry.get("options") or []) <= CHOICES_OR_OPTIONS
        assert len({choice["name"] for choice in choices}) == len(choices)
        assert all(0 < len(str(choice["name"])) <= 100 for choice in choices)
        assert all(0 < len(str(choice["value"])) <= 100 for choice in choices)


async def test_all_texts_of_a_command_together(definitions: list[dict[str, Any]]) -> None:
    for command in definitions:
        texts = [entry["name"] + entry["description"] for entry in entries([command])]
        texts += [
            str(choice["name"]) + str(choice["value"])
            for entry in entries([command])
            for choice in entry.get("choices") or []
        ]
        assert sum(map(len, texts)) <= 8000


async def test_every_option_can_be_left_out(definitions: list[dict[str, Any]]) -> None:
    """`/tichu new` alone opens a table; what must be given would stand in the way.

    Only `/tichu shuffle` is nothing without its word.
    """
    assert [entry["name"] for entry in entries(definitions) if entry.get("required")] == ["word"]


async def test_the_menu_of_a_member_is_for_servers_only() -> None:
    (menu,) = (found for found in await told() if found["type"] != SLASH)
    assert (menu["type"], menu["name"]) == (MEMBER, "Tichu profile")
    assert len(menu["name"]) <= 32
    assert menu["contexts"] == [0]
    assert menu["integration_types"] == [0]


async def test_all_commands_go_with_their_cog() -> None:
    bot = await loaded()
    assert len(bot.tree.get_commands()) == len(await told()) == 2
    for extension in EXTENSIONS:
        await bot.unload_extension(extension)
    assert bot.tree.get_commands() == []
    assert bot.tree.get_commands(type=discord.AppCommandType.user) == []
