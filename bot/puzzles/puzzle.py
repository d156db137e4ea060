"""The puzzles of the bot, read from its data.

`python -m bench.puzzles` makes them; `docs/coach.md` describes how they are proven.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from engine import Action, Match, Seat, read_action, read_position
from players.levels import Advice
from players.reasons import Cause, Explanation

PUZZLES = Path(__file__).with_name("puzzles.jsonl.gz")
"""The data: a line of JSON for each puzzle."""


class Proof(NamedTuple):
    """Run of playouts that proves a puzzle."""

    seed: int
    deals: int
    """Number of deals, on each of which all choices are compared."""
    lead: tuple[float, float, float]
    """Points of the best choice above the next best one, with the bounds of a 95 % interval."""


class Puzzle(NamedTuple):
    """Position in which one choice is better than all others."""

    name: str
    """Name that stays the same in later versions."""
    position: str
    """Text of the position, with the true hidden cards."""
    seat: Seat
    """Seat whose choice it is."""
    advice: tuple[Advice, ...]
    """All choices, the best first, with their points relative to it (0 or less)."""
    difficulty: float
    """Initial rating, on the scale of people's ratings (`bot.rating`)."""
    novice: Action
    """Choice of the Novice, which is not the best."""
    proof: tuple[Proof, ...]
    """Runs that prove that the first choice is the best."""

    @property
    def match(self) -> Match:
        """Position, with the true hidden cards; reading it takes half a millisecond."""
        return read_position(self.position)


@cache
def load_puzzles() -> Mapping[str, Puzzle]:
    """Return all puzzles by name."""
    lines = gzip.decompress(PUZZLES.read_bytes()).decode().splitlines()
    return {puzzle.name: puzzle for puzzle in map(read_puzzle, lines)}


def read_puzzle(line: str) -> Puzzle:
    """Return the puzzle of a line of the data. Raise `ValueError` for anything else."""
    facts = json.loads(line)
    seat = facts["seat"]
    best, *others = (Advice(read_action(seat, text), points) for text, points in facts["choices"])
    best = best._replace(explanation=_read_reason(facts["reason"]))
    return Puzzle(
        facts["name"],
        facts["position"],
        seat,
        (best, *others),
        facts["difficulty"],
        read_action(seat, facts["novice"]),
        tuple(Proof(run_seed, deals, tuple(lead)) for run_seed, deals, lead in facts["proof"]),
    )


def _read_reason(fact: Any) -> Explanation | None:
    """Return the explanation that the data have, if any."""
    return None if fact is None else Explanation(Cause[fact[0]], *fact[1:])
