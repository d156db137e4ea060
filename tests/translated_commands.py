"""Command payloads translated once in a process for all bots.

discord.py looks up each text in each of Discord's languages, and every starting bot does so twice,
which takes as long as the rest of a world's start. All bots of a process send the same payloads as
long as the translations are the same. Worlds whose database says that commands were synced know
them from the beginning, as Discord does.
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
"""Payloads by the name of the group and the source of the translations."""


async def _once(group: Group, tree: CommandTree[Any], translator: Translator) -> dict[str, Any]:
    """Return the payload of a command group, cached by group and translations."""
    key = group.qualified_name, bot.text.translations
    if key not in _made:
        _made[key] = await _translated(group, tree, translator)
    payload: dict[str, Any] = copied(_made[key])
    return payload


_known: dict[Any, dict[str, Any]] = {}
"""Commands of the first bot of a new database, as SimCord stores them."""


def keep_told(env: Env) -> None:
    """Store the commands synced in a world, for worlds that start with its database."""
    _known.clear()
    _known.update(env.backend.commands[None])


def know_told(env: Env) -> None:
    """Give a world these commands before it starts."""
    if _known:
        env.backend.commands[None] = copied(_known)


def translate_once(patch: pytest.MonkeyPatch) -> None:
    """Let all bots started from now on share their command payloads."""
    patch.setattr("discord.app_commands.Group.get_translated_payload", _once)
