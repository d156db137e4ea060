"""Store of reviews of rounds, and of agreements to show them."""

from __future__ import annotations

from sqlalchemy import delete, select

from bot.ids import TableId, UserId
from bot.records import ReviewRecord, RoundNumber, Seat
from bot.storage import schema, statements
from bot.storage.database import Database

_reviews = schema.reviews
_agreements = schema.review_agreements
_AGREEING = "storing an agreement"


class CoachStore:
    """Store of reviews and of agreements; all are deleted with their person."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def review(
        self, table_id: TableId, number: RoundNumber, seat: Seat
    ) -> ReviewRecord | None:
        """Return the stored review of a round for a seat, of any version, or `None`."""
        row = _reviews.c
        own = row.table_id == table_id, row.number == number, row.seat == seat
        query = select(_reviews).where(*own)
        found = await self._database.read(
            lambda connection: connection.execute(query).mappings().one_or_none()
        )
        return None if found is None else ReviewRecord(**found)

    async def keep(self, record: ReviewRecord) -> None:
        """Store a review in place of an older one."""
        statement = statements.upsert(_reviews)
        await self._database.write(
            "storing a review",
            lambda connection: connection.execute(statement, record.model_dump()),
        )

    async def agreements(self, table_id: TableId) -> frozenset[UserId]:
        """Return the people who agree that the reviews of a table are shown to all."""
        query = select(_agreements.c.user_id).where(_agreements.c.table_id == table_id)
        return frozenset(
            await self._database.read(lambda connection: connection.scalars(query).all())
        )

    async def agree(self, table_id: TableId, user_id: UserId) -> None:
        """Store that a person agrees."""
        row = {"table_id": table_id, "user_id": user_id}
        statement = statements.insert_missing(_agreements)
        await self._database.write(_AGREEING, lambda connection: connection.execute(statement, row))

    async def withdraw(self, table_id: TableId, user_id: UserId) -> None:
        """Delete the agreement of a person."""
        row = _agreements.c
        statement = delete(_agreements).where(row.table_id == table_id, row.user_id == user_id)
        await self._database.write(_AGREEING, lambda connection: connection.execute(statement))
