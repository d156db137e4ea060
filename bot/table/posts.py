"""What the channel of a table must be told: decided by a change, and stored together with it.

A post is a small value without any hidden card. It is put into words when it is sent, in the
language of the server, from the table as it is then (a result: as it was when its round ended).
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, timedelta
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from bot.ids import ChannelId, MessageId, RoleId, UserId
from bot.records import Ordinal, OutboxEntry, RoundNumber, Seq
from bot.table.details import Invitations, LostThread
from bot.table.seats import notifies
from bot.table.state import Game, Lobby, OpenTable
from bot.table.turn_based import nudged_between, turn_on_table
from engine import (
    Call,
    Called,
    Event,
    MatchEnded,
    Played,
    RoundDealt,
    RoundEnded,
    Seat,
    Withdrawn,
    card_text,
    indices,
)

UNDELIVERED_FOR = timedelta(days=7)
"""How long delivery of a message is tried; then it is given up: it tells nobody anything new."""
_NONCE_BYTES = 12


class _Value(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)


class CallLine(_Value):
    """A seat has called; `reopened` if cards that were passed must be passed again."""

    kind: Literal["called"] = "called"
    seat: Seat
    grand: bool
    reopened: bool = False


class WithdrawnLine(_Value):
    """A seat has taken back its call."""

    kind: Literal["withdrawn"] = "withdrawn"
    seat: Seat
    grand: bool


class BombLine(_Value):
    """A seat has thrown a bomb: these cards, in notation."""

    kind: Literal["bomb"] = "bomb"
    seat: Seat
    cards: str


class AwayLine(_Value):
    """Whoever sits on this seat is away."""

    kind: Literal["away"] = "away"
    seat: Seat


class NewOwnerLine(_Value):
    """The seat of `before` has a new owner.

    `waited` is a newcomer who has waited for the end of the round: they are told with a mention.
    """

    kind: Literal["new-owner"] = "new-owner"
    seat: Seat
    before: str
    waited: UserId | None = None


Line = Annotated[
    CallLine | WithdrawnLine | BombLine | AwayLine | NewOwnerLine, Field(discriminator="kind")
]


class LobbyPost(_Value):
    """The lobby, with its buttons."""

    kind: Literal["lobby"] = "lobby"


class TablePost(_Value):
    """The table message of a round."""

    kind: Literal["table"] = "table"
    round: RoundNumber


class LinesPost(_Value):
    """Short lines: calls, bombs, who comes and who goes."""

    kind: Literal["lines"] = "lines"
    lines: tuple[Line, ...]


class ResultPost(_Value):
    """The result of a round, or of the match; `seq` is how many actions the table had then."""

    kind: Literal["result"] = "result"
    seq: Seq


class StoppedPost(_Value):
    """The match was stopped, or `forgotten` by everybody."""

    kind: Literal["stopped"] = "stopped"
    forgotten: bool


class AwayPost(_Value):
    """These people are away from now on; the message goes when they are back."""

    kind: Literal["away"] = "away"
    seats: tuple[Seat, ...]


class OfferPost(_Value):
    """A member is asked whether they take this seat; Discord notifies them unless it is `quiet`."""

    kind: Literal["offer"] = "offer"
    seat: Seat
    member_id: UserId
    quiet: bool = False


class VotePost(_Value):
    """Somebody wants to stop the match, and the others are asked."""

    kind: Literal["vote"] = "vote"


class InvitationPost(_Value):
    """These members, or those who hold this role, are invited to the lobby and notified."""

    kind: Literal["invitation"] = "invitation"
    members: tuple[UserId, ...] = ()
    role_id: RoleId | None = None
    by: UserId | None = None
    """Who invites them; `None` for somebody who was forgotten."""


class Nudging(_Value):
    """Nudges these people, each as they have chosen; what was sent is kept until all are nudged."""

    user_ids: tuple[UserId, ...]
    direct: dict[UserId, tuple[ChannelId, MessageId]] = {}
    """The direct messages that were sent, by user: their channel, and their id there."""
    unreached: tuple[UserId, ...] = ()
    """Those who wanted one, and whom Discord does not let us write to."""


class NudgePost(Nudging):
    """These people are nudged: they are waited for in this turn (`turn_on_table`).

    Each is nudged as they have chosen, which is looked up when it is done.
    """

    kind: Literal["call"] = "call"  # stored under the name that it had before
    turn: str


class LostThreadPost(Nudging):
    """These people hear that the table is paused, as nobody can play in its thread.

    Each is told in the way in which they are nudged. The `first` one is for all who sit there,
    whether they want to be nudged or not, and stands in the channel in any case.
    """

    kind: Literal["lost-thread"] = "lost-thread"
    lost: LostThread
    first: bool


Post = (
    LobbyPost
    | TablePost
    | LinesPost
    | ResultPost
    | StoppedPost
    | AwayPost
    | OfferPost
    | VotePost
    | InvitationPost
    | NudgePost
    | LostThreadPost
)
_POST: TypeAdapter[Post] = TypeAdapter(Annotated[Post, Field(discriminator="kind")])


def posts_caused(
    before: OpenTable, after: OpenTable, events: Sequence[Event], actor_id: UserId | None
) -> tuple[Post, ...]:
    """What a change of a table makes to be told, in the order in which it is to be read.

    `actor_id` is the person who made the change, `None` for the clock.
    """
    return tuple(_posts(before, after, events, actor_id))


def _posts(
    before: OpenTable, after: OpenTable, events: Sequence[Event], actor_id: UserId | None
) -> Iterator[Post]:
    if not isinstance(after, Game):
        if isinstance(before, Lobby):
            yield from _invitations(before.invitations, after.invitations, actor_id)
        return
    lines = tuple(call_lines(events))
    if isinstance(before, Game) and before.running:
        lines += tuple(seat_lines(before, after))
    if lines:
        yield LinesPost(lines=lines)
    if isinstance(before, Game) and after.running and (gone := _gone(before, after)):
        yield AwayPost(seats=gone)
    if isinstance(before, Game) and after.running and (users := nudged_between(before, after)):
        yield _nudge(before, after, users)
    if any(isinstance(event, RoundEnded | MatchEnded) for event in events):
        yield ResultPost(seq=after.seq)
    elif before.running and after.status == "stopped":
        yield StoppedPost(forgotten=before.timers.paused and actor_id is None)
    for event in events:
        if isinstance(event, RoundDealt):
            yield TablePost(round=event.number)
    if before.channel_id != after.channel_id:
        yield TablePost(round=after.round.number)
    if after.running and isinstance(before, Game) and _asks_to_stop(before, after):
        yield VotePost()
    for seat, member_id in after.notes.offers.items():
        if not isinstance(before, Game) or before.notes.offers.get(seat) != member_id:
            yield OfferPost(seat=seat, member_id=member_id, quiet=not notifies(after, seat))


def _nudge(before: Game, after: Game, user_ids: tuple[UserId, ...]) -> NudgePost | LostThreadPost:
    """What nudges these people for their turn, or tells them that they cannot play."""
    lost = after.timers.lost_thread
    if lost is None:
        return NudgePost(user_ids=user_ids, turn=turn_on_table(after))
    first = all(turn.nudge_at is not None for turn in before.timers.turns.values())
    return LostThreadPost(lost=lost, user_ids=user_ids, first=first)


def _invitations(
    before: Invitations, after: Invitations, actor_id: UserId | None
) -> Iterator[Post]:
    """An invitation for those whom this person has invited to a lobby, and one for a role."""
    members = tuple(member for member in after.members if member not in before.members)
    if members:
        yield InvitationPost(members=members, by=actor_id)
    if after.role_id is not None and after.role_id != before.role_id:
        yield InvitationPost(role_id=after.role_id, by=actor_id)


def call_lines(events: Sequence[Event]) -> Iterator[Line]:
    """A line for each call and each bomb: the drama of the game."""
    for event in events:
        if isinstance(event, Called):
            grand = event.call is Call.GRAND
            yield CallLine(seat=event.seat, grand=grand, reopened=event.reopened)
        elif isinstance(event, Withdrawn):
            yield WithdrawnLine(seat=event.seat, grand=event.call is Call.GRAND)
        elif isinstance(event, Played) and event.combination.is_bomb:
            cards = " ".join(card_text(card) for card in indices(event.combination.cards))
            yield BombLine(seat=event.seat, cards=cards)


def seat_lines(before: Game, after: Game) -> Iterator[Line]:
    """A line for each seat with a new owner."""
    for old, chair in zip(before.chairs, after.chairs, strict=True):
        if old.user_id != chair.user_id:
            coming = before.notes.coming.get(chair.seat)
            waited = coming is not None and coming.user_id == chair.user_id
            yield NewOwnerLine(
                seat=chair.seat, before=old.name, waited=chair.user_id if waited else None
            )


def _gone(before: Game, after: Game) -> tuple[Seat, ...]:
    """The chairs whose person is away from now on."""
    return tuple(seat for seat in after.notes.away if seat not in before.notes.away)


def _asks_to_stop(before: Game, after: Game) -> bool:
    """Whether people must be asked to stop: the first wants to, or one more and no message asks."""
    if not before.notes.votes:
        return bool(after.notes.votes)
    return after.messages.vote is None and len(after.notes.votes) > len(before.notes.votes)


def outbox_entries(
    posts: Sequence[Post], first_number: Ordinal, now: datetime, draw_nonce: Callable[[], str]
) -> tuple[OutboxEntry, ...]:
    """The posts as they are stored, numbered from `first_number` on.

    `draw_nonce` gives each its own: no later message may have it again, not even after a restart.
    """
    return tuple(
        OutboxEntry(
            number=number,
            kind=post.kind,
            data=post.model_dump_json(),
            nonce=draw_nonce(),
            created_at=now,
        )
        for number, post in enumerate(posts, first_number)
    )


def new_nonce() -> str:
    """Random text by which Discord knows that a message was sent before.

    It is drawn where posts are stored, not where they are decided.
    """
    return secrets.token_hex(_NONCE_BYTES)


def read_post(entry: OutboxEntry) -> Post:
    """The post of an entry; raises `ValueError` for one that this version does not know."""
    try:
        return _POST.validate_json(entry.data)
    except ValidationError:  # not its text, which says what stands in it
        raise ValueError(f"no message of the kind {entry.kind!r} is known") from None
