"""Database rows of leases: owners and fencing tokens; see `leases.py`."""

from __future__ import annotations

import os
import secrets
import socket
from collections.abc import Collection, Sequence, Set
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import (
    BigInteger,
    Column,
    ColumnElement,
    Connection,
    Row,
    Table,
    Text,
    bindparam,
    select,
    update,
)

from bot.records import Fence
from bot.storage.instance_lock import InUse
from bot.storage.schema import Moment, metadata

_leases = Table(
    "leases",
    metadata,
    Column("name", Text, primary_key=True),
    Column("owner", Text, nullable=False),
    Column("until", Moment, nullable=False),
    Column("token", BigInteger, nullable=False),
)
_NOBODY = ""
_columns = _leases.c
_GRANT = (
    update(_leases)
    .where(_columns.name == bindparam("name_"))
    .values(owner=bindparam("owner_"), until=bindparam("until_"), token=bindparam("token_"))
)
RELEASE = (
    update(_leases)
    .where(_columns.name == bindparam("name_"), _columns.token == bindparam("token_"))
    .values(owner=_NOBODY, until=bindparam("until_"))
)
_TOKENS = (
    select(_columns.name, _columns.token)
    .where(_columns.name.in_(bindparam("names", expanding=True)))
    .order_by(_columns.name)
    .with_for_update(read=True)
)
"""Query that locks rows in a fixed order, so that two transactions cannot deadlock."""


_owners: set[str] = set()
"""Owner names of this process."""


def new_owner() -> str:
    """Return a new owner name for this process: machine, process id, random."""
    owner = f"{socket.gethostname()}:{os.getpid()}:{secrets.token_hex(4)}"
    _owners.add(owner)
    return owner


def is_dead(owner: str) -> bool:
    """Return whether the owner was a process of this machine that was killed.

    If another machine has the same host name, it loses its leases, and the fence prevents its
    writes.
    """
    machine, process, _ = owner.rsplit(":", 2)
    if machine != socket.gethostname() or owner in _owners or os.name == "nt":
        return False
    try:
        os.kill(int(process), 0)  # signal 0 only checks that the process exists
    except ProcessLookupError:
        return True
    except PermissionError:
        return False
    # a restarted container has the same process id as the container that was killed
    return int(process) == os.getpid()


class Rivals(NamedTuple):
    """LIKE patterns for the names of rival leases, which may not be held at the same time."""

    like: str
    """Pattern that names of rivals match."""
    unlike: str
    """Pattern that names of rivals do not match."""


def held_leases(connection: Connection, now: datetime) -> Sequence[Row[Any]]:
    """Return the leases that are currently held."""
    query = select(_leases).where(_columns.until > now, _columns.owner != _NOBODY)
    return connection.execute(query.order_by(_columns.name)).all()


def refuse_if_in_use(connection: Connection, now: datetime, database: str) -> None:
    """Raise `InUse` if another process holds a lease; `database` is its name in the text."""
    for row in held_leases(connection, now):
        if row.owner not in _owners and not is_dead(row.owner):
            machine, process, _ = row.owner.rsplit(":", 2)
            elsewhere = "" if machine == socket.gethostname() else f" on {machine}"
            raise InUse(database, f"process {process}{elsewhere}")


def grant(
    connection: Connection, names: Collection[str], owner: str, now: datetime, until: datetime
) -> dict[str, Fence]:
    """Acquire or renew the leases that are free or held by this owner."""
    query = select(_leases).where(_columns.name.in_(names)).order_by(_columns.name)
    stored = {row.name: row for row in connection.execute(query.with_for_update())}
    granted = {}
    for name in sorted(names):
        row = stored.get(name)
        if row is None:
            first = {"name": name, "owner": _NOBODY, "until": now, "token": 0}
            connection.execute(_leases.insert(), first)
            granted[name] = Fence(name, 1)
        elif row.until <= now:
            granted[name] = Fence(name, row.token + 1)
        elif row.owner == owner:
            granted[name] = Fence(name, row.token)
    if granted:
        rows = [
            {"name_": name, "token_": token, "owner_": owner, "until_": until}
            for name, token in granted.values()
        ]
        connection.execute(_GRANT, rows)
    return granted


def is_free(
    connection: Connection, names: Collection[str], now: datetime, rivals: Rivals | None
) -> bool:
    """Return whether one of these leases is free, and no rival is held."""
    held = select(_columns.name).where(_columns.until > now)
    if rivals is not None and connection.execute(held.where(*_are(rivals))).first() is not None:
        return False
    return not set(names) <= set(connection.execute(held).scalars())


def _are(rivals: Rivals) -> tuple[ColumnElement[bool], ...]:
    """Return the conditions for the rows of rival leases."""
    return _columns.name.like(rivals.like), _columns.name.not_like(rivals.unlike)


def invalidate_rivals(connection: Connection, rivals: Rivals, now: datetime) -> bool:
    """Invalidate the tokens of rival leases; return False if one is held."""
    is_rival = _are(rivals)
    expiries = connection.execute(select(_columns.until).where(*is_rival)).scalars().all()
    if any(until > now for until in expiries):
        return False
    if expiries:
        connection.execute(update(_leases).where(*is_rival).values(token=_columns.token + 1))
    return True


def check_fences(connection: Connection, fences: Set[Fence]) -> Set[Fence]:
    """Return the lost fences, whose leases another owner has acquired since.

    The rows of all these leases are locked until the end of the transaction, so all other fences
    stay valid until then.
    """
    if not fences:
        return fences
    names = {fence.name for fence in fences}
    rows = connection.execute(_TOKENS, {"names": list(names)})
    return fences - {Fence(row.name, row.token) for row in rows}
