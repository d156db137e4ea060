"""Rounds and matches written directly into a store."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import datetime

from bot.ids import ChannelId, GuildId, UserId
from bot.records import (
    Change,
    Kind,
    MatchRecord,
    MatchScore,
    MatchSeat,
    NewTable,
    RoundRecord,
    RoundScore,
    RoundSeat,
)
from bot.storage import Store

_POINTS = 60


async def play(
    store: Store,
    guild_id: GuildId,
    at: datetime,
    winners: Sequence[UserId | None],
    losers: Sequence[UserId | None],
    *,
    variant: str = "nanjing",
    rounds: int = 20,
    calls: int = 0,
    stopped: bool = False,
) -> int:
    """Store a match of `rounds` rounds, each won by 60 points; return the table's id.

    Users sit on alternating chairs among computer players (`None`). In the first `calls` rounds
    each winner makes a Tichu. Everything ends at this moment, or is `stopped` then.
    """
    users = [user for pair in zip(winners, losers, strict=True) for user in pair]
    new = NewTable(guild_id=guild_id, channel_id=ChannelId(99), host_id=UserId(1), created_at=at)
    table_id = (await store.tables.create(new)).id
    played = (_round(n, at, users, variant, made=n <= calls) for n in range(1, rounds + 1))
    match = MatchRecord(
        variant=variant,
        ended_at=at,
        reason="stopped" if stopped else "finished",
        rounds=rounds,
        scores=(
            MatchScore(column=0, total=_POINTS * rounds, won=True),
            MatchScore(column=1, total=0, won=False),
        ),
        seats=tuple(
            MatchSeat(
                seat=seat,
                user_id=user,
                name=str(user),
                kind=_kind(user),
                column=seat % 2,
                won=seat % 2 == 0,
                counts_for=user,
            )
            for seat, user in enumerate(users)
        ),
    )
    end = Change(match=match, status=match.reason, ended_at=at)
    changes = [*(Change(round=record) for record in played), end]
    await asyncio.gather(*(store.tables.commit(table_id, change) for change in changes))
    return table_id


def _kind(user: UserId | None) -> Kind:
    return "computer" if user is None else "person"


def _round(
    number: int, at: datetime, users: Sequence[UserId | None], variant: str, *, made: bool
) -> RoundRecord:
    return RoundRecord(
        number=number,
        ended_at=at,
        variant=variant,
        scores=(
            RoundScore(column=0, score=_POINTS, total=_POINTS * number),
            RoundScore(column=1, score=0, total=0),
        ),
        seats=tuple(
            RoundSeat(
                seat=seat,
                user_id=user,
                kind=_kind(user),
                column=seat % 2,
                call="tichu" if made and seat % 2 == 0 else None,
                call_made=True if made and seat % 2 == 0 else None,
                counts_for=user,
                margin=(-1 if seat % 2 else 1) * 100 * _POINTS,
                level="expert" if user is None else None,
            )
            for seat, user in enumerate(users)
        ),
    )
