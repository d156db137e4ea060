"""The rest of a round in which nobody has a choice any more."""

from __future__ import annotations

from itertools import islice

from .actions import Action, CloseWindow, Waive
from .legal import legal_actions
from .match import apply
from .round import PLAY_PHASES, WINDOW_PHASES, Phase
from .state import Match


def only_course(match: Match) -> tuple[Action, ...]:
    """Return all actions left in the round if no seat has a choice any more, else none.

    The result is empty while there is a sealed bomb, so that it is not revealed early. It is also
    empty unless some seat holds a single card, because larger hands usually leave a choice at the
    lead. That spares most positions the search, and misses only rare cases in which a wish leaves
    no choice.
    """
    round_ = match.round
    if round_ is None or round_.submitted or all(hand.size != 1 for hand in round_.hands):
        return ()
    course: list[Action] = []
    while match.phase not in (Phase.ROUND_END, Phase.MATCH_END):
        action = _only_action(match)
        if action is None:
            return ()
        course.append(action)
        match, _ = apply(match, action)
    return tuple(course)


def _only_action(match: Match) -> Action | None:
    """Return the next action if there is only one; waiving a bomb does not count."""
    round_ = match.round
    assert round_ is not None
    if match.phase not in PLAY_PHASES:
        return None
    seats = (round_.turn, *(seat for seat in range(len(round_.hands)) if seat != round_.turn))
    choices = (
        action
        for seat in seats
        for action in legal_actions(match, seat)
        if not isinstance(action, Waive)
    )
    first = tuple(islice(choices, 2))
    if round_.phase in WINDOW_PHASES and not round_.asked:
        return None if first else CloseWindow()
    return first[0] if len(first) == 1 else None
