"""Steps 10, 11 and 16: rate limits (topics/rate-limits.mdx)."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import Final

from discord.utils import snowflake_time

from bot.doctor import bodies
from bot.doctor.api import Answer, Ids
from bot.doctor.behaviour import OldMessage
from bot.doctor.observation import Observation, StepSkipped
from bot.doctor.operator import LATER_UPDATE
from bot.doctor.step import Step
from bot.doctor.visit import EMOJIS, MESSAGE, Visit, message_ids, require_decision, require_success
from bot.ids import MessageId

_OLD: Final = timedelta(hours=1)
_MOST_OLD_EDITS: Final = 10
_TOO_MANY_OLD: Final = 30046
_UNKNOWN: Final = 404
_AT_ONCE: Final = 20
_PLANNED: Final = 5
"""Requests per channel in 5 s that the bot assumes."""


async def read_limits(visit: Visit) -> Observation:
    """Read the rate limits of several requests in Discord's headers."""
    created = await visit.post({"content": "Doctor: limits"})
    message = require_success(created, "post a message").body
    edited = await visit.edit(message, {"content": "Doctor: limits, edited"})
    deleted = await visit.api.request("DELETE", MESSAGE, message_ids(message))
    uploaded = await visit.emoji()
    emoji = require_success(uploaded, "upload an emoji").body
    removed = await visit.api.request(
        "DELETE",
        f"{EMOJIS}/{{emoji_id}}",
        {"application_id": visit.application_id, "emoji_id": int(emoji["id"])},
    )
    answers = {
        "create": created,
        "edit": edited,
        "delete": deleted,
        "emoji": uploaded,
        "emoji deleted": removed,
    }
    planned = all((answers[name].header("limit") or 0) >= _PLANNED for name in ("create", "edit"))
    return Observation(
        "; ".join(f"{name}: {_limit_text(answer)}" for name, answer in answers.items()),
        planned,
        "Nothing to set: the bot keeps to these headers, request by request. What it shows comes "
        "later where they are smaller.",
    )


def _limit_text(answer: Answer) -> str:
    limit, reset = answer.header("limit"), answer.header("reset_after")
    if limit is None:
        return f"{answer}, no limit named"
    return f"{answer}, {limit:.0f} requests, the next window in {reset or 0:.1f} s"


async def edit_old(visit: Visit) -> Observation:
    """Edit a message older than an hour several times (30046; its 429 is reported)."""
    old = visit.old_message
    if old is None:
        old = await _post_old_message(visit)
    written_at = snowflake_time(old.message_id)
    if visit.now - written_at < _OLD:
        next_time = f"{written_at + _OLD + timedelta(minutes=1):%H:%M} UTC"
        raise StepSkipped(
            f"its message must be an hour old: run `python -m bot doctor {visit.channel_id} "
            f"--steps 11` after {next_time}"
        )
    ids: Ids = {"channel_id": old.channel_id, "message_id": old.message_id}
    answers: list[Answer] = []
    while len(answers) < _MOST_OLD_EDITS:
        content = {"content": f"Doctor: edit {len(answers) + 1}"}
        answer = await visit.api.request("PATCH", MESSAGE, ids, json=content)
        if answer.status == _UNKNOWN:
            await visit.keep(None)
            raise StepSkipped("somebody has deleted its message: run this step again for a new one")
        answers.append(require_decision(answer, "edit the old message", refusals=(400, 429)))
        if not answer.ok:
            break
    require_success(await visit.api.request("DELETE", MESSAGE, ids), "delete the old message")
    await visit.keep(None)
    last, accepted = answers[-1], sum(answer.ok for answer in answers)
    if last.ok:
        return Observation(
            f"{accepted} edits were taken",
            False,
            "The bot goes on to edit old table messages, and does not replace them.",
            {"limits_old_edits": False},
        )
    wait = last.header("retry_after")
    wait_text = "" if wait is None else f", again after {wait:.0f} s"
    return Observation(
        f"{accepted} edits were taken, then {last}{wait_text}",
        (last.status, last.code) == (429, _TOO_MANY_OLD),
        "The bot replaces a table message before it is an hour old.",
        {"limits_old_edits": True},
    )


async def _post_old_message(visit: Visit) -> OldMessage:
    """Post the message for a later run, and store its id."""
    body = {"content": "Doctor: this message is for step 11, leave it here for more than an hour."}
    message = require_success(await visit.post(body), "post a message").body
    old = OldMessage(channel_id=visit.channel_id, message_id=MessageId(int(message["id"])))
    await visit.keep(old)
    visit.forget(old.message_id)
    return old


async def edit_by_token(visit: Visit) -> Observation:
    """Edit a public message many times by the token of a press on it."""
    operator = visit.operator
    key = operator.custom_id("Test 16")
    button = bodies.button("Test 16", key)
    require_success(await visit.post(bodies.page(bodies.text("Doctor"), button)), "post a button")
    press = await operator.press(key, f"Press **Test 16** in #{visit.channel_name}.")
    require_success(await press.answer(LATER_UPDATE), "answer the press")
    loop = asyncio.get_running_loop()
    started_at, responses_before = loop.time(), visit.api.answers
    answers = await asyncio.gather(
        *(
            press.edit(bodies.page(bodies.text(f"Doctor: edit {number}"), button))
            for number in range(1, _AT_ONCE + 1)
        )
    )
    duration = loop.time() - started_at
    accepted = sum(answer.ok for answer in answers)
    scopes = visit.api.limited(since=responses_before)
    limit = answers[-1].header("limit")
    limit_text = "no limit named" if limit is None else f"{limit:.0f} requests a window"
    lasted = await visit.works_until(lambda: press.edit(bodies.page(bodies.text("Doctor"), button)))
    return Observation(
        f"{accepted} of {_AT_ONCE} edits in {duration:.1f} s, {limit_text}, "
        f"{len(scopes)} times 429 ({', '.join(sorted({*scopes})) or 'none'}); {lasted}",
        accepted == _AT_ONCE and "global" not in scopes,
        "Nothing changes: hands keep to the headers. Tables are not edited by token yet "
        "(docs/scaling.md).",
    )


STEPS: Final = (
    Step(
        10,
        "Read the limits of creating, editing and deleting, and of emojis",
        "about 5 requests in 5 s for creating and editing; of emojis the headers may be wrong",
        read_limits,
    ),
    Step(
        11,
        "Edit a message up to 10 times that is older than an hour",
        "429/30046 after a few edits, with a time to wait",
        edit_old,
    ),
    Step(
        16,
        "Edit a public message 20 times by the token of one press",
        "about 5 edits in 2 s, no global 429",
        edit_by_token,
        needs_operator=True,
    ),
)
