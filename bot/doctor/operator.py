"""The operator: presses in Discord, and answers on the terminal."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Mapping
from typing import Any, Final

import discord

from bot.doctor.api import Answer, Api, Ids
from bot.doctor.bodies import picture_file
from bot.doctor.observation import StepSkipped
from bot.doctor.terminal import Terminal
from bot.ids import UserId

COMMAND: Final = "tichu-doctor"
"""Name of the test command, which is registered in the server of the channel."""
NEW_ANSWER, LATER_ANSWER, LATER_UPDATE, UPDATE = 4, 5, 6, 7
"""Types of responses (interactions/receiving-and-responding.mdx, "Interaction Callback Type")."""
ORIGINAL: Final = "@original"
_TOKEN: Final = "/webhooks/{webhook_id}/{webhook_token}"
_PATIENCE_S: Final = 900.0
"""Time to wait for a press, in seconds."""


class Press:
    """Press of a button, or use of a command. Responses are sent with its own token."""

    def __init__(self, api: Api, interaction: discord.Interaction[Any], key: str) -> None:
        self.key = key
        self.user_id: UserId = UserId(interaction.user.id)
        self._api = api
        self._id = interaction.id
        self._ids: Ids = {
            "webhook_id": interaction.application_id,
            "webhook_token": interaction.token,
        }

    async def answer(
        self, kind: int, data: Mapping[str, Any] | None = None, *, picture: str | None = None
    ) -> Answer:
        """Send the first response; `kind` is its type, such as `UPDATE`."""
        return await self._api.request(
            "POST",
            "/interactions/{webhook_id}/{webhook_token}/callback",
            {**self._ids, "webhook_id": self._id},
            json={"type": kind} if data is None else {"type": kind, "data": data},
            picture=picture_file(picture),
        )

    async def follow_up(self, json: Mapping[str, Any], *, picture: str | None = None) -> Answer:
        """Send a follow-up message."""
        file, params = picture_file(picture), {"wait": "true"}
        return await self._api.request(
            "POST", _TOKEN, self._ids, json=json, picture=file, params=params
        )

    def message(self, message: str = ORIGINAL) -> tuple[str, Ids]:
        """Return the path of the first response or of the message with this id, with parameters."""
        return f"{_TOKEN}/messages/{message}", self._ids

    async def edit(self, json: Mapping[str, Any], message: str = ORIGINAL) -> Answer:
        """Edit the first response, or the message with this id."""
        path, ids = self.message(message)
        return await self._api.request("PATCH", path, ids, json=json)

    async def delete(self, message: str = ORIGINAL) -> Answer:
        """Delete the first response, or the message with this id."""
        path, ids = self.message(message)
        return await self._api.request("DELETE", path, ids)


class Operator:
    """Operator of a run, who presses and answers when asked. Old buttons are ignored."""

    def __init__(self, api: Api, terminal: Terminal) -> None:
        self._api = api
        self._terminal = terminal
        self._run = secrets.token_hex(4)
        self._awaited: tuple[str, asyncio.Future[Press]] | None = None
        self._instructions = 0
        """Number of instructions of the current step so far."""

    def begin(self) -> None:
        """Begin a step, whose instructions are numbered from 1."""
        self._instructions = 0

    def custom_id(self, name: str) -> str:
        """Return the custom_id of a button of this run."""
        return f"doctor:{self._run}:{name}"

    def handle(self, interaction: discord.Interaction[Any]) -> None:
        """Handle an interaction; ignore it if no step waits for it."""
        data: Mapping[str, Any] = interaction.data or {}
        key = str(data.get("custom_id") or data.get("name"))
        if self._awaited is not None and self._awaited[0] == key:
            future = self._awaited[1]
            if not future.done():
                future.set_result(Press(self._api, interaction, key))

    def show(self, instruction: str) -> None:
        """Show an instruction with its number."""
        self._instructions += 1
        self._terminal.show(f"   {self._instructions}. {instruction}")

    async def try_press(self, key: str, instruction: str) -> Press | None:
        """Wait until the operator presses this button; return `None` if they cannot.

        `key` is the custom_id of the button, or the name of a command.
        """
        self.show(instruction)
        press = asyncio.get_running_loop().create_future()
        self._awaited = key, press
        terminal_line = asyncio.ensure_future(self._terminal.line())
        try:
            await asyncio.wait(
                {press, terminal_line}, timeout=_PATIENCE_S, return_when=asyncio.FIRST_COMPLETED
            )
        finally:
            terminal_line.cancel()
            self._awaited = None
        return press.result() if press.done() else None

    async def press(self, key: str, instruction: str) -> Press:
        """Wait until the operator presses this button. Raise `StepSkipped` if they skip it."""
        press = await self.try_press(key, f"{instruction} (Enter leaves this step out.)")
        if press is None:
            raise StepSkipped("nobody pressed")
        return press

    async def ask(self, question: str) -> bool:
        """Ask a question for yes or no. Raise `StepSkipped` if the operator skips it."""
        answer = await self._answer_to(question)
        if answer is None:
            raise StepSkipped("nobody answered")
        return answer

    async def wants(self, question: str) -> bool:
        """Ask whether to do something; no answer means no."""
        return bool(await self._answer_to(question))

    async def _answer_to(self, question: str) -> bool | None:
        self._instructions += 1
        return await self._terminal.ask(f"   {self._instructions}. {question}")
