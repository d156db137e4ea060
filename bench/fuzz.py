"""`python -m bench.fuzz`: random rounds of every game with all rules checked.

They cover all options, decks with many bombs, calls, sealed bombs, replaced exchanges, missed
wishes and illegal actions. Positions are written and read back, and views are compared with other
hidden cards. The report of a failure has the command that repeats it.
"""

from __future__ import annotations

import argparse
import multiprocessing
import sys
from random import Random
from time import perf_counter
from traceback import format_exc
from typing import NamedTuple

from bench.engine import random_action, random_exchange
from bench.invariants import check_cards, check_deal, check_exchange, check_step, must
from bench.round_end_checks import check_dealer, check_round_end
from bench.slow_checks import check_refusals, check_text, check_views
from bench.walks import random_deck, random_options
from bot.runtime.progress import bar, print_line
from engine import (
    CARDS_OF_RANK,
    VARIANTS,
    WINDOW_PHASES,
    Action,
    AnswerGrand,
    CallTichu,
    CardsPassed,
    Match,
    Pass,
    Phase,
    Play,
    Round,
    StopMatch,
    Waive,
    apply,
    can,
    deal,
    new_match,
    write_action,
    write_position,
)
from engine.trick import fulfilling_plays

CHUNK = 100
"""The rounds of one chunk, which one worker plays and which its number repeats."""
LONGEST = 12
"""The limit of rounds in a match."""
PROBES = 1 / 150
"""The probability of the slow checks after an action, divided by the number of seats.

They run about once in five rounds.
"""


class Chunk(NamedTuple):
    """The result of one worker's task."""

    game: str
    """The name of the variant."""
    seed: int
    """The seed of the whole run."""
    number: int
    """The number of the chunk; game, seed and number determine it."""
    rounds: int
    """The number of rounds played."""
    actions: int
    """The number of actions carried out."""
    failure: str
    """The traceback and position of a failure; empty without one."""


def play_chunk(task: tuple[str, int, int, int]) -> Chunk:
    """Play and check some rounds of a game; the same task always plays the same rounds."""
    game, seed, number, rounds = task
    rng = Random(f"{game} {seed} {number}")
    matches = RandomMatches(game, rng)
    try:
        while matches.rounds < rounds:
            matches.play_round()
    except Exception:  # noqa: BLE001 - any exception is a finding
        failure = f"{format_exc()}\nlast: {matches.last}\n{write_position(matches.match)}"
        return Chunk(game, seed, number, matches.rounds, matches.actions, failure)
    return Chunk(game, seed, number, matches.rounds, matches.actions, "")


class RandomMatches:
    """Random matches of one game, one after another."""

    def __init__(self, game: str, rng: Random) -> None:
        self.game = game
        self.rng = rng
        self.rounds = self.actions = 0
        self.last = ""
        self._start()

    def _start(self) -> None:
        """Start a match with random options."""
        options = random_options(self.rng, self.game)
        chairs = VARIANTS[self.game].chair_count(options)
        self.match = new_match(options, self.rng.randrange(chairs))
        self._most = self.rng.randrange(1, LONGEST)

    def play_round(self) -> None:
        """Play and check one more round, in a new match if the last one is over."""
        if self.match.winners or len(self.match.results) >= self._most:
            self._stop()
            self._start()
        self.last = "deal"
        self.match, _ = deal(self.match, random_deck(self.match, self.rng))
        check_deal(self.match)
        if self.match.results:
            check_dealer(self.match)
        while self.match.phase not in (Phase.ROUND_END, Phase.MATCH_END):
            self._act()
        check_round_end(self.match)
        self.rounds += 1

    def _act(self) -> None:
        """Carry out one action and check the new position."""
        before, round_ = self.match, self.match.round
        assert round_ is not None
        action = _choose(before, round_, self.rng)
        self.last = f"{action.seat} {write_action(action)}"
        after, events = apply(before, action)
        if round_.phase in (Phase.GRAND, Phase.EXCHANGE):
            check_cards(after)
            if any(isinstance(event, CardsPassed) for event in events):
                check_exchange(before, after)
        else:
            check_step(before, action, after)
        self.actions += 1
        if self.rng.random() < PROBES / len(round_.hands):
            check_text(before, action)
            check_views(before, self.rng)
            check_refusals(before, self.rng)
            must(apply(before, action) == (after, events), "the same action had another result")
        self.match = after

    def _stop(self) -> None:
        """Check whether a stop vote ends the match now, and with which winner (G27)."""
        game, options = self.game, self.match.options
        possible = game == "grandseigneur" and not options.rounds and not self.match.winners
        must(can(self.match, StopMatch()) == possible, "a stop vote")
        if possible:
            stopped, _ = apply(self.match, StopMatch())
            must(stopped.winners == self.match.results[-1].out[:1], "the Great Lord")


