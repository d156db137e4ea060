"""Heavy work that several people may ask for at the same moment: done once for all of them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Hashable
from typing import Any, TypeVar

from bot.errors import Reason, Refused

MOST = 64
"""Pieces of work that may be under way, or wait for their turn."""

_T = TypeVar("_T")


class SharedWork:
    """Does one piece of work after the other; whoever asks for one under way gets its result.

    No more than `most` are under way or wait for their turn. Work beside the event loop still takes
    its processor time from the same Python, and what is read for it one of the few connections to
    the database: so more than one at a time would hold up all clicks.
    """

    def __init__(self, *, most: int = MOST) -> None:
        self._most = most
        self._turn = asyncio.Lock()
        self._pieces: dict[Hashable, asyncio.Task[Any]] = {}

    async def result(self, key: Hashable, work: Callable[[], Awaitable[_T]]) -> _T:
        """What `work` returns, or raises; not begun where the same `key` is under way.

        `Refused` when too much is under way (``busy``).
        """
        piece: asyncio.Task[_T] | None = self._pieces.get(key)
        if piece is None:
            if len(self._pieces) >= self._most:
                raise Refused(Reason.BUSY)
            piece = asyncio.create_task(self._done_in_turn(work), name="shared-work")
            self._pieces[key] = piece
            piece.add_done_callback(lambda done: self._forget(key, done))
        return await asyncio.shield(piece)

    async def _done_in_turn(self, work: Callable[[], Awaitable[_T]]) -> _T:
        async with self._turn:
            return await work()

    def _forget(self, key: Hashable, piece: asyncio.Task[Any]) -> None:
        """The piece is done; an error that nobody waits for any more is not logged."""
        del self._pieces[key]
        if not piece.cancelled():
            piece.exception()
