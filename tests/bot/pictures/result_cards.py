"""Sample result cards, from plain to extreme."""

from __future__ import annotations

from bot.pictures.descriptions import Name, ScoreChart
from bot.pictures.result.scene import Calls, CardLine, PlayShown, ResultCard
from engine import Team
from tests.bot.pictures.samples import CHARTS, NANJING, STRANGE


def line(names: tuple[str, ...], total: str, team: Team | None = None, **given: object) -> CardLine:
    """Return a line of a card."""
    people = tuple(Name(name, f"Player {seat}") for seat, name in enumerate(names, start=1))
    values = {"names": people, "team": team, "total": total, "won": False, **given}
    return CardLine.model_validate(values)


def _chart(name: str) -> ScoreChart:
    chart = CHARTS[name]
    assert isinstance(chart, ScoreChart)
    return chart


CALLS = (Calls(grand=False, made=3, failed=1), Calls(grand=True, made=0, failed=12))
BOMB = PlayShown(
    cards=("J3", "S3", "P3", "T3"),
    heading="Play of the match",
    text="Four-of-a-kind bomb (3s)",
    name=Name("Ben", "Player 2"),
    team=1,
)
LONG = BOMB.model_copy(
    update={
        "cards": ("J2", "S3", "P4", "T5", "J6", "S7", "P8", "T9", "J10", "SJ", "PQ", "TK", "JA"),
        "text": "Straight 2–A",
        "name": Name("W" * 32, "Player 1"),
        "team": None,
    }
)
STRAIGHT = LONG.model_copy(
    update={
        "heading": "Longest straight",
        "text": "Straight 5–Q",
        "name": Name("Cleo", ""),
        "team": 0,
    }
)
RESULTS: dict[str, ResultCard] = {
    "nanjing": ResultCard(
        heading="Tichu · 4 players · 4 rounds",
        lines=(
            line(("Ada", "Cleo"), "1040", 0, won=True, calls=CALLS, bombs=2),
            line(("Ben", "Dan"), "335", 1, calls=CALLS[:1]),
        ),
        straight=STRAIGHT,
        play=BOMB,
        chart=NANJING,
    ),
    "trichu": ResultCard(
        heading="Tichu · 3 players · 3 rounds",
        lines=tuple(line((name,), "−200", calls=CALLS, bombs=10) for name in STRANGE[:4]),
        straight=LONG.model_copy(update={"heading": "Longest straight"}),
        play=LONG,
        chart=_chart("trichu"),
    ),
    "one-round": ResultCard(
        heading="Tichu · 6 players · 1 round",
        lines=(
            line(STRANGE[6:9], "1000", 0, won=True),
            line(("W" * 32,) * 3, "−1000", 1),
        ),
    ),
}
