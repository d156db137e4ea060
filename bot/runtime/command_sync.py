"""Registration of the slash commands with Discord, when their definitions have changed.

The bot runs without it, too: previously registered commands stay in use.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import logging
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Any, Protocol

import discord
from discord import app_commands

from bot.runtime.clock import Sleep
from bot.runtime.discord_requests import REQUEST_ERRORS, is_temporary

log = logging.getLogger(__name__)

_SYNCED_KEY = "synced-commands"
"""Key of the digest of the commands that were registered last."""
_FIRST_PAUSE_S, _LONGEST_PAUSE_S = 60.0, 3600.0
_COMMANDS_STAY = "the registered commands stay in use"
_NO_COMMANDS = (
    "no commands are registered, so nobody can use the bot: fix the problem and start again, or "
    "run `python -m bot sync`"
)


class AppState(Protocol):
    """Persistent values by key."""

    async def value(self, key: str) -> str | None:
        """Return a stored value."""

    async def keep(self, key: str, value: str) -> None:
        """Store a value."""


class CommandSync:
    """Registration of the commands of `tree`, in one server if `server` is its id."""

    def __init__(
        self, tree: app_commands.CommandTree[Any], server: int | None, state: AppState
    ) -> None:
        self._tree = tree
        self._server = server
        self._state = state
        application = tree.client.application
        if application is None or application.user_integration_config is None:
            for command in tree.get_commands():
                _install_on_servers_only(command)

    async def sync(self) -> int:
        """Register the commands; return their number. Raise discord.py's errors."""
        return await self._sync(await self._definitions())

    async def _sync(self, definitions: str) -> int:
        guild = None
        if self._server is not None:
            guild = discord.Object(self._server)
            self._tree.copy_global_to(guild=guild)
        synced = await self._tree.sync(guild=guild)
        await self._state.keep(_SYNCED_KEY, definitions)
        return len(synced)

    async def keep_synced(
        self, sleep: Sleep, alone: Callable[[str], AbstractAsyncContextManager[None]]
    ) -> None:
        """Register the commands if they differ from the previous ones.

        A temporary failure is retried, a rejection by Discord is logged. `alone` returns a lock by
        its name, so that only one process registers the commands.
        """
        definitions = await self._definitions()  # in all languages, which takes a moment
        for tries in itertools.count():
            try:
                async with alone("commands"):
                    await self._sync_if_changed(definitions)
            except REQUEST_ERRORS as error:
                if not is_temporary(error):
                    synced_before = await self._state.value(_SYNCED_KEY) is not None
                    consequence = _COMMANDS_STAY if synced_before else _NO_COMMANDS
                    log.error("%s; %s", rejection_line(error), consequence)
                    return
                pause = min(_FIRST_PAUSE_S * 2.0 ** min(tries, 10), _LONGEST_PAUSE_S)
                message = "slash commands not synced, retrying in %.0f s: %s"
                log.warning(message, pause, error)
                await sleep(pause)
            else:
                return

    async def _sync_if_changed(self, definitions: str) -> None:
        if await self._state.value(_SYNCED_KEY) != definitions:
            count = await self._sync(definitions)
            log.info("%s commands synced", count)

    async def _definitions(self) -> str:
        """Return a digest of all command definitions and of the server that they belong to."""
        tree, translator = self._tree, self._tree.translator
        commands = [
            command.to_dict(tree)
            if translator is None
            else await command.get_translated_payload(tree, translator)
            for command in tree.get_commands()
        ]
        server = str(self._server)
        return hashlib.sha256(json.dumps([server, commands], sort_keys=True).encode()).hexdigest()


def _install_on_servers_only(
    command: app_commands.Command[Any, ..., Any] | app_commands.Group | app_commands.ContextMenu,
) -> None:
    """Register a command for servers and direct messages with the bot alone.

    A command may contain only installation contexts that the operator has allowed for the
    application (discord-api-docs, interactions/application-commands.mdx, "Installation Context").
    Private channels need the context of users
    (tutorials/developing-a-user-installable-app.mdx, "Command contexts").
    """
    contexts = command.allowed_contexts
    if contexts is not None:
        dms = contexts.dm_channel
        command.allowed_contexts = app_commands.AppCommandContext(guild=True, dm_channel=dms)
    command.allowed_installs = app_commands.AppInstallationType(guild=True)


def rejection_line(error: Exception) -> str:
    """Return a log line about rejected commands, with the reason that Discord gives."""
    lines = (line.strip() for line in str(error).splitlines())
    return f"Discord rejected the slash commands: {'; '.join(lines)}"
