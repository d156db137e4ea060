"""Statistics of a person from the store, compared with rounds made by hand."""

from __future__ import annotations

import sqlite3
from datetime import timedelta
from random import Random
from typing import Any

import pytest
from sqlalchemy import Engine, event

from bot.ids import TableId, UserId
from bot.score_records import FinishedMatch, Preferences, SharedRounds, TableTotals
from bot.storage import Store
from tests.bot.played import ADA, BEN, CAI, DAN, EVENING, GUILD, NAMES, Evening, Sketch
from tests.campaign import SOAK, sample

pytestmark = pytest.mark.usefixtures("one_thread")

TOMORROW = EVENING + timedelta(days=1)
ROUNDS = (
    Sketch((250, 50), out=(0, 1, 2), calls={0: ("tichu", True), 1: ("grand", False)}),
    Sketch((-100, 300), out=(1, 3), calls={0: ("grand", False)}, bombs={1: 1}, sweep=1),
    Sketch((400, 0), out=(2, 0), bombs={0: 2, 2: 1}, sweep=0),
    Sketch((50, 50), out=(1, 0, 3), calls={0: ("tichu", False)}, bombs={0: 1}, sweep=0),
)
"""Points of Ada and Cai: 250, 150, 550, 600; of Ben and Dan: 50, 350, 350, 400."""


async def test_adds_up_rounds_of_a_table(store: Store) -> None:
    evening = Evening(ROUNDS)
    table = await evening.store(store)
    played = await store.history.played(GUILD, ADA)
    assert played is not None
    assert played.games == {"nanjing": 4}
    (totals,) = played.table_totals
    assert totals == TableTotals(
        table_id=TableId(table),
        variant="nanjing",
        began_at=evening.ended_at(1),
        ended_at=evening.ended_at(4),
        rounds=4,
        measured=4,
        points=100 * (200 - 400 + 400 + 0),
        best=40_000,
        worst=-40_000,
        tichus=2,
        tichus_made=1,
        grands=1,
        grands_made=0,
        sweeps=2,
        bombs=3,
        most_bombs=2,
        firsts=1,
    )


async def test_won_match_has_its_largest_deficit(store: Store) -> None:
    evening = Evening(ROUNDS)
    table = await evening.store(store)
    ada, ben = await store.history.played(GUILD, ADA), await store.history.played(GUILD, BEN)
    assert ada is not None
    assert ben is not None
    end = evening.ended_at(4)
    assert ada.finished_matches == (
        FinishedMatch(TableId(table), end, 4, won=True, total=600, behind=200),
    )
    assert ben.finished_matches == (
        FinishedMatch(TableId(table), end, 4, won=False, total=400, behind=None),
    )


async def test_match_without_deficit_has_deficit_zero(store: Store) -> None:
    await Evening([Sketch((100, 0)), Sketch((0, 50))]).store(store)
    played = await store.history.played(GUILD, ADA)
    assert played is not None
    assert played.finished_matches[0].behind == 0


async def test_counts_fellow_players_by_person_and_side(store: Store) -> None:
    first = await Evening(ROUNDS).store(store)
    second = await Evening([Sketch((0, 30))], (ADA, CAI, BEN, None), TOMORROW).store(store)
    played = await store.history.played(GUILD, ADA)
    assert played is not None
    with_cai = SharedRounds(CAI, True, 4, won=2, measured=4, lead=0, first_table=TableId(first))
    with_ben = SharedRounds(BEN, True, 1, won=0, measured=1, lead=0, first_table=TableId(second))
    lead = 2 * 100 * (200 - 400 + 400 + 0)  # own margins minus theirs
    to_ben = SharedRounds(BEN, False, 4, won=2, measured=4, lead=lead, first_table=TableId(first))
    to_cai = SharedRounds(CAI, False, 1, won=0, measured=1, lead=-6000, first_table=TableId(second))
    assert set(played.shared_rounds) == {
        with_cai,
        with_ben,
        to_ben,
        to_cai,
        to_ben._replace(user_id=DAN),
    }


