"""Queries of one person's games on a server or on all servers, for their profile.

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
    true,
    union_all,
)

from bot.ids import TableId, UserId
from bot.score_records import (
    EVER,
    WORLD,
    Board,
    FinishedMatch,
    PlayerStatistics,
    Scope,
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
    scope: Scope,
    user_id: UserId,
    variant: Variant | None,
    rules: ScoreRules,
) -> PlayerStatistics | None:
    """Return a person's statistics in one game; `None` if no round counts for them.

    Without a `variant`, the game is the one of which they have played most rounds. For a `variant`
    that they have not played there, the statistics are empty apart from `games`.
    """
    totals_of_all_games = _fetch_all(connection, _table_totals(scope, user_id), TableTotals)
    rounds_by_game: Counter[str] = Counter()
    for totals in totals_of_all_games:
        rounds_by_game[totals.variant] += totals.rounds
    if not rounds_by_game:
        return None
    games = dict(rounds_by_game.most_common())
    game = next(iter(games)) if variant is None else variant
    table_totals = tuple(totals for totals in totals_of_all_games if totals.variant == game)
    board = Board(scope, game, EVER, "rating")
    ratings = rankings.read_ratings(connection, scope, game, [user_id])
    return PlayerStatistics(
        user_id=user_id,
        variant=game,
        games=games,
        table_totals=table_totals,
        finished_matches=_fetch_all(
            connection, _finished_matches(scope, user_id, game), FinishedMatch
        ),
        shared_rounds=_shared_rounds(
            connection,
            user_id,
            [totals.table_id for totals in table_totals],
            dealer_opposes_all=rules.dealer_opposes_all(game),
        ),
        rating=ratings.get(user_id),
        line=rankings.read_line(connection, board, user_id),
        ratings=tuple(rankings.read_rating_days(connection, scope, game, user_id)),
    )


def _fetch_all(
    connection: Connection, query: Select[Any] | CompoundSelect[Any], record: Callable[..., _R]
) -> tuple[_R, ...]:
    rows = connection.execute(query).all()  # faster than iteration over the result
    return tuple(record(*row) for row in rows)


def _is_in(scope: Scope) -> ColumnElement[bool]:
    """Return the condition that a table is in this scope."""
    return true() if scope == WORLD else tables.c.guild_id == scope


def _table_totals(scope: Scope, user_id: UserId) -> Select[Any]:
    """Select a row of `TableTotals` for each table of a scope at which a person has rated rounds.

    One index covers all columns that are aggregated. All rounds of a table have the same variant
    and are rated or not, so only its first and last round are looked up.
    """
    seat, first, last = round_seats.c, rounds.alias(), rounds.alias()

    def count_calls(call: str, *conditions: ColumnElement[bool]) -> ColumnElement[int]:
        return func.count(case((and_(seat.call == call, *conditions), 1)))

    totals = (
        select(
            seat.table_id,
            func.min(seat.number).label("first"),
            func.max(seat.number).label("last"),
            func.count().label("rounds"),
            func.count(seat.margin).label("measured"),
            func.coalesce(func.sum(seat.margin), 0).label("points"),
            func.max(seat.margin).label("best"),
            func.min(seat.margin).label("worst"),
            count_calls("tichu").label("tichus"),
            count_calls("tichu", seat.call_made).label("tichus_made"),
            count_calls("grand").label("grands"),
            count_calls("grand", seat.call_made).label("grands_made"),
            func.count(case((seat.sweep, 1))).label("sweeps"),
            func.sum(seat.bombs).label("bombs"),
            func.max(seat.bombs).label("most_bombs"),
            func.count(case((seat.place == 1, 1))).label("firsts"),
        )
        .where(seat.counts_for == user_id)
        .group_by(seat.table_id)
        .subquery()
    )

    def is_round(round_: FromClause, number: ColumnElement[int]) -> ColumnElement[bool]:
        return and_(round_.c.table_id == totals.c.table_id, round_.c.number == number)

    return (
        select(
            totals.c.table_id,
            first.c.variant,
            first.c.ended_at,
            last.c.ended_at,
            *(column for column in totals.c if column.name not in ("table_id", "first", "last")),
        )
        .select_from(
            totals.join(first, is_round(first, totals.c.first))
            .join(last, is_round(last, totals.c.last))
            .join(tables, tables.c.id == totals.c.table_id)
        )
        .where(_is_in(scope), first.c.rated)
        .order_by(last.c.ended_at, totals.c.table_id)
    )


def _finished_matches(scope: Scope, user_id: UserId, variant: Variant) -> Select[Any]:
    """Select a row of `FinishedMatch` for each of a person's rated matches, the oldest first."""
    seat, match_score = match_seats.c, match_scores.c
    own_score, other_score = round_scores.alias(), round_scores.alias()
    largest_deficit = (  # of the person's side to any other side, after any round
        select(func.max(other_score.c.total - own_score.c.total))
        .where(own_score.c.table_id == seat.table_id, own_score.c.column == seat.column)
        .where(other_score.c.table_id == own_score.c.table_id)
        .where(other_score.c.number == own_score.c.number)
        .where(other_score.c.column != own_score.c.column)
        .scalar_subquery()
    )
    is_own_score = and_(match_score.table_id == seat.table_id, match_score.column == seat.column)
    return (
        select(
            seat.table_id,
            matches.c.ended_at,
            matches.c.rounds,
            seat.won,
            match_score.total,
            case((seat.won, statements.larger(largest_deficit, 0))),
        )
        .select_from(
            match_seats.join(matches, matches.c.table_id == seat.table_id)
            .join(tables, tables.c.id == seat.table_id)
            .outerjoin(match_scores, is_own_score)  # games of places have no scores
        )
        .where(seat.counts_for == user_id, _is_in(scope))
        .where(matches.c.variant == variant, matches.c.rated, matches.c.reason == "finished")
        .order_by(matches.c.ended_at, seat.table_id)
    )


