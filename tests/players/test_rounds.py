"""Whole rounds and matches of Novices: all actions are legal, and none are absurd."""

from __future__ import annotations

import random
from itertools import cycle, islice

import pytest

from bench.contestants import OfLevel
from bench.figures import compare
from bench.rounds import Player, play_round, shuffled
from bench.tournament import Tournament, played_by
from engine import Action, Match, Options, PassCards, Phase, can, new_match, view
from players.manners import TASTES
from players.novice.player import Novice
from tests.campaign import SOAK, sample


def _seigneur(players: int, decks: int = 0) -> Options:
    return Options(variant="grandseigneur", players=players, decks=decks, rounds=3)


GAMES = {
    "nanjing": Options(),
    "nanjing, penalty": Options(wish_policy="penalty", direction="clockwise"),
    "trichu": Options(variant="trichu", rounds=3),
    "trichu, penalty": Options(variant="trichu", wish_policy="penalty", direction="clockwise"),
    "tientsin": Options(variant="tientsin"),
    "tientsin, penalty": Options(variant="tientsin", wish_policy="penalty"),
    **{f"grand seigneur, {players}": _seigneur(players) for players in range(5, 13)},
    "grand seigneur, 5 with two decks": _seigneur(5, 2),
}
every_game = pytest.mark.parametrize("options", GAMES.values(), ids=GAMES)
SHORT = GAMES | {
    "nanjing": Options(target=300),
    "tientsin": Options(variant="tientsin", target=300),
}
"""The same, with matches of a few rounds."""
SOME = ("nanjing", "trichu", "tientsin", "grand seigneur, 5", "grand seigneur, 8")
some_games = pytest.mark.parametrize("options", [GAMES[name] for name in SOME], ids=SOME)


def plain(match: Match) -> list[Player]:
    return [Novice()] * match.variant.seat_count(match.options)


def of_every_manner(match: Match) -> list[Player]:
    manners = islice(cycle(TASTES), match.variant.seat_count(match.options))
    return [OfLevel("novice", 0.0, manner=manner) for manner in manners]


@every_game
def test_rounds_are_played_to_their_end(options: Options) -> None:
    phases: set[Phase] = set()
    kinds: set[str] = set()

    def watch(match: Match, seat: int, action: Action, _: float) -> None:
        phases.add(match.phase)
        kinds.add(type(action).__name__)
        assert can(match, action)
        if not isinstance(action, PassCards):
            assert action in view(match, seat).actions

    rng = random.Random(1)
    match = new_match(options)
    scored = match.variant.scored
    for number in range(800 if SOAK and scored else 150 if SOAK else 4 if scored else 2):
        if match.winners:
            match = new_match(options, number % match.variant.chair_count(options))
        match = play_round(match, of_every_manner(match), shuffled(match, rng), rng, watch)
        result = match.results[-1]
        assert result.penalty is None
        if match.variant.scored and not result.sweep:
            assert sum(result.cards) == 50 * len(result.cards)
    assert phases >= {Phase.EXCHANGE, Phase.LEAD, Phase.TURN}
    assert kinds >= {"Pass", "PassCards", "Play"}
    if scored:
        assert phases >= {Phase.GRAND, Phase.GIFT, Phase.WINDOW}
        assert kinds >= {"AnswerGrand", "CallTichu", "GiveTrick", "Waive"}


@pytest.mark.parametrize("game", SOME)
def test_matches_are_played_to_their_end(game: str) -> None:
    options = (GAMES if SOAK else SHORT)[game]
    rng = random.Random(2)
    match = new_match(options)
    for _ in range(60):
        match = play_round(match, plain(match), shuffled(match, rng), rng)
        if match.winners:
            break
    assert match.winners
    assert match.options.rounds in (None, len(match.results))


@some_games
def test_same_seed_same_round(options: Options) -> None:
    def result() -> Match:
        rng = random.Random(3)
        match = new_match(options)
        for _ in range(2 if SOAK else 1):
            match = play_round(match, plain(match), shuffled(match, rng), rng)
        return match

    assert result() == result()


@pytest.mark.parametrize(
    "game, deals, margin",
    sample(
        [
            ("nanjing", 14, 120),
            ("trichu", 14, 120),
            ("tientsin", 20, 80),
            ("grand seigneur, 5", 12, 1.2),
            ("grand seigneur, 6", 12, 1.4),
            ("grand seigneur, 8", 8, 2.0),
            ("grand seigneur, 12", 5, 2.5),
        ],
        2,
    ),
)
def test_beats_random_players_clearly(game: str, deals: int, margin: float) -> None:
    """The lead in points or places per round; in Grand Seigneur at most half the seats."""
    pair = ("novice", "random")
    results = played_by(Tournament(GAMES[game], pair, deals if SOAK else deals // 2))
    assert compare(results[pair]).margin.value > margin
