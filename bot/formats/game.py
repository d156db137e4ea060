"""What a file is made of: a table, finished rounds of its match, and the names of the players."""

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
    """The number of the table."""
    options: Options
    names: tuple[tuple[str, ...], ...]
    """For each round the names by seat, as they were when the round ended."""
    rounds: tuple[PlayedRound, ...]


def hands(played: PlayedRound) -> Iterator[tuple[CardSet, CardSet]]:
    """For each seat the first cards of the deal and the whole hand.

    The first cards are those that a player sees when they are asked for a Grand Tichu. If nobody is
    asked, both sets are the same.
    """
    round_ = played.dealt.round
    assert round_ is not None
    for hand, stock in zip(round_.hands, round_.opening.stock, strict=True):
        yield hand.cards, hand.cards | stock


def deal_record(played: PlayedRound) -> str:
    """The record of the deal, as it is stored: ``v1:…``, or the order of the deck."""
    return played.actions[0].text.partition(":")[2]
