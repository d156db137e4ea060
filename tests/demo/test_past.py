"""Past of the demo's guild: its file, and the bot's database after loading it."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from itertools import pairwise, product
from pathlib import Path
from random import Random

import pytest

from bot.history.verify import load_proof
from bot.ids import TableId
from bot.rating.ledger import LEDGER
from bot.rating.tallies import season_of
from bot.score_records import EVER, LATELY, Board, Order
from bot.storage import Store
from bot.table.action_log import read_deal
from bot.table.options import TableOptions
from demo.past.__main__ import SEED
from demo.past.book import BOOK, PastMatch, read_book, write_book
from demo.past.people import STYLES
from demo.past.plan import Plan, plans
from demo.past.playing import play
from demo.serve import OTHERS, PEOPLE, STARTS
from engine.fair_deal import FairDeal
from tests.campaign import SOAK, sample
from tests.demo.conftest import PLACE, Past

TABLES = 56


@pytest.fixture(scope="session")
def book() -> list[PastMatch]:
    return read_book()


def rows(past: Past, query: str) -> list[tuple[int, ...]]:
    """Return the rows of a query."""
    with closing(sqlite3.connect(past.file)) as database:
        return list(database.execute(query))


@pytest.fixture
async def store(past: Past, tmp_path: Path) -> AsyncIterator[Store]:
    past.copied(PLACE, tmp_path / "past.db")
    opened = await Store.open(f"sqlite:///{tmp_path}/past.db", LEDGER)
    yield opened
    await opened.close()


def only_novices(plan: Plan) -> bool:
    levels = {STYLES[name].level if name else plan.options.computers for name in plan.seats}
    return levels == {"novice"}


def test_file_is_small() -> None:
    assert BOOK.stat().st_size < 150_000


def test_file_is_read_back(book: list[PastMatch], tmp_path: Path) -> None:
    file = tmp_path / "some.json.xz"
    assert write_book(book[:3], file) == file.stat().st_size
    assert read_book(file) == book[:3]


def test_file_holds_the_planned_matches(book: list[PastMatch]) -> None:
    """If this test or the next one fails, run `make demo-past`."""
    planned = [(plan.options, *plan[2:5], plan.rounds is not None) for plan in plans(Random(SEED))]
    assert [(TableOptions(**match.options), *match[1:5]) for match in book] == planned


def test_file_holds_the_played_matches(book: list[PastMatch]) -> None:
    """Some short matches of Novices, which need no compilation."""
    chosen = sorted(
        filter(only_novices, plans(Random(SEED))),
        key=lambda plan: len(book[plan.table - 1].actions),
    )
    for plan in chosen[: 3 if SOAK else 1]:
        played, known = play(plan, SEED), book[plan.table - 1]
        assert TableOptions(**played.options) == TableOptions(**known.options)
        assert played[1:] == known[1:]
    other = play(chosen[0], SEED + 1)
    assert other.actions != book[chosen[0].table - 1].actions


def test_every_member_has_a_style() -> None:
    assert (*PEOPLE, *OTHERS) == tuple(STYLES)


def test_has_matches_of_all_kinds(book: list[PastMatch]) -> None:
    games = [TableOptions(**match.options).variant for match in book]
    counts = {name: games.count(name) for name in games}
    assert counts == {"nanjing": 40, "trichu": 8, "tientsin": 4, "grandseigneur": 4}
    assert sum(match.stopped for match in book) > 2
    assert sum(None in match.seats for match in book) > 2
    assert sum(match.options.get("hints", False) for match in book) == 1
    assert any("=" in action.text for match in book for action in match.actions if deals(action))


def deals(action: tuple[int, int, int, str]) -> bool:
    return action[3].startswith("deal:")


def test_no_table_is_left_over(past: Past, book: list[PastMatch]) -> None:
    assert past.rebuilt.skipped == ()
    assert past.rebuilt.matches == len(book) == TABLES
    assert past.rebuilt.rounds > 300
    assert rows(past, "SELECT min(id), max(id), count(*) FROM tables") == [(1, TABLES, TABLES)]


def test_only_planned_matches_were_stopped(past: Past, book: list[PastMatch]) -> None:
    broken_off = {(table,) for table, match in enumerate(book, start=1) if match.stopped}
    assert set(rows(past, "SELECT id FROM tables WHERE status = 'stopped'")) == broken_off
    assert set(rows(past, "SELECT table_id FROM matches WHERE reason = 'stopped'")) == broken_off


async def test_no_table_is_open(store: Store) -> None:
    assert await store.tables.all_open() == []
    last = await store.tables.last_in(PLACE.channel_id)
    assert last is not None
    assert last.id == TABLES


def test_matches_follow_one_another_in_the_past(past: Past) -> None:
    times = rows(past, "SELECT created_at, ended_at FROM tables ORDER BY id")
    assert all(ended < created for (_, ended), (created, _) in pairwise(times))
    assert times[-1][1] < PLACE.now.timestamp() * 1e6


async def test_most_people_are_on_the_leaderboard(store: Store) -> None:
    orders: dict[Order, int] = {"rating": 9, "points": 9, "wins": 9, "win_rate": 3, "calls": 1}
    for period, (order, least) in product((EVER, LATELY, season_of(STARTS)), orders.items()):
        found = await store.rankings.leaders(Board(PLACE.guild_id, "nanjing", period, order), 0, 20)
        assert found.size >= least, (period, order)
        assert {place.name for place in found.lines} <= set(STYLES)


async def test_past_seasons_have_a_podium(store: Store) -> None:
    for season in ("2025-12", "2025-11"):
        found = await store.rankings.leaders(
            Board(PLACE.guild_id, "nanjing", season, "rating"), 0, 10
        )
        assert found.size >= 3, season


async def test_all_games_have_ratings(store: Store) -> None:
    for variant in ("trichu", "tientsin", "grandseigneur"):
        found = await store.rankings.ratings(PLACE.guild_id, variant, list(PLACE.people.values()))
        assert len(found) >= 9, variant


def test_every_deal_was_made_for_its_table(book: list[PastMatch]) -> None:
    for table, match in enumerate(book, start=1):
        for action in filter(deals, match.actions):
            deal = read_deal(action.text.removeprefix("deal:"))
            assert isinstance(deal, FairDeal)
            assert deal.table == table
            assert all(match.seats[seat] is not None for seat, _ in deal.words)


async def test_every_deal_can_be_verified(store: Store) -> None:
    """For each table the first round, whose dealer was drawn as well, and the last."""
    for table_id in sample(range(1, TABLES + 1), 4):
        record = await store.tables.get(TableId(table_id))
        assert record is not None
        first, last = await load_proof(store, record, 1), await load_proof(store, record)
        assert first is not None
        assert last is not None
        assert first.as_dealt
        assert first.dealer_drawn
        assert last.as_dealt


def test_no_ranking_is_posted_automatically(past: Past) -> None:
    assert rows(past, "SELECT * FROM guilds") == []
