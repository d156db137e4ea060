"""`python -m bench.self_play --make`: rounds of a player with itself, played and kept.

To guess in rounds takes little time, to play them takes much. So some are kept in
bench/recorded/self_play.txt, in which `bench.habits` and a test ask how well hidden cards are
guessed. Nobody asks whether today's Expert would play them so: they stay when it changes.

The first line of the file names the game. A line `round` has the number of a round, which gives its
dealer and its deck. Every other line is one action: the seat and what it did.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from bench.contestants import contestant, prepare_contestant
from bench.decisions import RECORDED
from bench.rounds import Player, asked, play_round, shuffled
from bot.runtime.progress import progress
from engine import (
    Action,
    Card,
    CloseWindow,
    Match,
    Options,
    Phase,
    apply,
    deal,
    new_match,
    read_action,
    write_action,
)

KEPT_ROUNDS = RECORDED / "self_play.txt"
"""The rounds that are kept: 60 of the Expert with 60 playouts."""


class Recorded(NamedTuple):
    """A round that was played."""

    game: str
    """Its game."""
    number: int
    """Its number, which gives the dealer and the deck."""
    actions: Sequence[Action]
    """What was done, without closed windows."""

    @property
    def deck(self) -> Sequence[Card]:
        """The cards in the order in which they were dealt."""
        return shuffled(_start(self.game, self.number), _chance(self.number))


def rounds_of(name: str, game: str, numbers: Iterable[int]) -> Iterator[Recorded]:
    """Rounds of this player with itself."""
    player = contestant(name)
    for number in numbers:
        yield _played(player, game, number)


def _played(player: Player, game: str, number: int) -> Recorded:
    """One round of this player with itself."""
    actions: list[Action] = []
    match = _start(game, number)
    rng = _chance(number)
    deck = shuffled(match, rng)
    chairs = [player] * match.variant.chairs(match.options)
    play_round(match, chairs, deck, rng, lambda _, __, action: actions.append(action))
    return Recorded(game, number, actions)


def _start(game: str, number: int) -> Match:
    """The match before a round."""
    return new_match(Options.of(game, {}), number % 3)


def _chance(number: int) -> random.Random:
    """What shuffles the deck of a round, and then decides what its players leave to chance."""
    return random.Random(f"belief {number}")


def states(recorded: Recorded) -> Iterator[Match]:
    """All states of a round, before each of its actions."""
    match, _ = deal(_start(recorded.game, recorded.number), recorded.deck)
    for action in recorded.actions:
        while match.phase in (Phase.WINDOW, Phase.CLOSING) and not asked(match):
            match, _ = apply(match, CloseWindow())
        yield match
        match, _ = apply(match, action)


# --- The file -----------------------------------------------------------------------------------


def write_rounds(rounds: Iterable[Recorded]) -> Iterator[str]:
    """The lines of a file with these rounds, all of one game."""
    for place, recorded in enumerate(rounds):
        if place == 0:
            yield recorded.game
        yield f"round {recorded.number}"
        for action in recorded.actions:
            yield f"{action.seat} {write_action(action)}"


def read_rounds(path: Path = KEPT_ROUNDS) -> Iterator[Recorded]:
    """The rounds of a file."""
    game, *lines = path.read_text("utf-8").splitlines()
    number, actions = -1, list[Action]()
    for line in lines:
        word, _, rest = line.partition(" ")
        if word != "round":
            actions.append(read_action(int(word), rest))
            continue
        if actions:
            yield Recorded(game, number, actions)
        number, actions = int(rest), []
    yield Recorded(game, number, actions)


# --- The command line ---------------------------------------------------------------------------


def main(arguments: Sequence[str] | None = None) -> int:
    """Play rounds, and print or keep them. Returns the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.self_play", description=__doc__.split("\n\n")[0]
    )
    parser.add_argument("--player", default="expert:60")
    parser.add_argument("--game", default="nanjing")
    parser.add_argument("--first", type=int, default=6, help="the number of the first round (6)")
    parser.add_argument("--rounds", type=int, default=60, help="how many (60)")
    parser.add_argument("--make", action="store_true", help="keep them instead of printing them")
    given = parser.parse_args(arguments)
    prepare_contestant(given.player)
    numbers = progress(range(given.first, given.first + given.rounds), "rounds")
    text = "\n".join(write_rounds(rounds_of(given.player, given.game, numbers))) + "\n"
    if given.make:
        KEPT_ROUNDS.write_text(text, encoding="utf-8", newline="\n")
    else:
        print(text, end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
