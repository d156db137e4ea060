"""Lines and small tables of points, for results and replays."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bot.table.solo_game import SoloGame
from bot.table.state import Game
from bot.text.cards import Speaker
from bot.text.labels import badge, team_emoji
from bot.text.people import isolated
from cogs.pages.names import (
    column_name,
    listed_place,
    plain_column,
    seat_name,
    seats_of_column,
    titled_name,
)
from engine import Call, Column, Points, RoundResult, Seat, points_of, ranking

MOST_ROUNDS = 30
"""Rounds in the table of scores: those of the longest Trichu (O5)."""


# --- one round -----------------------------------------------------------------------------------


def round_story(state: Game, result: RoundResult, words: Speaker) -> str:
    """Return the story of the round: places and calls."""
    lines = [*_order(state, result, words), *_last_player(state, result, words)]
    lines += [_call(state, seat, call, words, made=made) for seat, call, made in result.calls]
    return "\n".join(lines)


def round_summary(state: Game, words: Speaker) -> str:
    """Return the result of the last round: its story and points, or the new titles."""
    if not state.match.variant.scored:
        return hierarchy_lines(state, words)
    result = state.match.results[-1]
    return "\n".join(
        filter(None, (round_story(state, result, words), scores_table(state, result, words)))
    )


def _order(state: Game, result: RoundResult, words: Speaker) -> Iterator[str]:
    """Return the order of going out, or a whole team's victory."""
    say = words.say
    names = [f"**{seat_name(state, seat, words)}**" for seat in result.out]
    if result.penalty is not None:
        name = f"**{seat_name(state, result.penalty, words)}**"
        yield say("{name} ignored a wish they could meet: the round ends at once.", name=name)
    elif result.sweep and len(names) == 2:
        first, second = names
        yield say("**Double victory!** {a} & {b} went out 1st and 2nd.", a=first, b=second)
    elif result.sweep:
        yield say("**Triple victory!** {names} went out 1st, 2nd and 3rd.", names=say.join(names))
    elif names:
        places = [
            f"{listed_place(place, words)} {name}" for place, name in enumerate(names, start=1)
        ]
        # Translators: who still held cards when the round was over, as in “1st Ada · last Ben”
        places += [say("last {name}", name=f"**{name}**") for name in _never_out(state, words)]
        yield "🏁 " + " · ".join(places)


def _never_out(state: Game, words: Speaker) -> Iterator[str]:
    """Return the names of those who still hold cards."""
    round_ = state.round
    return (
        seat_name(state, seat, words) for seat in round_.seating.order if round_.has_cards(seat)
    )


def _last_player(state: Game, result: RoundResult, words: Speaker) -> Iterator[str]:
    """Yield the line on who gets the cards and tricks of the last player (N65, N66)."""
    round_, variant = state.round, state.match.variant
    never_out = [seat for seat in round_.seating.order if round_.has_cards(seat)]
    if result.sweep or result.penalty is not None or not variant.scored or len(never_out) != 1:
        return
    (last,) = never_out
    hand, tricks = points_of(round_.hands[last].cards), points_of(round_.piles[last])
    yield "-# " + words.say(
        "{name} was last: cards in hand ({hand} points) go to {opponents}, tricks ({tricks} "
        "points) to {winners}.",
        name=seat_name(state, last, words),
        hand=words.say.number(hand),
        opponents=team_emoji(1 - round_.seating.teams[last]),
        tricks=words.say.number(tricks),
        winners=team_emoji(variant.pile_team(round_, last)),
    )


def _call(state: Game, seat: Seat, call: Call, words: Speaker, *, made: bool) -> str:
    """Return the result of a call."""
    say = words.say
    name, called = f"**{seat_name(state, seat, words)}**", words.call_within(call)
    if made:
        icon = words.art.icon("grand" if call is Call.GRAND else "tichu")
        points = say.signed(call.value)
        return f"{icon} " + say(
            "{name} made {call}: {points}", name=name, call=called, points=points
        )
    points = say.signed(-call.value)
    return "✗ " + say("{name}'s {call} failed: {points}", name=name, call=called, points=points)


def scores_table(state: Game, result: RoundResult, words: Speaker) -> str:
    """Return a table of each column's points: for cards, for calls, in the round, in total.

    Instead of totals, a solo round has its differences, by which it is compared. The sign of the
    column's team is on top.
    """
    say = words.say
    calls = [score - cards for score, cards in zip(result.score, result.cards, strict=True)]
    table = [
        # Translators: a heading of a row of points, at most 6 letters: points of cards
        (say("Cards"), _written(result.cards, words)),
        # Translators: a heading of a row of points, at most 6 letters
        (say("Calls"), _signed(calls, words)),
        # Translators: the heading of a row of points, at most 6 letters; the axis of a chart
        (say("Round"), _signed(result.score, words)),
        _last_row(state, result, words),
    ]
    columns = range(len(result.totals))
    return _block(_headings(state, words), table, [_signs(state, column) for column in columns])


def _last_row(state: Game, result: RoundResult, words: Speaker) -> tuple[str, Sequence[str]]:
    """Return the last row of the table of points, with its heading."""
    if isinstance(state, SoloGame):
        own, others = result.score
        # Translators: a heading of a row of points, at most 6 letters: minus the other team's
        return words.say("Net"), _signed((own - others, others - own), words)
    # Translators: a heading of a row of points, at most 6 letters
    return words.say("Total"), _written(result.totals, words)