def _choose(match: Match, round_: Round, rng: Random) -> Action:
    """Return a random legal action, also of the rare kinds that `bench.engine` omits."""
    if round_.asked:
        return random_action(match, round_, rng)
    seats = range(len(round_.hands))
    if round_.phase is Phase.GRAND:
        waiting = [seat for seat in seats if round_.opening.answers[seat] is None]
        return AnswerGrand(rng.choice(waiting), rng.random() < 0.3)
    if match.variant.scored and rng.random() < 0.03:
        call = CallTichu(rng.choice(seats), rng.random() < 0.5)
        if can(match, call):
            return call
    if round_.phase is Phase.EXCHANGE:
        again = rng.random() < 0.2
        giving = [seat for seat in seats if (again or round_.opening.given[seat] is None)]
        giving = [seat for seat in giving if match.variant.receivers(round_, seat)]
        return random_exchange(match, round_, rng.choice(giving), rng)
    if round_.phase in WINDOW_PHASES and rng.random() < 0.15:
        waive = Waive(rng.choice(seats))
        if can(match, waive):
            return waive
    action = random_action(match, round_, rng)
    if isinstance(action, Play | Pass) and round_.wish and rng.random() < 0.9:
        return _fulfilling(match, round_, action, rng)
    return action


def _fulfilling(match: Match, round_: Round, action: Play | Pass, rng: Random) -> Action:
    """Return the action, or one that fulfils the wish if this one would be punished.

    Without that, most rounds with this option would end at once.
    """
    duty = fulfilling_plays(match, round_, round_.turn) if match.options.wish_penalty else []
    if not duty or (isinstance(action, Play) and action.cards & CARDS_OF_RANK[round_.wish or 0]):
        return action
    play = rng.choice(duty)
    return Play(round_.turn, play.cards, play.phoenix or None)


def main() -> int:
    """Play and check, and print the results. Return the exit status: 1 for a failure."""
    parser = argparse.ArgumentParser(prog="python -m bench.fuzz", description=__doc__)
    parser.add_argument("--game", choices=sorted(VARIANTS), action="append", help="default: all")
    parser.add_argument("--rounds", type=int, default=100_000, help="of each game (100,000)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=multiprocessing.cpu_count())
    parser.add_argument("--chunk", type=int, help="only this part, to repeat a failure")
    given = parser.parse_args()
    broken = False
    for game in given.game or VARIANTS:
        broken |= _fuzz(game, given.rounds, given.seed, given.workers, given.chunk)
    return broken


def _fuzz(game: str, rounds: int, seed: int, workers: int, only: int | None) -> bool:
    """Play a game in several processes, or only one chunk; return whether a check failed."""
    numbers = range(-(-rounds // CHUNK)) if only is None else [only]
    tasks = [(game, seed, number, min(CHUNK, rounds - number * CHUNK)) for number in numbers]
    if only is not None:
        tasks = [(game, seed, only, CHUNK)]
    total = sum(rounds for _, _, _, rounds in tasks)
    start = perf_counter()
    done = actions = failures = 0
    with multiprocessing.Pool(workers) as pool, bar(game, unit="rounds", total=total) as steps:
        for chunk in pool.imap_unordered(play_chunk, tasks):
            done += chunk.rounds
            actions += chunk.actions
            if chunk.failure:
                failures += 1
                print_line(f"{game}: BROKEN\n{chunk.failure}")
                repeat = f"--game {game} --seed {seed} --chunk {chunk.number}"
                print_line(f"repeat: python -m bench.fuzz {repeat}")
            steps.update(chunk.rounds)
            if failures == 3:
                pool.terminate()
                break
    speed = done / (perf_counter() - start)
    print(
        f"{game}: {done:,} rounds, {actions:,} actions, {speed:,.0f} rounds a second, "
        f"{failures or 'nothing'} broken",
        flush=True,
    )
    return failures > 0


if __name__ == "__main__":
    sys.exit(main())
