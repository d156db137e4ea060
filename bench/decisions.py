"""`python -m bench.decisions`: do computer players still choose what they chose when last recorded?

`bench/recorded` has 2,000 decisions of the Expert in every game, each with the Novice's choice in
the same position. After a change of the code, this command says how many decisions differ, and
shows the first one. A change that is meant to make a player stronger has to prove it in a
tournament; then `--make` records anew. An Expert that `bench.frozen` keeps has a record there.

A file holds whole matches. A line `match` has the first dealer and the options, a line `round` the
seed of the shuffled deck; every other line is one action: the seat and what it did. A decision has
several parts with bars between them: the Expert's choice, the Novice's choice if it is another one,
and what was done if that is not the Expert's choice. Seats were played by both players and by a
random one, so that odd positions come up, too.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Generator, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from bench.contestants import contestant
from bench.rounds import OVER, Player, RandomPlayer, asked, shuffled
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
    read_action,
    view,
    write_action,
    write_position,
)

RECORDED = Path(__file__).with_name("recorded")
"""What is chosen today."""
FROZEN = {
    "expert-2026-11": Path(__file__).with_name("frozen") / "expert_2026_11" / "recorded",
}
"""What the Experts chose that are kept as they were."""
PLAYOUTS = 120
"""The playouts of the Expert for each decision: enough to choose well, the same on any machine."""
DECISIONS = 2000
"""The number of decisions that are recorded in each game."""
_ROUNDS = 6
"""The most rounds of a match, so that matches with different options fit into a file."""
_BOLD = 5
"""In every fifth round all call a Grand Tichu, so that there are calls to withdraw and to beat."""
_DECKS_BEFORE = {"grandseigneur": 100}
"""By how much the decks of a game are numbered higher: among the first ones there were no bombs."""
_PENALTY = {"wishPolicy": "penalty", "direction": "clockwise"}

GAMES: dict[str, Sequence[dict[str, int | str]]] = {
    "nanjing": ({"target": 500}, {"target": 1000, **_PENALTY}, {"target": 200}),
    "trichu": ({"rounds": 6}, {"rounds": 3, **_PENALTY}),
    "tientsin": ({"target": 1000}, {"target": 500, **_PENALTY}),
    "grandseigneur": ({"players": 5}, {"players": 6, "direction": "clockwise"}),
}
"""The games and the options of their matches, which take turns."""


class Decision(NamedTuple):
    """A recorded decision."""

    number: int
    """Its place among the decisions of its file, from 0 on."""
    match: Match
    """The position."""
    seat: Seat
    """The seat that decides."""
    seed: int
    """The seed of the players' randomness."""
    expert: Action
    """What the Expert chose."""
    novice: Action
    """What the Novice chose."""

    @property
    def seen(self) -> View:
        """The view of the seat."""
        return view(self.match, self.seat)

    def choice_of(self, player: Player) -> Action | None:
        """The action that a player chooses here."""
        return player.choose(self.seen, random.Random(self.seed))


class Difference(NamedTuple):
    """A decision for which a player chose another action than the recorded one."""

    decision: Decision
    """The decision."""
    recorded: Action
    """The recorded action."""
    chosen: Action | None
    """The action of the player."""

    def __str__(self) -> str:
        chosen = "nothing" if self.chosen is None else write_action(self.chosen)
        return (
            f"decision {self.decision.number}, seat {self.decision.seat}: "
            f"recorded is {write_action(self.recorded)}, chosen was {chosen}, in\n"
            f"{write_position(self.decision.match)}"
        )


# --- Reading and comparing ------------------------------------------------------------------------


def recorded(game: str, every: int = 1, folder: Path = RECORDED) -> Iterator[Decision]:
    """The decisions of a game in the order in which they were taken; with `every` 10 each tenth."""
    lines = (folder / f"{game}.txt").read_text("utf-8").splitlines()
    match, number, shuffle, place = new_match(Options()), 0, 0, 0
    for line in lines:
        word, _, rest = line.partition(" ")
        if word == "match":
            dealer, _, options = rest.partition(" ")
            match = new_match(Options.of(game, json.loads(options)), int(dealer))
        elif word == "round":
            shuffle, place = int(rest), 0
            match, _ = deal(match, shuffled(match, random.Random(shuffle)))
        elif word == "close":
            match, _ = apply(match, CloseWindow())
        else:
            seat = int(word)
            first, *others = (part.strip() for part in rest.split("|"))
            action = read_action(seat, others[-1] if len(others) > 1 else first)
            if others:
                if number % every == 0:
                    expert = read_action(seat, first)
                    novice = read_action(seat, others[0]) if others[0] else expert
                    yield Decision(number, match, seat, _seed(shuffle, place), expert, novice)
                number += 1
            match, _ = apply(match, action)
            place += 1


