"""Solo rounds in a store: played by Novices, and what is stored of them."""

from __future__ import annotations

import random
from datetime import datetime
from typing import Any

from sqlalchemy import Select, select

from bot.board_records import NewSoloRound, SoloProgress, SoloRound
from bot.boards.board import Board
from bot.ids import BoardId, GuildId, UserId
from bot.storage import Store, schema
from bot.table.solo_game import result_of_seat, written
from bot.table.state import seats_to_act
from engine import Action, CloseWindow, Match, Phase, apply, view
from players.boards import VERSION
from players.levels import choose


def played_by_novices(match: Match, seed: int) -> tuple[list[Action], Match]:
    """Return all actions of a round after its deal, and its end."""
    rng, actions = random.Random(seed), list[Action]()
    while match.phase not in (Phase.ROUND_END, Phase.MATCH_END):
        action: Action | None = CloseWindow()
        if seats := seats_to_act(match):
            action = choose("novice", view(match, seats[0]), rng.getrandbits(32), 0.0)
        assert action is not None
        actions.append(action)
        match, _ = apply(match, action)
    return actions, match


async def stored_round(
    store: Store,
    board: Board,
    user_id: UserId,
    now: datetime,
    *,
    name: str = "Ada",
    seed: int = 1,
    practice: bool = False,
    over: bool = True,
) -> SoloRound:
    """Store a round of this person on a board; return it."""
    actions, end = played_by_novices(board.dealt(), seed)
    own = {"board_id": board.id, "user_id": user_id, "practice": practice}
    begun = await store.boards.begin(
        NewSoloRound(name=name, guild_id=GuildId(0), version=VERSION, begun_at=now, **own)  # type: ignore[arg-type]
    )
    assert begun is not None
    stored, kept = written(actions), len(actions) if over else len(actions) - 1
    result = result_of_seat(end) if over else None
    ended_at = now if over else None
    progress = SoloProgress(begun.id, 0, stored[:kept], practice, ended_at, result)
    assert await store.boards.go_on(progress)
    found = await store.boards.round(begun.id)
    assert found is not None
    return found


async def results(store: Store, board_id: BoardId) -> list[SoloRound]:
    """Return the finished rounds of a board that count, the best first."""
    row = schema.solo_rounds.c
    counting = row.board_id == board_id, ~row.practice, row.ended_at.is_not(None)
    query = select(row.id).where(*counting).order_by(row.points.desc(), row.id)
    found = [await store.boards.round(each) for each in await _numbers(store, query)]
    return [each for each in found if each is not None]


async def members(store: Store, guild_id: GuildId) -> set[int]:
    """Return the people who have opened the deal of the day in a server."""
    row = schema.daily_servers.c
    return set(await _numbers(store, select(row.user_id).where(row.guild_id == guild_id)))


async def _numbers(store: Store, query: Select[Any]) -> list[int]:
    database = store._database  # noqa: SLF001
    return await database.read(lambda connection: list(connection.scalars(query)))
