"""Writes changes of any number of tables with a handful of statements.

`write_changes` and `insert_table` each run within one transaction of the caller.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    ScalarSelect,
    Table,
    and_,
    bindparam,
    case,
    func,
    insert,
    select,
    update,
)

from bot.ids import GuildId, TableId
from bot.records import (
    Change,
    Count,
    Fence,
    MatchRecord,
    NewTable,
    Ordinal,
    RoundRecord,
    SeatRecord,
    Seq,
)
from bot.score_records import ScoreRules
from bot.storage import outbox, schema, score_rows, score_schema, statements
from bot.storage.errors import Conflict, LeaseLost, StorageError, UnknownTable
from bot.storage.lease_rows import check_fences

_Rows = dict[Table, list[dict[str, Any]]]

_TABLES_PARENTS_FIRST = schema.metadata.sorted_tables
_UPSERTED = (schema.seat_changes, score_schema.names)
"""Database tables in which a new row replaces a stored one with the same key.

If a seat gets two new owners without a move between them, both rows have the same key. Only the
second one counts.
"""
_INSERTS = {
    table: statements.upsert(table) if table in _UPSERTED else insert(table)
    for table in _TABLES_PARENTS_FIRST
}
_SELECT_STORED = select(
    schema.tables.c.id,
    schema.tables.c.version,
    select(func.coalesce(func.max(schema.actions.c.seq), 0))
    .where(schema.actions.c.table_id == schema.tables.c.id)
    .scalar_subquery()
    .label("seq"),
).where(schema.tables.c.id.in_(bindparam("ids", expanding=True)))
_LOCK = (
    select(schema.tables.c.id)
    .where(schema.tables.c.id.in_(bindparam("ids", expanding=True)))
    .order_by(schema.tables.c.id)
    .with_for_update()
)
_INSERT_TABLE = schema.tables.insert().returning(schema.tables.c.id)
_UPDATE = (
    update(schema.tables)
    .where(schema.tables.c.id == bindparam("id_"))
    .values(version=schema.tables.c.version + bindparam("changes_"))
)
_UPDATE_IF_VERSION = _UPDATE.where(schema.tables.c.version == bindparam("version_"))

_seat = schema.match_seats.c
"""Seat of an ended match, for which sums over its rounds are stored."""
_round_seat = schema.round_seats.alias("played")
"""The same seat in one of the rounds."""
_is_known = and_(
    _round_seat.c.margin.is_not(None),
    _round_seat.c.counts_for.is_not_distinct_from(_seat.counts_for),
)
_all_rounds_known = func.count() == func.count(case((_is_known, 1)))
_is_dealer = statements.json_number(schema.rounds.c.result, "dealer") == _seat.seat


def _sum_over_rounds(value: ColumnElement[int]) -> ScalarSelect[int | None]:
    """Return the SQL sum of `value` over the rounds of a seat in a match.

    It is NULL unless the margins of all rounds are known, and all rounds and the match count for
    the same person.
    """
    round_ = and_(
        schema.rounds.c.table_id == _round_seat.c.table_id,
        schema.rounds.c.number == _round_seat.c.number,
    )
    return (
        select(case((_all_rounds_known, func.sum(value))))
        .select_from(_round_seat.join(schema.rounds, round_))
        .where(_round_seat.c.table_id == _seat.table_id, _round_seat.c.seat == _seat.seat)
        .scalar_subquery()
    )


_STORE_SUMS = (
    update(schema.match_seats)
    .where(_seat.table_id == bindparam("id_"))
    .values(
        points=_sum_over_rounds(_round_seat.c.margin),
        rounds_won=_sum_over_rounds(case((_round_seat.c.margin > 0, 1), else_=0)),
        rounds_dealt=_sum_over_rounds(case((_is_dealer, 1), else_=0)),
        deals_lost=_sum_over_rounds(case((and_(_is_dealer, _round_seat.c.margin < 0), 1), else_=0)),
    )
)
_CLEAR_SEATS = schema.seats.delete().where(schema.seats.c.table_id == bindparam("id_"))


class OptimisticWriteFailed(StorageError):
    """Raised if the optimistic write found a conflict; the transaction is rolled back."""


def insert_table(connection: Connection, new: NewTable) -> TableId:
    """Insert a table with its seats; return its new id. Raises `LeaseLost`."""
    if new.fence is not None and check_fences(connection, {new.fence}):
        raise LeaseLost(new.fence)
    columns = {name: value for name, value in new if name not in ("seats", "outbox", "fence")}
    table_id: TableId = connection.execute(_INSERT_TABLE, columns).scalar_one()
    if new.seats:
        connection.execute(schema.seats.insert(), _seat_rows(table_id, new.seats))
    outbox.keep(connection, table_id, new.outbox)
    return table_id


def write_changes(
    connection: Connection,
    changes: Sequence[tuple[TableId, Change]],
    rules: ScoreRules,
    *,
    lock_first: bool,
) -> list[StorageError | None]:
    """Write the changes that fit the stored tables; return a refusal or None for each.

    With `lock_first`, the tables are locked and their versions are read first. Otherwise the write
    is optimistic: it assumes that all changes fit, and fails as a whole if one does not. The
    database detects this, because it refuses actions of an unknown table or with a gap in their
    numbers, and an UPDATE finds no row with another version than expected. An optimistic write
    takes fewer statements, but it does not show which change is at fault.

    Raises `IntegrityError` of SQLAlchemy for the whole batch if one change breaks a constraint, and
    `OptimisticWriteFailed` if a version does not match.
    """
    stored = {} if lock_first else _assumed_versions(changes)
    if lock_first:
        connection.execute(_LOCK, {"ids": sorted({table_id for table_id, _ in changes})})
    stored |= _read_stored(connection, {table_id for table_id, _ in changes} - stored.keys())
    plan = WritePlan()
    lost_fences = check_fences(connection, {change.fence for _, change in changes if change.fence})
    refusals = [plan.add(table_id, change, stored, lost_fences) for table_id, change in changes]

    _write_tables(connection, plan)
    guilds = _guild_ids(connection, {id_ for id_, _ in (*plan.ended, *plan.named)})
    for table_id, records in plan.named:
        plan.rows[score_schema.names] += _name_rows(guilds[table_id], records)
    _insert_rows(connection, plan.rows)
    outbox.write(connection, plan.fitting)
    if plan.ended:
        statements.advisory_lock(connection, statements.BOOKS)
        insert_ended(connection, plan.ended, _next_ordinals(connection))
        ended = [(guilds[table_id], record) for table_id, record in plan.ended]
        score_rows.enter(connection, ended, rules)
    return refusals


@dataclass(slots=True)
class _Stored:
    """State of a table after the changes of a batch so far; `None` for values that are not read."""

    seq: Count | None = None
    """Number of stored actions."""
    version: Count | None = None


@dataclass(slots=True)
class _Update:
    """Update of the row of a table."""

    columns: dict[str, Any] = field(default_factory=dict)
    """New values of changed columns."""
    changes: Count = 0
    """Number of changes; the table's version grows by it."""
    version: Count | None = None
    """Expected version before the update; `None`: any."""


