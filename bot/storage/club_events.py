"""Store of club events, of their people, of their actions and of their deals."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple

from sqlalchemy import ColumnElement, Connection, and_, insert, or_, select, update

from bot.club_records import (
    ClubEventRecord,
    EventPerson,
    EventStatus,
    PersonNumber,
    StoredAction,
)
from bot.ids import ClubEventId, GuildId, MessageId, is_pseudonym
from bot.storage import club_schema, statements
from bot.storage.database import Database

_events = club_schema.club_events
_people = club_schema.club_people
_actions = club_schema.club_actions
_deals = club_schema.club_deals
_IS_OPEN = _events.c.status.in_(("open", "running"))


class StoredEvent(NamedTuple):
    """A stored event with its people and actions."""

    record: ClubEventRecord
    """The event."""
    people: tuple[EventPerson, ...]
    """Its people by number."""
    actions: tuple[StoredAction, ...]
    """Its actions in order."""


class ClubEventStore:
    """Store of club events."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def create(self, record: ClubEventRecord) -> ClubEventRecord:
        """Store a new event without actions; return it with its id."""
        return await self._database.write(
            "storing an event", lambda connection: _insert(connection, record)
        )

    async def get(self, event_id: ClubEventId) -> StoredEvent | None:
        """Return an event, or `None` if there is none with this id."""
        found = await self._database.read(_select_events, _events.c.id == event_id, 1)
        return next(iter(found), None)

    async def ids(self) -> Sequence[ClubEventId]:
        """Return the numbers of all events, in order."""
        query = select(_events.c.id).order_by(_events.c.id)
        return await self._database.read(lambda connection: connection.scalars(query).all())

    async def of_guild(self, guild_id: GuildId, *, most: int) -> list[StoredEvent]:
        """Return at most `most` events of a server: open and running ones first, newest first."""
        return await self._database.read(_select_events, _events.c.guild_id == guild_id, most)

    async def finished(self, guild_id: GuildId, *, most: int) -> list[StoredEvent]:
        """Return at most `most` tournaments and leagues of a server that are over, newest first."""
        row = _events.c
        is_night = row.settings.contains('"format":"game-night"', autoescape=True)
        where = and_(row.guild_id == guild_id, row.status == "over", ~is_night)
        return await self._database.read(_select_events, where, most)

    async def pending(self) -> list[ClubEventRecord]:
        """Return the open and running events, and those whose public message is outdated."""
        row = _events.c
        outdated = and_(row.message_id.is_not(None), row.shown < row.seq)
        query = select(_events).where(or_(_IS_OPEN, outdated)).order_by(row.id)
        rows = await self._database.read(lambda connection: connection.execute(query).all())
        return [ClubEventRecord(*each) for each in rows]

    async def append(
        self,
        event_id: ClubEventId,
        seq: int,
        actions: Sequence[StoredAction],
        *,
        people: Sequence[EventPerson] = (),
        status: EventStatus,
        next_settings: str | None = None,
    ) -> bool:
        """Store actions and the status of an event that has `seq` actions so far.

        New people are inserted, and others get a new name and rating. `next_settings` are those of
        another event by the same organiser, unless they were erased. Return False if the event has
        other actions now; nothing is changed then.
        """

        def append(connection: Connection) -> bool:
            row = _events.c
            changed = connection.execute(
                update(_events)
                .where(row.id == event_id, row.seq == seq)
                .values(seq=seq + len(actions), status=status)
            )
            if changed.rowcount != 1:
                return False
            if people:
                rows = [{"event_id": event_id, **each._asdict()} for each in people]
                kept = {name: _people.c[name] for name in ("user_id", "reminded")}
                connection.execute(statements.upsert(_people, kept), rows)
            rows = [{"event_id": event_id, **each._asdict()} for each in actions]
            connection.execute(insert(_actions), rows)
            if next_settings is not None:
                old = connection.execute(select(_events).where(row.id == event_id)).one()
                place = old.guild_id, old.channel_id
                new = ClubEventRecord(
                    event_id, *place, old.organiser_id, actions[-1].at, next_settings
                )
                if not is_pseudonym(old.organiser_id):
                    _insert(connection, new)
            return True

        return await self._database.write("changing an event", append)

    async def note_shown(
        self, event_id: ClubEventId, message_id: MessageId | None, seq: int
    ) -> None:
        """Store that the public message shows the first `seq` actions."""
        await self._update(_events.c.id == event_id, message_id=message_id, shown=seq)

    async def note_scheduled(self, event_id: ClubEventId, scheduled_id: int | None) -> None:
        """Store the scheduled event of Discord."""
        await self._update(_events.c.id == event_id, scheduled_id=scheduled_id)

    async def note_reminded(
        self, event_id: ClubEventId, numbers: Collection[PersonNumber], date: int
    ) -> set[PersonNumber]:
        """Note a reminder of a date (`EventPerson.reminded`); return the people who had none of it.

        Of several calls for the same person, one returns them.
        """
        row = _people.c
        unreminded = (
            row.event_id == event_id,
            row.number.in_(numbers),
            row.reminded.bitwise_and(date) == 0,
        )
        noted = update(_people).where(*unreminded).values(reminded=row.reminded.bitwise_or(date))
        change = noted.returning(row.number)
        found = await self._database.write(
            "noting reminders", lambda connection: connection.scalars(change).all()
        )
        return set(found)

    async def draw_deals(
        self, event_id: ClubEventId, round_: int, count: int, draw: Callable[[], bytes]
    ) -> tuple[str, ...]:
        """Return the secrets of the deals that all tables of a round play, in order.

        They are stored by the first call, with secrets from `draw`.
        """
        row = _deals.c
        query = select(row.secret).where(row.event_id == event_id, row.round == round_)

        def draw_missing(connection: Connection) -> tuple[str, ...]:
            stored = connection.scalars(query.order_by(row.number)).all()
            rows = [
                {"event_id": event_id, "round": round_, "number": number, "secret": draw().hex()}
                for number in range(len(stored) + 1, count + 1)
            ]
            if rows:
                connection.execute(insert(_deals), rows)
            return (*stored, *(each["secret"] for each in rows))[:count]

        return await self._database.write_alone("drawing the deals of a round", draw_missing)

    async def _update(self, where: ColumnElement[bool], **values: int | None) -> None:
        change = update(_events).where(where).values(values)
        await self._database.write(
            "noting a message", lambda connection: connection.execute(change)
        )


