"""Matches that end after an agreed number of rounds, at any score, as those of events do.

The rules of the games are unchanged: only the end of the match is another one. The record that
starts a match has the number, so each replay of its actions ends like the match itself.
"""

from __future__ import annotations

from copy import copy
from dataclasses import replace
from typing import NamedTuple

from bot.records import Count
from engine import VARIANTS, Column, Match, Options, Seat, new_match


class _RoundsPlayed(NamedTuple):
    """End of a match after a number of rounds, in place of `Variant.is_over`."""

    rounds: Count

    def __call__(self, match: Match) -> bool:
        return len(match.results) >= self.rounds


def first_match(options: Options, first_dealer: Seat, rounds: Count | None = None) -> Match:
    """Return a match before its first deal, which ends after `rounds` if they are agreed.

    Then it has the highest target, so that computer players play for points and not for a target.
    Raises `IllegalAction` for a dealer who does not sit there.
    """
    if rounds is None:
        return new_match(options, first_dealer)
    if options.target is not None:
        highest = VARIANTS[options.variant].choices["target"].allowed[-1]
        options = replace(options, target=int(highest))
    match = new_match(options, first_dealer)
    game = copy(match.variant)
    game.is_over = _RoundsPlayed(rounds)  # type: ignore[assignment, method-assign]
    return match._replace(variant=game)


def winners_of(match: Match) -> tuple[Column, ...]:
    """Return the columns that have won a match; none after a draw of both teams."""
    is_draw = match.variant.fixed_partners and len(match.winners) > 1
    return () if is_draw else match.winners
