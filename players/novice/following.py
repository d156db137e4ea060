"""How the Novice answers a play: with the cheapest one that beats it, or a pass; its bombs."""

from __future__ import annotations

from collections.abc import Iterable

from engine import Combination, points_of
from players.manners import Taste
from players.novice.leading import SURE
from players.novice.outlook import Outlook
from players.novice.partition import EFFORT_PER_POINT, plan, saved

_OUT = 9.0
"""What it is worth to go out. To make a partner's call fail by going out costs as much."""
_PASS = 0.12
"""A play has to be worth more than this to be better than a pass."""
_LEAD = 0.35
"""What the next lead is worth with a long plan; with fewer plays left it is worth more."""
_STOP = 2.0
"""What it is worth to stop an opponent; to be multiplied by `Outlook.danger`."""
_BOMB_DANGER = 0.6
"""A bomb is thrown from this `Outlook.danger` on: that of a caller with four cards, of others with
one."""
_SAFER = 0.2
"""When an opponent could go out in this trick, a partner's play is beaten by one that is this much
likelier to win the trick."""
_PARTNER_TOP, _PARTNER_PLAY = 10, 11
"""A partner's play of at most the first rank may be beaten with one of at most the second."""
_MOST_TRIED = 4
"""The number of plays that are weighed, those first that seem to leave the best hand. The two
highest plays are weighed besides."""


def choose_answer(
    outlook: Outlook, options: list[Combination], *, may_pass: bool, taste: Taste
) -> Combination | None:
    """The best answer among `options`, or `None` for a pass.

    `options` are all legal plays from low to high.
    """
    hand = outlook.view.hand.cards
    tried = sorted(options, key=lambda play: -saved(hand, play.cards))[:_MOST_TRIED]
    tried += [play for play in options[-2:] if play not in tried]  # hardest to beat
    best: Combination | None = None
    most = _PASS + taste.passing * EFFORT_PER_POINT
    if outlook.top_is_partners:
        most += taste.leaving * EFFORT_PER_POINT
    for play in tried:
        worth = _worth(outlook, play)
        if may_pass and outlook.top_is_partners and not _overtakes(outlook, play, worth):
            continue
        if worth > most or (best is None and not may_pass):
            best, most = play, worth
    return best


def finishes(outlook: Outlook, play: Combination) -> bool:
    """Whether this play goes out, or most likely lets the hand go out without losing the lead.

    For that it has to be a winner (`SURE`), and so has every play that is planned with the rest of
    the hand but one, which is kept for the end. Always false while a partner's call can still
    succeed: then nobody else should go out first.
    """
    if outlook.partner_may_make_it:
        return False
    rest = outlook.view.hand.cards & ~play.cards
    losers = [other for other in plan(rest).plays if outlook.holds(other) < SURE]
    return len(losers) <= 1 and (not rest or outlook.holds(play) >= SURE)


def _worth(outlook: Outlook, play: Combination) -> float:
    """What an answer is worth: effort saved, points, the next lead, an opponent stopped."""
    view = outlook.view
    hand = view.hand.cards
    rest = plan(hand & ~play.cards)
    if not rest.plays and outlook.partner_may_make_it:
        return -_OUT
    if finishes(outlook, play):
        return _OUT + (not rest.plays)  # better at once than soon
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
    gain = points * EFFORT_PER_POINT + lead + _STOP * danger
    return plan(hand).effort - rest.effort + holds * gain


def _overtakes(outlook: Outlook, play: Combination, worth: float) -> bool:
    """Whether a partner's play is worth beating with this one, which is worth `worth`.

    It is to go out, to stop an opponent from going out, or to get rid of low cards on low ones.
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


def choose_bomb(outlook: Outlook, bombs: Iterable[Combination], taste: Taste) -> Combination | None:
    """The weakest bomb worth throwing in a window, if any.

    A bomb is thrown to go out, or to stop an opponent who is close to it.
    """
    view = outlook.view
    if outlook.top_is_partners or view.top_seat == outlook.seat:
        return None
    top_seat = view.seats[view.top_seat]
    urgent = outlook.danger(top_seat) >= _BOMB_DANGER - taste.bombing * EFFORT_PER_POINT
    for bomb in bombs:  # the weakest first
        if urgent or finishes(outlook, bomb):
            return bomb
    return None
