"""Store of boards, of the rounds that people play on them, of their results and servers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import date, timedelta
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, case, delete, func, insert, select, update

from bot.board_records import (
    BoardRecord,
    Comparison,
    MemberResult,
    NewSoloRound,
    SoloProgress,
    SoloResult,
    SoloRound,
)
from bot.challenge_records import OPEN_STATUSES
from bot.ids import BoardId, GuildId, UserId
from bot.storage import challenge_schema, schema, score_schema, statements
from bot.storage.database import Database

_boards = schema.boards
_challenges = challenge_schema.challenges
_rounds = schema.solo_rounds
_servers = schema.daily_servers
_ROUND = tuple(_rounds.c[name] for name in SoloRound._fields)
_FIRST_DAY = date(1970, 1, 1)
_BEGINNING = "beginning a solo round"


class BoardStore:
    """Store of boards and solo rounds; the rounds are deleted with their person."""

    def __init__(self, database: Database) -> None:
        self._database = database

    # --- boards --------------------------------------------------------------------------------

    async def draw_days(self, days: Sequence[date], draw: Callable[[], str]) -> None:
        """Store a board with a secret from `draw` for each of these days that has none."""

        def draw_missing(connection: Connection) -> None:
            query = select(_boards.c.day).where(_boards.c.day.is_not(None))
            stored = set(connection.scalars(query))
            first = min(stored, default=day_number(min(days)))
            missing = sorted({day_number(day) for day in days} - stored)
            rows = [{"day": day, "number": day - first + 1, "secret": draw()} for day in missing]
            if rows:
                connection.execute(insert(_boards), rows)

        await self._database.write_alone("drawing the deals of days", draw_missing)

    async def board(self, board_id: BoardId) -> BoardRecord | None:
        """Return the board with this number, or `None`."""
        return next(iter(await self._select_boards(_boards.c.id == board_id)), None)

    async def days(self, first: date, last: date) -> tuple[BoardRecord, ...]:
        """Return the boards of the days from `first` to `last`, in order."""
        numbers = day_number(first), day_number(last)
        return await self._select_boards(_boards.c.day.between(*numbers))

    async def of_challenge(self, challenge_id: int) -> tuple[BoardRecord, ...]:
        """Return the boards of a challenge, in order."""
        return await self._select_boards(_boards.c.challenge_id == challenge_id)

    async def _select_boards(self, where: Any) -> tuple[BoardRecord, ...]:
        query = (
            select(_boards, _challenges.c.status)
            .outerjoin(_challenges, _challenges.c.id == _boards.c.challenge_id)
            .where(where)
            .order_by(_boards.c.day, _boards.c.number)
        )
        rows = await self._database.read(lambda connection: connection.execute(query).all())
        return tuple(map(_board, rows))

    async def keep_expert(self, board_id: BoardId, result: SoloResult) -> None:
        """Store the result of the Expert on a board."""
        columns = {f"expert_{name}": value for name, value in result._asdict().items()}
        change = update(_boards).where(_boards.c.id == board_id).values(columns)
        await self._database.write(
            "storing the result of the Expert", lambda connection: connection.execute(change)
        )

    # --- solo rounds ---------------------------------------------------------------------------

    async def begin(self, new: NewSoloRound) -> SoloRound | None:
        """Store a round that begins; return it, or the one that is stored already.

        The first round of a board sets its version. Return `None` if the board has another version.
        A finished practice round is replaced.
        """

        def begin(connection: Connection) -> SoloRound | None:
            of_board = _boards.c.id == new.board_id
            unused = update(_boards).where(of_board, _boards.c.version.is_(None))
            connection.execute(unused.values(version=new.version))
            version = connection.scalar(select(_boards.c.version).where(of_board))
            if version != new.version:
                return None
            own = _own(new.board_id, new.user_id, practice=new.practice)
            if new.practice:
                connection.execute(delete(_rounds).where(*own, _rounds.c.ended_at.is_not(None)))
            stored = connection.execute(select(*_ROUND).where(*own)).one_or_none()
            if stored is None:
                row = {**new._asdict(), **_written(new.actions)}
                connection.execute(insert(_rounds), row)
                stored = connection.execute(select(*_ROUND).where(*own)).one()
            return _round(stored)

        return await self._database.write_alone(_BEGINNING, begin)

    async def go_on(self, progress: SoloProgress) -> bool:
        """Store the actions that continue a round; return whether they follow the stored ones.

        Otherwise another process has gone on, or the round is over or deleted; nothing is changed.
        """

        def go_on(connection: Connection) -> bool:
            row = _rounds.c
            follows = (
                row.id == progress.round_id,
                row.action_count == progress.expected,
                row.ended_at.is_(None),
            )
            text = "".join(f"{action}\n" for action in progress.actions)
            result = {} if progress.result is None else progress.result._asdict()
            change = (
                update(_rounds)
                .where(*follows)
                .values(
                    action_count=progress.expected + len(progress.actions),
                    actions=row.actions + text,
                    practice=progress.practice,
                    ended_at=progress.ended_at,
                    **result,
                )
            )
            return connection.execute(change).rowcount == 1

        return await self._database.write("storing a solo round", go_on)

    async def mark_shared(self, round_id: int) -> None:
        """Store that a person has shared their result."""
        change = update(_rounds).where(_rounds.c.id == round_id).values(shared=True)
        await self._database.write(
            "storing a shared result", lambda connection: connection.execute(change)
        )

    async def round(self, round_id: int) -> SoloRound | None:
        """Return the round with this number, or `None`."""
        return await self._select_round(_rounds.c.id == round_id)

    async def round_ids(self) -> Sequence[int]:
        """Return the numbers of all rounds, in order."""
        query = select(_rounds.c.id).order_by(_rounds.c.id)
        return await self._database.read(lambda connection: connection.scalars(query).all())

    async def own_round(
        self, board_id: BoardId, user_id: UserId, *, practice: bool = False
    ) -> SoloRound | None:
        """Return the round of a person on a board, or `None`."""
        return await self._select_round(*_own(board_id, user_id, practice=practice))

    async def _select_round(self, *where: Any) -> SoloRound | None:
        query = select(*_ROUND).where(*where)
        row = await self._database.read(lambda connection: connection.execute(query).one_or_none())
        return None if row is None else _round(row)

    async def rounds_of(self, user_id: UserId, most: int | None = None) -> tuple[SoloRound, ...]:
        """Return the last rounds of a person, the newest first; without `most` all of them."""
        query = select(*_ROUND).where(_rounds.c.user_id == user_id).order_by(_rounds.c.id.desc())
        query = query.limit(most)
        rows = await self._database.read(lambda connection: connection.execute(query).all())
        return tuple(map(_round, rows))

    async def review(self, round_id: int) -> tuple[int, str] | None:
        """Return the version and the text of the review of a round, or `None`."""
        row = _rounds.c
        query = select(row.review_version, row.review).where(
            row.id == round_id, row.review.is_not(None)
        )
        found = await self._database.read(
            lambda connection: connection.execute(query).one_or_none()
        )
        return None if found is None else (found.review_version, found.review)

    async def keep_review(self, round_id: int, version: int, review: str) -> None:
        """Store the review of a round; do nothing if the round was deleted."""
        change = update(_rounds).where(_rounds.c.id == round_id)
        values = {"review": review, "review_version": version}
        await self._database.write(
            "storing a review", lambda connection: connection.execute(change.values(values))
        )

    # --- results -------------------------------------------------------------------------------

    async def compare(self, own: SoloRound, guild_id: GuildId | None = None) -> Comparison:
        """Return the comparison of a finished round with all others of its board.

        With `guild_id`, compare only those of people who open the deal of the day there.
        """
        conditions = [*_counting(own.board_id), _rounds.c.user_id != own.user_id]
        if guild_id is not None:
            conditions.append(_opens_in(guild_id))
        points = _rounds.c.points
        counts = (
            func.count().filter(condition)
            for condition in (points < own.points, points == own.points, points > own.points)
        )
        query = select(*counts).where(*conditions)
        row = await self._database.read(lambda connection: connection.execute(query).one())
        return Comparison(row[0], row[1], row[2])

    async def of_server(self, board_id: BoardId, guild_id: GuildId) -> tuple[MemberResult, ...]:
        """Return the results of people who open the deal of the day in a server, best first.

        People who are listed nowhere are left out.
        """
        people = score_schema.people.c
        hidden = select(people.user_id).where(people.hidden)
        listed = _opens_in(guild_id), _rounds.c.user_id.not_in(hidden)
        name = case((_rounds.c.guild_id == guild_id, _rounds.c.name), else_="")
        query = (
            select(_rounds.c.user_id, name, _rounds.c.points, _rounds.c.call, _rounds.c.call_made)
            .where(*_counting(board_id), *listed)
            .order_by(_rounds.c.points.desc(), _rounds.c.id)
        )
        rows = await self._database.read(lambda connection: connection.execute(query).all())
        return tuple(MemberResult(*row) for row in rows)

    # --- servers -------------------------------------------------------------------------------

    async def note_server(self, guild_id: GuildId, user_id: UserId) -> None:
        """Store that a person has opened the deal of the day in a server."""
        row = {"guild_id": guild_id, "user_id": user_id}
        statement = statements.insert_missing(_servers)
        await self._database.write(
            _BEGINNING, lambda connection: connection.execute(statement, row)
        )


def _own(board_id: BoardId, user_id: UserId, *, practice: bool) -> Iterable[Any]:
    """Return the conditions of a person's round on a board."""
    row = _rounds.c
    return (row.board_id == board_id, row.user_id == user_id, row.practice.is_(practice))


