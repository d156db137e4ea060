"""The outbox: messages of tables that must reach Discord.

A message is inserted in the transaction of the change that causes it, and deleted in the
transaction that stores the id of the message on Discord. So neither an error of Discord nor a crash
of the bot can lose it. Messages that stay undelivered for too long, because Discord refuses them or
this version of the program does not know their kind, are deleted when the bot starts.
"""

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import (
    BigInteger,
    Column,
    Connection,
    ForeignKey,
    Table,
    Text,
    bindparam,
    select,
)

from bot.ids import TableId
from bot.records import Change, OutboxEntry
from bot.storage import statements
from bot.storage.schema import Moment, metadata

outbox = Table(
    "outbox",
    metadata,
    Column("table_id", statements.TABLE_ID, ForeignKey("tables.id"), primary_key=True),
    Column("number", BigInteger, primary_key=True),
    Column("kind", Text, nullable=False),
    Column("data", Text, nullable=False),
    Column("nonce", Text, nullable=False),
    Column("created_at", Moment, nullable=False),
    statements.holds_json("data"),
    **statements.STORED_BY_KEY,
)

_KEEP = outbox.insert()
_REWRITE = (
    outbox.update()
    .where(outbox.c.table_id == bindparam("table_id_"), outbox.c.number == bindparam("number_"))
    .values(data=bindparam("data_"))
)
_REMOVE = outbox.delete().where(
    outbox.c.table_id == bindparam("table_id_"), outbox.c.number == bindparam("number_")
)


def keep(connection: Connection, table_id: TableId, entries: Sequence[OutboxEntry]) -> None:
    """Insert the messages of one table.

    Raises SQLAlchemy's `IntegrityError` if a number is in use, because a later message must not
    replace an undelivered one.
    """
    if entries:
        rows = [{"table_id": table_id, **dict(entry)} for entry in entries]
        connection.execute(_KEEP, rows)


def write(connection: Connection, changes: Sequence[tuple[TableId, Change]]) -> None:
    """Insert, rewrite and delete outbox messages according to these changes."""
    for table_id, change in changes:
        keep(connection, table_id, change.outbox)
    rewritten = [
        {"table_id_": table_id, "number_": number, "data_": data}
        for table_id, change in changes
        for number, data in change.rewritten.items()
    ]
    if rewritten:
        connection.execute(_REWRITE, rewritten)
    gone = [
        {"table_id_": table_id, "number_": number}
        for table_id, change in changes
        for number in change.delivered
    ]
    if gone:
        connection.execute(_REMOVE, gone)


def remove_older(connection: Connection, than: datetime) -> int:
    """Delete the messages created before this time; return their number."""
    removed = connection.execute(outbox.delete().where(outbox.c.created_at < than))
    return removed.rowcount


def read_undelivered(connection: Connection) -> dict[TableId, tuple[OutboxEntry, ...]]:
    """Return all undelivered messages of each table, in sending order."""
    by_table: dict[TableId, list[OutboxEntry]] = defaultdict(list)
    query = select(outbox).order_by(*outbox.primary_key)
    for row in connection.execute(query).mappings():
        values = dict(row)
        by_table[values.pop("table_id")].append(OutboxEntry(**values))
    return {table_id: tuple(entries) for table_id, entries in by_table.items()}
