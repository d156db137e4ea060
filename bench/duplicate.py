"""Duplicate play: both sides get the same cards in turn, which cancels out luck.

A `Board` is one deal, or one match with its decks. Two players play it against each other, once
with every lineup. `bench.tournament` plays boards and adds them up.
"""

from __future__ import annotations

import random
from collections.abc import Container, Iterator, Sequence
from itertools import product
from statistics import fmean
from typing import Any, NamedTuple

from bench.contestants import contestant
from bench.rounds import play_round, shuffled
from engine import (
    Action,
    Call,
    CallTichu,
    Card,
    Match,
    Options,
    PassCards,
    Phase,
    Points,
    RoundResult,
    Seat,
    new_match,
    ranking,
    view,
)

Lineup = tuple[int, ...]
"""The player in each chair: 0 for the first, 1 for the second of the pair."""


class Board(NamedTuple):
    """A deal or match that two players play."""

    options: Options
    """The game and its options."""
    players: tuple[str, ...]
    """The names of the two players."""
    seed: int
    """The seed of the tournament."""
    number: int
    """The number of the board, counted from 0. Seed and number determine the cards."""
    matches: bool
    """True to play a whole match, false for a single deal."""


class Called(NamedTuple):
    """A call that was not withdrawn."""

    player: int
    """The player: 0 for the first of the pair, 1 for the second."""
    stake: Points
    """Its stake in points."""
    made: bool
    """True if it succeeded."""
    over: bool
    """True for a Tichu after an opponent's call, while nobody was out."""


class Round(NamedTuple):
    """The outcome of one round. A player is 0 or 1 here: the first or second of the pair."""

    lineup: int
    """The index of the lineup that played it."""
    number: int
    """The number of the round in its match, counted from 1."""
    margin: float
    """The first player's lead over the second in points or, without points, places."""
    calls: tuple[Called, ...]
    """All calls."""
    sweep: int | None
    """The player who made a double victory, if any."""


class Played(NamedTuple):
    """The outcome of a board."""

    rounds: tuple[Round, ...]
    """All its rounds."""
    won: tuple[float, ...]
    """The first player's share of each match: 1 for a win, 0.5 for a tie, else 0."""
    times: tuple[tuple[float, ...], tuple[float, ...]]
    """By player: milliseconds of processor time of each decision with a choice."""
    exchanges: tuple[tuple[float, ...], tuple[float, ...]]
    """By player: milliseconds of processor time of each exchange."""

    @classmethod
    def read(cls, raw: Sequence[Any]) -> Played:
        """Return the outcome from its stored JSON."""
        rounds, won, times, exchanges = raw
        return cls(
            tuple(
                Round(lineup, number, margin, tuple(Called(*call) for call in calls), sweep)
                for lineup, number, margin, calls, sweep in rounds
            ),
            tuple(won),
            (tuple(times[0]), tuple(times[1])),
            (tuple(exchanges[0]), tuple(exchanges[1])),
        )


class _Notes:
    """Notes of a board in play: times by player, and calls over a call."""

    def __init__(self) -> None:
        self.lineup: Lineup = ()
        self.times: tuple[list[float], list[float]] = ([], [])
        self.exchanges: tuple[list[float], list[float]] = ([], [])
        self.over: set[Seat] = set()

    def watch(self, match: Match, seat: Seat, action: Action, spent: float) -> None:
        """Record an action before it is carried out, unless it was forced."""
        round_ = match.round
        assert round_ is not None
        player = self.lineup[match.variant.actor(round_, seat)]
        if match.phase is Phase.EXCHANGE or len(view(match, seat).actions) > 1:
            self.times[player].append(spent)
        if isinstance(action, PassCards):
            self.exchanges[player].append(spent)
        if isinstance(action, CallTichu) and not round_.out:
            teams = round_.seating.teams
            if any(call for other, call in enumerate(round_.calls) if teams[other] != teams[seat]):
                self.over.add(seat)


