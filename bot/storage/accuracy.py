"""Store of the reviewed rounds from which the accuracy of people follows.

Only rated rounds count, because with hints the decisions are not a person's own.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from sqlalchemy import ColumnElement, and_, func, select

from bot.ids import GuildId, UserId
from bot.records import Count, JudgedRound
from bot.score_records import Variant
from bot.storage import schema, score_schema, statements
from bot.storage.database import Database

_reviews, _rounds, _tables = schema.reviews, schema.rounds, schema.tables
_settings, _people = schema.personal_settings, score_schema.people
MOST_COMPARED = 50
"""Largest number of people of a server whose accuracy is compared."""


class AccuracyStore:
    """Store of reviewed rounds by person, server and game."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def rounds_of(
        self, guild_id: GuildId, variant: Variant, users: Collection[UserId], most: Count
    ) -> list[JudgedRound]:
        """Return the last reviewed rounds of these people, at most `most` of each, newest first."""
        newest = _rounds.c.ended_at.desc(), _rounds.c.table_id.desc(), _rounds.c.number.desc()
        number = func.row_number().over(partition_by=_reviews.c.user_id, order_by=newest)
        reviewed = (
            select(_reviews.c.user_id, _rounds.c.ended_at, _reviews.c.body, number.label("place"))
            .join(_rounds, _of_round())
            .join(_tables, _tables.c.id == _rounds.c.table_id)
            .where(*_counted(guild_id, variant))
            .where(_reviews.c.user_id.in_(statements.select_numbers(users)))
            .subquery()
        )
        row = reviewed.c
        query = (
            select(row.user_id, row.ended_at, row.body)
            .where(row.place <= most)
            .order_by(row.user_id, row.place)
        )
        found = await self._database.read(
            lambda connection: connection.execute(query).mappings().all()
        )
        return await self._database.build_records(_judged_rounds, found, len(found))

    async def comparing(self, guild_id: GuildId, variant: Variant, fewest: Count) -> list[UserId]:
        """Return the people who compare their accuracy and have `fewest` reviewed rounds here.

        Hidden people are left out. Of too many people, those with the most rounds are returned.
        """
        allows = and_(
            _settings.c.user_id == _reviews.c.user_id,
            _settings.c.accuracy,
            _settings.c.accuracy_compared,
        )
        query = (
            select(_reviews.c.user_id)
            .join(_rounds, _of_round())
            .join(_tables, _tables.c.id == _rounds.c.table_id)
            .join(_settings, allows)
            .outerjoin(_people, _people.c.user_id == _reviews.c.user_id)
            .where(*_counted(guild_id, variant))
            .where(_people.c.hidden.is_not(True))
            .group_by(_reviews.c.user_id)
            .having(func.count() >= fewest)
            .order_by(func.count().desc(), _reviews.c.user_id)
            .limit(MOST_COMPARED)
        )
        return await self._database.read(lambda connection: list(connection.scalars(query)))


def _judged_rounds(found: Iterable[Mapping[Any, Any]]) -> list[JudgedRound]:
    return [JudgedRound(**row) for row in found]


def _of_round() -> ColumnElement[bool]:
    """Return the condition that a review is of a round."""
    return and_(_rounds.c.table_id == _reviews.c.table_id, _rounds.c.number == _reviews.c.number)


def _counted(guild_id: GuildId, variant: Variant) -> tuple[ColumnElement[bool], ...]:
    """Return the conditions for rounds of this server and game that count."""
    return _tables.c.guild_id == guild_id, _rounds.c.variant == variant, _rounds.c.rated
