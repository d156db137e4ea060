"""Features of choices in Grand Seigneur, from which their places are predicted before playouts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

import numpy as np
import pytest

from bench.rounds import END_PHASES, deciding_seats
from bench.walks import random_action, random_deck
from engine import Match, Options, Phase, apply, deal, new_match, view
from players.expert.choices import choices
from players.expert.kernels import Kernels
from players.expert.thinking import Expert

GAMES: Mapping[str, Options] = {
    "one deck": Options(variant="grandseigneur", players=6),
    "two decks": Options(variant="grandseigneur", players=9),
    "two decks for six": Options(variant="grandseigneur", players=6, decks=2),
}
KERNELS = Kernels()
EXPERT = Expert(KERNELS)


def decisions(options: Options, seed: int) -> Iterator[tuple[Match, int, list[Any]]]:
    """Yield the decisions of one random round: positions, seats and their choices."""
    rng = Random(seed)
    match = new_match(options)
    match, _ = deal(match, random_deck(match, rng))
    while match.phase not in END_PHASES:
        if match.phase in (Phase.LEAD, Phase.TURN):
            for seat in deciding_seats(match):
                possible = choices(view(match, seat), seat, KERNELS)
                if len(possible) > 1:
                    yield match, seat, possible
        match, _ = apply(match, random_action(match, rng))


def features_of(match: Match, seat: int, possible: list[Any], seed: int = 1) -> Any:
    question = EXPERT.question(view(match, seat), seat, possible, Random(seed))
    return KERNELS.describe(question)


@pytest.mark.parametrize("game", GAMES)
def test_features_do_not_depend_on_hidden_cards(game: str) -> None:
    for match, seat, possible in decisions(GAMES[game], 1):
        first, second = (features_of(match, seat, possible, seed) for seed in (1, 2))
        assert (first == second).all()


@pytest.mark.parametrize("game", GAMES)
def test_features_do_not_depend_on_the_order_of_choices(game: str) -> None:
    for match, seat, possible in decisions(GAMES[game], 2):
        found = features_of(match, seat, possible)
        assert np.isfinite(found).all()
        assert (features_of(match, seat, possible[::-1])[::-1] == found).all()


@pytest.mark.parametrize("game", GAMES)
def test_every_play_has_features_of_its_own(game: str) -> None:
    for match, seat, possible in decisions(GAMES[game], 3):
        found = features_of(match, seat, possible)
        assert len({tuple(row) for row in found}) == len(possible)
