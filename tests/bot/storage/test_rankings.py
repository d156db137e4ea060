"""Leaderboards: places, pages, seasons, the last thirty days and preferences."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import event

from bot.ids import GuildId, UserId
from bot.rating.ratings import BEGINNER
from bot.rating.tallies import first_recent_day
from bot.records import (
    Change,
    MatchRecord,
    MatchSeat,
    RoundRecord,
    RoundScore,
    RoundSeat,
    SeatRecord,
)
from bot.score_records import EVER, LATELY, WORLD, Board, LeaderboardLine, Order, Preferences, Tally
from bot.storage import Store
from bot.storage.database import Database
from tests.bot.storage.samples import action, new_table

pytestmark = pytest.mark.usefixtures("one_thread")

GUILD = GuildId(10)
NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
ANN, BEN, CLEO, DAN = UserId(1), UserId(2), UserId(3), UserId(4)


def round_of(
    number: int,
    score: int,
    *people: UserId,
    at: datetime = NOON,
    call: tuple[int, bool] | None = None,
    **given: object,
) -> RoundRecord:
    """Return a round of Nanjing that seats 0 and 2 win by `score`; other people are computers."""
    seats = []
    for seat in range(4):
        user = people[seat] if seat < len(people) and people[seat] else None
        called = call is not None and call[0] == seat
        seats.append(
            RoundSeat(
                seat=seat,
                user_id=user,
                kind="person" if user else "computer",
                column=seat % 2,
                counts_for=user,
                margin=100 * (score if seat % 2 == 0 else -score),
                call="tichu" if called else None,
                call_made=call[1] if called and call else None,
                level=None if user else "expert",
            )
        )
    scores = [RoundScore(column=c, score=s, total=0) for c, s in ((0, score), (1, 0))]
    return RoundRecord(
        number=number,
        ended_at=at,
        scores=tuple(scores),
        seats=tuple(seats),
        **given,  # type: ignore[arg-type]
    )


def match_of(winner: int, *people: UserId, at: datetime = NOON, **given: object) -> MatchRecord:
    """Return a match that a column has won."""
    seats = [
        MatchSeat(
            seat=seat,
            user_id=UserId(user),
            name=f"P{user}",
            kind="person",
            column=seat % 2,
            won=seat % 2 == winner,
            counts_for=UserId(user),
        )
        for seat, user in enumerate(people)
    ]
    values = {"variant": "nanjing", "reason": "finished", "rounds": 1, "scores": ()}
    return MatchRecord(ended_at=at, seats=tuple(seats), **values | given)  # type: ignore[arg-type]


async def own_line(store: Store, board: Board, user: UserId) -> LeaderboardLine | None:
    """Return a user's line, shown below any page of a leaderboard."""
    return (await store.rankings.page(board, 0, 1, user)).own


class Played:
    """A store and rounds committed to it, each at a table of its own."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.tables = 0

    async def rounds(self, number: int, score: int, *people: UserId, **given: object) -> None:
        """Commit `number` rounds at one table."""
        self.tables += 1
        table = await self.store.tables.create(new_table(self.tables))
        records = (round_of(place, score, *people, **given) for place in range(1, number + 1))  # type: ignore[arg-type]
        await asyncio.gather(
            *(self.store.tables.commit(table.id, Change(round=record)) for record in records)
        )

    async def matches(self, number: int, winner: int, *people: UserId, **given: object) -> None:
        """Commit `number` matches, each at a table of its own."""
        for _ in range(number):
            self.tables += 1
            table = await self.store.tables.create(new_table(self.tables))
            record = match_of(winner, *people, **given)  # type: ignore[arg-type]
            await self.store.tables.commit(table.id, Change(match=record))

    async def board(
        self, order: Order = "rating", period: str = EVER, scope: int = GUILD
    ) -> list[tuple[int, int]]:
        """Return places and people of a leaderboard."""
        found = await self.store.rankings.leaders(Board(scope, "nanjing", period, order), 0, 100)
        assert found.size == len(found.lines)
        return [(line.place, line.user_id) for line in found.lines]

    async def own(
        self, user: UserId, order: Order = "rating", period: str = EVER
    ) -> LeaderboardLine:
        """Return a user's line."""
        found = await own_line(self.store, Board(GUILD, "nanjing", period, order), user)
        assert found is not None
        return found


