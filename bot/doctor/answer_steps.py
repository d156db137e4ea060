"""Steps 13 to 15: answers to presses (interactions/receiving-and-responding.mdx)."""

from __future__ import annotations

from typing import Any, Final

from bot.doctor import bodies
from bot.doctor.bodies import FIRST
from bot.doctor.observation import Observation
from bot.doctor.operator import COMMAND, LATER_ANSWER, LATER_UPDATE, UPDATE, Press
from bot.doctor.step import Step
from bot.doctor.visit import Visit, require_success


async def defer_command(visit: Visit) -> Observation:
    """Finish a deferred command by a follow-up, then edit it by its id and as `@original`."""
    press = await visit.operator.press(COMMAND, f"Send `/{COMMAND}` in #{visit.channel_name}.")
    await visit.reply(press, {}, LATER_ANSWER)
    page = bodies.page(bodies.text("Doctor"), bodies.gallery(FIRST))
    first = await press.follow_up({**page, "attachments": bodies.upload_list(FIRST)}, picture=FIRST)
    message = require_success(first, "send a follow-up").body
    edited = bodies.page(bodies.text("Doctor: edited"))
    by_id = await press.edit({**edited, "attachments": []}, str(message["id"]))
    original = await press.edit({**edited, "attachments": []})
    return Observation(
        f"by the id {by_id}, as @original {original}",
        by_id.ok and original.ok,
        "Nothing changes: the bot finishes a deferred answer as @original alone."
        if original.ok
        else "The bot finishes deferred answers as @original, which fails here: report it.",
    )


async def private_page(visit: Visit) -> Observation:
    """Edit a private page by the tokens of the last press on it and of an earlier press."""
    operator = visit.operator
    opening_button, page_button = operator.custom_id("Test 14"), operator.custom_id("Page 14")
    public = bodies.page(bodies.text("Doctor"), bodies.button("Test 14", opening_button))
    require_success(await visit.post(public), "post a button")

    def page_with(words: str) -> dict[str, Any]:
        again = bodies.button("Page 14", page_button)
        return bodies.page(bodies.text(f"Doctor: {words}"), again)

    opened = await operator.press(opening_button, f"Press **Test 14** in #{visit.channel_name}.")
    await visit.reply(opened, page_with("a private page"))
    first = await operator.press(page_button, "Press **Page 14** on the private page.")
    require_success(await first.answer(LATER_UPDATE), "answer the press")
    edited = await first.edit(page_with("edited"))
    beside = {"content": "Doctor: beside it", "flags": bodies.EPHEMERAL}
    followed = require_success(await first.follow_up(beside), "send a follow-up").body
    deleted = await first.delete(str(followed["id"]))
    second = await operator.press(page_button, "Press **Page 14** once more.")
    require_success(await second.answer(LATER_UPDATE), "answer the press")
    earlier = await first.edit(page_with("edited by the press before"))
    lasted = await visit.works_until(lambda: first.edit(page_with("still edited")))
    page_deleted = await second.delete()
    all_ok = edited.ok and deleted.ok and earlier.ok and page_deleted.ok
    return Observation(
        f"edit {edited}, follow-up deleted {deleted}, edit by the press before {earlier}, page "
        f"deleted {page_deleted}; {lasted}",
        all_ok,
        "Nothing changes: the bot edits a hand while its token lives; then **My hand** opens a new "
        "one.",
    )


async def update_without_list(visit: Visit) -> Observation:
    """Answer a press with type 7 and no list of files (#6277)."""
    operator = visit.operator
    key = operator.custom_id("Test 15")
    parts = bodies.text("Doctor"), bodies.gallery(FIRST), bodies.button("Test 15", key)
    body = {**bodies.page(*parts), "attachments": bodies.upload_list(FIRST)}
    message = require_success(await visit.post(body, picture=FIRST), "post a button").body
    press: Press = await operator.press(key, f"Press **Test 15** in #{visit.channel_name}.")
    answer = await press.answer(UPDATE, bodies.page(bodies.text("Doctor: words alone")))
    require_success(answer, "answer the press")
    left = len((await visit.fetch(message))["attachments"])
    return Observation(
        "the picture is kept" if left else "the picture is gone",
        not left,
        "Nothing changes: the bot always sends the whole list of files.",
    )


STEPS: Final = (
    Step(
        13,
        "Defer a command, send a follow-up, edit it by its id and as @original",
        "both edits work",
        defer_command,
        needs_operator=True,
    ),
    Step(
        14,
        "Edit a private page by the tokens of two presses, send a follow-up, delete both",
        "all of it works; a token lives for 15 minutes",
        private_page,
        needs_operator=True,
    ),
    Step(
        15,
        "Answer a press on a public picture without a list of files",
        "the picture is gone",
        update_without_list,
        needs_operator=True,
    ),
)