@dataclass(slots=True)
class WritePlan:
    """Statements to execute for the fitting changes of a batch."""

    fitting: list[tuple[TableId, Change]] = field(default_factory=list)
    updates: dict[TableId, _Update] = field(default_factory=lambda: defaultdict(_Update))
    """Updates by table."""
    seats: dict[TableId, tuple[SeatRecord, ...]] = field(default_factory=dict)
    """New seats of tables whose seats change, after the whole batch."""
    rows: _Rows = field(default_factory=lambda: defaultdict(list))
    """Rows to insert, by database table."""
    ended: list[tuple[TableId, RoundRecord | MatchRecord]] = field(default_factory=list)
    """Finished rounds and matches."""
    named: list[tuple[TableId, tuple[SeatRecord, ...]]] = field(default_factory=list)
    """Seats whose people's names are stored for their server."""

    def add(
        self, table_id: TableId, change: Change, stored: dict[TableId, _Stored], lost: Set[Fence]
    ) -> StorageError | None:
        """Add a change if it fits the `stored` state of its table, and update that state.

        Return a refusal if it does not fit, or if its lease is `lost`.
        """
        if change.fence is not None and change.fence in lost:
            return LeaseLost(change.fence)
        state = stored.get(table_id)
        if state is None:
            return UnknownTable(table_id)
        refusal = _refusal(table_id, change, state)
        if refusal is not None:
            return refusal

        self.fitting.append((table_id, change))
        if state.seq is None:
            state.seq = change.base_seq
        if state.version is None:
            state.version = change.expected_version
        self._add_update(table_id, change, state)
        if change.seats is not None:
            assert state.seq is not None
            self._add_seats(table_id, change, change.seats, state.seq)
        if change.actions:
            state.seq = change.actions[-1].seq
        self.rows[schema.actions] += [
            {"table_id": table_id, **vars(action)} for action in change.actions
        ]
        self.ended += [
            (table_id, record) for record in (change.round, change.match) if record is not None
        ]
        return None

    def _add_update(self, table_id: TableId, change: Change, state: _Stored) -> None:
        """Add the update of the table's row, and increment the version in `state`."""
        columns, expected = change.table_columns(), change.expected_version
        if not columns and not change.actions and change.seats is None and expected is None:
            return
        row = self.updates[table_id]
        if expected is not None and row.version is None:
            row.version = expected - row.changes  # the version before earlier changes of the batch
        row.columns |= columns
        row.changes += 1
        if state.version is not None:
            state.version += 1

    def _add_seats(
        self, table_id: TableId, change: Change, seats: tuple[SeatRecord, ...], seq: Count
    ) -> None:
        """Add new seats; once the match has started, add them to `seat_changes`, too.

        `seq` is the number of actions before this change.
        """
        self.seats[table_id] = seats
        if seq or change.actions:
            self.rows[schema.seat_changes] += _seat_change_rows(table_id, seq + 1, seats)
            self.named.append((table_id, seats))


