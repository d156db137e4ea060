"""What an export is made of: a table, finished rounds of its match, and who sat there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bot.history.replay import PlayedRound
from engine.options import Options


@dataclass(frozen=True, slots=True, repr=False)
class Game:
    """Finished rounds of a table. `names` are by round those of its seats, as it ended."""

    table: int
    options: Options
    names: tuple[tuple[str, ...], ...]
    rounds: tuple[PlayedRound, ...]


def hands(played: PlayedRound) -> Iterator[tuple[int, int]]:
    """By seat the first cards of the deal and the whole hand, as sets.

    Where nobody is asked for a Grand Tichu both are the same.
    """
    round_ = played.dealt.round
    assert round_ is not None
    for hand, stock in zip(round_.hands, round_.opening.stock, strict=True):
        yield hand.cards, hand.cards | stock


def deal_record(played: PlayedRound) -> str:
    """What the deal was made from, as it is stored: ``v1:…``, or the order of the deck."""
    return played.actions[0].text.partition(":")[2]
