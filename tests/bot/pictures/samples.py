"""Sample matches and ratings for charts, from plain to extreme."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from bot.pictures.descriptions import (
    Bet,
    ChancesChart,
    ChancesPoint,
    Chart,
    Line,
    Name,
    PlacesChart,
    RatingChart,
    ScoreChart,
    Sweep,
    accuracy_chart,
    rating_chart,
)
from bot.pictures.words import ChancesWords, ScoreWords
from bot.text import speech

SAY = speech("en")
WORDS = ScoreWords.of(SAY)
STRANGE = (
    *("$x^2$ \\alpha {}", "$", "田中太郎", "😀🎴", "\u202egnal\u0301\u0327\u0489", "a\nb\tc", ""),
    *("W" * 32, "मनीषा", "محمد", "𝓐𝓭𝓪", "\x00\ud7ff\ue000"),
)
"""Extreme names that Discord allows, or nearly."""


def line(names: str | Sequence[str], *values: int, won: bool = False) -> Line:
    """Return a line of one or more people."""
    people = [names] if isinstance(names, str) else names
    found = tuple(Name(name, f"Player {seat}") for seat, name in enumerate(people, start=1))
    return Line(names=found, values=values, won=won)


def score(
    *lines: Line,
    language: str = "en",
    target: int | None = 1000,
    bets: tuple[Bet, ...] = (),
    sweeps: tuple[Sweep, ...] = (),
    sweep_size: int = 2,
) -> ScoreChart:
    """Return the chart of a match for points."""
    return ScoreChart(
        language=language,
        words=WORDS,
        lines=lines,
        target=target,
        bets=bets,
        sweeps=sweeps,
        sweep_size=sweep_size,
    )


def places(*lines: Line) -> PlacesChart:
    """Return the chart of a match of Grand Seigneur."""
    return PlacesChart(language="en", words=WORDS, lines=lines)


def bet(of: int, number: int, *, grand: bool = False, made: bool = True) -> Bet:
    """Return a call in a round."""
    return Bet(line=of, round=number, grand=grand, made=made)


ADA_BEN = (
    line(("Ada", "Cleo"), 140, 380, 290, 1040, won=True),
    line(("Ben", "Dan"), 60, -80, 310, 335),
)
BETS = (
    bet(0, 1),
    bet(0, 2, grand=True),
    bet(1, 2, made=False),
    bet(1, 2, grand=True, made=False),
)
NANJING = score(*ADA_BEN, bets=BETS, sweeps=(Sweep(line=0, round=4),))
LORDS = places(line("Ada", 1, 3, 2), line("Ben", 2, 1, 3), line("Cleo", 3, 2, 1, won=True))
NEW_YEAR = datetime(2031, 1, 1, tzinfo=UTC)


def rating(count: int, days: float, seasons: int = 2, name: str = "Ada") -> RatingChart:
    """Return a rating that varies and becomes more certain; a season is a quarter of a year."""
    return rating_chart(
        name,
        tuple(
            (
                NEW_YEAR + timedelta(days=1 + days * number / count),
                1500.0 + 37 * (number % 5) - number,
                350.0 / (1 + number / 10),
            )
            for number in range(count)
        ),
        tuple((NEW_YEAR + timedelta(days=91 * n), f"Season {n + 1}") for n in range(seasons)),
        SAY,
    )


def chances(*shares: tuple[float, float], turning_points: tuple[int, ...] = ()) -> ChancesChart:
    """Return the chances to win the round and the match, trick by trick."""
    return ChancesChart(
        language="en",
        words=ChancesWords.of(SAY),
        points=tuple(
            ChancesPoint(trick=trick, round=round_, match=match)
            for trick, (round_, match) in enumerate(shares, start=1)
        ),
        turning_points=turning_points,
    )


CHANCES = chances(
    *((0.62, 0.55), (0.65, 0.56), (0.6, 0.54), (0.31, 0.44), (0.35, 0.45), (0.3, 0.44)),
    *((0.8, 0.6), (1.0, 0.66)),
    turning_points=(3, 6),
)
CHARTS: dict[str, Chart] = {
    "nanjing": NANJING,
    "one round": score(line(("Ada", "Cleo"), 200, won=True), line(("Ben", "Dan"), 0), target=100),
    "nobody scored": score(line("Ada", 0), line("Ben", 0), target=None),
    "trichu": score(*(line(name, 90, 15, -200) for name in STRANGE[:4]), target=None),
    "tientsin": score(*ADA_BEN, sweeps=(Sweep(line=1, round=3),), sweep_size=3),
    "two hundred rounds": score(
        line(("Ada", "Cleo"), *range(-500, 4500, 25), won=True),
        line(("Ben", "Dan"), *[0] * 200),
        bets=tuple(bet(n % 2, n, grand=n % 3 == 0, made=n % 5 > 1) for n in range(1, 201)),
        target=5000,
    ),
    "lords": LORDS,
    "lords, one round": places(line("Ada", 1, won=True), line("Ben", 2), line("Cleo", 3)),
    "twelve lords": places(
        *(
            line(name, *((at + n) % 12 + 1 for n in range(99)), won=at == 9)
            for at, name in enumerate(STRANGE)
        )
    ),
    "rating": rating(20, 120),
    "rating, one point": rating(1, 1),
    "rating, one evening": rating(9, 0.2),
    "rating, three days": rating(9, 3, seasons=0),
    "rating, years": rating(900, 1500, seasons=17, name=STRANGE[0]),
    "chances": CHANCES,
    "chances of one trick": chances((0.5, 0.5), (1.0, 1.0), turning_points=(1,)),
    "chances of many tricks": chances(*((n % 7 / 6, n / 60) for n in range(60))),
    "accuracy": accuracy_chart(
        "Ada",
        tuple((NEW_YEAR + timedelta(days=n), 2.5 + n % 3 - n / 40, 4 / n) for n in range(1, 40)),
        SAY,
    ),
    "accuracy of an Expert": accuracy_chart("", ((NEW_YEAR, -0.04, 0.5),), SAY),
    "rating that is sure": rating_chart("", ((NEW_YEAR, 1500.0, 0.0),), (), SAY),
}
