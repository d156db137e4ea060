"""`python -m bench.decisions`: compare the decisions of computer players with stored digests.

It plays rounds of every game, asks the Expert and the Novice for decisions in many positions, and
compares a digest of them with `bench/decisions.json`. A change that is meant to make a player
stronger has to prove it in a tournament; then `--make` writes the digests again.

A digest only shows that something differs. `--against expert@COMMIT` compares decision by decision
with a player of another commit, and prints the first difference.

Seats are played by Novices and by random players, to reach unusual positions, too. If the Novice
changes, the positions change, and with them all digests.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import sys
from collections.abc import Generator, Iterator, Sequence
from functools import cache
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from bench.contestants import contestant
from bench.rounds import (
    END_PHASES,
    Contestant,
    Player,
    RandomPlayer,
    decide,
    deciding_seats,
    shuffled,
)
from engine import (
    Action,
    AnswerGrand,
    CloseWindow,
    Match,
    Options,
    Phase,
    Seat,
    View,
    apply,
    can,
    deal,
    new_match,
    view,
    write_action,
    write_position,
)
from players.novice.player import Novice

DIGESTS = Path(__file__).with_name("decisions.json")
"""Digests by game and level, of all decisions and of the sample that `make test` takes."""
PLAYOUTS = 120
"""The playouts of the Expert for each decision, which do not depend on the machine's speed."""
DECISIONS = 1000
"""The number of decisions in each game."""
SAMPLES = {"expert": 20, "novice": 5}
"""The steps of the samples: 20 takes each twentieth decision."""
_BOLD = 5
"""In every fifth round all call a Grand Tichu, so that there are calls to withdraw and beat."""
_PENALTY = {"wishPolicy": "penalty", "direction": "clockwise"}

GAMES: dict[str, Sequence[dict[str, int | str]]] = {
    "nanjing": ({"target": 500}, {"target": 1000, **_PENALTY}, {"target": 200}),
    "trichu": ({"rounds": 6}, {"rounds": 3, **_PENALTY}),
    "tientsin": ({"target": 1000}, {"target": 500, **_PENALTY}),
    "grandseigneur": ({"players": 5}, {"players": 6, "direction": "clockwise"}),
}
"""The games and the options of their matches, used in turn."""


class DecisionPoint(NamedTuple):
    """A position in which a seat has a decision to take."""

    match: Match
    """The position."""
    seat: Seat
    """The seat that decides."""
    seed: int
    """The seed of the players' randomness."""

    @property
    def seen(self) -> View:
        """The view of the seat."""
        return view(self.match, self.seat)

    def choice_of(self, player: Contestant) -> Action | None:
        """Return the action that a player chooses here."""
        return decide(player, self.match, self.seat, random.Random(self.seed)).action

    def line(self, player: Contestant) -> str:
        """Return that action in notation, with its seat."""
        action = self.choice_of(player)
        return f"{self.seat} {'-' if action is None else write_action(action)}"


def decisions(game: str, every: int = 1) -> Iterator[DecisionPoint]:
    """Yield the decisions of a game, always the same; `every` 10 yields each tenth."""
    return islice(_first_decisions(game), 0, None, every)


@cache
def _first_decisions(game: str) -> tuple[DecisionPoint, ...]:
    return tuple(islice(_all_decisions(game), DECISIONS))


def _all_decisions(game: str) -> Iterator[DecisionPoint]:
    """Yield the decisions of endlessly many matches of two rounds each."""
    number = 0
    while True:
        options = Options.from_values(game, GAMES[game][number // 2 % len(GAMES[game])])
        match = new_match(options, number // 2 % new_match(options).variant.chair_count(options))
        for _ in range(2):
            number += 1
            match = yield from _round(match, number)
            if match.winners:
                break


def _round(match: Match, number: int) -> Generator[DecisionPoint, None, Match]:
    """Play a round: yield its decisions, and return the match after it."""
    rng = random.Random(f"{number} {match.options.variant}")
    match, _ = deal(match, shuffled(match, rng))
    levels: tuple[Player, Player] = Novice(), RandomPlayer()
    actors = rng.choices(levels, (3, 1), k=match.variant.seat_count(match.options))
    place = 0
    while match.phase not in END_PHASES:
        for seat in deciding_seats(match):
            seen = view(match, seat)
            actor = levels[0] if seen.asked_to_withdraw else actors[seat]
            action = actor.choose(seen, rng)
            if number % _BOLD == 0 and can(match, AnswerGrand(seat, True)):
                action = AnswerGrand(seat, True)
            if action is None:
                continue
            if len(seen.actions) > 1 or seen.phase is Phase.EXCHANGE:
                yield DecisionPoint(match, seat, 1000 * number + place)
            match, _ = apply(match, action)
            place += 1
            break
        else:
            match, _ = apply(match, CloseWindow())
    return match


def digest(player: Contestant, game: str, every: int = 1) -> str:
    """Return a digest of a player's choices in the decisions of a game."""
    lines = "\n".join(found.line(player) for found in decisions(game, every))
    return hashlib.sha256(lines.encode()).hexdigest()[:16]


def stored(game: str, level: str, every: int = 1) -> str:
    """Return the digest of a level in `DIGESTS`."""
    found: str = json.loads(DIGESTS.read_text("utf-8"))[game][level][str(every)]
    return found


def difference(first: Contestant, second: Contestant, game: str, every: int) -> tuple[int, str]:
    """Return the number of decisions in which two players differ, and the first one as text."""
    count, text = 0, ""
    for found in decisions(game, every):
        lines = found.line(first), found.line(second)
        if lines[0] != lines[1]:
            count += 1
            text = text or f"{lines[0]}, the other {lines[1]}, in\n{write_position(found.match)}"
    return count, text


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare, or write the digests. Return the exit status: 1 if a choice differs."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.decisions", description=__doc__.split("\n\n")[0]
    )
    parser.add_argument("games", nargs="*", help=f"{', '.join(GAMES)} (all)")
    parser.add_argument("--make", action="store_true", help="write the digests of today's choices")
    parser.add_argument("--against", metavar="PLAYER", help="expert@COMMIT, novice@COMMIT")
    parser.add_argument("--every", type=int, default=10, help="with --against: each tenth (10)")
    given = parser.parse_args(arguments)
    if given.every < 1 or not set(given.games) <= set(GAMES):
        parser.error(f"there are the games {', '.join(GAMES)}, and --every is at least 1")
    games, differs = given.games or list(GAMES), False
    if given.against:
        level = given.against.partition("@")[0]
        first, second = contestant(_named(level)), contestant(_named(given.against))
        for game in games:
            count, text = difference(first, second, game, given.every)
            print(f"{game}: {count} decisions differ{': ' + text if text else ''}", flush=True)
            differs |= count > 0
        return int(differs)
    found = json.loads(DIGESTS.read_text("utf-8")) if DIGESTS.exists() else {}
    for game in games:
        for level, sample in SAMPLES.items():
            player = contestant(_named(level))
            today = {str(every): digest(player, game, every) for every in (1, sample)}
            same = found.get(game, {}).get(level) == today
            print(f"{game}, {level}: {'as before' if same else 'differs'}", flush=True)
            differs |= not same
            found.setdefault(game, {})[level] = today
    if given.make:
        DIGESTS.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8", newline="\n")
    return int(differs and not given.make)


def _named(player: str) -> str:
    """Return the name of the player, for the Expert with its number of playouts."""
    return f"{player}:{PLAYOUTS}" if player.startswith("expert") else player


if __name__ == "__main__":
    sys.exit(main())