def shared_rounds_of(user_id: int, evenings: dict[int, Evening]) -> set[SharedRounds]:
    """Return the fellow players of a person, computed round by round from evenings by table."""
    found: dict[tuple[int, bool], SharedRounds] = {}
    for table, evening in evenings.items():
        for seats, sketch in zip(evening.counted, evening.rounds, strict=True):
            for mine in (seat for seat, who in enumerate(seats) if who == user_id):
                margin = evening.margin(mine, sketch)
                for seat, who in enumerate(seats):
                    if who in (None, user_id):
                        continue
                    together = not evening.opposed(
                        evening.column(mine), evening.column(seat), sketch
                    )
                    before = found.get((who, together)) or SharedRounds(
                        UserId(who), together, 0, 0, 0, 0, TableId(table)
                    )
                    lead = margin - evening.margin(seat, sketch)
                    found[who, together] = before._replace(
                        rounds=before.rounds + 1,
                        won=before.won + (sketch.measured and margin > 0),
                        measured=before.measured + sketch.measured,
                        lead=before.lead + sketch.measured * lead,
                        first_table=TableId(min(before.first_table, table)),
                    )
    return {*found.values()}


def some_evening(chance: Random, day: int, variant: str) -> Evening:
    """Return a match with changing people, computers, or unknown margins."""
    trichu = variant == "trichu"
    players = 3 if trichu else 4
    users = [ADA, BEN, CAI, DAN, UserId(5), UserId(6), None, None]
    people: list[UserId | None] = chance.sample(users, players)
    counted, sketches = [], []
    odd = chance.random()
    for _ in range(chance.randint(1, 4)):
        seats = list(people)
        if odd < 0.3:
            seats[chance.randrange(players)] = chance.choice([None, UserId(7), UserId(8)])
        counted.append(seats)
        score = chance.choice([(100, 0), (0, 100), (50, 50), (-20, 320)])
        dealer = chance.randrange(players)
        sketches.append(
            Sketch(
                [score[seat in (dealer, 3)] for seat in range(4)] if trichu else score,
                measured=odd < 0.8 or chance.random() < 0.5,
                dealer=dealer,
            )
        )
    return Evening(
        sketches,
        people,
        EVENING + timedelta(days=day),
        variant=variant,
        alone=trichu,
        reason=chance.choice(["finished", "stopped", None]),
        counted=counted,
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    "variant, seed",
    [("trichu", 0), *(("nanjing", seed) for seed in sample(range(5), 1))],
)
async def test_ended_matches_and_single_rounds_give_the_same_fellow_players(
    store: Store, outside: sqlite3.Connection, variant: str, seed: int
) -> None:
    """For random people at the seats."""
    chance = Random(seed)
    evenings: dict[int, Evening] = {}
    for day in range(20 if SOAK else 8):
        evening = some_evening(chance, day, variant)
        evenings[await evening.store(store)] = evening
    sums = outside.execute("SELECT count(*), count(points) FROM match_seats").fetchone()
    assert 0 < sums[1] < sums[0]
    for user_id in (ADA, BEN, CAI, DAN, 5, 6, 7, 8):
        played = await store.history.played(GUILD, UserId(user_id))
        expected = shared_rounds_of(user_id, evenings)
        assert (set() if played is None else {*played.shared_rounds}) == expected


async def test_hidden_users_are_no_fellow_players(store: Store) -> None:
    await Evening(ROUNDS).store(store)
    await store.preferences.choose(CAI, Preferences(hidden=True))
    await store.preferences.choose(DAN, Preferences(hidden=False, worldwide=True))
    played = await store.history.played(GUILD, ADA)
    assert played is not None
    assert {who.user_id for who in played.shared_rounds} == {BEN, DAN}
    hidden = await store.history.played(GUILD, CAI)
    assert hidden is not None
    assert {who.user_id for who in hidden.shared_rounds} == {ADA, BEN, DAN}


@pytest.mark.parametrize("given", [{"guild_id": 11}, {"rated": False}], ids=["elsewhere", "hints"])
async def test_omits_rounds_that_do_not_count(store: Store, given: dict[str, int]) -> None:
    await Evening(ROUNDS, **given).store(store)  # type: ignore[arg-type]
    assert await store.history.played(GUILD, ADA) is None
    await Evening(ROUNDS[:1], at=TOMORROW).store(store)
    played = await store.history.played(GUILD, ADA)
    assert played is not None
    assert played.games == {"nanjing": 1}
    assert len(played.finished_matches) == 1
    assert sum(who.rounds for who in played.shared_rounds) == 3


