"""Page of the demo: opening, views of different people, commands, channels, refusals."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import datetime
from pathlib import Path
from typing import Any
from uuid import uuid4

import aiohttp
from simcord import ChannelHandle, Env, MemberActor, Preview
from simcord.backend.cdn import CDN_BASE

from bot.table.options import TURN_BASED_S
from bot.text import speech
from cogs.pages.verbs import Verb
from demo import refreshing
from demo.__main__ import real_bot
from demo.avatars import face
from demo.refreshing import KEPT_PICTURES, PreviewUpdater, drop_old_uploads
from demo.serve import CHANNEL, OTHERS, PEOPLE, SECOND_CHANNEL, bot_in_a_server
from demo.welcome import welcome
from tests.simcord_clicks import Person, controls, has, messages, text

SAY = speech("de")
"""Language of everybody in these tests."""
PNG = b"\x89PNG"
PARTS_OF_THE_SCRIPT = (
    "function dispatch(kind, extra",
    "const state = {",
    "viewerId: null",
    "closed: false",
    "lastAction: null",
    "pendingAction: null",
    "transport: { state:",
    'dispatch("viewer", { viewer_id:',
)
"""Parts of SimCord's app.js that page.js uses."""


class Browser:
    """A browser on the page; `shown` is its state."""

    def __init__(self, preview: Preview, session: aiohttp.ClientSession) -> None:
        self._address = preview.url.partition("#")[0]
        self._session = session
        self._headers = {"X-Simcord-Capability": preview.capability}
        self.shown: dict[str, Any] = {}
        self._sequence = 0

    async def open(self) -> None:
        """Open the page as the first of its people."""
        self.shown = await self._asked("POST", "api/pages", {})
        self._headers["X-Simcord-Context"] = self.shown["context"]["id"]

    async def look(self) -> None:
        """Fetch the newest state of the page."""
        self.shown = await self._asked("GET", "api/state")

    async def view_as(self, member: MemberActor) -> None:
        """Choose this person under "Viewing as", then fetch the state."""
        await self.act("viewer", viewer_id=str(member.id))

    async def show(self, name: str) -> None:
        """Choose a channel or thread in the list on the page."""
        (there,) = (item for item in self.shown["demo"]["channels"] if item["name"] == name)
        await self.act("viewer", viewer_id=self.shown["viewerId"], channel_id=there["id"])

    async def command(self, *path: str, **options: str) -> dict[str, Any]:
        """Give a slash command; return the receipt."""
        catalog = await self._asked("GET", "api/commands")
        (entry,) = (entry for entry in catalog["entries"] if tuple(entry["path"]) == path)
        return await self.act(
            "run_command",
            command_id=entry["commandId"],
            path=list(path),
            schema_fingerprint=entry["schemaFingerprint"],
            options=options,
        )

    async def act(self, kind: str, **details: object) -> dict[str, Any]:
        """Send an action to the demo, then fetch the state; return the receipt."""
        action = {
            "kind": kind,
            "protocol_version": 3,
            "sequence": self._sequence + 1,
            "request_id": str(uuid4()),
            "generation": self.shown["context"]["generation"],
            "bot_generation": self.shown["botGeneration"],
            "published_revision": self.shown["publishedRevision"],
            **details,
        }
        receipt = await self._asked("POST", "api/action", action)
        self._sequence = receipt["expectedSequence"]
        await self.look()
        return receipt

    @property
    def channel(self) -> str:
        """Name of the channel or thread that the page shows."""
        demo = self.shown["demo"]
        (here,) = (item["name"] for item in demo["channels"] if item["id"] == demo["channel"])
        assert self.shown["channel"]["name"] == here
        return str(here)

    @property
    def channels(self) -> list[tuple[str, bool]]:
        """Names of the listed channels, and whether each is a thread."""
        listed = [item for item in self.shown["demo"]["channels"] if not item["direct"]]
        return [(item["name"], item["thread"]) for item in listed]

    async def show_direct(self) -> None:
        """Choose the direct messages in the list on the page."""
        (there,) = (item["id"] for item in self.shown["demo"]["channels"] if item["direct"])
        await self.act("viewer", viewer_id=self.shown["viewerId"], channel_id=there)
        assert self.shown["demo"]["channel"] == there

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

    def __init__(self, env: Env, people: list[Person]) -> None:
        self.env = env
        self.people = people
        self.browser: Browser
        self.updater: PreviewUpdater
        self.pauses = 0
        self.while_waiting: Callable[[], None] = lambda: None
        """Called instead of each pause of the updater."""

    async def sleep(self, _: float) -> None:
        """Pause the updater, in no time."""
        self.pauses += 1
        self.while_waiting()

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
        opened = Opened(env, [Person(env, member, channel) for member in members])
        opened.updater = PreviewUpdater(env, preview, sleep=opened.sleep)
        async with preview, aiohttp.ClientSession() as session:
            opened.browser = Browser(preview, session)
            await opened.browser.open()
            yield opened


