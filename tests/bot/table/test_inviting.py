"""Invitations to a lobby: guests, preferences and notifications."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from bot.errors import Reason, Refused
from bot.ids import RoleId, UserId
from bot.records import PersonalSettings
from bot.table.closing import expiry_outcome
from bot.table.commands import Context, Invite, InviteRole, Start
from bot.table.forgetting import erase_in_post, erase_person
from bot.table.inviting import Guest, check_guest
from bot.table.outcome import Outcome, write_details
from bot.table.posts import InvitationPost, posts_caused
from bot.table.state import Lobby
from tests.bot.states import HOST, NOON, chairs, state

EVE, FINN = Guest(UserId(777), "Eve"), Guest(UserId(778), "Finn")
LATER = NOON + timedelta(minutes=9)


def lobby(**details: Any) -> Lobby:
    return state(chairs=chairs(computers=(1,), empty=(3,)), details=details)


def carried_out(command: Invite | InviteRole, at: Lobby) -> Outcome:
    return command.carry_out(at, HOST, Context(LATER, lambda: bytes(32)))


def test_invitation_notifies_guests_and_extends_the_lobby() -> None:
    at, start = lobby(), NOON + timedelta(minutes=10)
    at = at.with_timers(deadlines={"lobby": NOON, "start": start})
    outcome = carried_out(Invite((EVE, FINN)), at)
    after = outcome.after
    assert isinstance(after, Lobby)
    assert after.revision == at.revision, "no button becomes stale"
    assert after.timers.deadlines == {"lobby": LATER + timedelta(minutes=30), "start": start}
    posts = posts_caused(at, after, (), HOST)
    assert posts == (InvitationPost(members=(EVE.id, FINN.id), by=HOST),)
    called = carried_out(InviteRole(RoleId(9)), after).after
    assert posts_caused(after, called, (), HOST) == (InvitationPost(role_id=RoleId(9), by=HOST),)
    assert posts_caused(called, called, (), None) == ()


@pytest.mark.parametrize(
    "settings, minutes, code",
    [
        (PersonalSettings(), 0, None),
        (PersonalSettings(invitations=False), 0, "not-to-be-invited"),
        (PersonalSettings(quiet=(11 * 60, 13 * 60)), 59, "not-to-be-invited"),
        (PersonalSettings(quiet=(11 * 60, 13 * 60)), 60, None),
        (PersonalSettings(quiet=(13 * 60, 14 * 60), zone="Europe/Berlin"), 60, None),
        (PersonalSettings(quiet=(14 * 60, 15 * 60), zone="Europe/Berlin"), 0, "not-to-be-invited"),
    ],
)
def test_does_not_invite_people_against_their_settings(
    settings: PersonalSettings, minutes: int, code: str | None
) -> None:
    found = None
    try:
        check_guest(lobby(), EVE, settings, NOON + timedelta(minutes=minutes))
    except Refused as refused:
        found = str(refused.code)
    assert found == code


def test_preferences_of_a_guest_are_checked_only_after_payment() -> None:
    """Public facts are checked for free; an inviter who cannot pay learns no preference."""
    wants_none, paid = PersonalSettings(invitations=False), []

    def code(guest: Guest, pay: Callable[[], None]) -> str:
        with pytest.raises(Refused) as refused:
            check_guest(lobby(), guest, wants_none, NOON, pay)
        return str(refused.value.code)

    def cannot() -> None:
        raise Refused(Reason.INVITED_MANY)

    assert code(EVE._replace(is_bot=True), cannot) == "member-is-bot"
    assert code(EVE._replace(sees=False), cannot) == "sees-no-channel"
    assert code(EVE, cannot) == "invited-many"
    assert code(EVE, lambda: paid.append(EVE)) == "not-to-be-invited"
    assert paid == [EVE]


def test_invitations_are_kept_until_the_lobby_is_over() -> None:
    at = lobby(invitations={"members": (EVE.id,), "role_id": 9})
    assert str(EVE.id) in write_details(at)
    assert str(EVE.id) not in write_details(expiry_outcome(at, LATER).after)
    seats = chairs(computers=(1, 2, 3))
    start = Start().carry_out(replace(at, chairs=seats), HOST, Context(LATER, lambda: bytes(32)))
    assert str(EVE.id) not in write_details(start.after)


def test_erased_user_is_invited_nowhere() -> None:
    at = lobby(invitations={"members": (EVE.id, FINN.id), "role_id": 9})
    assert erase_person(at, EVE.id, UserId(-1)) == lobby(
        invitations={"members": (FINN.id,), "role_id": 9}
    )
    both = InvitationPost(members=(EVE.id, FINN.id), by=HOST).model_dump_json()
    left = erase_in_post(both, EVE.id, ())
    assert left is not None
    assert InvitationPost(**json.loads(left)) == InvitationPost(members=(FINN.id,), by=HOST)
    assert erase_in_post(left, FINN.id, ()) is None
    nameless = erase_in_post(left, HOST, ())
    assert nameless is not None
    assert InvitationPost(**json.loads(nameless)) == InvitationPost(members=(FINN.id,))
