"""Effects of a round on ratings."""

from __future__ import annotations

from math import isclose
from pathlib import Path

import pytest

from bot.ids import UserId
from bot.rating import ratings
from bot.rating.ratings import BEGINNER, FIXED, new_ratings
from bot.records import RoundRecord, RoundScore, RoundSeat
from bot.score_records import Rating
from players.levels import LEVELS
from tests.bot.storage.samples import NOON

ANN, BEN, CLEO, DAN, EVE = map(UserId, range(1, 6))


def played(
    scores: tuple[int, ...],
    *people: UserId | None,
    columns: tuple[int, ...] = (0, 1, 0, 1),
    **given: object,
) -> RoundRecord:
    """Return a round with these scores by column; `None` is an Expert."""
    return RoundRecord(
        number=1,
        ended_at=NOON,
        scores=tuple(
            RoundScore(column=column, score=score, total=score)
            for column, score in enumerate(scores)
        ),
        seats=tuple(
            RoundSeat(
                seat=seat,
                kind="computer" if user is None else "person",
                user_id=user,
                counts_for=user,
                column=columns[seat],
                level="expert" if user is None else None,
            )
            for seat, user in enumerate(people)
        ),
        **given,  # type: ignore[arg-type]
    )


def test_partners_rise_and_opponents_fall_alike() -> None:
    after = new_ratings(played((100, 0), ANN, BEN, CLEO, DAN), {})
    assert after.keys() == {ANN, BEN, CLEO, DAN}
    assert after[ANN] == after[CLEO]
    assert after[BEN] == after[DAN]
    assert isclose(after[ANN].mu - BEGINNER.mu, BEGINNER.mu - after[BEN].mu)
    assert after[ANN].mu > BEGINNER.mu
    assert all(rating.sigma < BEGINNER.sigma for rating in after.values())


def test_margin_does_not_matter() -> None:
    assert new_ratings(played((400, -200), ANN, BEN, CLEO, DAN), {}) == new_ratings(
        played((55, 45), ANN, BEN, CLEO, DAN), {}
    )


def test_a_round_without_winner_brings_unequal_players_closer() -> None:
    before = {ANN: Rating(1700, 100), CLEO: Rating(1700, 100)}
    after = new_ratings(played((50, 50), ANN, BEN, CLEO, DAN), before)
    assert after[ANN].mu < 1700
    assert after[BEN].mu > BEGINNER.mu


def test_surprises_and_uncertain_ratings_move_more() -> None:
    strong = dict.fromkeys((BEN, DAN), Rating(1900, 100))
    surprise = new_ratings(played((10, 0), ANN, BEN, CLEO, DAN), strong)
    expected = new_ratings(played((0, 10), ANN, BEN, CLEO, DAN), strong)
    assert abs(surprise[ANN].mu - BEGINNER.mu) > 2 * abs(expected[ANN].mu - BEGINNER.mu)
    assert abs(surprise[BEN].mu - 1900) < surprise[ANN].mu - BEGINNER.mu


def test_rounds_among_computer_players_count_less() -> None:
    """By the share of people among the others, at least a quarter."""
    changes = []
    for others in ((BEN, CLEO, DAN), (BEN, CLEO, None), (BEN, None, None), (None, None, None)):
        experts = dict.fromkeys((ANN, *filter(None, others)), FIXED["expert"])
        after = new_ratings(played((100, 0), ANN, *others), experts)
        assert after.keys() == experts.keys()
        changes.append(after[ANN].mu - FIXED["expert"].mu)
    whole, two_thirds, third, quarter = changes
    assert isclose(two_thirds, whole * 2 / 3)
    assert isclose(third, whole / 3)
    assert isclose(quarter, whole / 4)


def test_unattributed_seat_counts_as_a_novice() -> None:
    record = played((100, 0), ANN, BEN, CLEO, DAN)
    seats = [
        seat.model_copy(update={"counts_for": None}) if seat.seat == 3 else seat
        for seat in record.seats
    ]
    left = record.model_copy(update={"seats": tuple(seats)})
    novice = [
        seat.model_copy(update={"level": "novice", "kind": "computer", "user_id": None})
        if seat.seat == 3
        else seat
        for seat in seats
    ]
    assert new_ratings(left, {}) == new_ratings(
        record.model_copy(update={"seats": tuple(novice)}), {}
    )
    assert DAN not in new_ratings(left, {})


def test_games_without_teams_rate_by_score_or_place() -> None:
    alone = tuple(range(5))
    trichu = new_ratings(played((300, 0, 100), ANN, BEN, CLEO, columns=alone), {})
    assert trichu[ANN].mu > trichu[CLEO].mu > trichu[BEN].mu
    lords = played((), ANN, BEN, CLEO, DAN, EVE, columns=alone)
    places = {1: 3, 4: 1, 0: 2, 2: 4}  # seat 3 comes last and did not go out
    seats = [seat.model_copy(update={"place": places.get(seat.seat)}) for seat in lords.seats]
    found = new_ratings(lords.model_copy(update={"seats": tuple(seats)}), {})
    order = sorted(found, key=lambda user: -found[user].mu)
    assert order == [EVE, ANN, BEN, CLEO, DAN]


def test_hints_and_rounds_of_computers_alone_are_not_rated() -> None:
    assert new_ratings(played((100, 0), ANN, BEN, CLEO, DAN, rated=False), {}) == {}
    assert new_ratings(played((100, 0), None, None, None, None), {}) == {}


def test_fixed_ratings_match_the_measured_strengths() -> None:
    """Two Experts win 61 % of the rounds against two Novices; then no rating would move."""
    before = {
        ANN: FIXED["expert"],
        CLEO: FIXED["expert"],
        BEN: FIXED["novice"],
        DAN: FIXED["novice"],
    }
    won = new_ratings(played((100, 0), ANN, BEN, CLEO, DAN), before)[ANN].mu - FIXED["expert"].mu
    lost = FIXED["expert"].mu - new_ratings(played((0, 100), ANN, BEN, CLEO, DAN), before)[ANN].mu
    assert lost / (won + lost) == pytest.approx(0.613, abs=0.01)


def test_displayed_rating_is_conservative() -> None:
    assert BEGINNER.shown == 800
    assert Rating(1600, 50).shown == 1500


def test_documentation_has_the_parameters_of_the_model() -> None:
    told = (Path(ratings.__file__).parents[2] / "docs" / "scores.md").read_text("utf-8")
    novice, regular, expert = (FIXED[level] for level in LEVELS)
    for words in (
        f"(`beta` {ratings.BETA:.0f})",
        f"(`tau` {ratings.TAU})",
        f"with {BEGINNER.mu:.0f} and {BEGINNER.sigma:.0f}",
        f"Expert `mu` {expert.mu:.0f}, Regular `mu` {regular.mu:.0f}, Novice `mu` {novice.mu:.0f}",
        f"each with `sigma` {expert.sigma:.0f}",
    ):
        assert words in " ".join(told.split())
    assert expert.sigma == regular.sigma == novice.sigma
    assert expert.mu - regular.mu == regular.mu - novice.mu
