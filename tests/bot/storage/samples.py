"""Records for storage tests: a table with four seats, moves, a round, a match."""

from datetime import UTC, datetime, timedelta
from typing import Any

from bot.ids import UserId
from bot.records import (
    ActionRecord,
    Change,
    MatchRecord,
    MatchScore,
    MatchSeat,
    NewTable,
    RoundRecord,
    RoundScore,
    RoundSeat,
    SeatRecord,
)

NOON = datetime(2031, 5, 4, 12, 0, 0, 123456, tzinfo=UTC)
SECRET = "deal J2 P5 S9 DR"
BIG_ID = 2**63 - 1


def seats() -> tuple[SeatRecord, ...]:
    """Return seats of three people and a computer."""
    persons = [
        SeatRecord(seat=seat, user_id=UserId(BIG_ID - seat), name=f"Ann {seat}", kind="person")
        for seat in range(3)
    ]
    return (*persons, SeatRecord(seat=3, name="Computer ♣", kind="computer"))


def new_table(channel_id: int = 20, **given: Any) -> NewTable:
    """Return a table in its lobby."""
    values: dict[str, Any] = {
        "guild_id": 10,
        "channel_id": channel_id,
        "host_id": BIG_ID,
        "created_at": NOON,
        "seats": seats(),
    }
    return NewTable(**values | given)


def action(seq: int, text: str = "play:S8,P8") -> ActionRecord:
    """Return the seq-th action of round 1."""
    at = NOON + timedelta(microseconds=seq)
    return ActionRecord(seq=seq, round=1, seat=seq % 4, actor_id=UserId(7), text=text, at=at)


def move(stored: int, count: int = 2, **given: Any) -> Change:
    """Return a change with `count` actions after `stored` ones, and new details."""
    actions = tuple(action(stored + 1 + index) for index in range(count))
    return Change(actions=actions, details=f'{{"moves": {stored + count}}}', **given)


def finished_round(number: int = 1) -> RoundRecord:
    """Return a round in which seat 0 made a Tichu and seat 3 lost a Grand Tichu."""
    return RoundRecord(
        number=number,
        ended_at=NOON,
        result='{"double": false}',
        scores=(
            RoundScore(column=0, card_points=60, score=160, total=160),
            RoundScore(column=1, score=-160, total=-160),
        ),
        seats=(
            RoundSeat(
                seat=0,
                user_id=UserId(5),
                kind="person",
                column=0,
                place=1,
                call="tichu",
                call_made=True,
            ),
            RoundSeat(seat=1, user_id=UserId(6), kind="person", column=1, place=2),
            RoundSeat(seat=2, kind="computer", column=0, place=3),
            RoundSeat(seat=3, kind="computer", column=1, call="grand", call_made=False),
        ),
    )


def ended_match() -> MatchRecord:
    """Return a match of one round that column 0 won."""
    return MatchRecord(
        variant="tichu",
        ended_at=NOON,
        reason="finished",
        rounds=1,
        scores=(
            MatchScore(column=0, total=160, won=True),
            MatchScore(column=1, total=-160, won=False),
        ),
        seats=(
            MatchSeat(seat=0, user_id=UserId(5), name="Ann", kind="person", column=0, won=True),
            MatchSeat(seat=1, name="Computer", kind="computer", column=1, won=False),
        ),
    )
