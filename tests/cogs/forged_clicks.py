"""Forged clicks that no Discord client would send, on controls that were never shown."""

from __future__ import annotations

import random
from collections.abc import Collection, Sequence
from copy import deepcopy
from typing import Any

from simcord import ChannelHandle, InteractionResult, ResponseMessage, interactions
from simcord.backend import serializers

from cogs.pages.verbs import Verb
from tests.simcord_clicks import Person

_COMPONENT = 3
_BUTTON, _SELECT, _ROW = 2, 3, 1
VERBS = (*(verb for verb in Verb if verb is not Verb.TO_COMPUTER), "no-such-verb", "a")
"""Every verb but the one for leaving a match, and some unknown ones."""
ARGUMENTS = (
    *("", "-", "yes", "no", "on", "off", "0", "1", "9" * 60, "f" * 60, "1f00", "1f00.5", "..."),
    *("-,-,-", "S8,J3,P4", "S8,S8,S8", "S8_2,J3,P4", "DRAGON,DOG,PHOENIX", "S8", "2.14", "٣"),
    *("zz", "S8" * 30, "10000000000000", "0.0", "1.2.3", "on.1.0", "off.1.0", "on." + "9" * 50),
    *("1.0.0.on", "1.own.0.off"),
    *("1.0.open.on", "1.99.public.on", "0.0.open.", "0.0.0.older", "1.1.1.newer"),
)
VALUES = (
    *("", "none", "0", "1", "3", "14", "-1", "99999999999", "S8", "DRAGON", "S8#2", "S9#9", "1f00"),
    *("f" * 100, "1." + "9" * 90, "game", "no-such-topic", "²", "x" * 100, "1.2.3.4.5", " "),
    *("txt.round", "json.match", "tch.match", "exe.round"),
)


async def forge(
    person: Person, message: ResponseMessage, custom_id: str, values: Sequence[str] | None = None
) -> InteractionResult:
    """Click a forged button, or choose in a forged select, on this message."""
    return await forge_use(person, message, *control_and_data(custom_id, values))


def control_and_data(
    custom_id: str, values: Sequence[str] | None
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return a button, or a select with these values, and the interaction data of its use."""
    if values is None:
        button = {"type": _BUTTON, "style": 2, "label": "?", "custom_id": custom_id}
        return button, {"custom_id": custom_id, "component_type": _BUTTON}
    options = [{"label": "?", "value": value} for value in values]
    select = {"type": _SELECT, "custom_id": custom_id, "options": options}
    return select, {"custom_id": custom_id, "component_type": _SELECT, "values": list(values)}


async def forge_use(
    person: Person, message: ResponseMessage, control: dict[str, Any], data: dict[str, Any]
) -> InteractionResult:
    """Use any control as if it was on this message, with this interaction `data`."""
    payload = message_with(person, message, control)
    return await person.member._dispatch_interaction(
        _COMPONENT,
        person.channel,
        data,
        extra={"message": payload},
        source_message_id=message.id,
    )


def message_with(
    person: Person, message: ResponseMessage, control: dict[str, Any]
) -> dict[str, Any]:
    """Return the payload of a message with this control alone."""
    payload = deepcopy(dict(serializers.message_payload(person.env.backend, message._message)))
    payload["components"] = [{"type": _ROW, "components": [control]}]
    return payload


async def forge_from(
    person: Person,
    place: ChannelHandle,
    message: ResponseMessage,
    custom_id: str,
    values: Sequence[str] | None = None,
) -> InteractionResult:
    """Click like `forge` from any place, visible or not.

    The place may be a channel of another guild of the user, or their direct messages.
    """
    backend = person.env.backend
    control, data = control_and_data(custom_id, values)
    record, payload = interactions.base_payload(
        backend,
        type=_COMPONENT,
        channel_id=place.id,
        guild_id=backend.get_channel(place.id).guild_id,
        user_id=person.id,
        data=data,
    )
    payload["message"] = message_with(person, message, control)
    record.source_message_id = message.id
    backend.emit("INTERACTION_CREATE", payload)
    await person.env.settle()
    return InteractionResult(person.env, record)


async def forge_anything(
    person: Person,
    message: ResponseMessage,
    rng: random.Random,
    table_id: int,
    revision: int,
    *,
    without: Collection[str] = (),
) -> InteractionResult:
    """Send a random forged click, often for a real table and its current revision.

    It uses none of the verbs in `without`.
    """
    verb = rng.choice([verb for verb in VERBS if verb not in without])
    table = rng.choice([table_id, table_id, table_id, 0, 99, 10**15 - 1])
    revision = rng.choice(
        [revision, revision, revision, 0, max(0, revision - 1), revision + 1, 10**9 - 1]
    )
    seat = rng.choice(["", "", "", "@0", "@3", "@99"])
    about = rng.choice([f"{table}:{revision}{seat}:"] * 4 + [""])
    ending = f"{about}{verb}:{rng.choice(ARGUMENTS)}"
    if rng.random() < 0.5:
        return await forge(person, message, f"b:{ending}")
    values = rng.choices(VALUES, k=rng.choice([0, 1, 1, 1, 2, 25]))
    return await forge(person, message, f"s:{ending}", values)