def _insert(connection: Connection, record: ClubEventRecord) -> ClubEventRecord:
    """Insert an event without actions; return it with its id."""
    row = record._asdict()
    del row["id"]
    found = connection.execute(insert(_events).values(row)).inserted_primary_key
    assert found is not None
    return record._replace(id=found.id)


def _select_events(
    connection: Connection, where: ColumnElement[bool], most: int
) -> list[StoredEvent]:
    """Return events with their people and actions: open and running ones first, newest first."""
    query = select(_events).where(where).order_by(_IS_OPEN.desc(), _events.c.id.desc()).limit(most)
    records = [ClubEventRecord(*row) for row in connection.execute(query)]
    ids = statements.select_numbers([each.id for each in records])
    people, actions = defaultdict(list), defaultdict(list)
    in_events = select(_people).where(_people.c.event_id.in_(ids)).order_by(*_people.primary_key)
    for event_id, *values in connection.execute(in_events):
        people[event_id].append(EventPerson(*values))
    in_events = select(_actions).where(_actions.c.event_id.in_(ids)).order_by(*_actions.primary_key)
    for event_id, *values in connection.execute(in_events):
        actions[event_id].append(StoredAction(*values))
    return [StoredEvent(each, tuple(people[each.id]), tuple(actions[each.id])) for each in records]
