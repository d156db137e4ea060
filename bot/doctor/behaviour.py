"""Behaviour of Discord that affects the bot, and the stored findings of the doctor."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from bot.ids import ChannelId, MessageId
from bot.storage.app_state import AppStateStore
from bot.storage.errors import StorageError

log = logging.getLogger(__name__)

_KEY: Final = "discord-behaviour"


class _Stored(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class DiscordBehaviour(_Stored):
    """Facts about Discord that change what the bot does. The defaults are the expected values."""

    keeps_pictures_by_id: bool = True
    """True if an edit keeps a picture by the id in its gallery (steps 1 and 2)."""
    edits_bring_uploads: bool = True
    """True if an edit may upload a new picture into a gallery (step 4)."""
    announces_threads: bool = True
    """True if the channel shows that a thread was started there (step 9)."""
    limits_old_edits: bool = True
    """True if messages older than an hour take few edits (step 11)."""
    adds_members_by: Literal["put", "mention"] = "put"
    """Quieter way to add people to a thread: a request, or an edit with a mention (step 19)."""

    def unexpected(self) -> dict[str, Any]:
        """Return the fields with unexpected values."""
        return self.model_dump(exclude_defaults=True)


class Finding(_Stored):
    """Result of a step, and its effect on the bot."""

    observed: str
    as_expected: bool
    effect: str
    at: datetime


class OldMessage(_Stored):
    """Message that step 11 leaves, so that a later run can edit and delete it."""

    channel_id: ChannelId
    message_id: MessageId


class Findings(_Stored):
    """All stored results of the doctor."""

    behaviour: DiscordBehaviour = DiscordBehaviour()
    steps: Mapping[int, Finding] = Field(default_factory=dict)
    """Newest finding of each step, by its number."""
    old_message: OldMessage | None = None

    def with_finding(
        self, step: int, finding: Finding, behaviour_changes: Mapping[str, Any]
    ) -> Findings:
        """Return the findings with a new one, and with the changes of behaviour that it implies."""
        return self.model_copy(
            update={
                "behaviour": self.behaviour.model_copy(update=behaviour_changes),
                "steps": {**self.steps, step: finding},
            }
        )


class FindingsStore:
    """Stores the findings in the database, as JSON under one key."""

    def __init__(self, app_state: AppStateStore) -> None:
        self._app_state = app_state

    async def load(self) -> Findings:
        """Return the stored findings, or if they are unreadable, log that and return none."""
        try:
            stored = await self._app_state.value(_KEY)
            return Findings() if stored is None else Findings.model_validate_json(stored)
        except (StorageError, ValidationError) as problem:
            kind = type(problem).__name__
            log.warning("ignoring the doctor's unreadable findings (%s)", kind)
            return Findings()

    async def save(self, findings: Findings) -> None:
        """Store the findings. Raise `StorageError`."""
        await self._app_state.keep(_KEY, findings.model_dump_json())


async def known_behaviour(app_state: AppStateStore) -> DiscordBehaviour:
    """Return Discord's behaviour as the doctor found it, and log unexpected fields."""
    behaviour = (await FindingsStore(app_state).load()).behaviour
    if unexpected := behaviour.unexpected():
        listed = ", ".join(f"{name}={value}" for name, value in unexpected.items())
        log.info("applying the doctor's findings: %s", listed)
    return behaviour