@pytest.fixture
def played(store: Store) -> Played:
    return Played(store)


async def test_winners_are_rated_higher_and_equals_share_a_place(
    played: Played,
) -> None:
    await played.rounds(20, 100, ANN, BEN, CLEO, DAN)
    assert await played.board() == [(1, CLEO), (1, ANN), (3, DAN), (3, BEN)]
    assert await played.board("points") == [(1, CLEO), (1, ANN), (3, DAN), (3, BEN)]
    own = await played.own(BEN, "points")
    assert (own.place, own.value, own.tally.rounds) == (3, -100.0, 20)
    ratings = await played.store.rankings.ratings(GUILD, "nanjing", [ANN, BEN, UserId(99)])
    assert ratings.keys() == {ANN, BEN}
    assert ratings[ANN].mu > BEGINNER.mu > ratings[BEN].mu
    assert ratings[ANN].sigma < BEGINNER.sigma


async def test_one_lucky_evening_does_not_lead(played: Played) -> None:
    await played.rounds(19, 300, ANN, BEN, CLEO, DAN)
    assert await played.board() == []
    own = await played.own(ANN)
    assert (own.place, own.tally.rounds) == (0, 19)
    await played.rounds(1, 300, ANN, BEN, CLEO, DAN)
    assert len(await played.board()) == 4


async def test_orders_by_wins_and_by_win_rate(played: Played) -> None:
    await played.rounds(20, 10, ANN, BEN, CLEO, DAN)
    await played.matches(4, 0, ANN, BEN, CLEO, DAN)
    assert await played.board("wins") == [(1, CLEO), (1, ANN)]
    assert await played.board("win_rate") == []
    await played.matches(1, 1, ANN, BEN, CLEO, DAN)
    assert [place for place, _ in await played.board("win_rate")] == [1, 1, 3, 3]
    assert (await played.own(ANN, "win_rate")).value == 0.8
    await played.matches(3, 0, ANN, BEN, CLEO, DAN, reason="stopped")
    await played.matches(3, 0, ANN, BEN, CLEO, DAN, rated=False)
    assert (await played.own(ANN, "win_rate")).tally.matches == 5, "nothing else counts"


async def test_orders_by_calls(played: Played) -> None:
    await played.rounds(6, 10, ANN, BEN, CLEO, DAN, call=(0, True))
    await played.rounds(3, 10, ANN, BEN, CLEO, DAN, call=(0, False))
    assert await played.board("calls") == []
    await played.rounds(1, 10, ANN, BEN, CLEO, DAN, call=(0, False))
    assert (await played.own(ANN, "calls")).value == 0.6
    assert await played.board("calls") == [(1, ANN)]


async def test_rounds_alone_with_computers_change_only_the_rating(played: Played) -> None:
    await played.rounds(20, 100, ANN, BEN, CLEO, DAN)
    before = (await played.store.rankings.ratings(GUILD, "nanjing", [ANN]))[ANN]
    await played.rounds(5, -300, ANN)
    after = (await played.store.rankings.ratings(GUILD, "nanjing", [ANN]))[ANN]
    own = await played.own(ANN)
    assert own.tally.rounds == 20
    assert after.mu < before.mu
    assert own.rating == after.shown
    await played.rounds(1, 300, UserId(DAN + 1))
    assert (
        await own_line(played.store, Board(GUILD, "nanjing", EVER, "rating"), UserId(DAN + 1))
        is None
    )
    assert DAN + 1 in await played.store.rankings.ratings(GUILD, "nanjing", [UserId(DAN + 1)])


async def test_rounds_with_hints_count_for_nothing(played: Played) -> None:
    await played.rounds(30, 100, ANN, BEN, CLEO, DAN, rated=False)
    assert await played.store.rankings.ratings(GUILD, "nanjing", [ANN]) == {}
    assert await own_line(played.store, Board(GUILD, "nanjing", EVER, "rating"), ANN) is None


async def test_all_servers_show_only_who_has_joined(played: Played) -> None:
    await played.rounds(20, 100, ANN, BEN, CLEO, DAN)
    assert await played.board(scope=WORLD) == []
    await played.store.preferences.choose(BEN, Preferences(worldwide=True))
    assert await played.board(scope=WORLD) == [(1, BEN)]
    await played.rounds(1, 100, ANN, BEN, CLEO, DAN)
    assert await played.board(scope=WORLD) == [(1, BEN)], "what was chosen stays"


