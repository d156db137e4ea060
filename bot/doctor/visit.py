"""Context of a step: channel, requests, operator, and clean-up."""

from __future__ import annotations

import asyncio
import base64
import secrets
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final, NamedTuple

from bot.doctor.api import Answer, Api, Ids
from bot.doctor.behaviour import OldMessage
from bot.doctor.bodies import EPHEMERAL, FIRST, picture_file, picture_of
from bot.doctor.hand import NEW_ANSWER, Hand, Press
from bot.doctor.observation import StepFailed, StepSkipped
from bot.ids import ChannelId, GuildId, MessageId, UserId
from bot.runtime.clock import Clock

MESSAGES: Final = "/channels/{channel_id}/messages"
MESSAGE: Final = "/channels/{channel_id}/messages/{message_id}"
CHANNEL: Final = "/channels/{channel_id}"
THREAD_MEMBER: Final = "/channels/{channel_id}/thread-members/{user_id}"
EMOJIS: Final = "/applications/{application_id}/emojis"
_UNKNOWN: Final = 404
_THREAD_CREATED: Final = 18
_ANNOUNCED_IN_S: Final = 2.0
_LIFE_MINUTES: Final = 15
"""Lifetime of tokens (interactions/receiving-and-responding.mdx:432)."""

Made = tuple[str, Ids]
"""Path that deletes a created object, and its parameters."""
Undo = Callable[[Any], Made]
"""Function from the response to a creation to the `Made` that deletes it."""


class Thread(NamedTuple):
    """Thread that the doctor has started."""

    id: ChannelId
    members: int | None
    """Number of its members at the start; `None` if Discord does not send it."""
    announced: bool
    """True if its channel shows that it was started."""