async def test_a_step_of_the_clock_and_an_advance_of_simcord_do_not_wait_for_each_other(
    tmp_path: Path,
) -> None:
    async with opened_demo(tmp_path) as opened:
        env, loop = opened.env, asyncio.get_running_loop()
        clock = loop.create_task(opened.updater.run())
        advance = env._advance_to(env._virtual_time, loop.time() + 30)  # noqa: SLF001
        env._real_advance_task = task = loop.create_task(advance)  # noqa: SLF001
        try:
            await task  # it raises TimeoutError if the step of the clock waits for it
        finally:
            clock.cancel()
            await asyncio.gather(clock, return_exceptions=True)


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
        everybody_has_an_avatar(opened)
        await opened.browser.view_as(opened.people[0].member)
        await shows_a_refusal_as_an_answer(opened)
        await opens_a_table_in_the_second_channel(opened)
        await plays_a_puzzle_in_direct_messages(opened)
        await follows_a_table_into_its_thread_and_back(opened)
        await retries_a_click_that_came_too_early(opened)


async def finds_its_place(opened: Opened) -> None:
    """Check the additions to the page, and the parts of SimCord's page that they use."""
    _, page = await opened.browser.file("")
    _, app = await opened.browser.file("app.js")
    _, sheet = await opened.browser.file("preview.css")
    _, buttons = await opened.browser.file("surfaces.js")
    html, script, style = page.decode(), app.decode(), sheet.decode()
    ours = Path(refreshing.__file__).with_name("page.js").read_text(encoding="utf-8")
    own_style = Path(refreshing.__file__).with_name("page.css").read_text(encoding="utf-8")
    rules = re.sub(r"/\*.*?\*/", "", own_style, flags=re.DOTALL)
    assert script.endswith(ours)
    assert style.endswith(own_style)
    simcords, its_style = script.removesuffix(ours), style.removesuffix(own_style)
    found = re.findall(r'getElementById\("([\w-]+)"\)', ours)
    assert len(found) >= 6
    made = re.findall(r'\.id = "([\w-]+)"', ours)
    for name in {*found, *re.findall(r"#([a-z][\w-]+)(?=[^{};]*\{)", rules)} - {*made}:
        assert f'id="{name}"' in html, name
    for name in re.findall(r"\.([a-z][\w-]+)(?=[^{};]*\{)", rules):
        assert f".{name}" in its_style or f'"{name}"' in ours, name
    for part in PARTS_OF_THE_SCRIPT:
        assert part in simcords, part
    assert b'setAttribute("aria-disabled", String(blocked' in buttons
    for name in ("preview-brand", "brand-mark"):
        assert f'class="{name}"' in html
    status, icon = await opened.browser.file("favicon.ico")
    assert (status, icon[:4]) == (200, PNG)


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


def everybody_has_an_avatar(opened: Opened) -> None:
    """Check the pictures of the bot and of all people, of whom each has another."""
    faces = {name: face(name.lower()) for name in (*PEOPLE, *OTHERS)}
    assert len(set(faces.values())) == len(faces)
    assert faces[PEOPLE[0]] == face(PEOPLE[0].lower())
    authors = [message["author"] for message in opened.browser.shown["messages"].values()]
    assert authors
    assert {author["avatar_kind"] for author in authors} == {"custom"}
    assert all(author["avatar_available"] for author in authors)


