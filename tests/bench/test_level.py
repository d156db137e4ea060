"""The campaign of the service level notices missed objectives and lost moves."""

from __future__ import annotations

import sqlite3
from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest

from bench.bot_process import Bot
from bench.level import Result
from bench.resource_usage import BEGIN, END, PAGE, with_table
from bench.served_discord import ServedDiscord

GOOD = Result([0.1] * 1000, 0, 5, Counter(), 500, [], [3.0], [2.0], 0.0)


@pytest.mark.parametrize(
    "result, missed",
    [
        (GOOD, []),
        (GOOD._replace(times=[0.1] * 949 + [0.4] * 51), ["answers within 300 ms"]),
        (GOOD._replace(times=[0.1] * 998 + [3.1] * 2), ["answers within 3 s"]),
        (GOOD._replace(missing=2), ["answers within 3 s"]),
        (GOOD._replace(restarts=[3.0, 10.1]), ["restarts"]),
        (GOOD._replace(lost=["table 1"]), ["acknowledged moves"]),
        (GOOD._replace(inside=Counter(ahead=1)), ["acknowledged moves"]),
        (GOOD._replace(times=[5.0], restarts=[20.0], others=0.5), []),
        (GOOD._replace(lost=["table 1"], others=0.5), ["acknowledged moves"]),
    ],
)
def test_missed_objectives_are_named(result: Result, missed: list[str]) -> None:
    assert result.missed() == missed
    assert ("service level: missed" in result.report()) == bool(missed)


def test_clicks_are_sorted_by_their_answer() -> None:
    discord = ServedDiscord(1, frozenset())
    discord.delivered = {1: 10.0, 2: 11.0, 3: 50.0}
    discord.first_sent = {1: 10.5}
    discord.interruptions.append(12.0)
    assert discord.times(10.0) == ([0.5], 1, 1)


async def test_lost_moves_are_found(tmp_path: Path) -> None:
    discord = ServedDiscord(1, frozenset())
    bot = Bot(discord, tmp_path, 0)
    with closing(sqlite3.connect(tmp_path / "level.db", isolation_level=None)) as database:
        database.execute("CREATE TABLE actions (table_id, seq, text)")
        database.execute("INSERT INTO actions VALUES (1, 1, 'pass'), (1, 2, 'pass')")
        discord.revisions[1] = 2
        await bot.check_moves()
        assert not bot.lost
        discord.revisions[1] = 3
        await bot.check_moves()
        assert bot.lost == ["table 1: 3 was shown, 2 is stored"]
        discord.revisions.clear()
        database.execute("UPDATE actions SET text = 'play' WHERE seq = 1")
        database.execute("DELETE FROM actions WHERE seq = 2")
        await bot.check_moves()
    gone = [f"table 1: action {seq} is gone or changed" for seq in (1, 2)]
    assert bot.lost[1:] == gone


def test_numbers_replace_those_of_the_page() -> None:
    page = PAGE.read_text("utf-8")
    replaced = with_table(page, "| new |")
    assert f"{BEGIN}\n| new |\n{END}" in replaced
    assert with_table(replaced, "| new |") == replaced
    assert page.split(BEGIN)[0] in replaced