def play_board(board: Board) -> Played:
    """Play a board with every lineup. Players without a time limit always play it the same."""
    pair = [contestant(name) for name in board.players]
    dealer = board.number % new_match(board.options).variant.chair_count(board.options)
    rounds: list[Round] = []
    won: list[float] = []
    notes = _Notes()
    for number, lineup in enumerate(lineups(start(board, dealer), matches=board.matches)):
        match = start(board, dealer)
        chairs = [pair[player] for player in lineup]
        notes.lineup = lineup
        while not match.winners:
            rng = random.Random(f"{board.seed} {board.number} {len(match.results)}")
            deck = for_dealer(match, shuffled(match, rng))
            notes.over.clear()
            match = play_round(match, chairs, deck, rng, notes.watch)
            rounds.append(_round(match, lineup, notes.over)._replace(lineup=number))
            if not board.matches:
                break
        if board.matches:
            won.append(_share(match, lineup))
    return Played(
        tuple(rounds),
        tuple(won),
        (tuple(notes.times[0]), tuple(notes.times[1])),
        (tuple(notes.exchanges[0]), tuple(notes.exchanges[1])),
    )


def start(board: Board, dealer: Seat) -> Match:
    """Return the match before its first round.

    In games with ranks they are drawn at random, as if a round had been played, so that there is an
    exchange.
    """
    match = new_match(board.options, dealer)
    if not match.variant.ranked:
        return match
    seats = list(range(match.variant.seat_count(board.options)))
    random.Random(f"{board.seed} {board.number} ranks").shuffle(seats)
    drawn = RoundResult(1, dealer, tuple(seats[:-1]), (), (), (), ())
    return match._replace(results=(drawn,))


def lineups(match: Match, *, matches: bool) -> Iterator[Lineup]:
    """Yield all lineups of a board, so that both players have the same seats in turn.

    In a deal, a player has one team of the round or, without teams, every other chair. In a match
    in which teams change, each lineup with both players is used.
    """
    variant, options = match.variant, match.options
    chairs = range(variant.chair_count(options))
    if matches and len(variant.lobby_teams(options)) > 2:
        yield from (mixed for mixed in product((0, 1), repeat=len(chairs)) if len(set(mixed)) > 1)
        return
    teams = variant.seating(match, match.first_dealer).teams
    sides = [teams[chair] if variant.scored else chair % 2 for chair in chairs]
    yield tuple(sides)
    yield tuple(1 - side for side in sides)


def for_dealer(match: Match, deck: Sequence[Card]) -> list[Card]:
    """Return the deck in an order that gives each seat the same cards under any dealer.

    In a match the winner of a round deals the next one, which would change the hands.
    """
    variant = match.variant
    if variant.ranked:
        return list(deck)  # ranks are drawn, so the dealer is the same for all lineups
    dealer = variant.next_dealer(match) if match.results else match.first_dealer
    takers = variant.deal_order(variant.seating(match, dealer))
    seats = len(takers)
    full = len(deck) // seats * seats
    rows = [deck[row : row + seats] for row in range(0, full, seats)]
    return [row[seat] for row in rows for seat in takers] + list(deck[full:])


def _round(match: Match, lineup: Lineup, over: Container[Seat]) -> Round:
    """Return the outcome of a match's last round; `over` are the seats that called over a call."""
    result, round_ = match.results[-1], match.round
    assert round_ is not None
    variant = match.variant
    by_player: tuple[list[float], list[float]] = ([], [])
    places = ranking(result, len(round_.hands))
    for chair, player in enumerate(lineup):
        points = result.score[variant.column(round_, chair)] if variant.scored else 0
        by_player[player].append(points if variant.scored else -places.index(chair))
    calls = tuple(
        Called(
            lineup[variant.actor(round_, seat)],
            call.value,
            made,
            call is Call.TICHU and seat in over,
        )
        for seat, call, made in result.calls
    )
    sweep = lineup[variant.actor(round_, result.out[0])] if result.sweep else None
    margin = fmean(by_player[0]) - fmean(by_player[1])
    return Round(0, result.number, margin, calls, sweep)


def _share(match: Match, lineup: Lineup) -> float:
    """Return the first player's share of a match: 1 for a win, 0.5 for a tie, else 0."""
    round_ = match.round
    assert round_ is not None
    points = [match.totals[match.variant.column(round_, chair)] for chair in range(len(lineup))]
    best = {lineup[chair] for chair, total in enumerate(points) if total == max(points)}
    return 0.5 if len(best) > 1 else float(0 in best)
