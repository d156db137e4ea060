"""Steps 1 to 5 and 21: pictures in messages (resources/message.mdx, components/reference.mdx)."""

from __future__ import annotations

from collections.abc import Mapping
from statistics import median
from typing import Any, Final

from bot.doctor import bodies
from bot.doctor.bodies import FIRST, SECOND
from bot.doctor.observation import Observation
from bot.doctor.step import Step
from bot.doctor.visit import Visit, require_decision, require_success

_TIMED: Final = 5
"""Number of edits of each kind whose time is measured."""
_APART_S: Final = 1.5
"""Seconds between two measured edits, so that no rate limit delays them."""
SLOW_S: Final = 1.5
"""Longest median time in seconds of edits with a new picture, if hands are to be pictures."""
_INVALID: Final = (400, 50035)
_ALWAYS_LISTED: Final = "Nothing changes: the bot's edits always send the whole list of files."


async def _post_with_picture(visit: Visit) -> Mapping[str, Any]:
    """Post a message with the first picture, and return the message that Discord returns."""
    body = bodies.page(bodies.text("Doctor: a picture"), bodies.gallery(FIRST))
    answer = await visit.post({**body, "attachments": bodies.upload_list(FIRST)}, picture=FIRST)
    message: Mapping[str, Any] = require_success(answer, "post a picture").body
    return message


async def post_picture(visit: Visit) -> Observation:
    """Examine where a message has the id of its picture (#8277, #7611)."""
    message = await _post_with_picture(visit)
    listed, shown = len(message["attachments"]), bodies.gallery_attachment_id(message)
    effect = "The bot keeps a picture in edits by the id in the gallery."
    if shown is None:
        effect = "The bot never keeps a picture: each edit uploads it again."
    return Observation(
        f"attachments lists {listed} files; the gallery has {'an' if shown else 'no'} id",
        not listed and shown is not None,
        effect,
        {} if shown is not None else {"keeps_pictures_by_id": False},
    )


async def keep_picture(visit: Visit) -> Observation:
    """Examine whether an edit may refer to a kept file in a gallery (not documented)."""
    message = await _post_with_picture(visit)
    before = bodies.gallery_attachment_id(message)
    if before is None:
        return Observation(
            "the gallery has no id of its picture to be kept",
            False,
            "The bot never keeps a picture: each edit uploads it again.",
            {"keeps_pictures_by_id": False},
        )
    edited = bodies.page(bodies.text("Doctor: the same picture"), bodies.gallery(FIRST))
    answer = require_decision(
        await visit.edit(message, {**edited, "attachments": [{"id": before}]}), "edit the message"
    )
    after = bodies.gallery_attachment_id(answer.body) if answer.ok else None
    kept = answer.ok and after == before
    same = "" if not answer.ok else ", the same id" if kept else ", another id or none"
    return Observation(
        f"{answer}{same}",
        kept,
        "The bot keeps pictures by their id: each is uploaded once a message."
        if kept
        else "The bot never keeps a picture: each edit uploads it again, or shows words.",
        {"keeps_pictures_by_id": kept},
    )


async def drop_picture(visit: Visit) -> Observation:
    """Examine whether a gallery may refer to a file that the edit does not list."""
    message = await _post_with_picture(visit)
    edited = bodies.page(bodies.text("Doctor: no picture"), bodies.gallery(FIRST))
    answer = await visit.edit(message, {**edited, "attachments": []})
    return Observation(
        str(answer),
        (answer.status, answer.code) == _INVALID,
        "Nothing changes: this only shows that the list of step 2 is needed.",
    )


async def bring_picture(visit: Visit) -> Observation:
    """Examine whether an edit may upload a new file into a gallery (#7529)."""
    message = await _post_with_picture(visit)
    edited = bodies.page(bodies.text("Doctor: another picture"), bodies.gallery(SECOND))
    upload_list = {**edited, "attachments": bodies.upload_list(SECOND)}
    answer = require_decision(
        await visit.edit(message, upload_list, picture=SECOND), "edit the message"
    )
    after = bodies.gallery_attachment_id(answer.body) if answer.ok else None
    new = after not in (None, bodies.gallery_attachment_id(message))
    return Observation(
        f"{answer}{', a new id' if new else ', no new id' if answer.ok else ''}",
        answer.ok and new,
        "The bot brings each new picture with an edit of the table message."
        if answer.ok
        else "Pictures come with new messages only, from the next start on.",
        {"edits_bring_uploads": answer.ok},
    )


async def hide_picture(visit: Visit) -> Observation:
    """Examine what happens to a file that an edit neither lists nor shows (PATCH keeps it)."""
    message = await _post_with_picture(visit)
    require_success(
        await visit.edit(message, bodies.page(bodies.text("Doctor: words alone"))), "edit a message"
    )
    left = len((await visit.fetch(message))["attachments"])
    return Observation(
        "the file is kept, and nothing shows it" if left else "the file is gone",
        bool(left),
        _ALWAYS_LISTED,
    )


async def time_pictures(visit: Visit) -> Observation:
    """Measure how long edits with a new picture take, beside edits without one."""
    message = await _post_with_picture(visit)
    times: dict[str | None, list[float]] = {SECOND: [], None: []}
    for number in range(2 * _TIMED):
        picture = SECOND if number % 2 else None
        parts = [bodies.text(f"Doctor: edit {number}")]
        parts += [bodies.gallery(picture)] if picture else []
        files = bodies.upload_list(picture) if picture else []
        begin = visit.clock.now()
        edited = {**bodies.page(*parts), "attachments": files}
        require_success(await visit.edit(message, edited, picture=picture), "edit the message")
        times[picture].append((visit.clock.now() - begin).total_seconds())
        await visit.clock.sleep(_APART_S)
    with_picture, without = median(times[SECOND]), median(times[None])
    fast = with_picture <= SLOW_S
    return Observation(
        f"{with_picture:.1f} s with a new picture, {without:.1f} s without (medians)",
        fast,
        "Nothing changes: hands are pictures where people have not chosen otherwise."
        if fast
        else "Hands as pictures would be slow here: in `/tichu settings`, Look, set **Cards** to "
        "emojis as the default of your server.",
    )


STEPS: Final = (
    Step(
        1,
        "Post a picture in a gallery",
        "attachments is empty, and the gallery has the id of the picture",
        post_picture,
    ),
    Step(2, "Edit it and keep the picture by its id", "200, the same id", keep_picture),
    Step(3, "Edit it, drop the file but name it in the gallery", "400/50035", drop_picture),
    Step(4, "Edit it and bring another picture", "200, a new id", bring_picture),
    Step(
        5,
        "Edit it with neither a list of files nor a gallery",
        "the file is kept, and nothing shows it",
        hide_picture,
    ),
    Step(
        21,
        "Time edits with a new picture and without one",
        f"at most {SLOW_S:.1f} s with a new picture, in the median",
        time_pictures,
    ),
)
