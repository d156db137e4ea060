"""Outbox messages caused by a change and stored in its transaction.

A post is a small value without any hidden card. Its text is made when it is sent, in the language
of the server, from the state of the table at that time. Only the text of a result is made from the
state at the end of its round.
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
from bot.table.seats import offer_notifies
from bot.table.state import Game, Lobby, OpenTable
from bot.table.turn_based import nudged_between, turn_id
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
"""Age after which an undelivered message is dropped."""
_NONCE_BYTES = 12


class _Value(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)


class CallLine(_Value):
    """A call of a seat.

    `reopened` is true if cards that were already passed must be passed again.
    """

    kind: Literal["called"] = "called"
    seat: Seat
    grand: bool
    reopened: bool = False


class WithdrawnLine(_Value):
    """A call that a seat has withdrawn."""

    kind: Literal["withdrawn"] = "withdrawn"
    seat: Seat
    grand: bool


class BombLine(_Value):
    """A bomb of a seat; `cards` in notation."""

    kind: Literal["bomb"] = "bomb"
    seat: Seat
    cards: str


class AwayLine(_Value):
    """A line that says that the player on this seat is away."""

    kind: Literal["away"] = "away"
    seat: Seat


class NewOwnerLine(_Value):
    """A new owner of a seat; `before` is the name of the previous one.

    `waited` is the new owner's id if they had waited for the end of the round. Then they are
    mentioned.
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
    """Short lines: calls, bombs, arrivals and departures."""

    kind: Literal["lines"] = "lines"
    lines: tuple[Line, ...]


class ResultPost(_Value):
    """The result of a round or match, after `seq` actions of the table."""

    kind: Literal["result"] = "result"
    seq: Seq


class StoppedPost(_Value):
    """The end of a match that was stopped.

    `forgotten` is true if it was stopped because nobody returned from a pause.
    """

    kind: Literal["stopped"] = "stopped"
    forgotten: bool


class AwayPost(_Value):
    """A notice that the people on these seats are away; it is deleted when they return."""

    kind: Literal["away"] = "away"
    seats: tuple[Seat, ...]


class OfferPost(_Value):
    """An offer of this seat to a member, with a notification unless `quiet`."""

    kind: Literal["offer"] = "offer"
    seat: Seat
    member_id: UserId
    quiet: bool = False


class VotePost(_Value):
    """The vote to stop the match."""

    kind: Literal["vote"] = "vote"


class InvitationPost(_Value):
    """An invitation of members or of a role to the lobby, with a notification."""

    kind: Literal["invitation"] = "invitation"
    members: tuple[UserId, ...] = ()
    role_id: RoleId | None = None
    by: UserId | None = None
    """User who invites them; `None` if they were erased."""


class Nudging(_Value):
    """Base of posts that nudge people, with the messages already sent."""

    user_ids: tuple[UserId, ...]
    direct: dict[UserId, tuple[ChannelId, MessageId]] = {}
    """The direct messages that were sent, by user: channel and message id."""
    unreached: tuple[UserId, ...] = ()
    """Users who chose direct messages but do not let the bot send any."""


class NudgePost(Nudging):
    """A nudge of the people who are awaited in this turn (`turn_id`).

    Each is nudged in the way they have chosen, which is looked up on delivery.
    """

    kind: Literal["call"] = "call"
    turn: str