def _shared_rounds(
    connection: Connection,
    user_id: UserId,
    table_ids: Collection[TableId],
    *,
    dealer_opposes_all: bool,
) -> tuple[SharedRounds, ...]:
    """Return the rounds that a person shared with each partner and opponent at these tables.

    Ended matches in which no seat changed hands have stored sums, which are used. At the other
    tables all rounds are read.
    """
    tables_with_sums = {*connection.scalars(_tables_with_sums(table_ids))}
    select_shared = _shared_with_dealers if dealer_opposes_all else _shared_in_matches
    parts = list(_fetch_all(connection, select_shared(user_id, tables_with_sums), SharedRounds))

    other_tables = {*table_ids} - tables_with_sums
    if other_tables:
        query = _shared_in_rounds(user_id, other_tables, dealer_opposes_all=dealer_opposes_all)
        parts += _fetch_all(connection, query, SharedRounds)

    parts_by_person: dict[tuple[UserId, bool], list[SharedRounds]] = defaultdict(list)
    for part in parts:
        parts_by_person[part.user_id, part.together].append(part)
    return tuple(
        SharedRounds(
            other_user_id,
            together,
            rounds=sum(part.rounds for part in parts_of_person),
            won=sum(part.won for part in parts_of_person),
            measured=sum(part.measured for part in parts_of_person),
            lead=sum(part.lead for part in parts_of_person),
            first_table=min(part.first_table for part in parts_of_person),
        )
        for (other_user_id, together), parts_of_person in sorted(parts_by_person.items())
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
    """Select a row of `SharedRounds` for each other person, from the stored sums of these tables.

    A person who was both partner and opponent has a row for each.
    """
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
            rounds_played,  # all are measured, or there would be no sums
            func.sum(mine.c.points - other.c.points),
            func.min(mine.c.table_id),
        )
        .select_from(mine.join(other, same_match).join(matches, is_match))
        .where(mine.c.counts_for == user_id)
        .where(mine.c.table_id.in_(statements.select_numbers(table_ids)))
        .where(other.c.counts_for != user_id)
        .group_by(other.c.counts_for, together)
        # HAVING is evaluated once per person, WHERE would be once per match
        .having(_is_not_hidden(other.c.counts_for))
    )


def _shared_with_dealers(user_id: UserId, table_ids: Collection[TableId]) -> CompoundSelect[Any]:
    """Select rows of `SharedRounds` for a game of three, where all play against the dealer.

    Two people are partners in the rounds that the third person deals, and opponents in the others.
    Partners have the same margin in a round, so they get a lead of 0, and the difference of the
    stored points comes from their rounds as opponents.
    """
    mine, other, third = (match_seats.alias() for _ in range(3))
    is_match, rounds_together = matches.c.table_id == mine.c.table_id, third.c.rounds_dealt
    same_match = other.c.table_id == mine.c.table_id
    is_third = and_(
        third.c.table_id == mine.c.table_id, third.c.seat.not_in((mine.c.seat, other.c.seat))
    )

    def select_shared(together: bool, number: Any, won: Any, lead: Any) -> Select[Any]:
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
    won_together = third.c.deals_lost  # a dealer loses to both others
    return union_all(
        select_shared(True, rounds_together, won_together, 0),
        select_shared(False, rounds_apart, mine.c.rounds_won - won_together, lead),
    )


def _shared_in_rounds(
    user_id: UserId, table_ids: Collection[TableId], *, dealer_opposes_all: bool
) -> Select[Any]:
    """Select rows of `SharedRounds` from the rounds at these tables.

    Partners share a score column. If the dealer opposes all, two seats are partners unless one of
    them is the dealer. Equal margins would not identify partners: after a draw, opponents have
    equal margins, too.
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
