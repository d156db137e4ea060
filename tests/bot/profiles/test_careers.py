"""Statistics from rounds and matches made by hand, with figures that are easy to verify."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from datetime import timedelta
from pathlib import Path

import pytest

from bot.ids import UserId
from bot.profiles.careers import Calls, Career, Moment, Nemesis, Partner, career
from bot.score_records import Preferences
from bot.storage import Store
from tests.bot.databases import open_store
from tests.bot.played import ADA, BEN, CAI, DAN, EVENING, GUILD, Evening, Sketch

LOST, WON = Sketch((0, 100)), Sketch((200, 0))


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    opened = await open_store(tmp_path / "tichu.db")
    yield opened
    await opened.close()


async def career_of(store: Store, user_id: UserId, variant: str | None = None) -> Career:
    played = await store.history.played(GUILD, user_id, variant)
    assert played is not None
    found = career(played)
    assert found is not None
    return found


def on_day(day: int, rounds: Sequence[Sketch], *people: UserId | None, won: bool = True) -> Evening:
    """Return a match on some day that the first team wins or loses."""
    at = EVENING + timedelta(days=day)
    return Evening(rounds, people or (ADA, BEN, CAI, DAN), at, winners=(0,) if won else (1,))


async def test_rounds_points_and_calls(store: Store) -> None:
    rounds = [
        Sketch((250, 50), calls={0: ("tichu", True), 2: ("tichu", True)}, bombs={0: 2}, sweep=0),
        Sketch((-200, 100), calls={0: ("grand", False)}),
        Sketch((10, 90), calls={0: ("tichu", False)}, bombs={0: 1}),
        Sketch((300, 0), calls={0: ("tichu", True)}, sweep=0),
    ]
    evening = on_day(0, rounds)
    await evening.store(store)
    ada = await career_of(store, ADA)
    assert (ada.variant, ada.rounds, ada.first_at) == ("nanjing", 4, evening.ended_at(1))
    assert ada.points == (200 - 300 - 80 + 300) / 4
    assert ada.best == Moment(300, evening.ended_at(4))
    assert ada.worst == Moment(-300, evening.ended_at(4))
    assert ada.tichus == Calls(3, 2, 100)
    assert ada.grands == Calls(1, 0, -200)
    assert (ada.sweeps, ada.bombs) == (2, 3)
    ben = await career_of(store, BEN)
    assert ben.points == -ada.points
    assert ben.tichus == ben.grands == Calls(0, 0, 0)
    assert (ben.sweeps, ben.bombs) == (0, 0)


async def test_matches_streaks_and_the_best_comeback(store: Store) -> None:
    results = (True, True, False, True, True, True, False, True)
    for day, won in enumerate(results):
        # The first round leaves Ada's team 100 * (day % 5) points behind.
        rounds = [Sketch((0, 100 * (day % 5))), Sketch((900, 0) if won else (0, 900))]
        await on_day(day, rounds, won=won).store(store)
    ada, ben = await career_of(store, ADA), await career_of(store, BEN)
    assert (ada.matches, ada.wins, ada.win_rate) == (8, 6, 0.75)
    assert (ada.streak, ada.longest_streak) == (1, 3)
    assert ada.comeback == Moment(400, on_day(4, [WON] * 2).ended_at(2))
    assert (ben.matches, ben.wins, ben.streak, ben.longest_streak) == (8, 2, 0, 1)
    assert ben.comeback is None  # it won both without ever being behind


async def test_no_comeback_without_a_deficit_and_no_rate_without_a_match(
    store: Store,
) -> None:
    await on_day(0, [WON]).store(store)
    assert (await career_of(store, ADA)).comeback is None
    await Evening(
        [WON],
        (UserId(5), UserId(6), UserId(7), UserId(8)),
        at=EVENING,
        guild_id=GUILD,
        reason="stopped",
    ).store(store)
    stopped = await career_of(store, UserId(5))
    assert (stopped.rounds, stopped.matches, stopped.win_rate) == (1, 0, None)
    assert (stopped.streak, stopped.longest_streak) == (0, 0)


async def test_partners_and_nemesis(store: Store) -> None:
    # With Cai 12 rounds, 6 of them won; with Ben 10, 8 of them won; with Dan 9, all won.
    await on_day(0, [WON] * 6 + [LOST] * 6, ADA, BEN, CAI, DAN).store(store)
    await on_day(1, [WON] * 8 + [LOST] * 2, ADA, CAI, BEN, None).store(store)
    await on_day(2, [WON] * 9, ADA, None, DAN, None).store(store)
    ada = await career_of(store, ADA)
    assert ada.favourite == Partner(CAI, 12, 0.5)
    assert ada.best_partner == Partner(BEN, 10, 0.8)
    # Against Ben and Dan 12 rounds with 6 · 200 - 6 · 100: nothing is lost to anybody.
    assert ada.nemesis is None
    ben, cai = await career_of(store, BEN), await career_of(store, CAI)
    # Ben lost 12 rounds to Ada and Cai alike, then 10 to Cai as Ada's partner.
    assert ben.nemesis == Nemesis(ADA, 12, 50.0)
    # Cai lost 8 · 200 - 2 · 100 to Ada and Ben in 10 rounds; but Ada is the favourite partner.
    assert cai.favourite == Partner(ADA, 12, 0.5)
    assert cai.nemesis is not None
    assert (cai.nemesis.user_id, cai.nemesis.rounds) == (BEN, 22)
    assert cai.nemesis.lost == pytest.approx(800 / 22)


async def test_favourite_partner_is_not_the_nemesis(store: Store) -> None:
    # Ben is Ada's partner in most rounds, and beats Ada in ten others.
    await on_day(0, [LOST] * 12, ADA, CAI, BEN, DAN).store(store)
    await on_day(1, [LOST] * 10, ADA, BEN, DAN, None).store(store)
    ada = await career_of(store, ADA)
    assert ada.favourite is not None
    assert ada.favourite.user_id == BEN
    assert ada.nemesis is not None
    assert ada.nemesis.user_id != BEN


async def test_nine_rounds_make_neither_a_best_partner_nor_a_nemesis(store: Store) -> None:
    await on_day(0, [LOST] * 9).store(store)
    ada = await career_of(store, ADA)
    assert ada.favourite == Partner(CAI, 9, 0.0)
    assert (ada.best_partner, ada.nemesis) == (None, None)
    await on_day(1, [LOST]).store(store)
    ada = await career_of(store, ADA)
    assert ada.best_partner == Partner(CAI, 10, 0.0)
    assert ada.nemesis == Nemesis(BEN, 10, 100.0)


async def test_hidden_user_is_neither_partner_nor_nemesis(store: Store) -> None:
    await on_day(0, [LOST] * 10).store(store)
    for hidden in (BEN, CAI):
        await store.preferences.choose(UserId(hidden), Preferences(hidden=True))
    ada = await career_of(store, ADA)
    assert (ada.favourite, ada.best_partner) == (None, None)
    assert ada.nemesis == Nemesis(DAN, 10, 100.0)


async def test_in_trichu_points_are_lost_to_the_opponents_of_the_round(store: Store) -> None:
    rounds = [
        *[Sketch((30, 70, 70, 30), dealer=0)] * 10,
        *[Sketch((80, 20, 80, 20), dealer=1)] * 10,
        *[Sketch((50, 50, 50, 50), dealer=2)] * 10,
    ]
    await Evening(rounds, (ADA, BEN, CAI), variant="trichu", alone=True).store(store)
    ada, ben, cai = [await career_of(store, who) for who in (ADA, BEN, CAI)]
    assert ada.points == pytest.approx((600 - 400) / 30, abs=0.01)
    # Ada lost 40 to each in ten rounds, won 60 from Ben in ten, and was even with Cai in ten; Ben
    # lost 60 to Cai in ten, and was even with them in ten.
    assert ada.nemesis == Nemesis(CAI, 20, 20.0)
    assert ben.nemesis == Nemesis(CAI, 20, 30.0)
    assert cai.nemesis is None


async def test_in_trichu_partners_change_with_the_dealer(store: Store) -> None:
    rounds = [Sketch((30, 70, 70, 30), dealer=0)] * 12
    await Evening(rounds, (ADA, BEN, CAI), variant="trichu", alone=True).store(store)
    ben = await career_of(store, BEN)
    assert (ben.favourite, ben.best_partner, ben.nemesis) == (None, None, None)


async def test_points_of_a_game_of_places_are_percent(store: Store) -> None:
    rounds = [Sketch(out=(0, 1, 2, 3))] * 5 + [Sketch(out=(1, 2, 3, 0))] * 6
    lords = Evening(rounds, variant="grandseigneur", alone=True, winners=(1,))
    await lords.store(store)
    ada = await career_of(store, ADA)
    assert ada.points == pytest.approx(500 / 11, abs=0.01)
    assert (ada.best, ada.worst) == (Moment(100, lords.ended_at(11)), Moment(0, lords.ended_at(11)))
    # Ben: 5 · 66.67 + 6 · 100 = 933.33 of 1100
    assert ada.nemesis is not None
    assert ada.nemesis.user_id == BEN
    assert ada.nemesis.lost == pytest.approx((933.33 - 500) / 11, abs=0.01)
    assert (ada.tichus, ada.favourite, ada.comeback) == (Calls(0, 0, 0), None, None)
    assert (ada.matches, ada.wins) == (1, 0)


async def test_rating_and_place(store: Store) -> None:
    await on_day(0, [WON] * 20).store(store)
    ada, ben = await career_of(store, ADA), await career_of(store, BEN)
    assert ada.rating == (await store.rankings.ratings(GUILD, "nanjing", [ADA]))[ADA]
    assert (ada.place, ben.place) == (1, 3)
    await store.preferences.choose(ADA, Preferences(hidden=True))
    assert (await career_of(store, ADA)).place is None
    assert (await career_of(store, BEN)).place == 2


async def test_no_statistics_without_a_round_of_the_game(store: Store) -> None:
    await on_day(0, [WON]).store(store)
    played = await store.history.played(GUILD, ADA, "tientsin")
    assert played is not None
    assert career(played) is None
