"""Lines about a round and small tables of points, for results and replays."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bot.table.state import Game
from bot.text.cards import Speaker
from bot.text.labels import badge, team_emoji
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
"""Largest number of rounds in the table of scores: that of the longest Trichu (O5)."""


# --- one round -----------------------------------------------------------------------------------


def round_story(state: Game, result: RoundResult, words: Speaker) -> str:
    """Return lines on how a round went: order of going out, last player, calls."""
    lines = [*_outcome_lines(state, result, words), *_last_player_line(state, result, words)]
    lines += [_call_line(state, seat, call, words, made=made) for seat, call, made in result.calls]
    return "\n".join(lines)


def _outcome_lines(state: Game, result: RoundResult, words: Speaker) -> Iterator[str]:
    """Yield the line with the order of going out, a double victory, or an ignored wish."""
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
        places += [say("last {name}", name=f"**{name}**") for name in _names_not_out(state, words)]
        yield "🏁 " + " · ".join(places)


def _names_not_out(state: Game, words: Speaker) -> Iterator[str]:
    """Return the names of the players who still hold cards."""
    round_ = state.round
    return (
        seat_name(state, seat, words) for seat in round_.seating.order if round_.has_cards(seat)
    )


def _last_player_line(state: Game, result: RoundResult, words: Speaker) -> Iterator[str]:
    """Yield the line on which teams get the last player's cards (N65, N66)."""
    round_, variant = state.round, state.match.variant
    not_out = [seat for seat in round_.seating.order if round_.has_cards(seat)]
    if result.sweep or result.penalty is not None or not variant.scored or len(not_out) != 1:
        return
    (last,) = not_out
    hand_points, trick_points = points_of(round_.hands[last].cards), points_of(round_.piles[last])
    yield "-# " + words.say(
        "{name} was last: cards in hand ({hand} points) go to {opponents}, tricks ({tricks} "
        "points) to {winners}.",
        name=seat_name(state, last, words),
        hand=words.say.number(hand_points),
        opponents=team_emoji(1 - round_.seating.teams[last]),
        tricks=words.say.number(trick_points),
        winners=team_emoji(variant.pile_team(round_, last)),
    )


def _call_line(state: Game, seat: Seat, call: Call, words: Speaker, *, made: bool) -> str:
    """Return the line on whether a call was made, with its points."""
    say = words.say
    name, call_name = f"**{seat_name(state, seat, words)}**", words.call_within(call)
    if made:
        icon = words.art.icon("grand" if call is Call.GRAND else "tichu")
        points = say.signed(call.value)
        return f"{icon} " + say(
            "{name} made {call}: {points}", name=name, call=call_name, points=points
        )
    points = say.signed(-call.value)
    return "✗ " + say("{name}'s {call} failed: {points}", name=name, call=call_name, points=points)


def scores_table(state: Game, result: RoundResult, words: Speaker) -> str:
    """Return a table with the points of each column: cards, calls, round and total.

    The emoji of its team is above each column.
    """
    say = words.say
    call_points = [score - cards for score, cards in zip(result.score, result.cards, strict=True)]
    rows = [
        # Translators: a heading of a row of points, at most 6 letters: points of cards
        (say("Cards"), _number_row(result.cards, words)),
        # Translators: a heading of a row of points, at most 6 letters
        (say("Calls"), _signed_row(call_points, words)),
        # Translators: the heading of a row of points, at most 6 letters; the axis of a chart
        (say("Round"), _signed_row(result.score, words)),
        # Translators: a heading of a row of points, at most 6 letters
        (say("Total"), _number_row(result.totals, words)),
    ]
    columns = range(len(result.totals))
    return _monospaced_table(
        _headings(state, words), rows, [_team_emojis(state, column) for column in columns]
    )


def _team_emojis(state: Game, column: Column) -> str:
    """Return the emojis of the teams for which a column's players played this round."""
    teams = {state.round.seating.teams[seat] for seat in seats_of_column(state, column)}
    return "".join(map(team_emoji, sorted(teams)))


