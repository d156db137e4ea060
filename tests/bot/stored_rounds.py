"""Stored actions of random walks and their finished rounds, for exports and replays."""

from __future__ import annotations

from functools import lru_cache
from random import Random

from bench.walks import Walk, is_action, random_options, walks
from bot.history.played_round import PlayedRound, played_rounds
from bot.records import CLOCK, ActionRecord
from bot.table.action_log import write_deal, write_start
from engine import Options, write_action
from tests.bot.states import NOON


def stored(walk: Walk) -> list[ActionRecord]:
    """Return the actions of a walk in stored form."""
    lines = [(CLOCK, write_start(walk.match.first_dealer))]
    for entry in walk.log:
        lines.append(
            (entry.seat, write_action(entry)) if is_action(entry) else (CLOCK, write_deal(entry))
        )
    return [
        ActionRecord(seq=seq, round=1, seat=seat, text=text, at=NOON)
        for seq, (seat, text) in enumerate(lines, start=1)
    ]


def walked(seed: int, rounds: int, variant: str = "nanjing") -> tuple[Options, Walk]:
    """Return a random walk until `rounds` rounds or its match are over."""
    chance = Random(seed)
    options = random_options(chance, variant)
    for walk in walks(chance, options, stops=0):
        found = walk
        if len(walk.match.results) == rounds:
            break
    return options, found


@lru_cache(maxsize=32)
def rounds_of(
    seed: int, rounds: int, variant: str = "nanjing"
) -> tuple[Options, list[PlayedRound]]:
    """Return the finished rounds of such a walk."""
    options, walk = walked(seed, rounds, variant)
    return options, list(played_rounds(options, stored(walk)))
