"""The description of the picture of a match: scores or places through the rounds."""

from __future__ import annotations

from bot.pictures.descriptions import Bet, Line, Name, PlacesChart, ScoreChart, Sweep
from bot.pictures.words import ScoreWords
from bot.table.match_length import winners_of
from bot.table.state import Game
from bot.text.cards import Speaker
from cogs.pages.names import plain_name, seats_of_column
from engine import Call, Column, RoundResult, ranking


def score_chart(state: Game, words: Speaker) -> ScoreChart | PlacesChart:
    """Return the description of this match's picture; it has at least one finished round."""
    match, chart_words = state.match, ScoreWords.of(words.say)
    winners = winners_of(match)
    if not match.variant.scored:
        return PlacesChart(
            language=words.say.language, words=chart_words, lines=_place_lines(state, words)
        )
    return ScoreChart(
        language=words.say.language,
        words=chart_words,
        lines=tuple(
            Line(
                names=names_of(state, column, words),
                values=tuple(result.totals[column] for result in match.results),
                won=column in winners,
            )
            for column in range(len(match.totals))
        ),
        target=state.options.target,
        bets=tuple(bet for result in match.results for bet in _bets(state, result)),
        sweeps=tuple(
            Sweep(line=column, round=result.number)
            for result in match.results
            if result.sweep
            for column, cards in enumerate(result.cards)
            if cards  # only the sweeping team gets points
        ),
        sweep_size=match.variant.sweep_size,
    )


def _place_lines(state: Game, words: Speaker) -> tuple[Line, ...]:
    """Return a line of each player's places, for a game without points."""
    match = state.match
    rounds = [ranking(result, len(state.chairs)) for result in match.results]
    return tuple(
        Line(
            names=names_of(state, column, words),
            values=tuple(ranks.index(seat) + 1 for ranks in rounds),
            won=column in match.winners,
        )
        for column in range(match.variant.column_count(match.options))
        for seat in seats_of_column(state, column)
    )


def names_of(state: Game, column: Column, words: Speaker) -> tuple[Name, ...]:
    """Return the name of each player in a column.

    “Player 2” replaces a name that the picture's font cannot draw.
    """
    return tuple(
        Name(
            plain_name(state, seat, words),
            words.say("Player {number}", number=words.say.number(seat + 1)),
        )
        for seat in seats_of_column(state, column)
    )


def _bets(state: Game, result: RoundResult) -> tuple[Bet, ...]:
    """Return the calls of one round, for marks on the lines of their columns."""
    column = state.match.variant.column
    return tuple(
        Bet(
            line=column(state.round, seat),
            round=result.number,
            grand=call is Call.GRAND,
            made=made,
        )
        for seat, call, made in result.calls
    )
