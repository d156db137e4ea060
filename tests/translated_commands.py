"""What Discord is told of the slash commands, put into all languages once in a process.

discord.py asks for each text in each of Discord's languages, and every bot that starts does so
twice: that takes as long as all else in the start of a world. All bots of a process tell the same,
as long as the translations are the same. Worlds whose database says that they were told know them
from the beginning, as Discord does.
"""

from __future__ import annotations

from typing import Any

import pytest
from discord.app_commands import CommandTree, Group, Translator
from simcord import Env

import bot.text
from tests.payload_copies import copied

_translated = Group.get_translated_payload
_made: dict[tuple[str, object], dict[str, Any]] = {}
"""The payloads, by the name of the group and the source of the translations."""


async def _once(group: Group, tree: CommandTree[Any], translator: Translator) -> dict[str, Any]:
    """The payload of a group of commands, made by discord.py unless it was made before."""
    key = group.qualified_name, bot.text.translations
    if key not in _made:
        _made[key] = await _translated(group, tree, translator)
    payload: dict[str, Any] = copied(_made[key])
    return payload


_known: dict[Any, dict[str, Any]] = {}
"""The commands of the first bot of a new database, as SimCord keeps them."""


def keep_told(env: Env) -> None:
    """Remember what a world was told, for those that begin with its database."""
    _known.clear()
    _known.update(env.backend.commands[None])


def know_told(env: Env) -> None:
    """Let a world know it, before it starts."""
    if _known:
        env.backend.commands[None] = copied(_known)


def translate_once(patch: pytest.MonkeyPatch) -> None:
    """Let all bots that start from now on share what they tell Discord."""
    patch.setattr("discord.app_commands.Group.get_translated_payload", _once)
