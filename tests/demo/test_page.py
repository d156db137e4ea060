"""Page of the demo: opening, views of different people, written commands."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime
from pathlib import Path
from typing import Any
from uuid import uuid4

import aiohttp
from simcord import Env, MemberActor, Preview
from simcord.backend.cdn import CDN_BASE

from bot.table.options import TURN_BASED_S
from bot.text import speech
from cogs.pages.verbs import Verb
from demo.__main__ import real_bot
from demo.refreshing import KEPT_PICTURES, PreviewUpdater, drop_old_uploads
from demo.serve import bot_in_a_server
from demo.thread_pages import follow_threads
from demo.welcome import welcome
from tests.simcord_clicks import Person, controls, has, messages, text

SAY = speech("de")
"""Language of everybody in these tests."""


class Browser:
    """A browser on the page; `shown` is its state."""

    def __init__(self, preview: Preview, session: aiohttp.ClientSession) -> None:
        self._address = preview.url.partition("#")[0]
        self._session = session
        self._headers = {"X-Simcord-Capability": preview.capability}
        self.shown: dict[str, Any] = {}

    async def open(self) -> None:
        """Open the page as the first of its people."""
        self.shown = await self._asked("POST", "api/pages", {})
        self._headers["X-Simcord-Context"] = self.shown["context"]["id"]

    async def look(self) -> None:
        """Fetch the newest state of the page."""
        self.shown = await self._asked("GET", "api/state")

    async def view_as(self, member: MemberActor) -> None:
        """Choose this person under "Viewing as", then fetch the state."""
        action = {
            "kind": "viewer",
            "viewer_id": str(member.id),
            "protocol_version": 3,
            "sequence": 1,
            "request_id": str(uuid4()),
            "generation": self.shown["context"]["generation"],
            "bot_generation": self.shown["botGeneration"],
            "published_revision": self.shown["publishedRevision"],
        }
        await self._asked("POST", "api/action", action)
        await self.look()

    async def file(self, path: str) -> tuple[int, bytes]:
        """Return the status and body of a file of the page."""
        async with self._session.get(self._address + path, headers=self._headers) as response:
            return response.status, await response.read()

    async def _asked(self, method: str, path: str, body: object = None) -> dict[str, Any]:
        url = self._address + path
        async with self._session.request(method, url, json=body, headers=self._headers) as response:
            assert response.status == 200
            answer = await response.json()
            assert isinstance(answer, dict)
            return answer


class Opened:
    """A demo opened in a browser, and the people on its page."""

    def __init__(self, env: Env, people: list[Person], browser: Browser) -> None:
        self.env = env
        self.people = people
        self.browser = browser

    async def dealt(self) -> int:
        """Start the match and open the first person's hand; return the id of its message."""
        await self.people[0].press(Verb.START)
        hand = await self.people[0].press(Verb.HAND)
        assert hand.response is not None
        assert hand.response.ephemeral
        assert SAY("No") in {control.label for control in controls(hand.response)}
        return hand.response.id


@asynccontextmanager
async def opened_demo(folder: Path) -> AsyncIterator[Opened]:
    """Run a demo in German without a past, opened in a browser."""
    async with bot_in_a_server(lambda sleep: real_bot(folder, sleep, 1), None, "de") as (
        env,
        channel,
        members,
    ):
        await welcome(env, channel, members)
        preview = env.preview(channel, viewers=members, layout="channel")
        follow_threads(env, channel, PreviewUpdater(env, preview))
        async with preview, aiohttp.ClientSession() as session:
            browser = Browser(preview, session)
            await browser.open()
            yield Opened(env, [Person(env, member, channel) for member in members], browser)


async def test_two_clicks_lead_to_the_first_cards_and_typed_commands_work(
    tmp_path: Path,
) -> None:
    """Actions on the page one after the other, with checks in the functions below."""
    async with opened_demo(tmp_path) as opened:
        await finds_its_place(opened)
        host = opened.people[0]
        is_in_the_language_of_the_demo(opened)
        pictures_do_not_pile_up(opened)
        assert str(messages(opened.env, host.channel)[-1].id) in opened.browser.shown["messages"]
        assert host.sees(Verb.START)
        assert has(messages(opened.env, host.channel)[-1], Verb.LEARN)
        assert not opened.people[1].sees(Verb.HAND)
        hand = str(await opened.dealt())
        await opened.browser.look()
        assert hand in opened.browser.shown["timeline"]
        await comes_as_sent(opened)
        await hides_from_others(opened, hand)
        await answers_a_command_that_is_only_written(opened)
        await follows_a_table_into_its_thread_and_back(opened)


