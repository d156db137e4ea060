"""Alt texts of charts, for people who do not see them."""

from __future__ import annotations

from bot.pictures.descriptions import (
    AccuracyChart,
    ChancesChart,
    Chart,
    Line,
    PlacesChart,
    RatingChart,
    ScoreChart,
)
from bot.pictures.table.scene_text import spoken
from bot.text import Say

LONGEST = 1024
"""Discord's limit for the description of a picture, in characters."""


def alt_text(chart: Chart, say: Say) -> str:
    """Return the description of a chart, in at most `LONGEST` characters."""
    if isinstance(chart, ScoreChart):
        sentences = _score_sentences(chart, say)
    elif isinstance(chart, PlacesChart):
        sentences = _places_sentences(chart, say)
    elif isinstance(chart, AccuracyChart):
        sentences = _accuracy_sentences(chart, say)
    elif isinstance(chart, ChancesChart):
        sentences = _chances_sentences(chart, say)
    else:
        sentences = _rating_sentences(chart, say)
    text = " ".join(sentences)
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def _score_sentences(chart: ScoreChart, say: Say) -> list[str]:
    """Return the sentences about a match for points."""
    rounds = len(chart.lines[0].values)
    sentences = [say.many("The score over {n} round.", "The score over {n} rounds.", rounds)]
    if chart.target is not None:
        sentences.append(say("Target: {points}.", points=say.number(chart.target)))
    for line in sorted(chart.lines, key=lambda line: -line.values[-1]):
        name, points = _joined_names(line), line.values[-1]
        sentences.append(
            say.many("{name}: {n} point, won.", "{name}: {n} points, won.", points, name=name)
            if line.won
            else say.many("{name}: {n} point.", "{name}: {n} points.", points, name=name)
        )
    if chart.bets:
        made_count = sum(bet.made for bet in chart.bets)
        sentences.append(
            say(
                "Calls: {made} made, {failed} failed.",
                made=say.number(made_count),
                failed=say.number(len(chart.bets) - made_count),
            )
        )
    if chart.sweeps:
        victory_count = say.number(len({sweep.round for sweep in chart.sweeps}))
        victories = {
            2: say("Double victories: {number}.", number=victory_count),
            3: say("Triple victories: {number}.", number=victory_count),
        }
        sentences.append(victories[chart.sweep_size])
    return sentences


def _places_sentences(chart: PlacesChart, say: Say) -> list[str]:
    """Return the sentences about a match without points."""
    rounds = len(chart.lines[0].values)
    sentences = [say.many("The places over {n} round.", "The places over {n} rounds.", rounds)]
    order = sorted(chart.lines, key=lambda line: line.values[-1])
    names = ", ".join(f"{say.number(line.values[-1])} {_joined_names(line)}" for line in order)
    sentences.append(say("At the end: {names}.", names=names))
    return sentences


def _rating_sentences(chart: RatingChart, say: Say) -> list[str]:
    """Return the sentences about a player's rating."""
    first, last = chart.points[0], chart.points[-1]
    ratings = [point.value for point in chart.points]
    return [
        say("{name}'s estimated rating over time.", name=spoken(chart.name)),
        say(
            "Now {rating} ± {spread}.",
            rating=say.number(round(last.value)),
            spread=say.number(round(last.spread)),
        ),
        say(
            "First {first}, lowest {lowest}, highest {highest}.",
            first=say.number(round(first.value)),
            lowest=say.number(round(min(ratings))),
            highest=say.number(round(max(ratings))),
        ),
    ]


def _accuracy_sentences(chart: AccuracyChart, say: Say) -> list[str]:
    """Return the sentences about the cost of a player's decisions."""
    first, last = chart.points[0], chart.points[-1]
    return [
        say("{name}'s points lost per decision over time.", name=spoken(chart.name)),
        say(
            "Now {points} ± {spread}, at first {first}.",
            points=say.decimal(round(last.value, 1)),
            spread=say.decimal(round(last.spread, 1)),
            first=say.decimal(round(first.value, 1)),
        ),
    ]


def _chances_sentences(chart: ChancesChart, say: Say) -> list[str]:
    """Return the sentences about the chances of a team in a round."""
    first, last = chart.points[0], chart.points[-1]
    turning = [(chart.points[place - 1], chart.points[place]) for place in chart.turning_points]
    return [
        say(
            "The team's chance to win the round: {first} at the first trick, {last} at the end.",
            first=say.percent(first.round),
            last=say.percent(last.round),
        ),
        *(
            say(
                "In trick {number} from {before} to {after}.",
                number=say.number(before.trick),
                before=say.percent(before.round),
                after=say.percent(after.round),
            )
            for before, after in turning
        ),
        say(
            "The chance to win the match: {first} at the first trick, {last} at the end.",
            first=say.percent(first.match),
            last=say.percent(last.match),
        ),
    ]


def _joined_names(line: Line) -> str:
    """Return the names of the players of a line, joined by “&”."""
    return " & ".join(spoken(name) for name in line.names)
