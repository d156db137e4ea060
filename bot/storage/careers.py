"""Queries of one person's games on a server, for their profile.

`read_statistics` runs within one transaction. It reads a person's own rounds from a covering index,
and aggregates in the database, so that many rounds become few rows.
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


def read_statistics(
    connection: Connection,
    guild_id: GuildId,
    user_id: UserId,
    variant: Variant | None,
    rules: ScoreRules,
) -> PlayerStatistics | None:
    """Return a person's statistics in one game on a server.

    Without a `variant` it is the game of which they have played most rounds. For a `variant` that
    they have not played there, only `games` is filled. Return `None` if no round counts for them.
    """
    totals_of_all_games = _fetch_all(connection, _table_totals(guild_id, user_id), TableTotals)
    rounds_by_game: Counter[str] = Counter()
    for totals in totals_of_all_games:
        rounds_by_game[totals.variant] += totals.rounds
    if not rounds_by_game:
        return None
    games = dict(rounds_by_game.most_common())
    game = next(iter(games)) if variant is None else variant
    table_totals = tuple(totals for totals in totals_of_all_games if totals.variant == game)
    board = Board(guild_id, game, EVER, "rating")
    ratings = rankings.read_ratings(connection, guild_id, game, [user_id])
    return PlayerStatistics(
        user_id=user_id,
        variant=game,
        games=games,
        table_totals=table_totals,
        finished_matches=_fetch_all(
            connection, _finished_matches(guild_id, user_id, game), FinishedMatch
        ),
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


def _fetch_all(
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


def _finished_matches(guild_id: GuildId, user_id: UserId, variant: Variant) -> Select[Any]:
    """Select the columns of `FinishedMatch` for a person's matches, the oldest first."""
    own, total = match_seats.c, match_scores.c
    mine, other = round_scores.alias(), round_scores.alias()
    largest_deficit = (
        select(func.max(other.c.total - mine.c.total))
        .where(mine.c.table_id == own.table_id, mine.c.column == own.column)
        .where(other.c.table_id == mine.c.table_id, other.c.number == mine.c.number)
        .where(other.c.column != mine.c.column)
        .scalar_subquery()
    )
    is_own_score = and_(total.table_id == own.table_id, total.column == own.column)
    return (
        select(
            own.table_id,
            matches.c.ended_at,
            matches.c.rounds,
            own.won,
            total.total,
            case((own.won, statements.larger(largest_deficit, 0))),
        )
        .select_from(
            match_seats.join(matches, matches.c.table_id == own.table_id)
            .join(tables, tables.c.id == own.table_id)
            .outerjoin(match_scores, is_own_score)
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
    """Return the rounds that a person shared with each partner and opponent at these tables.

    If every seat of an ended match belonged to the same person in all its rounds, its sums are
    stored and used. For other tables the rounds are read.
    """
    tables_with_sums = {*connection.scalars(_tables_with_sums(table_ids))}
    select_shared = _shared_with_dealers if dealer_opposes_all else _shared_in_matches
    parts = list(_fetch_all(connection, select_shared(user_id, tables_with_sums), SharedRounds))
    other_tables = {*table_ids} - tables_with_sums
    if other_tables:
        query = _shared_in_rounds(user_id, other_tables, dealer_opposes_all=dealer_opposes_all)
        parts += _fetch_all(connection, query, SharedRounds)
    parts_by_key: dict[tuple[UserId, bool], list[SharedRounds]] = defaultdict(list)
    for part in parts:
        parts_by_key[part.user_id, part.together].append(part)
    return tuple(
        SharedRounds(
            *key,
            rounds=sum(part.rounds for part in each),
            won=sum(part.won for part in each),
            measured=sum(part.measured for part in each),
            lead=sum(part.lead for part in each),
            first_table=min(part.first_table for part in each),
        )
        for key, each in sorted(parts_by_key.items())
    )


def _tables_with_sums(table_ids: Collection[TableId]) -> Select[tuple[TableId]]:
    """Select the tables whose ended match has stored sums for all its seats."""
    seat = match_seats.c
    return (
        select(seat.table_id)
        .where(seat.table_id.in_(statements.select_numbers(table_ids)))
        .group_by(seat.table_id)
        .having(func.count(seat.points) == func.count())
    )


def _is_not_hidden(user_id: ColumnElement[Any]) -> ColumnElement[bool]:
    """Return the condition that a user is not hidden."""
    people = score_schema.people.c
    return user_id.not_in(select(people.user_id).where(people.hidden))


def _shared_in_matches(user_id: UserId, table_ids: Collection[TableId]) -> Select[Any]:
    """Select the columns of `SharedRounds` from the stored sums of these tables."""
    mine, other = match_seats.alias(), match_seats.alias()
    same_match = other.c.table_id == mine.c.table_id
    is_match = matches.c.table_id == mine.c.table_id
    together, rounds_played = other.c.column == mine.c.column, func.sum(matches.c.rounds)
    return (
        select(
            other.c.counts_for,
            together,
            rounds_played,
            func.sum(mine.c.rounds_won),
            rounds_played,  # the margins of all of them are known
            func.sum(mine.c.points - other.c.points),
            func.min(mine.c.table_id),
        )
        .select_from(mine.join(other, same_match).join(matches, is_match))
        .where(mine.c.counts_for == user_id)
        .where(mine.c.table_id.in_(statements.select_numbers(table_ids)))
        .where(other.c.counts_for != user_id)
        .group_by(other.c.counts_for, together)
        .having(
            _is_not_hidden(other.c.counts_for)
        )  # evaluated once for a person, not for each match
    )


def _shared_with_dealers(user_id: UserId, table_ids: Collection[TableId]) -> CompoundSelect[Any]:
    """Select the columns of `SharedRounds` for a game of three, where all play against the dealer.

    Two people were partners in the rounds that the third one dealt. In these rounds they have the
    same margin, so the difference of their points comes from the other rounds.
    """
    mine, other, third = (match_seats.alias() for _ in range(3))
    is_match, rounds_together = matches.c.table_id == mine.c.table_id, third.c.rounds_dealt
    same_match = other.c.table_id == mine.c.table_id
    is_third = and_(
        third.c.table_id == mine.c.table_id, third.c.seat.not_in((mine.c.seat, other.c.seat))
    )

    def select_rounds(together: bool, number: Any, won: Any, lead: Any) -> Select[Any]:
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
            .select_from(mine.join(other, same_match).join(third, is_third).join(matches, is_match))
            .where(mine.c.counts_for == user_id, number > 0)
            .where(mine.c.table_id.in_(statements.select_numbers(table_ids)))
            .where(other.c.counts_for != user_id)
            .group_by(other.c.counts_for)
            .having(_is_not_hidden(other.c.counts_for))
        )

    rounds_apart, lead = matches.c.rounds - rounds_together, mine.c.points - other.c.points
    won_together = third.c.deals_lost
    return union_all(
        select_rounds(True, rounds_together, won_together, 0),
        select_rounds(False, rounds_apart, mine.c.rounds_won - won_together, lead),
    )


def _shared_in_rounds(
    user_id: UserId, table_ids: Collection[TableId], *, dealer_opposes_all: bool
) -> Select[Any]:
    """Select the columns of `SharedRounds` from the rounds at these tables.

    Partners share a score column. If the dealer opposes all, two seats are partners unless one of
    them is the dealer. Equal margins do not make partners, because after a drawn round opponents
    have equal margins, too.
    """
    mine, other = round_seats.alias(), round_seats.alias()
    same_round = and_(other.c.table_id == mine.c.table_id, other.c.number == mine.c.number)
    played, together = mine.join(other, same_round), other.c.column == mine.c.column
    if dealer_opposes_all:
        is_round = and_(rounds.c.table_id == mine.c.table_id, rounds.c.number == mine.c.number)
        played = played.join(rounds, is_round)
        dealer = statements.json_number(rounds.c.result, "dealer")
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
        .where(mine.c.table_id.in_(statements.select_numbers(table_ids)))
        .where(other.c.counts_for != user_id)
        .group_by(other.c.counts_for, together)
        .having(_is_not_hidden(other.c.counts_for))
    )
