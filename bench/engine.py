"""How fast the rules are: random Nanjing rounds, every step a legal one, on one core.

Called by `python -m bench`; the number to watch is rounds per second.
"""

from __future__ import annotations

from random import Random
from time import perf_counter
from typing import NamedTuple

from engine.actions import (
    Action,
    AnswerGrand,
    AnswerWithdraw,
    Bomb,
    CloseWindow,
    GiveTrick,
    Pass,
    PassCards,
    Play,
)
from engine.cards import MAHJONGS, RANKS, bits
from engine.legal import legal_plays, may_pass, possible_bombs
from engine.match import apply, deal, new_match
from engine.options import Options
from engine.state import WINDOWS, Match, Phase, Round

GRAND_CHANCE = 0.1
BOMB_CHANCE = 0.5


class Speed(NamedTuple):
    """What was played in how many seconds."""

    rounds: int
    actions: int
    seconds: float

    @property
    def rounds_per_second(self) -> float:
        """Whole rounds, from the deal to the scoring."""
        return self.rounds / self.seconds

    @property
    def actions_per_second(self) -> float:
        """Single actions, the closing of windows included."""
        return self.actions / self.seconds


def rounds_per_second(seconds: float, seed: int) -> Speed:
    """Play random full-rule rounds for that many seconds; the same seed plays the same rounds."""
    chance = Random(seed)
    rounds = actions = 0
    start = perf_counter()
    passed = 0.0
    while passed < seconds:
        actions += play_round(chance)
        rounds += 1
        passed = perf_counter() - start
    return Speed(rounds, actions, passed)


def play_round(chance: Random) -> int:
    """Play one round to its scoring; returns the number of actions."""
    match = new_match(Options(), chance.randrange(4))
    deck = list(match.variant.deck(match.options))
    chance.shuffle(deck)
    match, _ = deal(match, deck)
    count = 0
    while match.phase not in (Phase.ROUND_END, Phase.MATCH_END):
        match, _ = apply(match, _choose(match, chance))
        count += 1
    return count


def _choose(match: Match, chance: Random) -> Action:
    """Any legal action of any seat that has one, or of the clock."""
    round_ = match.round
    assert round_ is not None
    if round_.asked:
        seat = round_.asked.bit_length() - 1
        return AnswerWithdraw(seat, chance.random() < 0.5)
    if round_.phase is Phase.GRAND:
        seat = round_.opening.answers.index(None)
        return AnswerGrand(seat, chance.random() < GRAND_CHANCE)
    if round_.phase is Phase.EXCHANGE:
        seat = round_.opening.given.index(None)
        receivers = sorted(match.variant.receivers(round_.seating, seat))
        cards = chance.sample(tuple(bits(round_.hands[seat].cards)), len(receivers))
        return PassCards(seat, tuple(zip(receivers, cards, strict=True)))
    if round_.phase in WINDOWS:
        return _bomb(round_, chance) or CloseWindow()
    if round_.phase is Phase.GIFT:
        return GiveTrick(
            round_.turn, chance.choice(match.variant.gift_receivers(round_, round_.turn))
        )
    return _bomb(round_, chance) or _turn(match, round_.turn, chance)


def _bomb(round_: Round, chance: Random) -> Action | None:
    """A bomb in a window or in somebody else's turn, if anybody has one and dares."""
    submitted = dict(round_.submitted)
    for seat in range(len(round_.hands)):
        if seat in submitted or (seat == round_.turn and round_.phase not in WINDOWS):
            continue
        bombs = possible_bombs(round_, seat)
        if bombs and chance.random() < BOMB_CHANCE:
            return Bomb(seat, chance.choice(bombs).cards)
    return None


def _turn(match: Match, seat: int, chance: Random) -> Action:
    plays = legal_plays(match, seat)
    choice = chance.randrange(len(plays) + may_pass(match, seat))
    if choice == len(plays):
        return Pass(seat)
    play = plays[choice]
    wish = None
    if play.cards & MAHJONGS and chance.random() < 0.9:
        wish = chance.choice(RANKS)
    return Play(seat, play.cards, play.phoenix, wish)
