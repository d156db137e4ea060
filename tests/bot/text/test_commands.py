"""Texts of the slash commands: present, short enough, and in Discord's form."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from gettext import NullTranslations
from importlib import import_module
from typing import Any

import discord
import pytest
from pydantic import SecretStr

import bot.text
from bot.client import EXTENSIONS, TichuBot
from bot.runtime.settings import Settings
from bot.text import speech
from cogs import command_texts
from cogs.command_texts import LONGEST
from cogs.delivery.announcer import Announcer
from tests.bot.text.pseudo import Pseudo, bare
from tests.bot.text.template import asked_in

for extension in EXTENSIONS:
    import_module(extension)  # its choices have texts, which must not be in a test's translation

CHOICES_OR_OPTIONS = 25
SLASH, MEMBER = 1, 2


_told: list[dict[str, Any]] = []
"""The commands, collected by the first call of `told`."""


@pytest.fixture
async def definitions() -> list[dict[str, Any]]:
    """Return the slash commands as sent to Discord."""
    return [found for found in await told() if found["type"] == SLASH]


async def loaded() -> TichuBot:
    """Return a disconnected bot with its cogs."""
    client = TichuBot(
        Settings(_env_file=None, discord_token=SecretStr("token"), worker_processes=0)
    )
    for extension in EXTENSIONS:
        await client.load_extension(extension)
    return client


async def told() -> list[dict[str, Any]]:
    """Return all commands, including menus, collected once from a bot."""
    if not _told:
        client = await loaded()
        _told.extend(command.to_dict(client.tree) for command in client.tree.get_commands())
    return _told


def entries(definitions: list[dict[str, Any]]) -> Iterator[Mapping[str, Any]]:
    """Yield commands, subcommands and options, including nested ones."""
    for entry in definitions:
        yield entry
        yield from entries(entry.get("options") or [])


async def test_has_valid_names_and_descriptions(definitions: list[dict[str, Any]]) -> None:
    found = list(entries(definitions))
    assert len(found) > 15
    for entry in found:
        assert re.fullmatch(r"[a-z][a-z-]{0,31}", entry["name"])
        description = entry["description"]
        assert 0 < len(description) <= 100
        assert description == description.strip()
        assert description != "…", entry["name"]  # discord.py's default


async def test_has_valid_choices(definitions: list[dict[str, Any]]) -> None:
    for entry in entries(definitions):
        choices = entry.get("choices") or []
        assert len(choices) <= CHOICES_OR_OPTIONS
        assert len(entry.get("options") or []) <= CHOICES_OR_OPTIONS
        assert len({choice["name"] for choice in choices}) == len(choices)
        assert all(0 < len(str(choice["name"])) <= 100 for choice in choices)
        assert all(0 < len(str(choice["value"])) <= 100 for choice in choices)


async def in_all_languages() -> list[dict[str, Any]]:
    """Return the slash commands with their translations as sent to Discord."""
    client = await loaded()
    translator = client.tree.translator
    assert translator is not None
    commands = client.tree.get_commands(type=discord.AppCommandType.chat_input)
    return [await each.get_translated_payload(client.tree, translator) for each in commands]


def longest(entry: Mapping[str, Any], field: str) -> int:
    """Return the length of a field in its longest language."""
    return max(map(len, (entry[field], *entry.get(f"{field}_localizations", {}).values())))


async def test_texts_of_a_command_fit_together() -> None:
    """Discord counts each field in its longest language."""
    for command in await in_all_languages():
        number = 0
        for entry in entries([command]):
            number += longest(entry, "name") + longest(entry, "description")
            for choice in entry.get("choices") or []:
                number += longest(choice, "name") + len(str(choice["value"]))
        assert number < 8000


async def test_every_translation_of_a_command_is_short_enough(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A translation that is too long would silently be replaced by English."""
    monkeypatch.setattr(command_texts, "LONGEST", 10_000)
    for entry in entries(await in_all_languages()):
        assert longest(entry, "description") <= LONGEST, entry["description"]
        for choice in entry.get("choices") or []:
            assert longest(choice, "name") <= LONGEST, choice["name"]


async def test_descriptions_and_choices_are_translated_and_names_are_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    german = Pseudo()
    monkeypatch.setattr(bot.text, "translations", lambda name: german if name == "de" else None)
    speech.cache_clear()
    found = await in_all_languages()
    speech.cache_clear()
    assert asked_in("test_commands") - german.asked == set()
    for entry in entries(found):
        assert not entry.get("name_localizations")
        assert bare(entry["description_localizations"].pop("de")) == []
        assert entry["description_localizations"] == {}
        for choice in entry.get("choices") or []:
            assert bare(choice["name_localizations"].pop("de")) == []
            assert choice["name_localizations"] == {}


async def test_omits_a_translation_that_discord_would_refuse(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Long(NullTranslations):
        def gettext(self, message: str) -> str:
            """Return a text of 101 characters."""
            return message.ljust(101, "!")

    monkeypatch.setattr(bot.text, "translations", lambda name: Long())
    speech.cache_clear()
    found = await in_all_languages()
    speech.cache_clear()
    assert not any(entry.get("description_localizations") for entry in entries(found))


async def test_every_option_is_optional(definitions: list[dict[str, Any]]) -> None:
    """`/tichu new` alone opens a table, so required options would be in the way.

    Only `/tichu shuffle` needs its word.
    """
    assert [entry["name"] for entry in entries(definitions) if entry.get("required")] == ["word"]


async def test_user_menu_is_for_guilds_only() -> None:
    (menu,) = (found for found in await told() if found["type"] != SLASH)
    assert (menu["type"], menu["name"]) == (MEMBER, "Tichu profile")
    assert len(menu["name"]) <= 32
    assert menu["contexts"] == [0]
    assert menu["integration_types"] == [0]


async def test_all_commands_are_removed_with_their_cog() -> None:
    client = await loaded()
    assert len(client.tree.get_commands()) == len(await told()) == 2
    for extension in EXTENSIONS:
        await client.unload_extension(extension)
    assert client.tree.get_commands() == []
    assert client.tree.get_commands(type=discord.AppCommandType.user) == []


async def test_unloading_sends_what_is_in_flight_and_removes_all_cogs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    drained = 0

    async def drain(_: Announcer) -> None:
        nonlocal drained
        drained += 1

    monkeypatch.setattr(Announcer, "drain", drain)
    client = await loaded()
    assert len(client.cogs) > 1
    for extension in EXTENSIONS:
        await client.unload_extension(extension)
    assert drained == 1
    assert client.cogs == {}
