"""Integer types of cards, ranks, seats and columns; equality by type for named tuples.

The integer types are aliases for readers: at run time every value is a plain `int`, so they cost
nothing. Ids of Discord and of tables are defined in `bot.ids`.
"""

from __future__ import annotations

from typing import TypeAlias, TypeVar

Card: TypeAlias = int
"""A card as its index in the canonical deck order, 0 to 111; see `cards` (N1)."""

CardSet: TypeAlias = int
"""A set of cards (a hand, a pile, a play): bit `card` is set for each card in it."""

Rank: TypeAlias = int
"""A rank from 2 to 14; 11 to 14 are jack, queen, king, ace. The Mah Jong has 1 (N2, N25)."""

RankSet: TypeAlias = int
"""A set of ranks: bit `rank` is set for each rank in it."""

Seat: TypeAlias = int
"""A seat, counted from 0. In actions -1 is the clock; in positions -1 is nobody."""

SeatSet: TypeAlias = int
"""A set of seats: bit `seat` is set for each seat in it."""

Team: TypeAlias = int
"""A team of one round, counted from 0 (N3, T2). In Grand Seigneur each player is one (G1)."""

Column: TypeAlias = int
"""A score column, counted from 0: a team or a person that can win the match."""

Points: TypeAlias = int
"""Card points or a score; may be negative (N42, N68)."""

Gifts: TypeAlias = tuple[tuple[Seat, CardSet], ...]
"""Cards passed in the exchange as pairs of a seat and cards (N9).

For the cards a seat gives, the seats are the receivers; for the cards it receives, the givers.
"""


T = TypeVar("T", bound=tuple[object, ...])


def typed_equality(kind: type[T]) -> type[T]:
    """Class decorator that makes ``Pass(1)`` equal neither ``Waive(1)`` nor ``(1,)``."""

    def equal(self: T, other: object) -> bool:
        return type(other) is kind and tuple.__eq__(self, other)

    def unequal(self: T, other: object) -> bool:
        return type(other) is not kind or tuple.__ne__(self, other)

    kind.__eq__ = equal  # type: ignore[assignment, method-assign]
    kind.__ne__ = unequal  # type: ignore[assignment, method-assign]
    return kind