async def test_hidden_users_disappear_and_come_back(played: Played) -> None:
    await played.rounds(20, 100, ANN, BEN, CLEO, DAN)
    await played.store.preferences.choose(ANN, Preferences(hidden=True, worldwide=True))
    assert await played.board() == [(1, CLEO), (2, DAN), (2, BEN)]
    assert await played.board(scope=WORLD) == []
    assert (await played.own(ANN)).place == 0
    await played.rounds(1, 100, ANN, BEN, CLEO, DAN)
    assert (1, ANN) not in await played.board()
    await played.store.preferences.choose(ANN, Preferences())
    assert (1, ANN) in await played.board()
    assert await played.store.preferences.get(ANN) == Preferences()


async def test_past_seasons_stay_unchanged(played: Played) -> None:
    october = datetime(2026, 10, 31, 23, 59, 59, tzinfo=UTC)
    await played.rounds(20, 100, ANN, BEN, CLEO, DAN, at=october)
    await played.rounds(25, 100, BEN, ANN, DAN, CLEO, at=october + timedelta(seconds=1))
    assert await played.board("points", "2026-10") == [(1, CLEO), (1, ANN), (3, DAN), (3, BEN)]
    assert await played.board("points", "2026-11") == [(1, DAN), (1, BEN), (3, CLEO), (3, ANN)]
    assert (await played.own(ANN, "points", "2026-10")).tally.rounds == 20
    assert (await played.own(ANN, "points")).tally.rounds == 45
    october_rating = (await played.own(ANN, "rating", "2026-10")).rating
    assert october_rating > (await played.own(ANN, "rating", "2026-11")).rating


async def test_last_thirty_days_advance(played: Played) -> None:
    await played.rounds(20, 100, ANN, BEN, CLEO, DAN, at=NOON - timedelta(days=29))
    await played.rounds(20, 10, ANN, BEN, CLEO, DAN, at=NOON)
    store = played.store
    await store.rankings.move_window(first_recent_day(NOON))
    assert (await played.own(ANN, "points", LATELY)).value == 55.0
    await store.rankings.move_window(first_recent_day(NOON + timedelta(hours=11)))
    assert (await played.own(ANN, "points", LATELY)).tally.rounds == 40
    await store.rankings.move_window(first_recent_day(NOON + timedelta(days=1)))
    assert (await played.own(ANN, "points", LATELY)).value == 10.0
    await played.rounds(1, 10, ANN, BEN, CLEO, DAN, at=NOON - timedelta(days=35))
    assert (await played.own(ANN, "points", LATELY)).tally.rounds == 20, "too old when it came"
    await store.rankings.move_window(first_recent_day(NOON + timedelta(days=30)))
    assert await played.board("points", LATELY) == []
    assert await own_line(store, Board(GUILD, "nanjing", LATELY, "points"), ANN) is None
    assert (await played.own(ANN, "points")).tally.rounds == 41


async def test_old_rows_are_removed_in_small_batches(
    played: Played, monkeypatch: pytest.MonkeyPatch
) -> None:
    for days in (40, 35, 31, 31, 2):
        await played.rounds(10, 100, ANN, BEN, CLEO, DAN, at=NOON - timedelta(days=days))
    monkeypatch.setattr("bot.storage.score_rows._OLD_AT_ONCE", 3)
    await played.store.rankings.move_window(first_recent_day(NOON))
    assert (await played.own(ANN, "points", LATELY)).tally.rounds == 10
    await played.store.rankings.move_window(first_recent_day(NOON))
    assert (await played.own(DAN, "points", LATELY)).tally.rounds == 10


async def test_match_may_end_on_a_later_day_than_its_last_round(played: Played) -> None:
    await played.rounds(3, 100, ANN, BEN, CLEO, DAN, at=NOON)
    await played.matches(1, 0, ANN, BEN, CLEO, DAN, at=NOON + timedelta(days=1))
    await played.store.rankings.move_window(first_recent_day(NOON + timedelta(days=30)))
    assert (await played.own(ANN, "wins", LATELY)).tally == Tally(matches=1, wins=1)
    await played.rounds(3, 100, ANN, BEN, CLEO, DAN, at=NOON + timedelta(days=30))
    await played.store.rankings.move_window(first_recent_day(NOON + timedelta(days=31)))
    assert (await played.own(ANN, "wins", LATELY)).tally == Tally(rounds=3, points=30_000)


