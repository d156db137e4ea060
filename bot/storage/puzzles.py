"""Store of puzzles: ratings of people and of puzzles, streaks, and answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime

from sqlalchemy import Connection, select

from bot.ids import UserId
from bot.score_records import PuzzleAnswer, PuzzlePlayer, Rating
from bot.storage import schema, statements
from bot.storage.database import Database

_players = schema.puzzle_players
_answers = schema.puzzle_answers
_ratings = schema.puzzle_ratings

Choose = Callable[[Rating, Mapping[str, Rating], Mapping[str, int]], str]
"""Chooses a puzzle for a person.

It gets their rating, the stored ratings of puzzles, and how many times they have answered each.
"""
Rate = Callable[[Rating, Rating, bool], tuple[Rating, Rating]]
"""Returns the new ratings of a person and a puzzle, and gets the old ones and the result."""


class PuzzleStore:
    """Store of puzzles.

    Changes exclude those of all other processes, because they depend on several rows.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    async def player(self, user_id: UserId) -> PuzzlePlayer | None:
        """Return the rating and streak of a person, or `None` before their first puzzle."""
        return await self._database.read(_read_player, user_id)

    async def answer_to(self, user_id: UserId, puzzle: str) -> PuzzleAnswer | None:
        """Return the last answer of a person to a puzzle, or `None` without one."""
        return await self._database.read(_read_answer, user_id, puzzle)

    async def begin(
        self, user_id: UserId, beginner: Rating, known: Callable[[str], bool], choose: Choose
    ) -> PuzzlePlayer:
        """Return a person with the puzzle that they have begun, or else with a chosen one.

        `beginner` is the rating of new people. A puzzle that is not `known` any more is replaced.
        """

        def begin(connection: Connection) -> PuzzlePlayer:
            player = _read_player(connection, user_id) or PuzzlePlayer(beginner)
            if player.puzzle is not None and known(player.puzzle):
                return player
            times = select(_answers.c.puzzle, _answers.c.times).where(_answers.c.user_id == user_id)
            rows = connection.execute(select(_ratings)).all()
            ratings = {row.puzzle: Rating(row.mu, row.sigma) for row in rows}
            answered = {row.puzzle: row.times for row in connection.execute(times).all()}
            puzzle = choose(player.rating, ratings, answered)
            player = player._replace(puzzle=puzzle)
            _write_player(connection, user_id, player)
            return player

        return await self._database.write_alone("choosing a puzzle", begin)

    async def answer(
        self,
        user_id: UserId,
        puzzle: str,
        initial: Rating,
        choice: str,
        *,
        solved: bool,
        at: datetime,
        rate: Rate,
    ) -> tuple[PuzzlePlayer, PuzzlePlayer] | None:
        """Store an answer; return the person before and after it.

        Return `None`, and change nothing, unless the person has begun this puzzle. `initial` is
        the rating of the puzzle before its first answer. Only the first answer of a person to a
        puzzle changes ratings, because it shows them the solution.
        """

        def answer(connection: Connection) -> tuple[PuzzlePlayer, PuzzlePlayer] | None:
            before = _read_player(connection, user_id)
            if before is None or before.puzzle != puzzle:
                return None
            earlier = _read_answer(connection, user_id, puzzle)
            rating = before.rating
            if earlier is None:
                stored = select(_ratings.c.mu, _ratings.c.sigma).where(_ratings.c.puzzle == puzzle)
                row = connection.execute(stored).one_or_none()
                rating, new = rate(rating, initial if row is None else Rating(*row), solved)
                connection.execute(statements.upsert(_ratings), {"puzzle": puzzle, **new._asdict()})
            streak = before.streak + 1 if solved else 0
            after = PuzzlePlayer(
                rating,
                before.tried + 1,
                before.solved + solved,
                streak,
                max(streak, before.best_streak),
            )
            _write_player(connection, user_id, after)
            answered = {
                "user_id": user_id,
                "puzzle": puzzle,
                "choice": choice,
                "solved": solved,
                "times": 1 if earlier is None else earlier.times + 1,
                "answered_at": at,
            }
            connection.execute(statements.upsert(_answers), answered)
            return before, after

        return await self._database.write_alone("storing an answer to a puzzle", answer)


def _read_player(connection: Connection, user_id: UserId) -> PuzzlePlayer | None:
    query = select(_players).where(_players.c.user_id == user_id)
    row = connection.execute(query).one_or_none()
    if row is None:
        return None
    rating = Rating(row.mu, row.sigma)
    return PuzzlePlayer(rating, row.tried, row.solved, row.streak, row.best_streak, row.puzzle)


def _write_player(connection: Connection, user_id: UserId, player: PuzzlePlayer) -> None:
    row = {"user_id": user_id, **player.rating._asdict(), **player._asdict()}
    del row["rating"]
    connection.execute(statements.upsert(_players), row)


def _read_answer(connection: Connection, user_id: UserId, puzzle: str) -> PuzzleAnswer | None:
    row = _answers.c
    query = select(row.choice, row.solved, row.times).where(
        row.user_id == user_id, row.puzzle == puzzle
    )
    found = connection.execute(query).one_or_none()
    return None if found is None else PuzzleAnswer(*found)
