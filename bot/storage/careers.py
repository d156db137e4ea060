"""Queries of one person's games on a server, for their profile.

`read_played` runs within one transaction. It reads a person's own rounds from a covering index and
aggregates in the database, so that many rounds become few rows.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection
from typing import Any, TypeVar

from sqlalchemy import (
    ColumnElement,
    CompoundSelect,
    Connection,
    FromClause,
    Select,
    and_,
    case,
    func,
    literal,
    select,
    union_all,
)

from bot.ids import GuildId, TableId, UserId
from bot.score_records import (
    EVER,
    Board,
    FinishedMatch,
    PlayerStatistics,
    ScoreRules,
    SharedRounds,
    TableTotals,
    Variant,
)
from bot.storage import rankings, score_schema, statements
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


def read_played(
    connection: Connection,
    guild_id: GuildId,
    user_id: UserId,
    variant: Variant | None,
    rules: ScoreRules,
) -> PlayerStatistics | None:
    """Return a person's games on a server, by default the game of most rounds.

    Return `None` if no round counts for them there. A `variant` without rounds gives nothing but
    `games`.
    """
    everything = _all(connection, _table_totals(guild_id, user_id), TableTotals)
    number: Counter[str] = Counter()
    for totals in everything:
        number[totals.variant] += totals.rounds
    if not number:
        return None
    games = dict(number.most_common())
    game = next(iter(games)) if variant is None else variant
    table_totals = tuple(totals for totals in everything if totals.variant == game)
    board = Board(guild_id, game, EVER, "rating")
    ratings = rankings.read_ratings(connection, guild_id, game, [user_id])
    return PlayerStatistics(
        user_id=user_id,
        variant=game,
        games=games,
        table_totals=table_totals,
        finished_matches=_all(connection, _matches(guild_id, user_id, game), FinishedMatch),
        shared_rounds=_shared_rounds(
            connection,
            user_id,
            [totals.table_id for totals in table_totals],
            dealer_opposes_all=rules.dealer_opposes_all(game),
        ),
        rating=ratings.get(user_id),
        line=rankings.read_line(connection, board, user_id),
        ratings=tuple(rankings.read_rating_days(connection, guild_id, game, user_id)),
    )


def _all(
    connection: Connection, query: Select[Any] | CompoundSelect[Any], record: Callable[..., _R]
) -> tuple[_R, ...]:
    rows = connection.execute(query).all()  # faster than iteration over the result
    return tuple(record(*row) for row in rows)


def _table_totals(guild_id: GuildId, user_id: UserId) -> Select[Any]:
    """Select the rounds that count for a person, aggregated by table of a server.

    One index covers all columns of a seat's rounds. The variant and rating of a table apply to all
    its rounds, so only its first and last round are looked up.
    """
    seat, first, last = round_seats.c, rounds.alias(), rounds.alias()

    def calls(call: str, *conditions: ColumnElement[bool]) -> ColumnElement[int]:
        return func.count(case((and_(seat.call == call, *conditions), 1)))

    own = (
        select(
            seat.table_id,
            func.min(seat.number).label("first"),
            func.max(seat.number).label("last"),
            func.count().label("rounds"),
            func.count(seat.margin).label("measured"),
            func.coalesce(func.sum(seat.margin), 0).label("points"),
            func.max(seat.margin).label("best"),
            func.min(seat.margin).label("worst"),
            calls("tichu").label("tichus"),
            calls("tichu", seat.call_made).label("tichus_made"),
            calls("grand").label("grands"),
            calls("grand", seat.call_made).label("grands_made"),
            func.count(case((seat.sweep, 1))).label("sweeps"),
            func.sum(seat.bombs).label("bombs"),
            func.max(seat.bombs).label("most_bombs"),
            func.count(case((seat.place == 1, 1))).label("firsts"),
        )
        .where(seat.counts_for == user_id)
        .group_by(seat.table_id)
        .subquery()
    )

    def at(round_: FromClause, number: ColumnElement[int]) -> ColumnElement[bool]:
        return and_(round_.c.table_id == own.c.table_id, round_.c.number == number)

    return (
        select(
            own.c.table_id,
            first.c.variant,
            first.c.ended_at,
            last.c.ended_at,
            *(column for column in own.c if column.name not in ("table_id", "first", "last")),
        )
        .select_from(
            own.join(first, at(first, own.c.first))
            .join(last, at(last, own.c.last))
            .join(tables, tables.c.id == own.c.table_id)
        )
        .where(tables.c.guild_id == guild_id, first.c.rated)
        .order_by(last.c.ended_at, own.c.table_id)
    )


def _matches(guild_id: GuildId, user_id: UserId, variant: Variant) -> Select[Any]:
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
            case((own.won, statements.larger(furthest, 0))),
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


def _shared_rounds(
    connection: Connection,
    user_id: UserId,
    table_ids: Collection[TableId],
    *,
    dealer_opposes_all: bool,
) -> tuple[SharedRounds, ...]:
    """Return the partners and opponents of a person at these tables.

    Sums of an ended match are stored if every seat belonged to the same person in all its rounds.
    For other tables the rounds are read.
    """
    added_up = {*connection.scalars(_added_up(table_ids))}
    in_matches = _around_dealers if dealer_opposes_all else _in_matches
    found = list(_all(connection, in_matches(user_id, added_up), SharedRounds))
    others = {*table_ids} - added_up
    if others:
        query = _in_rounds(user_id, others, dealer_opposes_all=dealer_opposes_all)
        found += _all(connection, query, SharedRounds)
    parts: dict[tuple[UserId, bool], list[SharedRounds]] = defaultdict(list)
    for part in found:
        parts[part.user_id, part.together].append(part)
    return tuple(
        SharedRounds(
            *key,
            rounds=sum(part.rounds for part in each),
            won=sum(part.won for part in each),
            measured=sum(part.measured for part in each),
            lead=sum(part.lead for part in each),
            first_table=min(part.first_table for part in each),
        )
        for key, each in sorted(parts.items())
    )


def _added_up(table_ids: Collection[TableId]) -> Select[tuple[TableId]]:
    """Select the tables whose ended match has stored sums for all its seats."""
    seat = match_seats.c
    return (
        select(seat.table_id)
        .where(seat.table_id.in_(statements.numbers(table_ids)))
        .group_by(seat.table_id)
        .having(func.count(seat.points) == func.count())
    )


def _shown(user_id: ColumnElement[Any]) -> ColumnElement[bool]:
    """Return the condition that a user is not hidden."""
    people = score_schema.people.c
    return user_id.not_in(select(people.user_id).where(people.hidden))


def _in_matches(user_id: UserId, table_ids: Collection[TableId]) -> Select[Any]:
    """Select partners and opponents at tables with stored sums."""
    mine, other = match_seats.alias(), match_seats.alias()
    there, match = other.c.table_id == mine.c.table_id, matches.c.table_id == mine.c.table_id
    together, number = other.c.column == mine.c.column, func.sum(matches.c.rounds)
    return (
        select(
            other.c.counts_for,
            together,
            number,
            func.sum(mine.c.rounds_won),
            number,
            func.sum(mine.c.points - other.c.points),
            func.min(mine.c.table_id),
        )
        .select_from(mine.join(other, there).join(matches, match))
        .where(mine.c.counts_for == user_id)
        .where(mine.c.table_id.in_(statements.numbers(table_ids)))
        .where(other.c.counts_for != user_id)
        .group_by(other.c.counts_for, together)
        .having(_shown(other.c.counts_for))  # evaluated once for a person, not for each match
    )


def _around_dealers(user_id: UserId, table_ids: Collection[TableId]) -> CompoundSelect[Any]:
    """Select them for a game of three in which all but the dealer are partners.

    Two people were partners in the rounds that the third one dealt. They have the same margin then,
    so the difference of their points comes from the other rounds.
    """
    mine, other, third = (match_seats.alias() for _ in range(3))
    match, dealt = matches.c.table_id == mine.c.table_id, third.c.rounds_dealt
    there = other.c.table_id == mine.c.table_id
    left = and_(
        third.c.table_id == mine.c.table_id, third.c.seat.not_in((mine.c.seat, other.c.seat))
    )

    def of(together: bool, number: Any, won: Any, lead: Any) -> Select[Any]:
        return (
            select(
                other.c.counts_for,
                literal(together),
                func.sum(number),
                func.sum(won),
                func.sum(number),
                func.sum(lead),
                func.min(mine.c.table_id),
            )
            .select_from(mine.join(other, there).join(third, left).join(matches, match))
            .where(mine.c.counts_for == user_id, number > 0)
            .where(mine.c.table_id.in_(statements.numbers(table_ids)))
            .where(other.c.counts_for != user_id)
            .group_by(other.c.counts_for)
            .having(_shown(other.c.counts_for))
        )

    apart, lead = matches.c.rounds - dealt, mine.c.points - other.c.points
    return union_all(
        of(True, dealt, third.c.deals_lost, 0),
        of(False, apart, mine.c.rounds_won - third.c.deals_lost, lead),
    )


def _in_rounds(
    user_id: UserId, table_ids: Collection[TableId], *, dealer_opposes_all: bool
) -> Select[Any]:
    """Select partners and opponents in the rounds at these tables.

    Options are the same for all rounds of a table. Partners share a column, or neither of them is
    the dealer. Margins cannot show that, because those of opponents are equal after a drawn round.
    """
    mine, other = round_seats.alias(), round_seats.alias()
    there = and_(other.c.table_id == mine.c.table_id, other.c.number == mine.c.number)
    played, together = mine.join(other, there), other.c.column == mine.c.column
    if dealer_opposes_all:
        at = and_(rounds.c.table_id == mine.c.table_id, rounds.c.number == mine.c.number)
        played, dealer = played.join(rounds, at), statements.number_in(rounds.c.result, "dealer")
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
        .where(mine.c.counts_for == user_id)
        .where(mine.c.table_id.in_(statements.numbers(table_ids)))
        .where(other.c.counts_for != user_id)
        .group_by(other.c.counts_for, together)
        .having(_shown(other.c.counts_for))
    )