async def shows_a_refusal_as_an_answer(opened: Opened) -> None:
    """Check that a refused command counts as one that the bot has answered."""
    receipt = await opened.browser.command("tichu", "new")
    assert (receipt["settlement"], receipt["rejected"], receipt["uncertain"]) == (
        "settled",
        False,
        False,
    )
    assert receipt["acknowledgement"] == "acknowledged"
    assert receipt["diagnostics"] == []
    assert opened.browser.channel == CHANNEL


async def opens_a_table_in_the_second_channel(opened: Opened) -> None:
    """Check that people can go to another channel, act there, and come back."""
    browser = opened.browser
    assert browser.channels == [(CHANNEL, False), (SECOND_CHANNEL, False)]
    await browser.show(SECOND_CHANNEL)
    assert (browser.channel, browser.shown["timeline"]) == (SECOND_CHANNEL, [])
    await browser.command("tichu", "new")
    assert browser.channel == SECOND_CHANNEL
    (lobby,) = browser.shown["messages"].values()
    assert SAY("Learn Tichu") in str(lobby)
    await browser.show(CHANNEL)
    assert str(lobby["id"]) not in browser.shown["messages"]


async def plays_a_puzzle_in_direct_messages(opened: Opened) -> None:
    """Check that each viewer sees their own direct messages, and can use the bot there."""
    browser, (ada, ben, *_) = opened.browser, opened.people
    await browser.show_direct()
    assert browser.shown["timeline"] == []
    await browser.command("tichu", "puzzle")
    (page,) = browser.shown["messages"].values()
    (private,) = messages(opened.env, ada.member.user.dm_channel, ada.id)
    (choice, *_) = next(control.options for control in controls(private) if control.options)
    (key,) = set(re.findall(r"message:\d+:component:\d+", json.dumps(page)))
    receipt = await browser.act(
        "select", target_id=str(page["id"]), control_key=key, values=[choice.value]
    )
    assert not receipt["rejected"]
    (answered,) = browser.shown["messages"].values()
    assert answered != page
    await browser.view_as(ben.member)
    assert browser.shown["timeline"] == []
    await browser.view_as(ada.member)
    assert list(browser.shown["messages"]) == [str(page["id"])]
    await browser.show(CHANNEL)
    assert str(page["id"]) not in browser.shown["messages"]


async def follows_a_table_into_its_thread_and_back(opened: Opened) -> None:
    """Check that a page follows a table that it opens into its thread, and returns from there."""
    browser, channel = opened.browser, opened.people[0].channel
    await browser.command("tichu", "new", pace=str(TURN_BASED_S[0]))
    (thread,) = channel.threads
    name = opened.env.backend.channels[thread.id].name
    assert browser.channel == name
    assert (browser.channel, True) in browser.channels
    assert is_shown(opened, thread)
    await browser.show(CHANNEL)
    assert is_shown(opened, channel)
    await opened.people[1].slash("tichu new", pace=TURN_BASED_S[0])
    await browser.look()
    assert browser.channel == CHANNEL, "only their own table takes people to another place"
    await browser.show(str(name))
    opened.env.backend.delete_channel(thread.id)
    await browser.look()
    assert browser.channel == CHANNEL


def is_shown(opened: Opened, channel: ChannelHandle) -> bool:
    """Return whether the page shows the newest message of this channel."""
    return str(messages(opened.env, channel)[-1].id) in opened.browser.shown["timeline"]


async def retries_a_click_that_came_too_early(opened: Opened) -> None:
    """Check that a button which is missing for a moment is pressed, and a gone one refused."""
    browser, env = opened.browser, opened.env
    places = messages(env, opened.people[0].channel)
    greeting = next(message for message in places if has(message, Verb.LEARN))
    stored = env.backend.get_message(opened.people[0].channel.id, greeting.id)
    drawn = json.dumps(browser.shown["messages"][str(greeting.id)])
    (key,) = set(re.findall(r"message:\d+:component:\d+", drawn))
    components = stored.components
    for later in (components, []):
        stored.components = []
        pauses = opened.pauses

        def update(later: list[dict[str, Any]] = later) -> None:
            stored.components = later

        opened.while_waiting = update
        receipt = await browser.act("click", target_id=str(greeting.id), control_key=key)
        assert receipt["rejected"] == (not later)
        assert opened.pauses > pauses


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
