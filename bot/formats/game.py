"""Content of a file with finished rounds, independent of its format."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bot.history.played_round import PlayedRound
from bot.ids import TableId
from engine import CardSet, Options


@dataclass(frozen=True, slots=True, repr=False)
class Game:
    """Finished rounds of a match at a table, with the names of the players."""

    table: TableId
    """Number of the table."""
    options: Options
    names: tuple[tuple[str, ...], ...]
    """For each round the names of the players at its end, by seat."""
    rounds: tuple[PlayedRound, ...]
    match_rounds: int | None = None
    """Rounds after which the match ends at any score, if that was agreed."""


def dealt_hands(played: PlayedRound) -> Iterator[tuple[CardSet, CardSet]]:
    """Yield the first cards and the whole hand of each seat at the deal.

    The first cards are those that a player sees when asked about a Grand Tichu. If nobody is asked,
    both sets are the same.
    """
    round_ = played.dealt.round
    assert round_ is not None
    for hand, stock in zip(round_.hands, round_.opening.stock, strict=True):
        yield hand.cards, hand.cards | stock


def deal_record(played: PlayedRound) -> str:
    """Return the stored record of the deal: ``v1:…``, or the order of the deck."""
    return played.actions[0].text.partition(":")[2]
