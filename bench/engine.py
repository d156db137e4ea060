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
WISH_CHANCE = 0.9


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
    while (round_ := match.round) is not None and round_.phase is not Phase.ROUND_END:
        match, _ = apply(match, _choose(match, round_, chance))
        count += 1
    return count


def _choose(match: Match, round_: Round, chance: Random) -> Action:
    """Any legal action of any seat that has one, or of the clock."""
    phase = round_.phase
    if phase is Phase.LEAD:
        return _turn(match, round_.turn, chance)
    if phase is Phase.TURN:
        return _bomb(round_, chance) or _turn(match, round_.turn, chance)
    if phase in WINDOWS:
        return _bomb(round_, chance) or CloseWindow()
    if phase is Phase.GIFT:
        opponents = match.variant.gift_receivers(round_, round_.turn)
        return GiveTrick(round_.turn, chance.choice(opponents))
    if round_.asked:
        return AnswerWithdraw(round_.asked.bit_length() - 1, chance.random() < 0.5)
    if phase is Phase.GRAND:
        seat = round_.opening.answers.index(None)
        return AnswerGrand(seat, chance.random() < GRAND_CHANCE)
    seat = round_.opening.given.index(None)
    gifts, taken = [], 0
    for to, number, forced, free in sorted(match.variant.gifts(round_, seat)):
        cards = chance.sample(tuple(bits(free & ~taken)), number - forced.bit_count())
        gifts.append((to, forced | sum(cards)))
        taken |= gifts[-1][1]
    return PassCards(seat, tuple(gifts))


def _bomb(round_: Round, chance: Random) -> Action | None:
    """A bomb in a window or in somebody else's turn, if anybody has one and dares."""
    for seat, hand in enumerate(round_.hands):
        if not hand.bombs() or (seat == round_.turn and round_.phase is Phase.TURN):
            continue
        bombs = possible_bombs(round_, seat)
        if bombs and chance.random() < BOMB_CHANCE and seat not in dict(round_.submitted):
            return Bomb(seat, chance.choice(bombs).cards)
    return None


def _turn(match: Match, seat: int, chance: Random) -> Action:
    plays = legal_plays(match, seat)
    choice = int(chance.random() * (len(plays) + may_pass(match, seat)))
    if choice == len(plays):
        return Pass(seat)
    play = plays[choice]
    wish = None
    if play.cards & MAHJONGS and chance.random() < WISH_CHANCE:
        wish = chance.choice(RANKS)
    return Play(seat, play.cards, play.phoenix, wish)
