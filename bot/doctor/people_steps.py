"""Steps 12, 17 and 20: messages that reach a person."""

from __future__ import annotations

from typing import Final

from bot.doctor import bodies
from bot.doctor.observation import Observation
from bot.doctor.step import Step
from bot.doctor.visit import Visit, require_success
from bot.ids import ChannelId

_LOCKED_IN_S: Final = 20.0
_BETWEEN_S: Final = 10.0


async def write_to_operator(visit: Visit) -> Observation:
    """Send a direct message to the owner of the application."""
    application = await visit.api.request("GET", "/oauth2/applications/@me", {})
    found = require_success(application, "ask for the application").body
    owner_id = (found.get("team") or {}).get("owner_user_id") or found["owner"]["id"]
    opened = await visit.api.request(
        "POST", "/users/@me/channels", {}, json={"recipient_id": str(owner_id)}
    )
    sent = opened
    if opened.ok:
        line = {"content": "Doctor: a direct message arrives."}
        sent = await visit.post(line, channel_id=ChannelId(int(opened.body["id"])))
    arrived = sent.ok
    if arrived and visit.operator_if_present is not None:
        arrived = await visit.operator_if_present.ask(
            "Has the owner of the application got a direct message?"
        )
    return Observation(
        f"to the owner of the application: {sent}"
        f"{'' if arrived or not sent.ok else ', but it has not arrived'}",
        arrived,
        "Nothing changes: the bot writes to those who have asked for it."
        if arrived
        else "People who want direct messages from the bot must allow them in the privacy settings "
        "of a server that they share with it. The bot tells them so.",
    )


async def read_notifications(visit: Visit) -> Observation:
    """Ping somebody by a page and by a line, and ask for the phone's notifications (#7854)."""
    operator = visit.operator
    key = operator.custom_id("Test 17")
    page = bodies.page(bodies.text("Doctor"), bodies.button("Test 17", key))
    require_success(await visit.post(page), "post a button")
    press = await operator.press(
        key, f"Press **Test 17** in #{visit.channel_name} on your phone, then lock the phone."
    )
    line = f"Lock your phone: two pings come in {_LOCKED_IN_S:.0f} s."
    await visit.reply(press, {"content": line})
    who = f"<@{press.user_id}>"
    pinged = {"allowed_mentions": {"parse": [], "users": [str(press.user_id)]}}
    await visit.clock.sleep(_LOCKED_IN_S)
    in_page = bodies.page(bodies.text(f"{who} words of a page"))
    require_success(await visit.post({**in_page, **pinged}), "ping")
    await visit.clock.sleep(_BETWEEN_S)
    require_success(await visit.post({"content": f"{who} words of a line", **pinged}), "ping")
    first = await operator.ask("Does one notification say “words of a page”?")
    second = await operator.ask("Does one notification say “words of a line”?")
    return Observation(
        f"of a page {'its words' if first else 'nothing'}; of a line "
        f"{'its words' if second else 'nothing'}",
        not first and second,
        "Nothing changes: what is to bring people back comes as a line."
        if second
        else "A line is not read on a lock screen either: report it.",
    )


async def restart_client(visit: Visit) -> Observation:
    """Show a private page, and ask whether it survives a restart of the client."""
    operator = visit.operator
    key = operator.custom_id("Test 20")
    page = bodies.page(bodies.text("Doctor"), bodies.button("Test 20", key))
    require_success(await visit.post(page), "post a button")
    press = await operator.press(key, f"Press **Test 20** in #{visit.channel_name}.")
    await visit.reply(press, bodies.page(bodies.text("Doctor: a private page")))
    there = await operator.ask("Quit Discord and start it again. Is the private page still there?")
    return Observation(
        "still there" if there else "gone",
        not there,
        "Nothing changes: **My hand** opens a new page.",
    )


STEPS: Final = (
    Step(12, "Send a direct message to you", "it arrives", write_to_operator),
    Step(
        17,
        "Read two pings on a locked phone, of a page and of a line",
        "of a page nothing, of a line its words",
        read_notifications,
        needs_operator=True,
    ),
    Step(
        20,
        "Restart Discord with a private page open",
        "the page is gone",
        restart_client,
        needs_operator=True,
    ),
)
