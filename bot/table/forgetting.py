"""Erasure of a person from the data of a table.

A pseudonym (`bot.ids`) replaces their id in data about finished rounds. All other data of the
person are removed: names, votes, offers, the words they added to the next shuffle.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import TypeVar

from bot.ids import UserId, is_pseudonym
from bot.records import SeatRecord
from bot.table.attribution import COMPUTER
from bot.table.details import (
    Credits,
    DealSecrets,
    Details,
    Invitations,
    MessageIds,
    SeatNotes,
    Timers,
    Turns,
)
from bot.table.state import Chair, Game, OpenTable, TableState

_Table = TypeVar("_Table", bound=TableState)


def contains_person(table: OpenTable, user_id: UserId) -> bool:
    """Return whether this table contains data of a person."""
    return erase_person(table, user_id, UserId(-1)) != table


def erase_person(table: OpenTable, user_id: UserId, pseudonym: UserId) -> OpenTable:
    """Return the table without data of this person, who must have left their seat if it is open.

    Their turns in the current round are counted for a computer player, so that they are not
    credited with the round. Otherwise a rebuild would compute the round with their previous rating,
    which the bot has deleted before the round ends.
    """
    after = without_person(table, user_id, pseudonym)
    details = _details_without(after.details(), user_id, pseudonym)
    if isinstance(after, Game):
        after = replace(after, notes=details.notes, credits=details.credits)
    return replace(
        after,
        timers=details.timers,
        messages=details.messages,
        deal=details.deal,
        invitations=details.invitations,
    )


def without_person(table: _Table, user_id: UserId, pseudonym: UserId) -> _Table:
    """Return the table with a pseudonym in place of this player or host."""
    chairs = tuple(
        chair.model_copy(update={"user_id": pseudonym, "name": ""})
        if chair.user_id == user_id
        else chair
        for chair in table.chairs
    )
    host_id = pseudonym if table.host_id == user_id else table.host_id
    return replace(table, chairs=chairs, host_id=host_id)


def without_former_players(table: _Table) -> _Table:
    """Return the table with empty chairs in place of erased people."""
    chairs = (
        Chair(seat=chair.seat) if is_pseudonym(chair.user_id) else chair for chair in table.chairs
    )
    return replace(table, chairs=tuple(chairs))


def erase_in_details(details: str, user_id: UserId, pseudonym: UserId) -> str:
    """Return the stored details of a table without this person.

    Details that cannot be read are dropped entirely, because they may contain data of the person.
    """
    try:
        read = Details.model_validate_json(details)
    except ValueError:
        return "{}"
    after = _details_without(read, user_id, pseudonym)
    return after.model_dump_json(exclude={"messages": {"lobby", "table"}})


def erase_in_post(data: str, user_id: UserId, names: Collection[str]) -> str | None:
    """Return a stored post without this person and their `names`.

    Return `None` if the post is about them alone, such as the offer of a seat to them.
    """
    post = json.loads(data)
    if post.get("member_id") == user_id or [user_id] in (post.get("members"), post.get("user_ids")):
        return None
    for name in ("members", "user_ids", "unreached"):
        if name in post:
            post[name] = [user for user in post[name] if user != user_id]
    post.get("direct", {}).pop(str(user_id), None)
    if post.get("by") == user_id:
        post["by"] = None
    for line in post.get("lines", ()):
        if line.get("before") in names:
            line["before"] = ""
        if line.get("waited") == user_id:
            line["waited"] = None
    return json.dumps(post)


def _details_without(details: Details, user_id: UserId, pseudonym: UserId) -> Details:
    return details.model_copy(
        update={
            "timers": _timers_without(details.timers, user_id),
            "notes": _notes_without(details.notes, user_id, pseudonym),
            "invitations": _invitations_without(details.invitations, user_id),
            "credits": _credits_without(details.credits, user_id, pseudonym),
            "messages": _message_ids_without(details.messages, user_id),
            "deal": _deal_without(details.deal, user_id),
        }
    )


def _timers_without(timers: Timers, user_id: UserId) -> Timers:
    return replace(timers, nudged=_other_users(timers.nudged, user_id))


def _invitations_without(invitations: Invitations, user_id: UserId) -> Invitations:
    return replace(
        invitations,
        members=_other_users(invitations.members, user_id),
        here=_other_users(invitations.here, user_id),
        entrants=_other_users(invitations.entrants, user_id),
        sides=tuple(_other_users(side, user_id) for side in invitations.sides),
    )


def _message_ids_without(messages: MessageIds, user_id: UserId) -> MessageIds:
    direct = {user: message for user, message in messages.direct.items() if user != user_id}
    return replace(messages, direct=direct, added=_other_users(messages.added, user_id))


def _notes_without(notes: SeatNotes, user_id: UserId, pseudonym: UserId) -> SeatNotes:
    return replace(
        notes,
        offers={seat: user for seat, user in notes.offers.items() if user != user_id},
        asked=tuple(asked for asked in notes.asked if asked.user_id != user_id),
        coming={seat: who for seat, who in notes.coming.items() if who.user_id != user_id},
        left=_other_users(notes.left, user_id),
        played={
            seat: _anonymous(record, pseudonym) if record.user_id == user_id else record
            for seat, record in notes.played.items()
        },
        votes=_other_users(notes.votes, user_id),
        against=_other_users(notes.against, user_id),
        ready=_other_users(notes.ready, user_id),
    )


def _anonymous(record: SeatRecord, pseudonym: UserId) -> SeatRecord:
    return record.model_copy(update={"user_id": pseudonym, "name": ""})


def _credits_without(credits_: Credits, user_id: UserId, pseudonym: UserId) -> Credits:
    ratings = {user: rating for user, rating in credits_.ratings.items() if user != user_id}
    return Credits(
        turns=_reassign_turns(credits_.turns, user_id, COMPUTER),
        rounds=_reassign_turns(credits_.rounds, user_id, pseudonym),
        ratings=ratings,
    )


def _reassign_turns(turns: Turns, user_id: UserId, other_id: UserId) -> Turns:
    """Return these counts, with the turns of a user counted for another user."""
    return {seat: _reassign_counts(counts, user_id, other_id) for seat, counts in turns.items()}


def _reassign_counts(
    counts: Mapping[UserId, int], user_id: UserId, other_id: UserId
) -> dict[UserId, int]:
    reassigned: dict[UserId, int] = {}
    for user, number in counts.items():
        new_user = other_id if user == user_id else user
        reassigned[new_user] = reassigned.get(new_user, 0) + number
    return reassigned


def _deal_without(deal: DealSecrets, user_id: UserId) -> DealSecrets:
    return replace(deal, words={user: word for user, word in deal.words.items() if user != user_id})


def _other_users(users: tuple[UserId, ...], user_id: UserId) -> tuple[UserId, ...]:
    return tuple(user for user in users if user != user_id)