def _write_tables(connection: Connection, plan: WritePlan) -> None:
    """Update the tables, delete replaced seats, and add rows of the new seats."""
    if plan.seats:
        connection.execute(_CLEAR_SEATS, [{"id_": table_id} for table_id in plan.seats])
        for table_id, records in plan.seats.items():
            plan.rows[schema.seats] += _seat_rows(table_id, records)
    _update_tables(connection, plan.updates)


def _insert_rows(connection: Connection, rows: _Rows) -> None:
    """Insert the rows of all tables; see `_UPSERTED` for duplicate keys."""
    for table in _TABLES_PARENTS_FIRST:
        if rows[table]:
            connection.execute(_INSERTS[table], rows[table])


def insert_ended(
    connection: Connection,
    ended: Sequence[tuple[TableId, RoundRecord | MatchRecord]],
    ordinals: Iterable[Ordinal],
) -> None:
    """Insert finished rounds and matches; `ordinals` are those of the rounds."""
    rows: _Rows = defaultdict(list)
    next_ordinal = iter(ordinals)
    for table_id, record in ended:
        if isinstance(record, RoundRecord):
            _add_round(rows, table_id, record, next(next_ordinal))
        else:
            _add_match(rows, table_id, record)
    _insert_rows(connection, rows)
    store_match_sums(connection, [row["table_id"] for row in rows[schema.matches]])


def store_match_sums(connection: Connection, table_ids: Collection[TableId]) -> None:
    """Store the sums of rounds for each seat of these ended matches."""
    if table_ids:
        connection.execute(_STORE_SUMS, [{"id_": table_id} for table_id in table_ids])


def _next_ordinals(connection: Connection) -> Iterator[Ordinal]:
    """Return the ordinals of the next rounds, in counting order."""
    query = select(func.coalesce(func.max(schema.rounds.c.ordinal), 0))
    return count(1 + connection.execute(query).scalar_one())


def _guild_ids(connection: Connection, ids: set[TableId]) -> dict[TableId, GuildId]:
    """Return the servers of these tables."""
    if not ids:
        return {}
    tables = schema.tables
    query = select(tables.c.id, tables.c.guild_id).where(tables.c.id.in_(ids))
    return {row.id: row.guild_id for row in connection.execute(query)}


