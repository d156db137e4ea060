"""What is stored of one person's games on one server, table by table, for their profile.

`read_played` is the inside of one transaction. It goes through a person's own rounds by their
index and adds up in the database, so that many rounds become few rows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from sqlalchemy import ColumnElement, Row, Select, and_, case, func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.ids import GuildId, UserId
from bot.score_records import EVER, Board, Company, Ending, Played, ScoreRules, Stretch, Variant
from bot.storage import rankings, score_schema, sqlite
from bot.storage.schema import (
    match_scores,
    match_seats,
    matches,
    round_scores,
    round_seats,
    rounds,
    tables,
)

_R = TypeVar("_R")


async def read_played(
    connection: AsyncConnection,
    guild_id: GuildId,
    user_id: UserId,
    variant: Variant | None,
    rules: ScoreRules,
) -> Played | None:
    """What a person has played on a server; without a `variant`, the game of most of their rounds.

    `None` if no round counts for them there. Of a game without a round nothing but `games` is told.
    """
    everything = [Stretch(*row) for row in await connection.execute(_stretches(guild_id, user_id))]
    number: Counter[str] = Counter()
    for stretch in everything:
        number[stretch.variant] += stretch.rounds
    if not number:
        return None
    games = dict(number.most_common())
    game = next(iter(games)) if variant is None else variant
    stretches = tuple(stretch for stretch in everything if stretch.variant == game)
    board = Board(guild_id, game, EVER, "rating")
    ratings = await rankings.read_ratings(connection, guild_id, game, [user_id])
    return Played(
        user_id=user_id,
        variant=game,
        games=games,
        stretches=stretches,
        endings=await _all(connection, _endings(guild_id, user_id, game), Ending),
        company=await _all(
            connection,
            _company(user_id, stretches, dealer_opposes_all=rules.dealer_opposes_all(game)),
            Company,
        ),
        rating=ratings.get(user_id),
        place=await rankings.read_place(connection, board, user_id),
        ratings=tuple(await rankings.read_rating_days(connection, guild_id, game, user_id)),
    )


async def _all(
    connection: AsyncConnection, query: Select[Any], record: Callable[..., _R]
) -> tuple[_R, ...]:
    rows: list[Row[Any]] = list(await connection.execute(query))
    return tuple(record(*row) for row in rows)


def _own(guild_id: GuildId, user_id: UserId) -> ColumnElement[bool]:
    """The rounds that count for a person on a server."""
    return and_(round_seats.c.counts_for == user_id, tables.c.guild_id == guild_id, rounds.c.rated)


_AT = and_(rounds.c.table_id == round_seats.c.table_id, rounds.c.number == round_seats.c.number)
_OWN_ROUNDS = round_seats.join(rounds, _AT).join(tables, tables.c.id == round_seats.c.table_id)


def _stretches(guild_id: GuildId, user_id: UserId) -> Select[Any]:
    own = round_seats.c

    def calls(call: str, *conditions: ColumnElement[bool]) -> ColumnElement[int]:
        return func.count(case((and_(own.call == call, *conditions), 1)))

    return (
        select(
            own.table_id,
            func.min(rounds.c.variant),
            func.min(rounds.c.ended_at),
            func.max(rounds.c.ended_at),
            func.count(),
            func.count(own.margin),
            func.coalesce(func.sum(own.margin), 0),
            func.max(own.margin),
            func.min(own.margin),
            calls("tichu"),
            calls("tichu", own.call_made),
            calls("grand"),
            calls("grand", own.call_made),
            func.count(case((own.sweep, 1))),
            func.sum(own.bombs),
            func.max(own.bombs),
            func.count(case((own.place == 1, 1))),
        )
        .select_from(_OWN_ROUNDS)
        .where(_own(guild_id, user_id))
        .group_by(own.table_id)
        .order_by(func.max(rounds.c.ended_at), own.table_id)
    )


def _endings(guild_id: GuildId, user_id: UserId, variant: Variant) -> Select[Any]:
    own, total = match_seats.c, match_scores.c
    mine, other = round_scores.alias(), round_scores.alias()
    furthest = (
        select(func.max(other.c.total - mine.c.total))
        .where(mine.c.table_id == own.table_id, mine.c.column == own.column)
        .where(other.c.table_id == mine.c.table_id, other.c.number == mine.c.number)
        .where(other.c.column != mine.c.column)
        .scalar_subquery()
    )
    at = and_(total.table_id == own.table_id, total.column == own.column)
    return (
        select(
            own.table_id,
            matches.c.ended_at,
            matches.c.rounds,
            own.won,
            total.total,
            case((own.won, sqlite.larger(furthest, 0))),
        )
        .select_from(
            match_seats.join(matches, matches.c.table_id == own.table_id)
            .join(tables, tables.c.id == own.table_id)
            .outerjoin(match_scores, at)
        )
        .where(own.counts_for == user_id, tables.c.guild_id == guild_id)
        .where(matches.c.variant == variant, matches.c.rated, matches.c.reason == "finished")
        .order_by(matches.c.ended_at, own.table_id)
    )


def _company(
    user_id: UserId, stretches: Sequence[Stretch], *, dealer_opposes_all: bool
) -> Select[Any]:
    """With whom a person played these rounds of a game; options hold for all rounds of a table.

    Partners share a column, or had not the dealer among them: their margins do not tell it, as
    after a drawn round those of opponents are equal, too.
    """
    wanted = sqlite.numbers([stretch.table_id for stretch in stretches])
    mine, other, people = round_seats.alias(), round_seats.alias(), score_schema.people
    hidden = select(people.c.user_id).where(people.c.hidden)
    there = and_(other.c.table_id == mine.c.table_id, other.c.number == mine.c.number)
    played, together = mine.join(other, there), other.c.column == mine.c.column
    if dealer_opposes_all:
        at = and_(rounds.c.table_id == mine.c.table_id, rounds.c.number == mine.c.number)
        played, dealer = played.join(rounds, at), sqlite.json_field(rounds.c.result, "dealer")
        together = and_(dealer != mine.c.seat, dealer != other.c.seat)
    return (
        select(
            other.c.counts_for,
            together,
            func.count(),
            func.count(case((mine.c.margin > 0, 1))),
            func.count(mine.c.margin - other.c.margin),
            func.coalesce(func.sum(mine.c.margin - other.c.margin), 0),
            func.min(mine.c.table_id),
        )
        .select_from(played)
        .where(mine.c.counts_for == user_id, mine.c.table_id.in_(wanted))
        .where(other.c.counts_for != user_id, other.c.counts_for.not_in(hidden))
        .group_by(other.c.counts_for, together)
    )
