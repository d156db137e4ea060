"""Context of a step: its channel, requests, operator and clean-up."""

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
from bot.doctor.observation import StepFailed, StepSkipped
from bot.doctor.operator import NEW_ANSWER, Operator, Press
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
"""Lifetime of interaction tokens (interactions/receiving-and-responding.mdx:432)."""

Deletion = tuple[str, Ids]
"""Path of the request that deletes an object, and its parameters."""
DeletionOf = Callable[[Any], Deletion]
"""Function that returns the deletion of an object, given the response to its creation."""


class Thread(NamedTuple):
    """Thread that the doctor has started."""

    id: ChannelId
    members: int | None
    """Number of members at the start; `None` if Discord does not send it."""
    announced: bool
    """True if a message in the channel announces the thread."""


@dataclass
class Visit:
    """Run of the doctor in a channel. `clean_up` deletes the objects that `create` created."""

    api: Api
    """Sender of requests."""
    application_id: int
    """Id of the application, and of its bot user."""
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
    operator_if_present: Operator | None = None
    """Operator who presses and answers; `None` if there is none."""
    may_delete_threads: bool = True
    """True if the bot has Manage Threads there."""
    left_behind: list[str] = field(default_factory=list)
    """Descriptions of objects that could not be deleted."""
    _deletions: list[Deletion] = field(default_factory=list)
    """Deletions of created objects, the oldest object first."""
    _kept_count: int = 0
    """Number of objects, the oldest ones, that are deleted only at the end of the run."""

    @property
    def now(self) -> datetime:
        """Current time."""
        return self.clock.now()

    def new_nonce(self) -> str:
        """Return a nonce that no other message has."""
        return secrets.token_hex(12)

    @property
    def operator(self) -> Operator:
        """Operator of this run. Raise `StepSkipped` if there is none."""
        if self.operator_if_present is None:
            raise StepSkipped("it needs a person")
        return self.operator_if_present

    # --- creating and deleting ------------------------------------------------------------------

    async def create(
        self, path: str, ids: Ids, deletion_of: DeletionOf, *, json: Any, picture: str | None = None
    ) -> Answer:
        """Create an object, and remember its deletion, even if the caller is cancelled."""
        request = asyncio.ensure_future(
            self.api.request("POST", path, ids, json=json, picture=picture_file(picture))
        )
        try:
            answer = await asyncio.shield(request)
        except asyncio.CancelledError:
            self._remember_deletion(await request, deletion_of)
            raise
        self._remember_deletion(answer, deletion_of)
        return answer

    def _remember_deletion(self, answer: Answer, deletion_of: DeletionOf) -> None:
        if answer.ok:
            self._deletions.append(deletion_of(answer.body))

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

        def deletion_of(message: Any) -> Deletion:
            return MESSAGE, {"channel_id": place, "message_id": int(message["id"])}

        return await self.create(
            MESSAGES, {"channel_id": place}, deletion_of, json=body, picture=picture
        )

    async def edit(
        self, message: Mapping[str, Any], json: Mapping[str, Any], *, picture: str | None = None
    ) -> Answer:
        """Edit a message of the bot."""
        return await self.api.request(
            "PATCH",
            MESSAGE,
            message_ids(message),
            json=json,
            picture=picture_file(picture),
        )

    async def fetch(self, message: Mapping[str, Any]) -> Any:
        """Fetch a message and return it."""
        answer = await self.api.request("GET", MESSAGE, message_ids(message))
        return require_success(answer, "fetch the message").body

    async def thread(self, name: str) -> Thread:
        """Start a public thread without a message."""
        answer = await self.create(
            "/channels/{channel_id}/threads",
            {"channel_id": self.channel_id},
            lambda thread: (CHANNEL, {"channel_id": int(thread["id"])}),
            json={"name": name, "type": 11, "auto_archive_duration": 60},
        )
        thread = require_success(answer, "start a thread").body
        thread_id = int(thread["id"])
        announced = await self._announcement(ChannelId(thread_id))
        if announced is not None:
            self._deletions.append((MESSAGE, message_ids(announced)))
        return Thread(ChannelId(thread_id), thread.get("member_count"), announced is not None)

    async def _announcement(self, thread_id: ChannelId) -> Any:
        """Return the message that announces a new thread in the channel, if there is one."""
        channel, params = {"channel_id": self.channel_id}, {"after": str(thread_id), "limit": "10"}
        for pause_s in (0.0, _ANNOUNCED_IN_S):
            await self.clock.sleep(pause_s)
            newer = await self.api.request("GET", MESSAGES, channel, params=params)
            for message in require_success(newer, "read the channel").body:
                announced_id = (message.get("message_reference") or {}).get("channel_id")
                if message["type"] == _THREAD_CREATED and announced_id in (None, str(thread_id)):
                    return message
        return None

    async def change_thread(self, thread_id: ChannelId, **json: Any) -> Answer:
        """Change fields of a thread, such as `archived`."""
        return await self.api.request("PATCH", CHANNEL, {"channel_id": thread_id}, json=json)

    async def emoji(self) -> Answer:
        """Upload an emoji of the application."""
        image = base64.b64encode(picture_of(FIRST)).decode()
        ids: Ids = {"application_id": self.application_id}
        return await self.create(
            EMOJIS,
            ids,
            lambda emoji: (f"{EMOJIS}/{{emoji_id}}", {**ids, "emoji_id": int(emoji["id"])}),
            json={
                "name": f"doctor_{secrets.token_hex(4)}",
                "image": f"data:image/png;base64,{image}",
            },
        )

    def forget(self, message_id: MessageId) -> None:
        """Do not delete this message in the clean-up."""
        self._deletions = [
            deletion for deletion in self._deletions if deletion[1].get("message_id") != message_id
        ]

    def keep_to_the_end(self) -> None:
        """Keep all objects created so far until the end of the run."""
        self._kept_count = len(self._deletions)

    async def clean_up(self, *, everything: bool = False) -> None:
        """Delete the objects that the step created, the newest first.

        With `everything`, also delete objects that were kept to the end. Objects that cannot be
        deleted are added to `left_behind`.
        """
        while len(self._deletions) > (0 if everything else self._kept_count):
            path, ids = self._deletions[-1]
            if path == CHANNEL and not self.may_delete_threads:
                await self.change_thread(ChannelId(int(ids["channel_id"])), archived=True)
                self.left_behind.append(f"the thread <#{ids['channel_id']}> (Manage Threads)")
            else:
                try:
                    answer = await self.api.request("DELETE", path, ids)
                except Exception as error:  # noqa: BLE001 - the rest is to be deleted all the same
                    reason = type(error).__name__
                else:
                    reason = "" if answer.ok or answer.status == _UNKNOWN else str(answer)
                is_private = "webhook_token" in ids  # such messages disappear by themselves
                if reason and not is_private:
                    self.left_behind.append(f"{path.format_map(ids)} ({reason})")
            self._deletions.pop()

    async def reply(self, press: Press, json: Mapping[str, Any], kind: int = NEW_ANSWER) -> None:
        """Respond to a press with a private message, which is deleted after the step."""
        private = {**json, "flags": int(json.get("flags", 0)) | EPHEMERAL}
        require_success(await press.answer(kind, private), "answer what you pressed")
        self._deletions.append(press.message())

    async def is_member(self, user_id: UserId, thread_id: ChannelId) -> bool:
        """Return whether somebody is a member of a thread."""
        answer = await self.api.request(
            "GET",
            THREAD_MEMBER,
            {"channel_id": thread_id, "user_id": user_id},
        )
        return answer.ok

    async def works_until(self, edit: Callable[[], Awaitable[Answer]]) -> str:
        """Return in words for how long an edit works, if the operator agrees to wait."""
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

    Raise `StepFailed` for other responses, such as a 502, because they reveal no rule of Discord.
    """
    if answer.ok or answer.status in refusals:
        return answer
    reason = f": {answer.body['message']}" if isinstance(answer.body, dict) else ""
    raise StepFailed(f"the doctor could not {what} ({answer}{reason})")
