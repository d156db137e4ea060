"""Steps 9, 18 and 19: threads (topics/threads.mdx)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from bot.doctor import bodies
from bot.doctor.observation import Observation
from bot.doctor.operator import LATER_UPDATE, Operator
from bot.doctor.step import Step
from bot.doctor.visit import CHANNEL, MESSAGES, THREAD_MEMBER, Visit, require_success
from bot.ids import ChannelId, UserId

_CLOSED: Final = 50083
_RECIPIENT_ADD: Final = 1
_REQUEST: Final = "Doctor 19, by a request"
_MENTION: Final = "Doctor 19, by a mention"
_DEVICES: Final = ("on the desktop", "in a browser", "on a phone")


async def start_thread(visit: Visit) -> Observation:
    """Start a thread without a message, archive it, and reopen it."""
    thread_id, members, announced = await visit.thread("Doctor, step 9")
    posted = require_success(
        await visit.post({"content": "Doctor: in the thread"}, channel_id=thread_id), "post"
    ).body
    require_success(await visit.change_thread(thread_id, archived=True), "archive the thread")
    edited = await visit.edit(posted, {"content": "Doctor: edited"})
    reopened = await visit.post({"content": "Doctor: open it"}, channel_id=thread_id)
    open_after_post = not (await _thread_metadata(visit, thread_id))["archived"]
    await visit.change_thread(thread_id, archived=True)
    patched = await visit.change_thread(thread_id, archived=False)
    expected = (edited.status, edited.code) == (400, _CLOSED)
    opens = reopened.ok and open_after_post and patched.ok
    many = "unknown how many members" if members is None else f"members at once: {members}"
    return Observation(
        f"the channel shows {'that' if announced else 'nothing when'} it was started; "
        f"{many}; edit while archived: {edited}; "
        f"a post {'opens it' if reopened.ok and open_after_post else 'does not'} ({reopened}); "
        f"opened by PATCH: {patched}",
        announced and (members or 1) == 1 and expected and opens,
        "The channel shows the thread by itself."
        if announced
        else "The bot posts a line with a link to each new thread in its channel.",
        {"announces_threads": announced},
    )


async def _thread_metadata(visit: Visit, thread_id: ChannelId) -> Any:
    channel = await visit.api.request("GET", CHANNEL, {"channel_id": thread_id})
    return require_success(channel, "look at the thread").body["thread_metadata"]


async def press_in_archived(visit: Visit) -> Observation:
    """Have somebody press in an archived thread, first not as a member, then as one (#8474)."""
    operator = visit.operator
    thread_id, key = await _thread_with_button(visit, operator, "Doctor, step 18", "In the thread")
    stranger = await _ask_for_a_press(
        visit,
        operator,
        "Test 18",
        "With a second account that has never written in this server's threads, press **Test 18** "
        f"in #{visit.channel_name}.",
    )
    before = await _press_on_each_device(visit, key, thread_id, "The second account is no member")
    require_success(await visit.change_thread(thread_id, archived=False), "open the thread")
    added = await _add_member(visit, thread_id, stranger)
    after = await _press_on_each_device(visit, key, thread_id, "The second account is a member now")
    return Observation(
        f"before it was added: {_device_list(before)}; added: {added}; "
        f"after: {_device_list(after)}",
        before == [True, False, False] and all(after),
        "The bot adds people to the thread of their table when they sit down.",
    )


async def add_quietly(visit: Visit) -> Observation:
    """Add somebody to two threads, by a request and by an edit with a mention (needle #107)."""
    operator = visit.operator
    user_id = await _ask_for_a_press(
        visit,
        operator,
        "Test 19",
        "With an account that is no member of the doctor's threads (a second one, or yours), press "
        f"**Test 19** in #{visit.channel_name}.",
    )
    by_request = (await visit.thread(_REQUEST)).id
    by_mention = (await visit.thread(_MENTION)).id
    line = require_success(
        await visit.post({"content": "Doctor: for you"}, channel_id=by_mention), "post"
    ).body
    put = await _add_member(visit, by_request, user_id)
    mention = {"content": f"Doctor: for you, <@{user_id}>"}
    edited = await visit.edit(
        line, {**mention, "allowed_mentions": {"parse": [], "users": [str(user_id)]}}
    )
    in_list, quiet, announced = {}, {}, {}
    for way, name, thread_id in (("put", _REQUEST, by_request), ("mention", _MENTION, by_mention)):
        in_list[way] = await visit.is_member(user_id, thread_id) and await operator.ask(
            f"Is the thread “{name}” in that account's list of channels?"
        )
        quiet[way] = not await operator.ask(f"Did that account get a ping for “{name}”?")
        announced[way] = await _shows_that_somebody_was_added(visit, thread_id)
    works = {way: in_list[way] and quiet[way] for way in in_list}
    request_is_worse = not works["put"] or (announced["put"] and not announced["mention"])
    way = "mention" if works["mention"] and request_is_worse else "put"
    return Observation(
        "; ".join(
            f"{name} ({answer}): {'in the list' if in_list[key] else 'not in the list'}, "
            f"{'no ping' if quiet[key] else 'a ping'}, "
            f"{'a' if announced[key] else 'no'} line in the thread"
            for key, name, answer in (
                ("put", "request", put),
                ("mention", "edit with a mention", edited),
            )
        ),
        works["put"] and works["mention"],
        "The bot adds people by a request."
        if way == "put"
        else "The bot adds people by an edit that mentions them.",
        {"adds_members_by": way},
    )


async def _shows_that_somebody_was_added(visit: Visit, thread_id: ChannelId) -> bool:
    """Return whether the thread shows that somebody was added (threads.mdx, RECIPIENT_ADD)."""
    answer = await visit.api.request("GET", MESSAGES, {"channel_id": thread_id})
    messages: Sequence[Mapping[str, Any]] = require_success(answer, "read the thread").body
    return any(message["type"] == _RECIPIENT_ADD for message in messages)


# --- shared by these steps ------------------------------------------------------------------


async def _thread_with_button(
    visit: Visit, operator: Operator, name: str, label: str
) -> tuple[ChannelId, str]:
    """Start a thread with a button in it; return the ids of both."""
    thread_id, key = (await visit.thread(name)).id, operator.custom_id(label)
    page = bodies.page(bodies.text("Doctor"), bodies.button(label, key))
    require_success(await visit.post(page, channel_id=thread_id), "post in the thread")
    return thread_id, key


async def _ask_for_a_press(
    visit: Visit, operator: Operator, label: str, instruction: str
) -> UserId:
    """Have somebody press a button in the channel; return their id."""
    key = operator.custom_id(label)
    page = bodies.page(bodies.text("Doctor"), bodies.button(label, key))
    require_success(await visit.post(page), "post a button")
    press = await operator.press(key, instruction)
    await visit.reply(press, {"content": "Thank you."})
    return press.user_id


async def _press_on_each_device(
    visit: Visit, key: str, thread_id: ChannelId, who: str
) -> list[bool]:
    """Have somebody press on each device; return whether each press reached the bot.

    The thread is archived before each press, as the previous one may have reopened it.
    """
    link = f"https://discord.com/channels/{visit.guild_id}/{thread_id}"
    reached = []
    for device in _DEVICES:
        answer = await visit.change_thread(thread_id, archived=True)
        if answer.code != _CLOSED:
            require_success(answer, "archive the thread")
        press = await visit.operator.try_press(
            key,
            f"{who}: press the button at {link} {device}. (Enter: that is not possible, or Discord "
            "shows an error.)",
        )
        if press is not None:
            await press.answer(LATER_UPDATE)
        reached.append(press is not None)
    return reached


def _device_list(reached: list[bool]) -> str:
    return ", ".join(
        f"{device} {'yes' if there else 'no'}"
        for device, there in zip(_DEVICES, reached, strict=True)
    )


async def _add_member(visit: Visit, thread_id: ChannelId, user_id: UserId) -> Any:
    return await visit.api.request(
        "PUT",
        THREAD_MEMBER,
        {"channel_id": thread_id, "user_id": user_id},
    )


STEPS: Final = (
    Step(
        9,
        "Start a thread without a message; archive it, edit, post, open it",
        "the channel shows that it was started; the bot is alone in it; an edit is 400/50083; a "
        "post and a PATCH open it",
        start_thread,
    ),
    Step(
        18,
        "Press in an archived thread, as a stranger and as a member",
        "a stranger reaches the bot on the desktop alone, a member everywhere",
        press_in_archived,
        needs_operator=True,
    ),
    Step(
        19,
        "Add somebody to a thread, by a request and by an edit that mentions them",
        "both times the thread is in their list of channels, and no ping",
        add_quietly,
        needs_operator=True,
    ),
)