def _assumed_versions(changes: Iterable[tuple[TableId, Change]]) -> dict[TableId, _Stored]:
    """Return the state of these tables, assuming that the first change of each fits.

    A table is left out, so that its stored state is read, if its first change has neither actions
    nor an expected version, because the database would not detect a mismatch. It is also left out
    if a change has new seats, but the number of actions is unknown.
    """
    assumed: dict[TableId, _Stored] = {}
    left_out: set[TableId] = set()
    for table_id, change in changes:
        checked_by_database = bool(change.actions) or change.expected_version is not None
        if checked_by_database and table_id not in left_out:
            assumed.setdefault(table_id, _Stored(change.base_seq, change.expected_version))
        if table_id not in assumed or (change.seats is not None and assumed[table_id].seq is None):
            left_out.add(table_id)
    return {table_id: state for table_id, state in assumed.items() if table_id not in left_out}


def _read_stored(connection: Connection, ids: set[TableId]) -> dict[TableId, _Stored]:
    """Return the stored state of these game tables, without unknown ones."""
    if not ids:
        return {}
    result = connection.execute(_SELECT_STORED, {"ids": list(ids)})
    return {row.id: _Stored(row.seq, row.version) for row in result}


def _refusal(table_id: TableId, change: Change, state: _Stored) -> Conflict | None:
    """Return the conflict of a change with the state of its table, or `None` if it fits."""
    seq, version = change.base_seq, change.expected_version
    if seq is not None and state.seq is not None and seq != state.seq:
        return Conflict(table_id, "actions", seq, state.seq)
    if version is not None and state.version is not None and version != state.version:
        return Conflict(table_id, "version", version, state.version)
    return None


def _update_tables(connection: Connection, updates: dict[TableId, _Update]) -> None:
    """Update tables, with one statement for all tables in which the same columns change.

    Raises `OptimisticWriteFailed` if a table does not have its expected version.
    """
    rows_by_columns: dict[tuple[bool, tuple[str, ...]], list[dict[str, Any]]] = defaultdict(list)
    for table_id, row in updates.items():
        parameters = {"id_": table_id, "changes_": row.changes, **row.columns}
        if row.version is not None:
            parameters["version_"] = row.version
        rows_by_columns[row.version is not None, tuple(row.columns)].append(parameters)
    for (checks_version, _), rows in rows_by_columns.items():
        statement = _UPDATE_IF_VERSION if checks_version else _UPDATE
        if statements.execute_updates(connection, statement, rows) != len(rows):
            raise OptimisticWriteFailed


def _seat_rows(table_id: TableId, seats: Sequence[SeatRecord]) -> list[dict[str, Any]]:
    return [{"table_id": table_id, **vars(seat)} for seat in seats]


def _name_rows(guild_id: GuildId, seats: Sequence[SeatRecord]) -> list[dict[str, Any]]:
    people = (seat for seat in seats if seat.user_id is not None)
    return [{"scope": guild_id, "user_id": seat.user_id, "name": seat.name} for seat in people]


def _seat_change_rows(
    table_id: TableId, seq: Seq, seats: Sequence[SeatRecord]
) -> list[dict[str, Any]]:
    return [{"table_id": table_id, "seq": seq, **vars(seat)} for seat in seats]


def _add_round(rows: _Rows, table_id: TableId, record: RoundRecord, ordinal: Ordinal) -> None:
    key = {"table_id": table_id, "number": record.number}
    own = {name: value for name, value in record if name not in ("scores", "seats")}
    rows[schema.rounds].append({**key, **own, "ordinal": ordinal})
    rows[schema.round_scores] += [{**key, **vars(score)} for score in record.scores]
    rows[schema.round_seats] += [{**key, **vars(seat)} for seat in record.seats]


def _add_match(rows: _Rows, table_id: TableId, record: MatchRecord) -> None:
    key = {"table_id": table_id}
    own = {name: value for name, value in record if name not in ("scores", "seats")}
    rows[schema.matches].append({**key, **own})
    rows[schema.match_scores] += [{**key, **vars(score)} for score in record.scores]
    rows[schema.match_seats] += [{**key, **vars(seat)} for seat in record.seats]