def differences(
    player: Player, level: str, game: str, every: int = 1, folder: Path = RECORDED
) -> Iterator[Difference]:
    """The recorded decisions of a level for which this player chooses another action."""
    for decision in recorded(game, every, folder):
        expected = decision.expert if level == "expert" else decision.novice
        chosen = decision.choice_of(player)
        if chosen != expected:
            yield Difference(decision, expected, chosen)


def _seed(shuffle: int, place: int) -> int:
    """The seed of a decision: `shuffle` is that of its round, `place` counts the actions in it."""
    return 1000 * shuffle + place


# --- Recording ----------------------------------------------------------------------------------


def make(game: str) -> Iterator[str]:
    """The lines of a file: matches, played until there are enough decisions."""
    levels = contestant(f"expert:{PLAYOUTS}"), contestant("novice")
    shuffle, decisions = _DECKS_BEFORE.get(game, 0), 0
    for number in range(DECISIONS):
        chosen = GAMES[game][number % len(GAMES[game])]
        options = Options.of(game, chosen)
        dealer = number % new_match(options).variant.chairs(options)
        match = new_match(options, dealer)
        yield f"match {dealer} {json.dumps(chosen)}"
        for _ in range(_ROUNDS):
            shuffle += 1
            yield f"round {shuffle}"
            played = _round(match, shuffle, levels)
            while True:
                try:
                    line = next(played)
                except StopIteration as end:
                    match = end.value
                    break
                yield line
                decisions += "|" in line
                if decisions == DECISIONS:
                    return
            if match.winners:
                break


def _round(
    match: Match, shuffle: int, levels: tuple[Player, Player]
) -> Generator[str, None, Match]:
    """Play a round: yields the lines of its actions, and returns the match after it."""
    rng = random.Random(f"{shuffle} {match.options.variant}")
    match, _ = deal(match, shuffled(match, random.Random(shuffle)))
    seats = match.variant.seats(match.options)
    actors = rng.choices((*levels, RandomPlayer()), (2, 1, 1), k=seats)
    place = 0
    while match.phase not in OVER:
        for seat in asked(match):
            seen = view(match, seat)
            expert, novice = (
                level.choose(seen, random.Random(_seed(shuffle, place))) for level in levels
            )
            if expert is None or novice is None:
                continue
            done = expert
            if actors[seat] is not levels[0] and not seen.asked_to_withdraw:
                done = actors[seat].choose(seen, rng) or expert
            if shuffle % _BOLD == 0 and can(match, AnswerGrand(seat, True)):
                done = AnswerGrand(seat, True)
            decided = len(seen.actions) > 1 or seen.phase is Phase.EXCHANGE
            yield f"{seat} {_line(expert, novice, done, decided=decided)}"
            match, _ = apply(match, done)
            place += 1
            break
        else:
            match, _ = apply(match, CloseWindow())
            yield "close"
    return match


def _line(expert: Action, novice: Action, done: Action, *, decided: bool) -> str:
    """The line of an action without its seat; with all choices if there was one to make."""
    if not decided:
        return write_action(done)
    parts = [write_action(expert), "" if novice == expert else write_action(novice)]
    if done != expert:
        parts.append(write_action(done))
    return " | ".join(parts).strip()


# --- The command line ---------------------------------------------------------------------------


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare, or record anew. Returns the exit status: 1 when a choice differs."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.decisions", description=__doc__.split("\n\n")[0]
    )
    parser.add_argument("games", nargs="*", help=f"{', '.join(GAMES)} (all)")
    parser.add_argument("--every", type=int, default=1, help="10 compares only each tenth (1)")
    parser.add_argument("--expert", default="expert", help="another Expert: expert-2026-11")
    parser.add_argument("--make", action="store_true", help="record anew what is chosen today")
    given = parser.parse_args(arguments)
    if given.every < 1 or not set(given.games) <= set(GAMES):
        parser.error(f"there are the games {', '.join(GAMES)}, and --every is at least 1")
    failed = False
    for game in given.games or GAMES:
        if given.make:
            RECORDED.mkdir(exist_ok=True)
            text = "\n".join(make(game)) + "\n"
            (RECORDED / f"{game}.txt").write_text(text, encoding="utf-8", newline="\n")
        folder = FROZEN.get(given.expert, RECORDED)
        asked = [("expert", f"{given.expert}:{PLAYOUTS}")]
        if folder is RECORDED:  # the Novice is today's, so it is not compared with an old record
            asked.append(("novice", "novice"))
        for level, name in asked:
            found = list(differences(contestant(name), level, game, given.every, folder))
            total = -(-DECISIONS // given.every)
            print(f"{game}, {name}: {len(found)} of {total} decisions are others", flush=True)
            if found:
                failed = True
                print(found[0])
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
