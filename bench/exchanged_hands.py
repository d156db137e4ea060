"""`python -m bench.exchanged_hands`: hands after the exchange, compared with random ones.

Four Experts pass cards, again and again. The weights are those with which weighted deals of the
hidden cards look like the true hands: as many lone low cards, pairs, aces and so on (maximum
likelihood). With `--make` they are written to players/expert/habits.json. They depend on
the other habits there, so they are found last. Whole hands are looked at; the Expert weighs what
is left of them by the same numbers through the round.

With `--leads 1000` it tells, for leaders with a good hand who call a Tichu, in how many playouts
they go out first, and in how many they do when every hidden card is where it really is.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from bench.contestants import contestant, prepare_contestant
from bench.figures import mean
from bench.habits import HABITS_FILE, Drawing
from bench.rounds import Player, asked, shuffled
from bot.runtime.progress import progress
from engine import (
    VARIANTS,
    Call,
    CallTichu,
    Match,
    Options,
    Phase,
    View,
    apply,
    deal,
    new_match,
    view,
)
from players.expert import habits as habit
from players.expert import layout, search
from players.expert.choices import Choice, choices
from players.expert.habits import CALL_WEIGHTS, HABITS
from players.expert.kernels import Kernels
from players.expert.knowledge import Knowledge
from players.expert.likelihood import call_features
from players.expert.thinking import Expert

_STEPS = 8
"""The steps of the fit."""
_DEALS = 8
"""The deals of each view in a step."""
_GOOD = 3.2
"""The effort of a good hand is at most this."""
_PLAYOUTS = 60
"""The playouts for each of them."""
_STIFF = 2.0
"""How strongly the fit keeps weights close to 0."""


class Seen(NamedTuple):
    """What a seat sees after the exchange, and the hands that it does not see."""

    view: View
    """The view of the seat."""
    known: Knowledge
    """What it knows of the hidden cards."""
    hidden: Sequence[int]
    """The hands of all seats, as sets of cards."""


def exchanged(
    player: Player, numbers: Sequence[int], options: Options | None = None
) -> Iterator[Match]:
    """Rounds of such players alone up to the first lead; of Nanjing, if no game is given."""
    options = options or Options()
    chairs = VARIANTS[options.variant].chairs(options)
    for number in progress(numbers, "exchanges"):
        rng = random.Random(f"kept {number}")
        match = new_match(options, number % chairs)
        match, _ = deal(match, shuffled(match, rng))
        while match.phase in (Phase.GRAND, Phase.EXCHANGE):
            action = player.choose(view(match, asked(match)[0]), rng)
            assert action is not None
            match, _ = apply(match, action)
        yield match


def views(matches: Sequence[Match]) -> Iterator[Seen]:
    """What all seats see in these matches."""
    for match in matches:
        assert match.round is not None
        hands = [hand.cards for hand in match.round.hands]
        for seat in range(len(hands)):
            seen = view(match, seat)
            yield Seen(seen, Knowledge(seen), hands)


def fit(seen: Sequence[Seen], steps: int = _STEPS, deals: int = _DEALS) -> tuple[Any, Any, Any]:
    """The weights, and how far the mean features of true hands are from those of deals.

    That is told for deals without weights, and for deals with those of the last step but one.
    """
    weights, rng = np.zeros(habit.FEATURES), random.Random(1)
    without = gap = np.zeros(habit.FEATURES)
    for step in range(steps):
        drawing = Drawing(HABITS, np.vstack([CALL_WEIGHTS[:2], weights]))
        true, drawn = [], []
        for one in seen:
            hands = drawing(one.view, one.known, deals, rng)
            for seat in range(len(one.hidden)):
                if seat != one.view.seat:
                    true.append(features(one.hidden[seat]))
                    drawn += [features(int(hand)) for hand in hands[:, seat]]
        gap = np.mean(true, axis=0) - np.mean(drawn, axis=0)
        without = without if step else gap
        spread = np.cov(np.array(drawn).T) + _STIFF / len(true) * np.eye(habit.FEATURES)
        slope = gap - _STIFF / len(true) * weights
        weights = weights + (1.0 if step < 3 else 0.5) * np.linalg.solve(spread, slope)
        print(f"step {step + 1}: {np.abs(gap).max():.3f} off at most", flush=True)
    return weights, without, gap


class Led(NamedTuple):
    """A leader who calls a Tichu with the first lead."""

    said: float
    """The part of the playouts in which they go out first."""
    true: float
    """The same in a playout with the true hands."""


def leads(number: int) -> Iterator[Led]:
    """The good hands among those of `number` leaders, after exchanges of Novices."""
    expert, kernels, novice = Expert(), Kernels(), contestant("novice")
    for match in exchanged(novice, range(number)):
        assert match.round is not None
        seat, hands = match.round.turn, [hand.cards for hand in match.round.hands]
        if kernels.effort(hands[seat]) > _GOOD:
            continue
        seen = view(match, seat)
        plays = choices(seen, seat, kernels)
        left = [kernels.effort(hands[seat] & ~int(play.numbers[search.CARDS])) for play in plays]
        numbers = plays[left.index(min(left))].numbers.copy()
        numbers[search.CALL] = Call.TICHU.value
        call = Choice(CallTichu(seat), numbers)
        question = expert.question(seen, seat, [call], random.Random(match.round.number))
        assert isinstance(question, search.Question)  # one deck
        sums = np.zeros((2, 1, search.SUMS))
        kernels.compare(question, np.arange(1), _PLAYOUTS, sums[0])
        for other, hand in enumerate(hands):
            question.row[layout.HAND + other] = hand
        question.dealt[layout.PHASE] = layout.OVER
        hidden = question.hidden._replace(free=0, evidence=question.hidden.evidence[:0])
        kernels.compare(question._replace(hidden=hidden), np.arange(1), 1, sums[1])
        yield Led(sums[0, 0, search.FIRST] / _PLAYOUTS, sums[1, 0, search.FIRST])


def features(hand: int) -> Any:
    """What counts of a whole hand."""
    numbers = np.zeros(habit.FEATURES)
    call_features(hand, 0, numbers)
    return numbers


def main(arguments: Sequence[str]) -> None:
    """Pass cards, fit, tell."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.exchanged_hands", description=__doc__.split("\n\n")[0]
    )
    parser.add_argument("--rounds", type=int, default=300)
    parser.add_argument("--player", default="expert:150")
    parser.add_argument("--leads", type=int, help="how many leaders to look at; nothing else")
    parser.add_argument("--make", action="store_true", help="write what was found")
    given = parser.parse_args(arguments)
    prepare_contestant(given.player)
    if given.leads:
        found = list(leads(given.leads))
        for name, parts in (
            ("said", [one.said for one in found]),
            ("true", [one.true for one in found]),
        ):
            value, low, high = mean([part] for part in parts)
            print(
                f"{name}: {value:.1%} of {len(found)} go out first (95 % {low:.1%} to {high:.1%})"
            )
        return
    matches = list(exchanged(contestant(given.player), range(given.rounds)))
    weights, gap, _ = fit(list(views(matches)))
    for place in range(habit.FEATURES):
        print(f"feature {place}: {gap[place]:+.3f} in true hands, weight {weights[place]:+.3f}")
    if given.make:
        stored = json.loads(HABITS_FILE.read_text(encoding="utf-8"))
        stored["calls"] = [*stored["calls"][:2], np.round(weights, 3).tolist()]
        HABITS_FILE.write_text(json.dumps(stored) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