def _counting(board_id: BoardId) -> list[ColumnElement[Any]]:
    """Return the conditions of finished rounds of a board that count."""
    return [_rounds.c.board_id == board_id, ~_rounds.c.practice, _rounds.c.ended_at.is_not(None)]


def _opens_in(guild_id: GuildId) -> ColumnElement[bool]:
    """Return the condition of people who open the deal of the day in this server."""
    servers = _servers.c
    return _rounds.c.user_id.in_(select(servers.user_id).where(servers.guild_id == guild_id))


def _written(actions: Sequence[str]) -> dict[str, Any]:
    return {"actions": "".join(f"{each}\n" for each in actions), "action_count": len(actions)}


def day_number(day: date) -> int:
    """Return the number of a day, counted since 1970."""
    return (day - _FIRST_DAY).days


def day_numbered(number: int) -> date:
    """Return the day with this number."""
    return _FIRST_DAY + timedelta(days=number)


def _board(row: Row[Any]) -> BoardRecord:
    """Return the board of a row."""
    expert = None
    if row.expert_points is not None:
        expert = SoloResult(
            row.expert_points, row.expert_call, row.expert_call_made, row.expert_place
        )
    day = None if row.day is None else day_numbered(row.day)
    return BoardRecord(
        row.id,
        day,
        row.challenge_id,
        row.number,
        row.secret,
        row.version,
        expert,
        challenge_over=row.status not in (None, *OPEN_STATUSES),
    )


def _round(row: Row[Any]) -> SoloRound:
    """Return the round of a row with the columns of `_ROUND`."""
    return SoloRound._make(row)._replace(actions=tuple(row.actions.splitlines()))