@dataclass
class Visit:
    """Run of the doctor in a channel. `clean_up` deletes what `make` created."""

    api: Api
    """Sender of requests."""
    application_id: int
    """Id of the application, which is also that of its bot."""
    guild_id: GuildId
    """Id of the server."""
    channel_id: ChannelId
    """Id of the channel for the tests."""
    channel_name: str
    """Name of the channel without the `#`."""
    clock: Clock
    """Clock for the time of day, and for waiting."""
    keep: Callable[[OldMessage | None], Awaitable[None]]
    """Stores the message that is left for a later run, or `None`."""
    old_message: OldMessage | None = None
    """Message that an earlier run has left."""
    hand: Hand | None = None
    """Presses and answers of the operator; `None` without an operator."""
    may_delete_threads: bool = True
    """True if the bot has Manage Threads there."""
    left_behind: list[str] = field(default_factory=list)
    """Descriptions of objects that could not be deleted."""
    _made: list[Made] = field(default_factory=list)
    """Paths to delete, the oldest first."""
    _staying: int = 0
    """Number of them that remain to the end of the run."""

    @property
    def now(self) -> datetime:
        """Current time."""
        return self.clock.now()

    def new_nonce(self) -> str:
        """Return a nonce that no other message has."""
        return secrets.token_hex(12)

    @property
    def operator(self) -> Hand:
        """Hand of the operator. Raises `StepSkipped` without an operator."""
        if self.hand is None:
            raise StepSkipped("it needs a person")
        return self.hand

    # --- making and deleting --------------------------------------------------------------------

    async def make(
        self, path: str, ids: Ids, undo: Undo, *, json: Any, picture: str | None = None
    ) -> Answer:
        """Create an object, and remember how to delete it, even if cancelled meanwhile."""
        creating = asyncio.ensure_future(
            self.api.request("POST", path, ids, json=json, picture=picture_file(picture))
        )
        try:
            answer = await asyncio.shield(creating)
        except asyncio.CancelledError:
            self._remember(await creating, undo)
            raise
        self._remember(answer, undo)
        return answer

    def _remember(self, answer: Answer, undo: Undo) -> None:
        if answer.ok:
            self._made.append(undo(answer.body))

    async def post(
        self,
        json: Mapping[str, Any],
        *,
        picture: str | None = None,
        channel_id: ChannelId | None = None,
    ) -> Answer:
        """Post a message, by default in the channel of the visit."""
        place = channel_id or self.channel_id
        body = {"allowed_mentions": {"parse": []}, **json}

        def undo(message: Any) -> Made:
            return MESSAGE, {"channel_id": place, "message_id": int(message["id"])}

        return await self.make(MESSAGES, {"channel_id": place}, undo, json=body, picture=picture)

    async def edit(
        self, message: Mapping[str, Any], json: Mapping[str, Any], *, picture: str | None = None
    ) -> Answer:
        """Edit a message that was posted."""
        return await self.api.request(
            "PATCH",
            MESSAGE,
            message_ids(message),
            json=json,
            picture=picture_file(picture),
        )

    async def fetch(self, message: Mapping[str, Any]) -> Any:
        """Return the current state of a message."""
        answer = await self.api.request("GET", MESSAGE, message_ids(message))
        return require_success(answer, "fetch the message").body

    async def thread(self, name: str) -> Thread:
        """Start a public thread without a message."""
        answer = await self.make(
            "/channels/{channel_id}/threads",
            {"channel_id": self.channel_id},
            lambda thread: (CHANNEL, {"channel_id": int(thread["id"])}),
            json={"name": name, "type": 11, "auto_archive_duration": 60},
        )
        thread = require_success(answer, "start a thread").body
        thread_id = int(thread["id"])
        announced = await self._announcement(ChannelId(thread_id))
        if announced is not None:
            self._made.append((MESSAGE, message_ids(announced)))
        return Thread(ChannelId(thread_id), thread.get("member_count"), announced is not None)

    async def _announcement(self, thread_id: ChannelId) -> Any:
        """Return the message with which the channel shows a new thread, if there is one."""
        place, params = {"channel_id": self.channel_id}, {"after": str(thread_id), "limit": "10"}
        for pause_s in (0.0, _ANNOUNCED_IN_S):
            await self.clock.sleep(pause_s)
            newer = await self.api.request("GET", MESSAGES, place, params=params)
            for message in require_success(newer, "read the channel").body:
                about = (message.get("message_reference") or {}).get("channel_id")
                if message["type"] == _THREAD_CREATED and about in (None, str(thread_id)):
                    return message
        return None

    async def change_thread(self, thread_id: ChannelId, **json: Any) -> Answer:
        """Archive or open a thread."""
        return await self.api.request("PATCH", CHANNEL, {"channel_id": thread_id}, json=json)

    async def emoji(self) -> Answer:
        """Upload an emoji of the application."""
        image = base64.b64encode(picture_of(FIRST)).decode()
        ids: Ids = {"application_id": self.application_id}
        return await self.make(
            EMOJIS,
            ids,
            lambda emoji: (f"{EMOJIS}/{{emoji_id}}", {**ids, "emoji_id": int(emoji["id"])}),
            json={
                "name": f"doctor_{secrets.token_hex(4)}",
                "image": f"data:image/png;base64,{image}",
            },
        )

    def forget(self, message_id: MessageId) -> None:
        """Exclude a message from the clean-up."""
        self._made = [made for made in self._made if made[1].get("message_id") != message_id]

    def stay(self) -> None:
        """Keep everything created so far until the end of the run."""
        self._staying = len(self._made)

    async def clean_up(self, *, everything: bool = False) -> None:
        """Delete what the step created, the newest first; note what cannot be deleted."""
        while len(self._made) > (0 if everything else self._staying):
            path, ids = self._made[-1]
            if path == CHANNEL and not self.may_delete_threads:
                await self.change_thread(ChannelId(int(ids["channel_id"])), archived=True)
                self.left_behind.append(f"the thread <#{ids['channel_id']}> (Manage Threads)")
            else:
                try:
                    answer = await self.api.request("DELETE", path, ids)
                except Exception as error:  # noqa: BLE001 - the rest is to be deleted all the same
                    why = type(error).__name__
                else:
                    why = "" if answer.ok or answer.status == _UNKNOWN else str(answer)
                if why and "webhook_token" not in ids:  # private messages disappear by themselves
                    self.left_behind.append(f"{path.format_map(ids)} ({why})")
            self._made.pop()

    async def reply(self, press: Press, json: Mapping[str, Any], kind: int = NEW_ANSWER) -> None:
        """Respond to a press by a new private message, deleted at the end of the step."""
        private = {**json, "flags": int(json.get("flags", 0)) | EPHEMERAL}
        require_success(await press.answer(kind, private), "answer what you pressed")
        self._made.append(press.message())

    async def is_member(self, user_id: UserId, thread_id: ChannelId) -> bool:
        """Return whether somebody is a member of a thread."""
        answer = await self.api.request(
            "GET",
            THREAD_MEMBER,
            {"channel_id": thread_id, "user_id": user_id},
        )
        return answer.ok

    async def works_until(self, edit: Callable[[], Awaitable[Answer]]) -> str:
        """Return in words how long an edit works, if the operator agrees to wait."""
        question = f"Wait up to {_LIFE_MINUTES} minutes to see how long the token works?"
        if not await self.operator.wants(question):
            return "how long the token works was not looked at"
        for minute in range(1, _LIFE_MINUTES + 1):
            await self.clock.sleep(60.0)
            answer = await edit()
            if not answer.ok:
                return f"the token works for {minute - 1} minutes, then {answer}"
        return f"the token works for {_LIFE_MINUTES} minutes"


def message_ids(message: Mapping[str, Any]) -> Ids:
    """Return the path parameters of a message."""
    return {"channel_id": int(message["channel_id"]), "message_id": int(message["id"])}


def require_success(answer: Answer, what: str) -> Answer:
    """Return the response if the request was accepted. Raise `StepFailed` otherwise."""
    return require_decision(answer, what, refusals=())


def require_decision(answer: Answer, what: str, refusals: Sequence[int] = (400,)) -> Answer:
    """Return the response if the request was accepted, or refused with one of these statuses.

    Raise `StepFailed` for any other response, such as a 502: it reveals nothing of Discord's rules.
    """
    if answer.ok or answer.status in refusals:
        return answer
    said = f": {answer.body['message']}" if isinstance(answer.body, dict) else ""
    raise StepFailed(f"the doctor could not {what} ({answer}{said})")
