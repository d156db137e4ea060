"""Store of challenges; their deals are boards, and what people played are solo rounds."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from sqlalchemy import ColumnElement, Connection, and_, insert, or_, select, update

from bot.board_records import SoloResult
from bot.challenge_records import OPEN_STATUSES, Challenge, ChallengeRound
from bot.ids import ChallengeId, MessageId, UserId
from bot.storage import challenge_schema, schema, statements
from bot.storage.database import Database

_challenges = challenge_schema.challenges
_boards = schema.boards
_rounds = schema.solo_rounds


class ChallengeStore:
    """Store of challenges."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, challenge: Challenge, secrets: Sequence[str]) -> Challenge:
        """Store an offer with the secrets of its deals; return it with its id."""

        def add(connection: Connection) -> Challenge:
            row = challenge._asdict()
            del row["id"]
            found = connection.execute(insert(_challenges).values(row)).inserted_primary_key
            assert found is not None
            boards = [
                {"challenge_id": found.id, "number": number, "secret": secret}
                for number, secret in enumerate(secrets, start=1)
            ]
            connection.execute(insert(_boards), boards)
            return challenge._replace(id=found.id)

        return await self._database.write("storing a challenge", add)

    async def get(self, challenge_id: ChallengeId) -> Challenge | None:
        """Return a challenge, or `None` if there is none with this id."""
        query = select(_challenges).where(_challenges.c.id == challenge_id)
        row = await self._database.read(lambda connection: connection.execute(query).one_or_none())
        return None if row is None else Challenge(*row)

    async def of(self, *user_ids: UserId) -> list[Challenge]:
        """Return all challenges of these people, newest first."""
        row = _challenges.c
        of_people = or_(row.challenger.in_(user_ids), row.challenged.in_(user_ids))
        return await self._select(of_people)

    async def pending(self) -> list[Challenge]:
        """Return the open challenges, and those whose public message is outdated."""
        row = _challenges.c
        outdated = and_(row.message_id.is_not(None), row.shown.is_distinct_from(row.status))
        return await self._select(or_(row.status.in_(OPEN_STATUSES), outdated))

    async def _select(self, where: ColumnElement[bool]) -> list[Challenge]:
        query = select(_challenges).where(where).order_by(_challenges.c.id.desc())
        rows = await self._database.read(lambda connection: connection.execute(query).all())
        return [Challenge(*row) for row in rows]

    async def replace(self, before: Challenge, after: Challenge) -> bool:
        """Store the new status of a challenge; return False if its status was not `before`'s."""
        row = _challenges.c
        unchanged = row.id == before.id, row.status == before.status
        statement = (
            update(_challenges)
            .where(*unchanged)
            .values(
                status=after.status,
                accepted_at=after.accepted_at,
                ended_at=after.ended_at,
                ended_by=after.ended_by,
            )
        )
        number = await self._database.write(
            "changing a challenge", lambda connection: connection.execute(statement).rowcount
        )
        return number == 1

    async def note_shown(self, challenge: Challenge, message_id: MessageId | None) -> None:
        """Store that the public message shows the status of this challenge."""
        statement = (
            update(_challenges)
            .where(_challenges.c.id == challenge.id)
            .values(message_id=message_id, shown=challenge.status)
        )
        await self._database.write(
            "noting a message", lambda connection: connection.execute(statement)
        )

    async def rounds(
        self, challenge_ids: Collection[ChallengeId]
    ) -> dict[ChallengeId, list[ChallengeRound]]:
        """Return the solo rounds of each of these challenges."""
        board, played = _boards.c, _rounds.c
        query = (
            select(
                board.challenge_id,
                board.number,
                played.user_id,
                played.id,
                played.version,
                played.ended_at,
                played.points,
                played.call,
                played.call_made,
                played.place,
            )
            .join(_rounds, played.board_id == board.id)
            .where(board.challenge_id.in_(statements.select_numbers(challenge_ids)))
            .order_by(board.number)
        )
        rows = await self._database.read(lambda connection: connection.execute(query).all())
        found: dict[ChallengeId, list[ChallengeRound]] = {each: [] for each in challenge_ids}
        for challenge_id, number, user_id, round_id, version, ended_at, *values in rows:
            result = None if ended_at is None else SoloResult(*values)
            found[challenge_id].append(
                ChallengeRound(number, user_id, round_id, version, ended_at, result)
            )
        return found
