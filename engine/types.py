"""What an `int` means: cards, ranks, seats, score columns, and sets of them.

The aliases are for readers; to Python all of them are whole numbers, so they cost nothing. Ids of
Discord and of tables are named in `bot.ids`.
"""

from __future__ import annotations

from typing import TypeAlias

Card: TypeAlias = int
"""A card by its place in the canonical deck order, 0 to 111; see `engine.cards` (N1)."""

CardSet: TypeAlias = int
"""A set of cards (a hand, a pile, a play): bit number `card` is set for each card in it."""

Rank: TypeAlias = int
"""2 to 14, where 11 to 14 are jack, queen, king, ace; the Mah Jong's rank is 1 (N2, N25)."""

RankSet: TypeAlias = int
"""A set of ranks: bit number `rank` is set for each rank in it."""

Seat: TypeAlias = int
"""A seat, from 0 on; -1 stands for the clock among actions and for nobody in positions."""

SeatSet: TypeAlias = int
"""A set of seats: bit number `seat` is set for each seat in it."""

Team: TypeAlias = int
"""A team of one round, from 0 on (N3, T2). In Grand Seigneur each player is a team (G1)."""

Column: TypeAlias = int
"""A score column, from 0 on: a party that can win the match (a team, or one person)."""

Points: TypeAlias = int
"""Card points or a score; may be negative (N42, N68)."""

Gifts: TypeAlias = tuple[tuple[Seat, CardSet], ...]
"""Cards that change hands in the exchange (N9): pairs of a seat and cards.

In what a seat gives, the seats are the receivers; in what it got, the givers.
"""