def hierarchy_lines(state: Game, words: Speaker) -> str:
    """Return a line for each player by rank, with title and rise or fall (G12, G13)."""
    ranks = state.match.variant.hierarchy(state.match)
    previous_ranks = (
        ranking(state.match.results[-2], len(ranks)) if len(state.match.results) > 1 else ranks
    )
    return "\n".join(
        f"{badge(place, len(ranks))} {titled_name(state, seat, ranks, words)}"
        f"{_rank_change(previous_ranks.index(seat) - place)}"
        for place, seat in enumerate(ranks)
    )


def _rank_change(places: int) -> str:
    """Return an arrow with the number of places by which a player rose, or fell if negative."""
    return f" {'▲' if places > 0 else '▼'}{abs(places)}" if places else ""


# --- the whole match -----------------------------------------------------------------------------


def final_standing(state: Game, words: Speaker) -> str:
    """Return a line for each column by points; equal totals share a place (T15)."""
    totals = state.match.totals
    lines = []
    for column, total in sorted(enumerate(totals), key=lambda entry: -entry[1]):
        place = 1 + sum(other > total for other in totals)
        name = column_name(state, column, words)
        lines.append(f"{place}\\. {words.say.labelled(name, words.say.number(total))}")
    return "\n".join(lines)


def all_rounds_table(state: Game, words: Speaker) -> str:
    """Return a table of the totals after each round, at most the last `MOST_ROUNDS`."""
    results = state.match.results[-MOST_ROUNDS:]
    rows = [(str(result.number), _number_row(result.totals, words)) for result in results]
    return _monospaced_table(_headings(state, words), rows)


def _headings(state: Game, words: Speaker) -> list[str]:
    columns: list[Column] = list(range(len(state.match.totals)))
    return [plain_column(state, column, words) for column in columns]


# --- tables in a font of fixed width -------------------------------------------------------------

_MOST_WIDTH = 26
"""The characters of a line that a phone shows without scrolling."""


def _monospaced_table(
    headings: Sequence[str], rows: Sequence[tuple[str, Sequence[str]]], emojis: Sequence[str] = ()
) -> str:
    """Return a block of code with rows of values below headings, narrow enough for phones.

    A row is its name and a value for each heading. Lines have at most 26 characters as long as no
    value has more than four. `emojis` are above the headings, one for each.
    """
    name_width = max(len(name) for name, _ in rows)
    values = [value for _, row in rows for value in row]
    least_width = max(*map(len, values), 4 if len(headings) > 2 else 8) + 1
    widths = [least_width] * len(headings)
    free_width = _MOST_WIDTH - name_width - least_width * len(headings)
    # Widen the columns whose headings would be cut, those with the shortest headings first.
    for column in sorted(range(len(headings)), key=lambda column: len(headings[column])):
        extra = max(0, min(free_width, len(headings[column]) + 1 - least_width))
        widths[column] += extra
        free_width -= extra
    heading_cells = [
        f"{heading[: width - 1]:>{width}}" for heading, width in zip(headings, widths, strict=True)
    ]
    # Each emoji is as wide as two characters.
    emoji_cells = [
        emoji.rjust(width - len(emoji)) for emoji, width in zip(emojis, widths, strict=False)
    ]
    lines = [" " * name_width + "".join(cells) for cells in (emoji_cells, heading_cells) if cells]
    for name, row in rows:
        cells = (f"{value:>{width}}" for value, width in zip(row, widths, strict=True))
        lines.append(f"{name:<{name_width}}" + "".join(cells))
    return "```\n" + "\n".join(lines) + "\n```"


def _number_row(points: Sequence[Points], words: Speaker) -> list[str]:
    """Return points as text; three columns are too narrow for thousands separators."""
    if len(points) <= 2:
        return [words.say.number(value) for value in points]
    return [str(value).replace("-", "−") for value in points]


def _signed_row(points: Sequence[Points], words: Speaker) -> list[str]:
    """Return points as text with a plus or minus."""
    texts = zip(points, _number_row(points, words), strict=True)
    return [("+" if value > 0 else "") + text for value, text in texts]
