"""Plays a planned match with the engine, without a clock and without storage.

The decks are made as by the bot, from a secret and from words (`bot.table.dealing`).
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from bot.table.action_log import apply_record, write_deal, write_start
from bot.table.state import seats_to_act
from demo.past.book import PastAction, PastMatch
from demo.past.people import STYLES, Style
from demo.past.plan import Plan
from engine import (
    CLOCK,
    Action,
    Bomb,
    CloseWindow,
    Match,
    Phase,
    Seat,
    possible_bombs,
    view,
    write_action,
)
from engine.fair_deal import SECRET_BYTES, FairDeal

_WORDS = ("aces, please", "no dogs today", "Glück", "42", "dragon 🐉", "my turn now", "四", "tea")
_WORD_PROBABILITY = 0.08
"""Probability that a person says a word for a deal."""
_STOPPED_AFTER = 40
"""Number of actions in the last round of a match that is stopped."""
_SECONDS = {
    "deal": (18, 24),
    "close": (2, 2),
    "pass": (1, 3),
    "play": (2, 8),
    "pass-cards": (6, 14),
    "grand": (2, 6),
    "give": (2, 5),
}
"""Shortest and longest time of people for an action; for all others it is 1 to 3."""
_COMPUTER_SECONDS = (1, 2)
"""Shortest and longest time of computer players for any action."""


def play(plan: Plan, seed: int) -> PastMatch:
    """Play a plan, and return the match; always the same for the same plan and seed."""
    return _MatchInPlay(plan, Random(f"{seed} {plan.table}")).played()


class _MatchInPlay:
    """Match that is being played."""

    def __init__(self, plan: Plan, rng: Random) -> None:
        self._plan = plan
        self._rng = rng
        self._rules = plan.options.rules
        self._actions: list[PastAction] = []
        self._dealt = 0
        """Number of actions before this round."""
        self._match: Match | None = None
        computer = Style(plan.options.computers)
        self._players = [STYLES[name] if name else computer for name in plan.seats]

    def played(self) -> PastMatch:
        """Play until the match is over or must be stopped, and return it."""
        plan = self._plan
        self._deal()
        while not self._over():
            for seat, action in self._next():
                self._record(seat, write_action(action))
            if self._on_table.phase is Phase.ROUND_END:
                self._deal()
        options = plan.options.model_dump(exclude_defaults=True)
        stopped = plan.rounds is not None
        actions = tuple(self._actions)
        return PastMatch(options, plan.seats, plan.days, plan.hours, stopped, actions)

    @property
    def _on_table(self) -> Match:
        """Current state of the match."""
        assert self._match is not None
        return self._match

    def _over(self) -> bool:
        """Return whether the match is over or must be stopped now."""
        match, rounds = self._on_table, self._plan.rounds
        if match.phase is Phase.MATCH_END:
            return True
        if rounds is None or len(match.results) < rounds:
            return False
        return len(self._actions) - self._dealt > _STOPPED_AFTER

    def _deal(self) -> None:
        """Deal the next round; start the match before the first one."""
        words = tuple(
            (seat, self._rng.choice(_WORDS))
            for seat, name in enumerate(self._plan.seats)
            if name is not None and self._rng.random() < _WORD_PROBABILITY
        )
        deal = FairDeal(self._rng.randbytes(SECRET_BYTES), self._plan.table, words)
        if self._match is None:
            self._record(CLOCK, write_start(deal.first_dealer(len(self._plan.seats))))
        self._dealt = len(self._actions)
        self._record(CLOCK, write_deal(deal))

    def _record(self, seat: Seat, text: str) -> None:
        """Carry out an action and record it."""
        chair = CLOCK if seat == CLOCK else self._chair(seat)
        seconds = self._seconds(chair, text.partition(":")[0])
        self._match, _ = apply_record(self._match, self._rules, seat, text)
        self._actions.append(PastAction(seconds, seat, chair, text))

    def _seconds(self, chair: Seat, verb: str) -> int:
        """Return a random time for an action that begins with `verb`, decided on `chair`."""
        if verb == "start":
            return 0
        if chair != CLOCK and self._plan.seats[chair] is None:
            return self._rng.randint(*_COMPUTER_SECONDS)
        return self._rng.randint(*_SECONDS.get(verb, (1, 3)))

    def _chair(self, seat: Seat) -> Seat:
        """Return the chair of the person or computer player that decides for this seat."""
        match = self._on_table
        assert match.round is not None
        return match.variant.actor(match.round, seat)

    def _next(self) -> Iterator[tuple[Seat, Action]]:
        """Yield the next actions with their seats: one, or all bombs of a window and its end."""
        match = self._on_table
        waited = seats_to_act(match)
        if waited:
            action = self._choice(waited[0])
            assert action is not None
            yield waited[0], action
            return
        assert match.round is not None
        for seat in range(len(match.round.hands)):
            if possible_bombs(match.round, seat):
                bomb = self._choice(seat)
                if isinstance(bomb, Bomb):
                    yield seat, bomb
        yield CLOCK, CloseWindow()

    def _choice(self, seat: Seat) -> Action | None:
        """Return the action chosen for this seat; `None` for none."""
        return self._players[self._chair(seat)].choose(view(self._on_table, seat), self._rng)
