"""Import of the past matches into the demo's database, before the bot opens it.

Ratings, leaderboards and everything else that follows from the actions is derived as by `python -m
bot rebuild`.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from bot.history.rebuild import rebuild
from bot.rating.ledger import LEDGER
from bot.records import ActionRecord, Change, NewTable, SeatRecord
from bot.storage import RebuildResult, Store
from bot.table.computer_names import COMPUTER_NAMES
from bot.table.options import TableOptions
from demo.past.book import PastMatch
from demo.serve import Place
from engine import CLOCK

_LOBBY = timedelta(minutes=2)
"""Time between the opening of a table and the beginning of its match."""


async def load(url: str, matches: Sequence[PastMatch], place: Place) -> RebuildResult:
    """Store these matches in an empty database, as if they were played on this server.

    Their tables get the numbers 1, 2, 3 ... with which their decks were made.
    """
    store = await Store.open(url, LEDGER)
    try:
        for match in matches:
            await _insert(store, match, place)
        return await rebuild(store, place.now)
    finally:
        await store.close()


async def _insert(store: Store, match: PastMatch, place: Place) -> None:
    """Store one match."""
    began = place.now - timedelta(days=match.days, hours=match.hours)
    seats = _seats(match, place)
    actions = _actions(match, seats, began)
    table = NewTable(
        guild_id=place.guild_id,
        channel_id=place.channel_id,
        host_id=next(seat.user_id for seat in seats if seat.user_id is not None),
        status="playing",
        options=TableOptions(**match.options).model_dump_json(),
        created_at=began - _LOBBY,
    )
    ended = Change(
        expected_seq=0,
        actions=actions,
        seats=seats,
        status="stopped" if match.stopped else "finished",
        ended_at=actions[-1].at,
    )
    await store.tables.commit((await store.tables.create(table)).id, ended)


def _seats(match: PastMatch, place: Place) -> tuple[SeatRecord, ...]:
    """Return the occupants of the seats; computer players have their usual names."""
    robots = iter(COMPUTER_NAMES)
    seats = []
    for seat, name in enumerate(match.seats):
        if name is None:
            seats.append(SeatRecord(seat=seat, name=next(robots), kind="computer"))
        else:
            user_id = place.people[name]
            seats.append(SeatRecord(seat=seat, user_id=user_id, name=name, kind="person"))
    return tuple(seats)


def _actions(
    match: PastMatch, seats: Sequence[SeatRecord], began: datetime
) -> tuple[ActionRecord, ...]:
    """Return all actions, with their times."""
    at = began
    records = []
    round_ = 0
    for seq, action in enumerate(match.actions, start=1):
        at += timedelta(seconds=action.seconds)
        round_ += action.text.startswith("deal:")
        records.append(
            ActionRecord(
                seq=seq,
                round=round_,
                seat=action.seat,
                actor_id=None if action.chair == CLOCK else seats[action.chair].user_id,
                text=action.text,
                at=at,
            )
        )
    return tuple(records)