async def test_guild_does_not_learn_names_of_another(played: Played) -> None:
    for channel, guild, name in ((901, 10, "Ann"), (902, 20, "Adelheid M. (HR)")):
        table = await played.store.tables.create(new_table(channel, guild_id=guild))
        seat = SeatRecord(seat=0, user_id=ANN, name=name, kind="person")
        await played.store.tables.commit(table.id, Change(actions=(action(1),), seats=(seat,)))
    await played.rounds(20, 100, ANN, BEN, CLEO, DAN)
    assert (await played.own(ANN)).name == "Ann"


async def test_one_person_on_two_seats_is_one_person(played: Played) -> None:
    await played.rounds(20, 100, ANN, UserId(0), ANN, UserId(0))
    assert await own_line(played.store, Board(GUILD, "nanjing", EVER, "wins"), ANN) is None


async def test_pages_continue_where_the_previous_one_ended(played: Played) -> None:
    pairs = ((5 * pair, 100 + 4 * pair) for pair in range(10))
    await asyncio.gather(
        *(played.rounds(20, score, *range(first, first + 4)) for score, first in pairs)
    )
    board = Board(GUILD, "nanjing", EVER, "points")
    whole = await played.store.rankings.leaders(board, 0, 100)
    assert whole.size == 40
    pages = [await played.store.rankings.leaders(board, first, 7) for first in range(0, 42, 7)]
    assert [line for page in pages for line in page.lines] == list(whole.lines)
    assert await played.store.rankings.leaders(board, 90, 7) == (40, ())


async def test_page_is_read_in_one_transaction_without_writes(
    played: Played, database: Database
) -> None:
    for first in (100, 200, 300):
        await played.rounds(
            20, first, UserId(first), UserId(first + 1), UserId(first + 2), UserId(first + 3)
        )
    await played.store.preferences.choose(ANN, Preferences(hidden=True))
    board, rankings = Board(GUILD, "nanjing", LATELY, "points"), played.store.rankings
    begun = []
    for engine in (database.reader, database.writer):
        event.listen(engine.sync_engine, "begin", lambda _, engine=engine: begun.append(engine))
    last = await rankings.page(board, 10**30, 5, UserId(101))
    assert begun == [database.reader]
    assert last.number == 2
    assert last.leaders == await rankings.leaders(board, 10, 5)
    assert last.own == await own_line(played.store, board, UserId(101))
    assert last.preferences == Preferences()
    first_page = await rankings.page(board, 0, 5, ANN)
    assert (first_page.own, first_page.preferences) == (None, Preferences(hidden=True))
    empty = await rankings.page(Board(GUILD, "trichu", EVER, "points"), 3, 5, ANN)
    assert (empty.number, empty.leaders) == (0, (0, ()))


async def test_keeps_the_rating_of_every_day(played: Played) -> None:
    for day in (3, 2, 2, 0):
        await played.rounds(2, 100, ANN, BEN, CLEO, DAN, at=NOON - timedelta(days=day))
    found = await played.store.history.played(GUILD, ANN, "nanjing")
    assert found is not None
    history = found.ratings
    today = (NOON - datetime(1970, 1, 1, tzinfo=UTC)).days
    assert [day for day, _ in history] == [today - 3, today - 2, today]
    assert [rating.mu for _, rating in history] == sorted(rating.mu for _, rating in history)
    assert history[-1][1] == (await played.store.rankings.ratings(GUILD, "nanjing", [ANN]))[ANN]


async def test_refused_round_counts_for_nothing(played: Played) -> None:
    table = await played.store.tables.create(new_table(77))
    record = round_of(1, 100, ANN, BEN, CLEO, DAN)
    await played.store.tables.commit(table.id, Change(round=record))
    before = await played.store.rankings.ratings(GUILD, "nanjing", [ANN])
    with pytest.raises(Exception, match="breaks a rule"):
        await played.store.tables.commit(table.id, Change(round=record))
    assert await played.store.rankings.ratings(GUILD, "nanjing", [ANN]) == before