async def finds_its_place(opened: Opened) -> None:
    """Check the additions to the page."""
    _, page = await opened.browser.file("")
    _, script = await opened.browser.file("app.js")
    _, style = await opened.browser.file("preview.css")
    for name in ("channel-message-list", "channel-timeline", "viewer-picker"):
        assert f'id="{name}"'.encode() in page
        assert f'getElementById("{name}")'.encode() in script
    for name in ("is-coming", "is-switching"):
        assert f".{name}".encode() in style
        assert f'"{name}"'.encode() in script


async def comes_as_sent(opened: Opened) -> None:
    """Check that pictures are served at once, without being drawn again."""
    pictures = [
        asset for asset, facts in opened.browser.shown["assets"].items() if facts["available"]
    ]
    assert len(pictures) >= 8
    for asset in pictures:
        _, sent = await opened.browser.file(f"api/assets/{asset}?download=1")
        assert await opened.browser.file(f"api/assets/{asset}") == (200, sent)


async def hides_from_others(opened: Opened, hand: str) -> None:
    """Check that another viewer does not see the hand opened by the previous one."""
    pictures = opened.browser.shown["assets"]
    assert hand in opened.browser.shown["messages"]
    await opened.env.advance_time(1)
    await opened.browser.view_as(opened.people[1].member)
    drawn_at = datetime.fromisoformat(opened.browser.shown["profile"]["presentationTime"])
    assert drawn_at == opened.env.now(), "how soon something happens is right on the page"
    assert opened.browser.shown["viewerId"] == str(opened.people[1].member.id)
    assert hand not in str(opened.browser.shown)
    private = pictures.keys() - opened.browser.shown["assets"].keys()
    assert len(private) >= 8
    for asset in private:
        status, _ = await opened.browser.file(f"api/assets/{asset}")
        assert status == 404


async def answers_a_command_that_is_only_written(opened: Opened) -> None:
    """Check that a typed command is answered with a line, and other lines are not."""
    writer = opened.people[1]
    for line in ("/tichu new computers:3", "tichu new", "Tichu new variant: Trichu", "!tichu"):
        before = len(messages(opened.env, writer.channel))
        await writer.member.send(writer.channel, line)
        line_itself, *answers = messages(opened.env, writer.channel)[before:]
        assert text(line_itself) == line
        assert ["tichu new" in text(answer) for answer in answers] == [True]
    before = len(messages(opened.env, writer.channel))
    await writer.member.send(writer.channel, "Tichu is a fine game")
    assert len(messages(opened.env, writer.channel)) == before + 1


async def follows_a_table_into_its_thread_and_back(opened: Opened) -> None:
    """Check that the page follows a table into a new thread, and typed lines to any channel."""
    ada = opened.people[0]
    await ada.slash("tichu new", pace=TURN_BASED_S[0])
    (thread,) = ada.channel.threads
    for place, line in ((thread, "back"), (ada.channel, "thread"), (thread, "thank you")):
        await opened.browser.look()
        newest = messages(opened.env, place)[-1]
        assert str(newest.id) in opened.browser.shown["timeline"]
        await ada.member.send(place, line)
    await opened.browser.look()
    assert str(newest.id) in opened.browser.shown["timeline"]


def is_in_the_language_of_the_demo(opened: Opened) -> None:
    """Check the language of both initial messages."""
    table, greeting = messages(opened.env, opened.people[0].channel)
    assert SAY("Start") in {control.label for control in controls(table)}
    assert SAY("Learn Tichu") in {control.label for control in controls(greeting)}


def pictures_do_not_pile_up(opened: Opened) -> None:
    """Check that unused pictures are dropped, and shown ones and emojis stay."""
    env, channel = opened.env, opened.people[0].channel
    cdn = env.backend.cdn
    (shown,) = (
        upload["url"]
        for message in env.backend.messages[channel.id].values()
        for upload in message.attachments
    )
    later = [
        cdn.store_attachment(number, channel.id, "table.png", b"", None)["url"]
        for number in range(1, 3 * KEPT_PICTURES)
    ]
    drop_old_uploads(env)
    assert [url for url in later if cdn.get(url) is not None] == later[-KEPT_PICTURES:]
    assert cdn.get(shown) is not None
    emoji = next(iter(env.backend.application_emojis))
    assert cdn.get(f"{CDN_BASE}/emojis/{emoji}.png") is not None