class LostThreadPost(Nudging):
    """A notice that the table is paused because of its thread.

    Each user is notified as for a nudge. The `first` notice also goes to players who do not want to
    be nudged, and is always posted in the channel, too.
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
    """Return the posts caused by a change of a table, in the order in which they are posted.

    `actor_id` is the person who made the change, or `None` for a timer.
    """
    return tuple(_iter_posts(before, after, events, actor_id))


def _iter_posts(
    before: OpenTable, after: OpenTable, events: Sequence[Event], actor_id: UserId | None
) -> Iterator[Post]:
    if not isinstance(after, Game):
        if isinstance(before, Lobby):
            yield from _invitation_posts(before.invitations, after.invitations, actor_id)
        return
    lines = tuple(call_lines(events))
    if isinstance(before, Game) and before.running:
        lines += tuple(seat_lines(before, after))
    if lines:
        yield LinesPost(lines=lines)
    if isinstance(before, Game) and after.running and (away := _newly_away(before, after)):
        yield AwayPost(seats=away)
    if isinstance(before, Game) and after.running and (users := nudged_between(before, after)):
        yield _nudge_post(before, after, users)
    if any(isinstance(event, RoundEnded | MatchEnded) for event in events):
        yield ResultPost(seq=after.seq)
    elif before.running and after.status == "stopped":
        yield StoppedPost(forgotten=before.timers.paused and actor_id is None)
    for event in events:
        if isinstance(event, RoundDealt):
            yield TablePost(round=event.number)
    if before.channel_id != after.channel_id:
        yield TablePost(round=after.round.number)
    if after.running and isinstance(before, Game) and _needs_vote_message(before, after):
        yield VotePost()
    for seat, member_id in after.notes.offers.items():
        if not isinstance(before, Game) or before.notes.offers.get(seat) != member_id:
            yield OfferPost(seat=seat, member_id=member_id, quiet=not offer_notifies(after, seat))


def _nudge_post(
    before: Game, after: Game, user_ids: tuple[UserId, ...]
) -> NudgePost | LostThreadPost:
    """Return a nudge of these people, or a notice of the lost thread."""
    lost = after.timers.lost_thread
    if lost is None:
        return NudgePost(user_ids=user_ids, turn=turn_id(after))
    first = all(turn.nudge_at is not None for turn in before.timers.turns.values())
    return LostThreadPost(lost=lost, user_ids=user_ids, first=first)


def _invitation_posts(
    before: Invitations, after: Invitations, actor_id: UserId | None
) -> Iterator[Post]:
    """Yield an invitation for the newly invited members, and one for the role."""
    members = tuple(member for member in after.members if member not in before.members)
    if members:
        yield InvitationPost(members=members, by=actor_id)
    if after.role_id is not None and after.role_id != before.role_id:
        yield InvitationPost(role_id=after.role_id, by=actor_id)


def call_lines(events: Sequence[Event]) -> Iterator[Line]:
    """Yield a line for each withdrawal, bomb, and call that reopens the exchange.

    Other calls are shown by the table message alone, which a new message would push away.
    """
    for event in events:
        if isinstance(event, Called) and event.reopened:
            yield CallLine(seat=event.seat, grand=event.call is Call.GRAND, reopened=True)
        elif isinstance(event, Withdrawn):
            yield WithdrawnLine(seat=event.seat, grand=event.call is Call.GRAND)
        elif isinstance(event, Played) and event.combination.is_bomb:
            cards = " ".join(card_text(card) for card in indices(event.combination.cards))
            yield BombLine(seat=event.seat, cards=cards)


def seat_lines(before: Game, after: Game) -> Iterator[Line]:
    """Yield a line for each seat with a new owner."""
    for old, chair in zip(before.chairs, after.chairs, strict=True):
        if old.user_id != chair.user_id:
            coming = before.notes.coming.get(chair.seat)
            waited = coming is not None and coming.user_id == chair.user_id
            yield NewOwnerLine(
                seat=chair.seat, before=old.name, waited=chair.user_id if waited else None
            )


def _newly_away(before: Game, after: Game) -> tuple[Seat, ...]:
    """Return the chairs whose person has just become absent."""
    return tuple(seat for seat in after.notes.away if seat not in before.notes.away)


def _needs_vote_message(before: Game, after: Game) -> bool:
    """Return whether a message about the vote to stop must be posted.

    It is posted after the first vote. If it is missing, it is posted after the next vote.
    """
    if not before.notes.votes:
        return bool(after.notes.votes)
    return after.messages.vote is None and len(after.notes.votes) > len(before.notes.votes)


def outbox_entries(
    posts: Sequence[Post], first_number: Ordinal, now: datetime, draw_nonce: Callable[[], str]
) -> tuple[OutboxEntry, ...]:
    """Return the stored form of the posts, numbered from `first_number`.

    `draw_nonce` returns a new nonce for each post. Two messages must never have the same nonce, not
    even after a restart.
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
    """Return random text by which Discord recognizes a message that was sent before."""
    return secrets.token_hex(_NONCE_BYTES)


def read_post(entry: OutboxEntry) -> Post:
    """Return the post of an entry; raise `ValueError` for an unknown kind."""
    try:
        return _POST.validate_json(entry.data)
    except ValidationError:  # its text would contain the data
        raise ValueError(f"no message of the kind {entry.kind!r} is known") from None
