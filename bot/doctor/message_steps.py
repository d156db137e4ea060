"""Steps 6 to 8: nonces, lengths and default values."""

from __future__ import annotations

from typing import Final

from discord.utils import time_snowflake

from bot.doctor import bodies
from bot.doctor.api import Answer
from bot.doctor.bodies import FIRST
from bot.doctor.observation import Observation
from bot.doctor.step import Step
from bot.doctor.visit import MESSAGE, Visit, message_ids, require_success

_MOST_CHARACTERS: Final = 4000
_MOST_COMPONENTS: Final = 40
_MOST_ALT: Final = 1024
_THUMB: Final = "👍"
_ROLES, _CHANNELS = 6, 8
_UNKNOWN_MESSAGE: Final = 10008


async def repeat_nonce(visit: Visit) -> Observation:
    """Create messages with one nonce (resources/message.mdx, "Create Message"; #6647)."""
    thread = await visit.thread("Doctor, step 6")
    body = {"content": "Doctor: once", "nonce": visit.new_nonce(), "enforce_nonce": True}
    first = require_success(await visit.post(body), "post a message").body
    again = require_success(await visit.post(body), "post a message").body
    other = await visit.post(body, channel_id=thread.id)
    await visit.api.request("DELETE", MESSAGE, message_ids(first))
    deleted = await visit.post(body)
    same = again["id"] == first["id"]
    elsewhere = "refused" if not other.ok else "another message"
    if other.ok and other.body["id"] == first["id"]:
        elsewhere = "the same message"
    gone = deleted.code == _UNKNOWN_MESSAGE
    return Observation(
        f"in one channel {'the same message' if same else 'another message'}; in a thread beside "
        f"it {elsewhere} ({other}); after the first was deleted {deleted}",
        same and gone,
        "The bot's nonces name the channel, so that it does not matter; a create that is answered "
        "with 10008 is sent again with another nonce."
        if same
        else "A message may come twice when an answer was lost: report it.",
    )


async def count_characters(visit: Visit) -> Observation:
    """Examine how Discord counts texts, components and alt texts (#8562; reference.mdx:18)."""

    async def takes(*parts: bodies.Part) -> Answer:
        return await visit.post(bodies.page(*parts))

    async def takes_text(content: str) -> Answer:
        return await takes(bodies.text(content))

    async def takes_alt(length: int) -> Answer:
        body = bodies.page(bodies.gallery(FIRST, "a" * length))
        return await visit.post({**body, "attachments": bodies.upload_list(FIRST)}, picture=FIRST)

    async def takes_parts(number: int) -> Answer:
        return await takes(bodies.frame(*(bodies.text("a") for _ in range(number - 1))))

    emoji = require_success(await visit.emoji(), "upload an emoji").body
    markup = f"<:{emoji['name']}:{emoji['id']}>"
    most = _MOST_CHARACTERS
    fits = most // len(markup)
    limits = [
        [await takes_text("a" * most), await takes_text("a" * (most + 1))],
        [await takes_parts(_MOST_COMPONENTS), await takes_parts(_MOST_COMPONENTS + 1)],
        [await takes_alt(_MOST_ALT), await takes_alt(_MOST_ALT + 1)],
    ]
    thumbs = [await takes_text(_THUMB * number) for number in (most // 2, most // 2 + 1, most)]
    emojis = [await takes_text(markup * number) for number in (fits, fits + 1)]
    as_planned = all(allowed.ok and not over.ok for allowed, over in limits)
    safe = all(allowed.ok for allowed, _ in limits) and thumbs[0].ok and emojis[0].ok
    text, parts, alt = (f"{allowed} and {over}" for allowed, over in limits)
    thumb = "one character" if thumbs[2].ok else "two" if not thumbs[1].ok else "less than two"
    return Observation(
        f"{most} and {most + 1} characters: {text}; {_MOST_COMPONENTS} and "
        f"{_MOST_COMPONENTS + 1} components: {parts}; alt text {_MOST_ALT} and {_MOST_ALT + 1}: "
        f"{alt}; {_THUMB} counts as {thumb}; custom emojis count "
        f"{'less than' if emojis[1].ok else 'with'} their markup",
        as_planned,
        "Nothing changes: the bot counts such a sign as two and custom emojis with their markup, "
        "which is right or safe."
        if safe
        else "Long pages of the bot may be refused: report it.",
    )


async def choose_unknown(visit: Visit) -> Observation:
    """Show selects whose default value does not exist."""
    gone = time_snowflake(visit.now)
    role, channel = [
        await visit.post(
            {
                "content": "Doctor: nothing to choose",
                "components": [bodies.select(kind, "doctor:select", gone, name)],
            }
        )
        for kind, name in ((_ROLES, "role"), (_CHANNELS, "channel"))
    ]
    known = [answer.status in (200, 400) for answer in (role, channel)]
    return Observation(
        f"role: {role}; channel: {channel}",
        all(known),
        "Nothing changes: the bot leaves out roles and channels that are gone.",
    )


STEPS: Final = (
    Step(
        6,
        "Create messages with one nonce",
        "the same message; 404/10008 after it was deleted",
        repeat_nonce,
    ),
    Step(
        7,
        "Post the longest texts, most components, longest alt text, and more",
        "4000 characters, 40 components and 1024 characters of alt text are taken, one more is "
        "not; how emojis count is unknown",
        count_characters,
    ),
    Step(
        8,
        "Show a role and a channel as chosen that do not exist",
        "200 without them, or 400",
        choose_unknown,
    ),
)
