"""How a computer player answers a play: the cheapest that beats it, or nothing; and its bombs."""

from __future__ import annotations

from collections.abc import Iterable

from engine import Combination, points_of
from players.novice.leading import SURE
from players.novice.outlook import Outlook
from players.novice.partition import plan, saved

_OUT = 9.0
"""What it is worth to go out; to spoil a partner's call by going out costs as much."""
_PASS = 0.12
"""What a play has to bring to be better than a pass."""
_LEAD = 0.35
"""What the next lead is worth early in a round; the shorter the plan, the more."""
_POINTS = 1 / 60
_STOP = 2.0
"""What it is worth to stop an opponent, for each unit of `Outlook.danger`."""
_BOMB_DANGER = 0.6
"""From this `Outlook.danger` on a bomb is thrown: a caller with four cards, others with one."""
_SAFER = 0.2
"""A partner's play is beaten against a threat when the answer is this much likelier to hold."""
_PARTNER_TOP, _PARTNER_PLAY = 10, 11
"""A partner's play up to the first rank may be beaten with one up to the second."""
_MOST_TRIED = 4
"""The number of plays that are weighed: those that seem to leave the best hand. The two highest
are weighed besides."""


def choose_answer(
    outlook: Outlook, options: list[Combination], *, may_pass: bool
) -> Combination | None:
    """The best answer among `options`, all legal plays from low to high; `None` to pass."""
    hand = outlook.view.hand.cards
    tried = sorted(options, key=lambda play: -saved(hand, play.cards))[:_MOST_TRIED]
    tried += [play for play in options[-2:] if play not in tried]  # what is hardest to beat
    best: Combination | None = None
    most = _PASS
    for play in tried:
        worth = _worth(outlook, play)
        if may_pass and outlook.top_is_partners and not _overtakes(outlook, play, worth):
            continue
        if worth > most or (best is None and not may_pass):
            best, most = play, worth
    return best


def finishes(outlook: Outlook, play: Combination) -> bool:
    """Whether this play goes out, or most likely holds and lets all the rest follow at once.

    Never while a partner's call is open: then nobody else should be the first.
    """
    if outlook.partner_may_make_it:
        return False
    rest = outlook.view.hand.cards & ~play.cards
    losers = [other for other in plan(rest).plays if outlook.holds(other) < SURE]
    return len(losers) <= 1 and (not rest or outlook.holds(play) >= SURE)


def _worth(outlook: Outlook, play: Combination) -> float:
    """What a play brings: the effort it saves, the trick, the next lead and the danger averted."""
    view = outlook.view
    hand = view.hand.cards
    rest = plan(hand & ~play.cards)
    if not rest.plays and outlook.partner_may_make_it:
        return -_OUT
    if finishes(outlook, play):
        return _OUT + (not rest.plays)  # rather at once than soon
    points = 0
    if outlook.scored:
        points = view.trick_points + points_of(play.cards)
        if play.is_dragon:
            points = -points
    lead = _LEAD + 1.0 / (1 + len(rest.plays))
    danger = 0.0 if outlook.top_is_partners else outlook.danger(view.seats[view.top_seat])
    if outlook.threat is not None:
        danger = max(danger, outlook.danger(outlook.threat))
    holds = outlook.holds(play)
    gain = points * _POINTS + lead + _STOP * danger
    return plan(hand).effort - rest.effort + holds * gain


def _overtakes(outlook: Outlook, play: Combination, worth: float) -> bool:
    """Whether a partner's play is worth beating.

    To go out, to keep an opponent from it, or to shed low cards on low ones.
    """
    if worth >= _OUT:
        return True
    top = outlook.view.top
    if top is not None and outlook.threat is not None:
        return outlook.holds(play) >= outlook.holds(top) + _SAFER
    partner = outlook.view.seats[outlook.view.top_seat]
    return (
        top is not None
        and not outlook.partner_may_make_it
        and partner.cards > 2
        and play.size <= 2
        and top.rank <= _PARTNER_TOP
        and play.rank <= _PARTNER_PLAY
        and not play.is_bomb
    )


def choose_bomb(outlook: Outlook, bombs: Iterable[Combination]) -> Combination | None:
    """The bomb to throw in a window, if any: to go out with it, or to stop a caller at the door."""
    view = outlook.view
    if outlook.top_is_partners or view.top_seat == outlook.seat:
        return None
    top_seat = view.seats[view.top_seat]
    urgent = outlook.danger(top_seat) >= _BOMB_DANGER
    for bomb in bombs:  # the weakest first
        if urgent or finishes(outlook, bomb):
            return bomb
    return None
