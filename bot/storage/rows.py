"""Conversion of database rows to records."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from typing import Any, NamedTuple, TypeAlias, TypeVar

from pydantic import BaseModel
from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Connection,
    Row,
    Table,
    TextClause,
    func,
    select,
    text,
    type_coerce,
)

from bot.ids import TableId
from bot.records import (
    ActionRecord,
    Count,
    MatchRecord,
    MatchScore,
    MatchSeat,
    RoundNumber,
    RoundRecord,
    RoundScore,
    RoundSeat,
    SeatChangeRecord,
    SeatRecord,
    TableRecord,
)
from bot.storage import schema

_R = TypeVar("_R", bound=BaseModel)
AnyRow: TypeAlias = Row[*tuple[Any, ...]]
ActionRow: TypeAlias = AnyRow
"""Row of a stored action, with its time in microseconds."""
Condition = ColumnElement[bool] | TextClause

IS_OPEN = text(schema.OPEN)
HOLDS_CHANNEL = text(schema.HOLDS_CHANNEL)

_OF_ROUND = ("number", "ended_at", "result", "variant", "rated")


class RoundRows(NamedTuple):
    """Rows of stored rounds, with their scores and seats."""

    rounds: Sequence[AnyRow]
    scores: Sequence[AnyRow]
    seats: Sequence[AnyRow]


_SEQ = (
    select(func.coalesce(func.max(schema.actions.c.seq), 0))
    .where(schema.actions.c.table_id == schema.tables.c.id)
    .scalar_subquery()
    .label("seq")
)


def read_tables(connection: Connection, condition: Condition) -> list[TableRecord]:
    """Return the tables that fulfil the condition, by id, with their seats."""
    query = select(schema.tables, _SEQ).where(condition).order_by(schema.tables.c.id)
    tables = connection.execute(query).mappings().all()
    ids = select(schema.tables.c.id).where(condition)
    seats = _records_by_table(
        connection, schema.seats, SeatRecord, schema.seats.c.table_id.in_(ids)
    )
    return [TableRecord(**table, seats=tuple(seats[table["id"]])) for table in tables]


def read_actions(connection: Connection, table_id: TableId, after: Count) -> list[ActionRecord]:
    """Return the table's actions with a seq greater than `after`, in order."""
    return action_records(action_rows(connection, table_id, after))


def action_rows(connection: Connection, table_id: TableId, after: Count) -> Sequence[ActionRow]:
    """Return the table's rows of actions with a seq greater than `after`, for `action_records`.

    They are converted separately, because a long match has ten thousand of them.
    """
    actions = schema.actions
    columns = (
        *(actions.c[name] for name in ("seq", "round", "seat", "actor_id", "text")),
        type_coerce(actions.c.at, BigInteger),  # converted to a time in `action_records`
    )
    query = select(*columns).where(actions.c.table_id == table_id, actions.c.seq > after)
    return connection.execute(query.order_by(actions.c.seq)).all()


def action_records(rows: Sequence[ActionRow]) -> list[ActionRecord]:
    """Convert rows of actions to records, outside the transaction."""
    return [
        ActionRecord(
            seq=seq, round=number, seat=seat, actor_id=actor, text=notation, at=schema.moment(at)
        )
        for seq, number, seat, actor, notation, at in rows
    ]


def read_seat_changes(connection: Connection, table_id: TableId) -> list[SeatChangeRecord]:
    """Return the seat changes of the table's match, in order."""
    where = schema.seat_changes.c.table_id == table_id
    records = _records_by_table(connection, schema.seat_changes, SeatChangeRecord, where)
    return records[table_id]


def read_rounds(
    connection: Connection, where: Condition
) -> dict[tuple[TableId, RoundNumber], RoundRecord]:
    """Return the finished rounds that fulfil the condition, by table and number."""
    return round_records(round_rows(connection, where))


def round_rows(connection: Connection, where: Condition) -> RoundRows:
    """Return the rows of the rounds that fulfil the condition, for `round_records`.

    They are converted separately, because a long match has a thousand rounds.
    """
    rounds, scores, seats = schema.rounds, schema.round_scores, schema.round_seats
    query = select(rounds.c.table_id, *(rounds.c[name] for name in _OF_ROUND)).where(where)
    found = connection.execute(query.order_by(*rounds.primary_key)).all()
    return RoundRows(
        found,
        _rows_of_rounds(connection, scores, RoundScore, where),
        _rows_of_rounds(connection, seats, RoundSeat, where),
    )


def round_records(rows: RoundRows) -> dict[tuple[TableId, RoundNumber], RoundRecord]:
    """Convert rows to records by table and number, outside the transaction."""
    scores_of = _records_by_round(rows.scores, RoundScore)
    seats_of = _records_by_round(rows.seats, RoundSeat)
    records = {}
    for table_id, number, *values in rows.rounds:
        key = table_id, number
        records[key] = RoundRecord(
            number=number,
            **dict(zip(_OF_ROUND[1:], values, strict=True)),
            scores=tuple(scores_of[key]),
            seats=tuple(seats_of[key]),
        )
    return records


def _rows_of_rounds(
    connection: Connection, table: Table, record: type[BaseModel], where: Condition
) -> Sequence[AnyRow]:
    """Return the rows of `table` (scores or seats) for the rounds that fulfil the condition."""
    rounds, names = schema.rounds, list(record.model_fields)
    query = (
        select(table.c.table_id, table.c.number, *(table.c[name] for name in names))
        .join(
            rounds,
            (rounds.c.table_id == table.c.table_id) & (rounds.c.number == table.c.number),
        )
        .where(where)
        .order_by(*table.primary_key)
    )
    return connection.execute(query).all()


def _records_by_round(
    rows: Sequence[AnyRow], record: type[_R]
) -> dict[tuple[TableId, RoundNumber], list[_R]]:
    """Convert rows of scores or seats to records, by table and round number."""
    names = list(record.model_fields)
    records: dict[tuple[TableId, RoundNumber], list[_R]] = defaultdict(list)
    for table_id, number, *values in rows:
        records[table_id, number].append(record(**dict(zip(names, values, strict=True))))
    return records


def read_matches(
    connection: Connection, table_ids: Collection[TableId]
) -> dict[TableId, MatchRecord]:
    """Return the ended matches of these tables, by table."""
    matches, scores, seats = schema.matches, schema.match_scores, schema.match_seats
    names = ("table_id", "variant", "ended_at", "reason", "rounds", "rated")
    columns = (matches.c[name] for name in names)
    query = select(*columns).where(matches.c.table_id.in_(table_ids))
    rows = connection.execute(query).mappings().all()
    scores_of = _records_by_table(connection, scores, MatchScore, scores.c.table_id.in_(table_ids))
    seats_of = _records_by_table(connection, seats, MatchSeat, seats.c.table_id.in_(table_ids))
    found = {}
    for row in rows:
        values = dict(row)
        table_id = values.pop("table_id")
        found[table_id] = MatchRecord(
            **values, scores=tuple(scores_of[table_id]), seats=tuple(seats_of[table_id])
        )
    return found


def _records_by_table(
    connection: Connection, table: Table, record: type[_R], where: Condition
) -> dict[TableId, list[_R]]:
    """Return rows as records in the order of their key, by table."""
    names = list(record.model_fields)
    query = select(table.c.table_id, *(table.c[name] for name in names))
    query = query.where(where).order_by(*table.primary_key)
    records: dict[TableId, list[_R]] = defaultdict(list)
    for table_id, *values in connection.execute(query):
        records[table_id].append(record(**dict(zip(names, values, strict=True))))
    return records