@pytest.mark.parametrize("reason", ["stopped", None])
async def test_a_match_that_was_not_played_to_its_end_has_rounds_only(
    store: Store, reason: str | None
) -> None:
    await Evening(ROUNDS, reason=reason).store(store)  # type: ignore[arg-type]
    played = await store.history.played(GUILD, ADA)
    assert played is not None
    assert played.table_totals[0].rounds == 4
    assert played.finished_matches == ()


async def test_games_are_separate_with_the_most_played_first(store: Store) -> None:
    await Evening(ROUNDS[:1]).store(store)
    lords = [Sketch(out=(1, 2, 3, 0)), Sketch(out=(0, 1, 2))]
    await Evening(lords, at=TOMORROW, variant="grandseigneur", alone=True).store(store)
    played = await store.history.played(GUILD, ADA)
    assert played is not None
    assert played.variant == "grandseigneur"
    assert played.games == {"grandseigneur": 2, "nanjing": 1}
    (totals,) = played.table_totals
    assert (totals.points, totals.best, totals.worst) == (10_000, 10_000, 0)
    assert played.finished_matches[0][3:] == (True, None, None)
    assert {who.together for who in played.shared_rounds} == {False}
    nanjing = await store.history.played(GUILD, ADA, "nanjing")
    assert nanjing is not None
    assert nanjing.games == played.games
    assert [totals.rounds for totals in nanjing.table_totals] == [1]
    trichu = await store.history.played(GUILD, ADA, "trichu")
    assert trichu is not None
    assert (trichu.games, trichu.table_totals, trichu.finished_matches) == (played.games, (), ())


async def test_rating_and_place_are_those_of_the_guild(store: Store) -> None:
    await Evening([ROUNDS[0]] * 19).store(store)
    played = await store.history.played(GUILD, ADA)
    assert played is not None
    assert played.line is not None
    assert played.line.place == 0  # too few rounds
    await Evening([ROUNDS[0]], at=TOMORROW).store(store)
    played, ben = await store.history.played(GUILD, ADA), await store.history.played(GUILD, BEN)
    assert played is not None
    assert ben is not None
    assert played.line is not None
    assert ben.line is not None
    assert (played.line.place, ben.line.place) == (1, 3)
    assert played.rating == (await store.rankings.ratings(GUILD, "nanjing", [ADA]))[ADA]
    assert [rating for _, rating in played.ratings][1:] == [played.rating]


async def test_statistics_of_somebody_alone_with_computers(store: Store) -> None:
    await Evening(ROUNDS, (ADA, None, None, None)).store(store)
    played = await store.history.played(GUILD, ADA)
    assert played is not None
    assert played.shared_rounds == ()
    assert played.line is None
    assert played.rating is not None
    assert await store.history.played(GUILD, BEN) is None


async def test_names_are_those_of_the_last_table_in_the_guild(store: Store) -> None:
    await Evening(ROUNDS).store(store)
    renamed = NAMES | {ADA: "Ada the Great"}
    await Evening(ROUNDS, at=TOMORROW, names=renamed).store(store)
    assert await store.rankings.names(GUILD, [ADA, BEN, UserId(99)]) == {
        ADA: "Ada the Great",
        BEN: "Ben",
    }
    assert await store.rankings.names(GUILD + 1, [ADA]) == {}


@pytest.mark.sqlite("its plan of a query")
async def test_ended_matches_need_no_row_of_a_round(
    store: Store, outside: sqlite3.Connection
) -> None:
    """Otherwise the profile of somebody with 20,000 rounds would be slow."""
    await Evening(ROUNDS).store(store)
    await Evening(ROUNDS, at=TOMORROW, reason="stopped").store(store)
    asked: list[tuple[str, Any]] = []

    def note(_: Any, __: Any, statement: str, parameters: Any, *___: Any) -> None:
        asked.append((statement, parameters))

    event.listen(Engine, "before_cursor_execute", note)
    try:
        assert await store.history.played(GUILD, ADA) is not None
    finally:
        event.remove(Engine, "before_cursor_execute", note)
    plans = [
        [str(line[3]) for line in outside.execute(f"EXPLAIN QUERY PLAN {statement}", parameters)]
        for statement, parameters in asked
        if "SELECT" in statement
    ]
    of_rounds = [line for plan in plans for line in plan if "round_seats" in line]
    assert of_rounds == [
        "SEARCH round_seats USING COVERING INDEX ix_round_seats_counts_for (counts_for=?)"
    ]
