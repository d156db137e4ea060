"""Reviews without Experts: made by hand, when the test says so."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from bot.errors import Reason, Refused
from bot.history.replay import Replay
from bot.ids import TableId, UserId
from bot.records import RoundNumber
from engine import Seat
from players.coach.review import Progress, Review
from tests.simcord_clicks import from_outside


class FakeReviews:
    """Service that keeps reviews and consents in memory."""

    def __init__(self) -> None:
        self.made: dict[tuple[TableId, RoundNumber, Seat], Review] = {}
        self.agreed: set[tuple[TableId, UserId]] = set()
        self.refusal: Reason | None = None
        self.requests: list[tuple[asyncio.Future[Review], Callable[[Progress], None]]] = []
        """Reviews that are being made, with the functions that note their progress."""

    async def stored(self, table_id: TableId, number: RoundNumber, seat: Seat) -> Review | None:
        """Return the review if it was made."""
        return self.made.get((table_id, number, seat))

    async def request(
        self,
        replay: Replay,
        seat: Seat,
        user_id: UserId,
        on_progress: Callable[[Progress], None],
    ) -> Review:
        """Return the review once the test provides it."""
        if self.refusal is not None:
            raise Refused(self.refusal)
        key = (replay.table.id, replay.played_round.number, seat)
        if key not in self.made:
            review: asyncio.Future[Review] = asyncio.get_running_loop().create_future()
            self.requests.append((review, on_progress))
            self.made[key] = await from_outside(review, "a review")
        return self.made[key]

    def forget(self, user_id: UserId) -> None:
        """Do nothing: no reviews are counted."""

    async def agreements(self, table_id: TableId) -> frozenset[UserId]:
        """Return the people who agree."""
        return frozenset(user for table, user in self.agreed if table == table_id)

    async def agree(self, table_id: TableId, user_id: UserId) -> None:
        """Note that a person agrees."""
        self.agreed.add((table_id, user_id))

    async def withdraw(self, table_id: TableId, user_id: UserId) -> None:
        """Note that a person does not agree any more."""
        self.agreed.discard((table_id, user_id))