def comparison_table(state: Game, then: RoundResult, words: Speaker) -> str:
    """Return a table of each column's points in the round, played twice."""
    say, now = words.say, state.match.results[-1]
    table = [
        # Translators: a heading of a row of points, at most 8 letters: in the match
        (say("Before"), _signed(then.score, words)),
        # Translators: a heading of a row of points, at most 8 letters: in the second attempt
        (say("Now"), _signed(now.score, words)),
    ]
    columns = range(len(now.score))
    return _block(_headings(state, words), table, [_signs(state, column) for column in columns])


def _signs(state: Game, column: Column) -> str:
    """Return the sign of a column's team in this round."""
    sides = {state.round.seating.teams[seat] for seat in seats_of_column(state, column)}
    return "".join(map(team_emoji, sorted(sides)))


def hierarchy_lines(state: Game, words: Speaker) -> str:
    """Return all players by rank, with titles and moves (G12, G13)."""
    ranks = state.match.variant.hierarchy(state.match)
    before = ranking(state.match.results[-2], len(ranks)) if len(state.match.results) > 1 else ranks
    return "\n".join(
        f"{badge(place, len(ranks))} {titled_name(state, seat, ranks, words)}"
        f"{_moved(before.index(seat) - place)}"
        for place, seat in enumerate(ranks)
    )


def _moved(places: int) -> str:
    """Return an arrow for a rise by `places`, or a fall if negative."""
    return f" {'▲' if places > 0 else '▼'}{abs(places)}" if places else ""


# --- the whole match -----------------------------------------------------------------------------


def final_standing(state: Game, words: Speaker) -> str:
    """Return all columns by points; equal ones share a place (T15)."""
    totals = state.match.totals
    lines = []
    for column, total in sorted(enumerate(totals), key=lambda entry: -entry[1]):
        place = 1 + sum(other > total for other in totals)
        name = column_name(state, column, words)
        lines.append(f"{place}\\. {words.say.labelled(name, words.say.number(total))}")
    return "\n".join(lines)


def all_rounds_table(state: Game, words: Speaker) -> str:
    """Return the totals after each of the (last) rounds, as a table."""
    results = state.match.results[-MOST_ROUNDS:]
    table = [(str(result.number), _written(result.totals, words)) for result in results]
    return _block(_headings(state, words), table)


def _headings(state: Game, words: Speaker) -> list[str]:
    columns: list[Column] = list(range(len(state.match.totals)))
    return [plain_column(state, column, words) for column in columns]


# --- tables in a font of fixed width -------------------------------------------------------------

_WIDEST = 26
"""The characters of a line that a phone shows without scrolling."""


def _block(
    headings: Sequence[str], table: Sequence[tuple[str, Sequence[str]]], signs: Sequence[str] = ()
) -> str:
    """Return the rows of a table, each with its label, below its headings.

    A line fits on a phone if no value has more than four characters. `signs` are above the
    headings, one for each column.
    """
    label_width = max(len(label) for label, _ in table)
    values = [value for _, row in table for value in row]
    least = max(*map(len, values), 4 if len(headings) > 2 else 8) + 1
    # Columns have the least width, and share the rest of the line as far as their headings need it.
    widths, free = [least] * len(headings), _WIDEST - label_width - least * len(headings)
    for column in sorted(range(len(headings)), key=lambda column: len(headings[column])):
        more = max(0, min(free, len(headings[column]) + 1 - least))
        widths[column] += more
        free -= more

    heading_lines = _heading_lines(headings, widths)
    # A sign is as wide as two characters, so it gets one blank less.
    sign_line = [sign.rjust(width - len(sign)) for sign, width in zip(signs, widths, strict=False)]
    rows = [" " * label_width + "".join(line) for line in (sign_line, *heading_lines) if line]
    rows += [
        f"{label:<{label_width}}"
        + "".join(f"{value:>{width}}" for value, width in zip(row, widths, strict=True))
        for label, row in table
    ]
    return "```\n" + "\n".join(rows) + "\n```"


def _heading_lines(headings: Sequence[str], widths: Sequence[int]) -> Iterator[list[str]]:
    """Yield the lines of the headings, in columns of these widths.

    Partners whose names do not fit side by side are below each other.
    """
    columns = [
        [heading] if len(heading) < width else heading.replace("+", "+\n").split("\n")
        for heading, width in zip(headings, widths, strict=True)
    ]
    line_count = max(map(len, columns))
    aligned = [[""] * (line_count - len(lines)) + lines for lines in columns]  # at the bottom
    for number in range(line_count):
        yield [
            _heading_cell(lines[number][: width - 1], width)
            for lines, width in zip(aligned, widths, strict=True)
        ]


def _heading_cell(names: str, room: int) -> str:
    """Return names, joined by `+`, at the right edge of a cell; isolates need no room."""
    return " " * (room - len(names)) + "+".join(map(isolated, names.split("+")))


def _written(points: Sequence[Points], words: Speaker) -> list[str]:
    """Return a row of points; three columns are too narrow for separators."""
    if len(points) <= 2:
        return [words.say.number(value) for value in points]
    return [str(value).replace("-", "−") for value in points]


def _signed(points: Sequence[Points], words: Speaker) -> list[str]:
    written = zip(points, _written(points, words), strict=True)
    return [("+" if value > 0 else "") + text for value, text in written]
