"""Content of a file: a table, finished rounds of its match, and the players' names."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bot.history.played_round import PlayedRound
from bot.ids import TableId
from engine import CardSet, Options


@dataclass(frozen=True, slots=True, repr=False)
class Game:
    """Finished rounds of a table."""

    table: TableId
    """Number of the table."""
    options: Options
    names: tuple[tuple[str, ...], ...]
    """Names by seat at the end of each round."""
    rounds: tuple[PlayedRound, ...]


def hands(played: PlayedRound) -> Iterator[tuple[CardSet, CardSet]]:
    """Yield the first cards and the whole hand of each seat at the deal.

    The first cards are those that a player sees when they are asked for a Grand Tichu. If nobody is
    asked, both sets are the same.
    """
    round_ = played.dealt.round
    assert round_ is not None
    for hand, stock in zip(round_.hands, round_.opening.stock, strict=True):
        yield hand.cards, hand.cards | stock


def deal_record(played: PlayedRound) -> str:
    """Return the stored record of the deal: ``v1:…``, or the order of the deck."""
    return played.actions[0].text.partition(":")[2]
