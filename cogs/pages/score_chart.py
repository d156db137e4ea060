"""Describes the picture of a match that is over: its scores, or its places, through the rounds."""

from __future__ import annotations

from bot.charts.descriptions import Bet, Line, Name, PlacesChart, ScoreChart, Sweep
from bot.charts.words import ScoreWords
from bot.table.state import Game
from bot.text.cards import Speaker
from cogs.pages.names import plain_name, seats_of_column
from engine.state import Call, RoundResult
from engine.variants.base import ranking


def score_chart(state: Game, to: Speaker) -> ScoreChart | PlacesChart:
    """The picture of all rounds of this match, of which there is at least one."""
    match, words = state.match, ScoreWords.of(to.say)
    if not match.variant.scored:
        return PlacesChart(language=to.say.language, words=words, lines=_places(state, to))
    return ScoreChart(
        language=to.say.language,
        words=words,
        lines=tuple(
            Line(
                names=_names(state, column, to),
                values=tuple(result.totals[column] for result in match.results),
                won=column in match.winners,
            )
            for column in range(len(match.totals))
        ),
        target=match.options.target,
        bets=tuple(bet for result in match.results for bet in _bets(state, result)),
        sweeps=tuple(
            Sweep(line=column, round=result.number)
            for result in match.results
            if result.sweep
            for column, cards in enumerate(result.cards)
            if cards
        ),
        triple=match.variant.sweep_size == 3,
    )


def _places(state: Game, to: Speaker) -> tuple[Line, ...]:
    match = state.match
    rounds = [ranking(result, len(state.chairs)) for result in match.results]
    return tuple(
        Line(
            names=_names(state, column, to),
            values=tuple(ranks.index(seat) + 1 for ranks in rounds),
            won=column in match.winners,
        )
        for column in range(match.variant.columns(match.options))
        for seat in seats_of_column(state, column)
    )


def _names(state: Game, column: int, to: Speaker) -> tuple[Name, ...]:
    return tuple(
        Name(
            plain_name(state, seat, to),
            to.say("Player {number}", number=to.say.number(seat + 1)),
        )
        for seat in seats_of_column(state, column)
    )


def _bets(state: Game, result: RoundResult) -> tuple[Bet, ...]:
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
