"""Texts of the running bot, including commands and pings: all come from the catalogue."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator, Iterator
from datetime import timedelta
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr
from simcord import Env

import bot.text
from bot.client import TichuBot
from bot.ids import GuildId, UserId
from bot.records import Change, ServerSettings
from bot.runtime.settings import Settings
from bot.storage import StorageUnavailable
from bot.storage.tables import TableStore
from bot.table.computer_names import COMPUTER_NAMES
from bot.text import speech
from cogs.pages.verbs import Verb
from engine import Phase
from engine.fair_deal import SECRET_BYTES
from tests.bot.asking import played
from tests.bot.pictures.painters import Ready
from tests.bot.played import EVENING, Evening, Sketch
from tests.bot.text.pseudo import Pseudo, bare
from tests.bot.text.template import asked_in, keys
from tests.cogs.forged_clicks import forge_from
from tests.cogs.worlds import let_people_hurry, lighten
from tests.simcord_clicks import (
    PATIENCE,
    Person,
    Wire,
    controls,
    deny,
    newcomers,
    quicken,
    virtual_sleep,
    with_verb,
)

VISIBLE = ("content", "label", "placeholder", "description", "name")
TEAMS = set("ABCDEF")


@pytest.fixture
def pseudo(monkeypatch: pytest.MonkeyPatch) -> Iterator[Pseudo]:
    """Give everybody the pseudo-language with brackets."""
    import_module("cogs.tichu")  # modules cache some texts, which other tests would get
    language = Pseudo()
    monkeypatch.setattr(bot.text, "translations", lambda name: language)
    speech.cache_clear()
    yield language
    speech.cache_clear()


@pytest.fixture
async def env(
    tmp_path: Path, pseudo: Pseudo, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Env]:
    """Yield a running bot in the pseudo-language."""
    lighten(monkeypatch)
    opened = Env(a_bot(tmp_path), settle_timeout=PATIENCE)
    WORLDS[tmp_path] = opened
    quicken(opened)
    await opened.start()
    yield opened
    await opened.shutdown()
    assert isinstance(opened.bot, TichuBot)
    await opened.bot.store.close()


WORLDS: dict[Path, Env] = {}


def a_bot(folder: Path) -> TichuBot:
    settings = Settings(
        _env_file=None,
        discord_token=SecretStr("secret"),
        database_url=f"sqlite+aiosqlite:///{folder}/tichu.db",
        heartbeat_file=folder / "heartbeat",
        worker_processes=0,
    )
    sleep = virtual_sleep(lambda: WORLDS[folder])
    chance = random.Random(2)
    return TichuBot(
        settings,
        sleep=sleep,
        rng=chance,
        draw_secret=lambda: chance.randbytes(SECRET_BYTES),
        painter=Ready(),
        shard_count=1,
    )


async def press(person: Person, verb: str, *values: str) -> None:
    """Use the newest enabled control with this verb, private ones first."""
    for message in (*reversed(person.private()), *reversed(person.public())):
        for control in with_verb(message, Verb(verb)):
            if control.is_select:
                chosen = values or [option.value for option in control.options[: control.most]]
                await person.member.select(message, chosen, custom_id=control.custom_id)
            else:
                await person.member.click(message, custom_id=control.custom_id)
            return
    raise AssertionError(f"nobody offers {verb}")


def strange(wire: Wire) -> set[str]:
    """Return words in anything sent to people that did not come from the catalogue."""
    found: set[str] = set()
    for sent in wire.sent:
        if sent.path.split("/")[1] in ("interactions", "webhooks", "channels"):
            for text in visible(sent.body):
                found |= set(bare(text))
    return found - TEAMS - {*COMPUTER_NAMES}


def visible(body: Any) -> Iterator[str]:
    """Yield all texts in the body of a request."""
    if isinstance(body, dict):
        for name, value in body.items():
            if name == "emoji":
                continue
            if name in VISIBLE and isinstance(value, str):
                yield value
            yield from visible(value)
    elif isinstance(body, list):
        for value in body:
            yield from visible(value)


async def test_every_text_of_an_evening_comes_from_the_catalogue(
    env: Env, tmp_path: Path, pseudo: Pseudo, monkeypatch: pytest.MonkeyPatch
) -> None:
    wire = Wire(env)
    assert isinstance(env.bot, TichuBot)
    let_people_hurry(env.bot)
    monkeypatch.setattr("cogs.clicks.errors.new_error_id", lambda: "77")
    guild = env.create_guild("1")
    channel = guild.create_text_channel("tichu")
    one, two, three = newcomers(env, guild, channel, "1001", "1002", "1003")

    await one.slash("tichu hand")
    await one.slash("tichu new", target=120)
    rare = {"fast-computers": True, "direction": "clockwise", "turn-limit": 20}
    await one.slash("tichu new", target=300, **rare)
    await one.slash("tichu new")
    for person in (two, two, three):
        await press(person, "join")
    await press(three, "leave")
    await press(one, "options")
    await press(one, "more")
    await press(one, "option")
    await press(two, "options")
    await press(one, "swap")
    await press(two, "leave")
    (lobby,) = (message for message in two.public() if with_verb(message, Verb.JOIN))
    join = with_verb(lobby, Verb.JOIN)[-1].custom_id
    await forge_from(two, guild.create_text_channel("2"), lobby, join)
    await press(one, "swap")
    await press(one, "swap")
    await press(one, "add-computer", "3")
    await press(one, "remove-computer", "3")
    await press(one, "fill")
    await one.slash("tichu table")
    await one.slash("tichu verify")
    await one.slash("tichu verify", table=77)
    await press(one, "start")
    await one.slash("tichu shuffle", word="88")
    await one.slash("tichu verify")

    await press(one, "hand")
    await press(two, "hand")
    await press(three, "hand")
    for verb in ("more", "log", "more", "last-trick", "more", "fair-deal", "more", "rules"):
        await press(one, verb)
    await press(one, "rules", "nanjing.scoring")
    await one.slash("tichu rules", topic="bombs")
    await press(one, "hand")
    await press(one, "grand")
    await press(two, "hand")
    await env.advance_time(15)
    await two.slash("tichu stop")
    await one.slash("tichu table")
    await env.restart_bot(a_bot(tmp_path))
    await env.advance_time(400)
    await one.slash("tichu hand")
    await two.slash("tichu leave")
    await press(two, "stay")
    await two.slash("tichu leave")
    await choose_member(two, one)
    await choose_member(two, three)
    await press(three, "no-seat")
    await choose_member(two, three)
    await press(three, "take-seat")
    await press(three, "hand")
    await a_table_with_nobody(env, one)
    await three.slash("tichu leave")
    await press(three, "to-computer")
    await one.slash("tichu leave")
    await press(one, "to-computer")
    await a_newcomer(env, one, two, three)

    await press(one, "rematch")
    await press(one, "leave")
    await press(one, "new-lobby")
    with monkeypatch.context() as patch:
        patch.setattr(TableStore, "commit", broken)
        await press(two, "join")
        patch.setattr(TableStore, "commit", None)
        await press(two, "join")
    await env.advance_time(1900)
    await one.slash("tichu new", computers=3)
    await three.slash("tichu stop")
    await press(one, "start")
    await one.slash("tichu stop")
    await an_open_ended_match(env, one, two)
    await a_forgotten_table(env, one, tmp_path)
    await a_profile(env, one, guild.id)
    await two.slash("tichu profile", player=one.member, game="tientsin")
    await one.slash("tichu new", thread=True)
    assert env.bot.user is not None
    days = ServerSettings(threads=True, defaults={"turn_limit_s": "86400"})
    await env.bot.store.server_settings.choose(GuildId(guild.id), days)
    for without in (one.id, env.bot.user.id):
        deny(env, channel, without, "create_public_threads")
        await one.slash("tichu new")
        await press(one, "leave")
        deny(env, channel, without)
    lost = ("send_messages", "send_messages_in_threads", "create_public_threads", "view_channel")
    deny(env, channel, env.bot.user.id, *lost)
    await one.slash("tichu new")
    await one.slash("tichu new", thread=True)

    assert strange(wire) <= {"target"}, "the name of an option"
    assert pseudo.asked - set(keys()) == set()
    assert asked_in("test_whole_bot") - pseudo.asked == set()


async def choose_member(person: Person, other: Person) -> None:
    """Ask somebody to take the own seat, on the newest page with that question."""
    for message in reversed(person.private()):
        for control in controls(message):
            if control.custom_id.split(":")[3] == "to-member":
                await person.member.select(message, [other.member], custom_id=control.custom_id)
                return
    raise AssertionError("nobody asks for a member")


async def a_table_with_nobody(env: Env, one: Person) -> None:
    """Let everybody be absent until the round is over; then one returns."""
    assert isinstance(env.bot, TichuBot)
    (table,) = env.bot.tables.all()
    await env.advance_time(400)
    assert env.bot.tables.get(table.id).timers.paused
    await press(one, "resume")
    await env.advance_time(1)


async def a_newcomer(env: Env, one: Person, two: Person, three: Person) -> None:
    """Let one member sit down between rounds and another reserve a seat; play to the end."""
    assert isinstance(env.bot, TichuBot)
    (table,) = env.bot.tables.all()
    await press(two, "sit")
    await press(two, "sit")
    await env.advance_time(30)
    await press(three, "hand")
    await press(three, "sit")
    await press(three, "stay-out")
    while env.bot.tables.find(table.id) is not None:
        await env.advance_time(400)
        if env.bot.tables.find(table.id) is not None:
            await press(one, "hand")


async def a_forgotten_table(env: Env, one: Person, folder: Path) -> None:
    """Leave a table alone for a week."""
    assert isinstance(env.bot, TichuBot)
    await one.slash("tichu new", computers=3)
    await press(one, "start")
    (table,) = env.bot.tables.all()
    while not env.bot.tables.get(table.id).timers.paused:
        await env.advance_time(400)
    env.bot.tables.close()
    env.backend.advance_clock(7 * 86400)
    await env.restart_bot(a_bot(folder))
    await env.settle()
    assert env.bot.tables.find(table.id) is None


async def a_profile(env: Env, one: Person, guild_id: int) -> None:
    """Show the profile of somebody new after a few matches."""
    assert isinstance(env.bot, TichuBot)
    people = (UserId(one.id), UserId(1002), UserId(1003), None)
    names = {user: str(number) for number, user in enumerate(people, 1001) if user is not None}
    for at in (EVENING, EVENING + timedelta(days=40)):
        played = Evening([Sketch((100, 0))] * 10, people, at, guild_id, names=names)
        await played.store(env.bot.store)
    await one.slash("tichu profile")
    await press(one, "achievements")
    await press(one, "profile")


async def an_open_ended_match(env: Env, one: Person, two: Person) -> None:
    """End Grand Seigneur by votes: with its round, at once, and between two rounds."""
    assert isinstance(env.bot, TichuBot)
    lords = {"variant": "grandseigneur", "computers": 4, "fast-computers": True, "turn-limit": 20}
    await one.slash("tichu new", **lords)
    await press(one, "start")
    await one.slash("tichu stop")
    await one.slash("tichu stop")
    await one.slash("tichu new", **lords)
    await press(two, "join")
    await press(one, "start")
    (table,) = env.bot.tables.all()
    while played(env.bot.tables.get(table.id)).phase is not Phase.ROUND_END:
        await env.advance_time(10)
    await one.slash("tichu stop")
    assert env.bot.tables.find(table.id) is None


async def broken(self: TableStore, table_id: int, change: Change) -> None:
    raise StorageUnavailable("the disk is full")
