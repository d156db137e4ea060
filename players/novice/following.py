"""The Novice's answers to a play: the cheapest one that beats it, a pass, or a bomb."""

from __future__ import annotations

from collections.abc import Iterable

from engine import Combination, points_of
from players.manners import Taste
from players.novice.leading import SURE
from players.novice.outlook import Outlook
from players.novice.partition import EFFORT_PER_POINT, effort_saved, plan

_OUT = 9.0
"""Worth of going out, and its negative if that makes a partner's call fail."""
_PASS = 0.12
"""Worth of a pass, which a play must exceed."""
_LEAD = 0.35
"""Worth of the next lead with a long plan; it is higher with a shorter one."""
_STOP = 2.0
"""Worth of stopping an opponent, to be multiplied by `Outlook.danger`."""
_BOMB_DANGER = 0.6
"""Minimum of `Outlook.danger` for laying a bomb.

It is reached by a caller with four cards, and by other opponents with one.
"""
_MUCH_SAFER = 0.2
"""Minimum increase of the chance to win the trick for beating a partner's play.

It counts only if an opponent could go out in this trick.
"""
_PARTNER_TOP, _PARTNER_PLAY = 10, 11
"""Highest rank of a partner's play that may be beaten, and of the play that beats it."""
_MOST_TRIED = 4
"""Number of plays to weigh: those that save the most effort.

The two highest plays are weighed in addition.
"""


def choose_answer(
    outlook: Outlook, options: list[Combination], *, may_pass: bool, taste: Taste
) -> Combination | None:
    """Return the best answer among `options`, or `None` for a pass.

    `options` are all legal plays from low to high.
    """
    hand = outlook.view.hand.cards
    candidates = sorted(options, key=lambda play: -effort_saved(hand, play.cards))[:_MOST_TRIED]
    # The two highest plays are the hardest to beat.
    candidates += [play for play in options[-2:] if play not in candidates]
    best: Combination | None = None
    best_worth = _PASS + taste.passing * EFFORT_PER_POINT
    if outlook.partner_has_trick:
        best_worth += taste.leaving * EFFORT_PER_POINT
    for play in candidates:
        worth = _worth(outlook, play)
        if may_pass and outlook.partner_has_trick and not _may_overtake(outlook, play, worth):
            continue
        if worth > best_worth or (best is None and not may_pass):
            best, best_worth = play, worth
    return best


def decides_round(outlook: Outlook, play: Combination) -> bool:
    """Return whether the seat goes out with a play, or can then lay its other cards in a row.

    For that the play must be a winner (`SURE`), and so must all planned plays of the other cards
    except one, which is laid last. The result is false while a partner's call can still succeed,
    because then nobody else should go out first.
    """
    if outlook.partner_has_open_call:
        return False
    rest = outlook.view.hand.cards & ~play.cards
    losers = [other for other in plan(rest).plays if outlook.win_chance(other) < SURE]
    return len(losers) <= 1 and (not rest or outlook.win_chance(play) >= SURE)


def _worth(outlook: Outlook, play: Combination) -> float:
    """Return the worth of an answer.

    It adds up the effort saved, the points, the next lead, and the danger of an opponent averted.
    """
    view = outlook.view
    hand = view.hand.cards
    rest = plan(hand & ~play.cards)
    if not rest.plays and outlook.partner_has_open_call:
        return -_OUT
    if decides_round(outlook, play):
        return _OUT + (not rest.plays)  # to go out at once is even better
    points = 0
    if outlook.scored:
        points = view.trick_points + points_of(play.cards)
        if play.is_dragon:
            points = -points
    lead = _LEAD + 1.0 / (1 + len(rest.plays))
    danger = 0.0 if outlook.partner_has_trick else outlook.danger(view.seats[view.top_seat])
    if outlook.threat is not None:
        danger = max(danger, outlook.danger(outlook.threat))
    chance = outlook.win_chance(play)
    gain = points * EFFORT_PER_POINT + lead + _STOP * danger
    return plan(hand).effort - rest.effort + chance * gain


def _may_overtake(outlook: Outlook, play: Combination, worth: float) -> bool:
    """Return whether the seat may beat a partner's play with this one.

    It may do so to go out, to stop an opponent from going out, or to lay low cards on low ones.
    `worth` is that of the play.
    """
    if worth >= _OUT:
        return True
    top = outlook.view.top
    if top is not None and outlook.threat is not None:
        return outlook.win_chance(play) >= outlook.win_chance(top) + _MUCH_SAFER
    partner = outlook.view.seats[outlook.view.top_seat]
    return (
        top is not None
        and not outlook.partner_has_open_call
        and partner.cards > 2
        and play.size <= 2
        and top.rank <= _PARTNER_TOP
        and play.rank <= _PARTNER_PLAY
        and not play.is_bomb
    )


def choose_bomb(outlook: Outlook, bombs: Iterable[Combination], taste: Taste) -> Combination | None:
    """Return the weakest bomb worth laying in a window, if any.

    A bomb is laid to go out, or to stop an opponent who is close to going out.
    """
    view = outlook.view
    if outlook.partner_has_trick or view.top_seat == outlook.seat:
        return None
    top_seat = view.seats[view.top_seat]
    urgent = outlook.danger(top_seat) >= _BOMB_DANGER - taste.bombing * EFFORT_PER_POINT
    for bomb in bombs:  # the weakest first
        if urgent or decides_round(outlook, bomb):
            return bomb
    return None
