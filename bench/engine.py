"""Speed of the engine: random rounds of legal actions on one core.

Called by `python -m bench`; its main figure is rounds per second. `bench.fuzz` takes the same
random actions.
"""

from __future__ import annotations

from random import Random
from time import perf_counter
from typing import NamedTuple

from engine import (
    DOGS,
    MAHJONGS,
    RANKS,
    WINDOW_PHASES,
    Action,
    AnswerGrand,
    AnswerWithdraw,
    Bomb,
    CloseWindow,
    Combination,
    GiveTrick,
    Match,
    Options,
    Pass,
    PassCards,
    Phase,
    Play,
    Round,
    Seat,
    apply,
    bits,
    deal,
    legal_plays,
    may_pass,
    new_match,
    possible_bombs,
)

GRAND_CHANCE = 0.1
"""The probability of a Grand Tichu call."""
BOMB_CHANCE = 0.5
"""The probability of throwing a possible bomb."""
WISH_CHANCE = 0.9
"""The probability of a wish with the Mah Jong."""


class Speed(NamedTuple):
    """The amount of play and the time it took."""

    rounds: int
    """The number of rounds."""
    actions: int
    """The number of actions."""
    seconds: float
    """The time in seconds."""

    @property
    def rounds_per_second(self) -> float:
        """Rounds per second, from the deal to the scoring."""
        return self.rounds / self.seconds

    @property
    def actions_per_second(self) -> float:
        """Actions per second, including the closing of windows."""
        return self.actions / self.seconds


def rounds_per_second(options: Options, seconds: float, seed: int) -> Speed:
    """Play random rounds for `seconds` seconds; the same seed plays the same rounds.

    Each match has two rounds, because in some games only the second one has ranks.
    """
    rng = Random(seed)
    rounds = actions = 0
    match = new_match(options)
    start = perf_counter()
    passed = 0.0
    while passed < seconds:
        if match.winners or len(match.results) > 1:
            match = new_match(options, rng.randrange(match.variant.chair_count(options)))
        match, count = play_round(match, rng)
        actions += count
        rounds += 1
        passed = perf_counter() - start
    return Speed(rounds, actions, passed)


def play_round(match: Match, rng: Random) -> tuple[Match, int]:
    """Return the match after one more round, and the number of actions in it."""
    deck = list(match.variant.deck(match.options))
    rng.shuffle(deck)
    match, _ = deal(match, deck)
    count = 0
    while (round_ := match.round) is not None and round_.phase is not Phase.ROUND_END:
        match, _ = apply(match, random_action(match, round_, rng))
        count += 1
    return match, count


def random_action(match: Match, round_: Round, rng: Random) -> Action:
    """Return a random legal action of any seat or the clock."""
    if round_.asked:
        return AnswerWithdraw(round_.asked.bit_length() - 1, rng.random() < 0.5)
    phase = round_.phase
    if phase is Phase.LEAD:
        return _turn(match, round_, rng)
    if phase is Phase.TURN:
        return _bomb(round_, rng) or _turn(match, round_, rng)
    if phase in WINDOW_PHASES:
        return _bomb(round_, rng) or CloseWindow()
    if phase is Phase.GIFT:
        opponents = match.variant.gift_receivers(round_, round_.turn)
        return GiveTrick(round_.turn, rng.choice(opponents))
    if phase is Phase.GRAND:
        seat = round_.opening.answers.index(None)
        return AnswerGrand(seat, rng.random() < GRAND_CHANCE)
    return random_exchange(match, round_, round_.opening.given.index(None), rng)


def random_exchange(match: Match, round_: Round, seat: Seat, rng: Random) -> PassCards:
    """Return a random legal exchange of this seat."""
    gifts, taken = [], 0
    for receiver, number, forced, free in sorted(match.variant.gifts(round_, seat)):
        cards = rng.sample(tuple(bits(free & ~taken)), number - forced.bit_count())
        gifts.append((receiver, forced | sum(cards)))
        taken |= gifts[-1][1]
    return PassCards(seat, tuple(gifts))


def _bomb(round_: Round, rng: Random) -> Action | None:
    """Return a bomb of any seat, out of turn or in a window, with `BOMB_CHANCE`."""
    for seat, hand in enumerate(round_.hands):
        if not hand.bombs() or (seat == round_.turn and round_.phase is Phase.TURN):
            continue
        if round_.waived >> seat & 1:
            continue
        bombs = possible_bombs(round_, seat)
        if bombs and rng.random() < BOMB_CHANCE and seat not in dict(round_.submitted):
            return Bomb(seat, rng.choice(bombs).cards)
    return None


def _turn(match: Match, round_: Round, rng: Random) -> Action:
    """Return a uniformly random play or pass of the seat on turn."""
    seat = round_.turn
    plays = legal_plays(match, seat)
    choice = int(rng.random() * (len(plays) + may_pass(match, seat)))
    if choice == len(plays):
        return Pass(seat)
    return as_action(match, round_, plays[choice], rng)


def as_action(match: Match, round_: Round, play: Combination, rng: Random) -> Play:
    """Return the action that lays a combination, with a random wish and partner if possible."""
    wish = partner = None
    if play.cards & MAHJONGS and rng.random() < WISH_CHANCE:
        wish = rng.choice(RANKS)
    if play.cards & DOGS:
        targets = match.variant.dog_targets(round_, round_.turn)
        partner = rng.choice(targets) if targets else None
    return Play(round_.turn, play.cards, play.phoenix or None, wish, partner)
