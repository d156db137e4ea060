"""The demo: it starts, its guild has a past, and nothing is posted automatically."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path
from urllib.request import urlopen

from simcord import Env

from bot.client import TichuBot
from bot.runtime.settings import SQLITE
from demo.__main__ import database, real_bot
from demo.past.book import read_book, write_book
from demo.serve import OTHERS, PEOPLE, STARTS, Bot, Place, Sleep, bot_in_a_server
from tests.demo.conftest import PLACE, Past
from tests.simcord_clicks import Person, messages, numbers, shown, text

ROOT = Path(__file__).parent.parent.parent
TABLES = 56
_WITH_THE_BOOK = """
import runpy, sys
from functools import partial
from pathlib import Path
import demo.past.book
del sys.argv[0]
demo.past.book.read_book = partial(demo.past.book.read_book, Path(sys.argv[0]))
runpy.run_module("demo", run_name="__main__")
"""
"""`python -m demo` with the past matches of the file in its first argument."""
SECRET = re.compile(r"\b[0-9a-f]{64}\b")


class Demo:
    """A running demo and the six people on its page."""

    def __init__(self, env: Env, people: list[Person]) -> None:
        self.env = env
        self.people = people

    async def asked(self, command: str, **options: object) -> str:
        """Return the private answer to a command of the first person."""
        result = await self.people[0].slash(command, **options)
        assert result.response is not None
        assert result.response.ephemeral
        return text(result.response)


@asynccontextmanager
async def a_demo(folder: Path, past: Past) -> AsyncIterator[Demo]:
    """Run a demo with its past."""

    async def remember(place: Place) -> None:
        past.copied(place, Path(database(folder).removeprefix(SQLITE)))

    def make_bot(sleep: Sleep) -> Bot:
        return real_bot(folder, sleep, 1)

    assert tuple(PLACE.people) == (*PEOPLE, *OTHERS)
    async with bot_in_a_server(make_bot, remember) as (env, channel, members):
        yield Demo(env, [Person(env, member, channel) for member in members])


async def test_guild_has_a_past_and_nothing_is_posted_automatically(
    tmp_path: Path, past: Past
) -> None:
    async with a_demo(tmp_path, past) as demo:
        bot = demo.env.bot
        assert isinstance(bot, TichuBot)
        assert list(bot.tables.all()) == []
        await shows_its_past(demo)
        await posts_nothing_when_a_season_ends(demo)
        await demo.people[0].slash("tichu new")
        (state,) = bot.tables.all()
        assert state.id == TABLES + 1, "it comes after those of the past"


async def shows_its_past(demo: Demo) -> None:
    """Check leaderboards with all people of the page, and verifiable deals."""
    assert len(demo.people) == len(PEOPLE)
    for period in ("ever", "season", "lately"):
        board = await demo.asked("tichu leaderboard", time=period)
        assert shown(board, "🥇", "🥈", "🥉") == ["🥇", "🥈", "🥉"]
        assert len({*shown(board, *PEOPLE, *OTHERS)}) >= 3
    everybody = await demo.asked("tichu leaderboard", by="points")
    assert len(PEOPLE) + len(OTHERS) in numbers(everybody)
    proved = await demo.asked("tichu verify", table=TABLES)
    assert TABLES in numbers(proved)
    assert SECRET.search(proved)


async def posts_nothing_when_a_season_ends(demo: Demo) -> None:
    """Check that a new season posts nothing and starts with an empty leaderboard."""
    midnight = (STARTS + timedelta(days=31)).replace(day=1, hour=0)
    demo.env.backend.advance_clock((midnight - demo.env.now()).total_seconds() - 60)
    await demo.env.advance_time(2 * 60 * 60)
    assert messages(demo.env, demo.people[0].channel) == []
    assert shown(await demo.asked("tichu leaderboard", time="season"), "February", "2026")


def test_command_prints_the_url_serves_the_page_and_ends_at_ctrl_c(tmp_path: Path) -> None:
    """With a very short past; `past` in conftest.py loads all of it."""
    book, folder = tmp_path / "short.json.xz", tmp_path / "temporary"
    folder.mkdir()
    write_book([min(read_book(), key=lambda match: len(match.actions))], book)
    with subprocess.Popen(
        [sys.executable, "-c", _WITH_THE_BOOK, str(book), "--seed", "1"],
        cwd=ROOT,
        env=os.environ | {"TMPDIR": str(folder)},
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        greeting = [process.stdout.readline() for _ in range(6)]
        with urlopen(greeting[0].split()[-1]) as page:
            assert page.status == 200
        process.send_signal(signal.SIGINT)
        assert process.wait() == 0
    assert greeting[0].startswith("The demo is open at http")
    commands = [f"/tichu {name}" for name in ("leaderboard", "profile", "history", "replay")]
    assert any(all(command in line for command in commands) for line in greeting)
    assert list(folder.iterdir()) == []
