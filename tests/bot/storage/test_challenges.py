"""Stored challenges: deals drawn with the offer, one winner of two changes, erasure."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest

from bot.board_records import NewSoloRound, SoloProgress, SoloResult
from bot.challenge_records import Challenge
from bot.ids import NOWHERE, ChallengeId, ChannelId, GuildId, MessageId, UserId, is_pseudonym
from bot.storage import Store
from tests.bot.storage.samples import NOON
from tests.bot.storage.test_forgetting import Rewriting

pytestmark = pytest.mark.usefixtures("one_thread")

ANN, BEN, CAI = UserId(1), UserId(2), UserId(3)
SERVER, CHANNEL = GuildId(5), ChannelId(6)
SECRETS = tuple(f"{number:064x}" for number in range(1, 5))
OFFER = Challenge(ChallengeId(0), ANN, BEN, SERVER, CHANNEL, "offered", NOON)


async def accepted(store: Store) -> Challenge:
    """Store an accepted challenge, with a public message that shows the offer."""
    offer = await store.challenges.add(OFFER, SECRETS)
    await store.challenges.note_shown(offer, MessageId(7))
    after = offer._replace(status="accepted", accepted_at=NOON)
    assert await store.challenges.replace(offer, after)
    stored = await store.challenges.get(offer.id)
    assert stored is not None
    return stored


async def play(store: Store, challenge: Challenge, user_id: UserId, number: int) -> None:
    """Store a finished round on a deal of a challenge."""
    board = (await store.boards.of_challenge(challenge.id))[number - 1]
    new = NewSoloRound(board.id, user_id, "Name", SERVER, practice=False, version=1, begun_at=NOON)
    begun = await store.boards.begin(new)
    assert begun is not None
    result = SoloResult(10 * user_id, "tichu", call_made=True, place=1)
    end = SoloProgress(begun.id, 0, ("0:pass",), practice=False, ended_at=NOON, result=result)
    assert await store.boards.go_on(end)


async def test_deals_are_stored_with_the_offer(store: Store) -> None:
    offer = await store.challenges.add(OFFER, SECRETS)
    assert await store.challenges.get(offer.id) == offer
    boards = await store.boards.of_challenge(offer.id)
    assert [(each.number, each.secret) for each in boards] == list(enumerate(SECRETS, start=1))
    assert await store.challenges.of(ANN) == await store.challenges.of(BEN, CAI) == [offer]
    assert await store.challenges.of(CAI) == []


async def test_one_of_two_changes_wins(store: Store) -> None:
    offer = await store.challenges.add(OFFER, SECRETS)
    changed = [offer._replace(status=status) for status in ("accepted", "declined")]
    won = await asyncio.gather(*(store.challenges.replace(offer, each) for each in changed))
    assert sorted(won) == [False, True]
    assert await store.challenges.get(offer.id) == changed[won.index(True)]


async def test_pending_are_open_ones_and_outdated_messages(store: Store) -> None:
    offer = await store.challenges.add(OFFER, SECRETS)
    assert await store.challenges.pending() == [offer]
    over = offer._replace(status="declined", ended_at=NOON, ended_by=BEN)
    assert await store.challenges.replace(offer, over)
    assert await store.challenges.pending() == [], "nothing was posted"
    second = await accepted(store)
    left = second._replace(status="left", ended_by=ANN, ended_at=NOON)
    assert await store.challenges.replace(second, left)
    assert await store.challenges.pending() == [left]
    await store.challenges.note_shown(left, MessageId(7))
    assert await store.challenges.pending() == []


async def test_rounds_of_several_challenges(store: Store) -> None:
    first, second = await accepted(store), await accepted(store)
    await play(store, first, ANN, 1)
    await play(store, first, BEN, 2)
    found = await store.challenges.rounds([first.id, second.id])
    assert found[second.id] == []
    assert [(each.number, each.user_id) for each in found[first.id]] == [(1, ANN), (2, BEN)]
    assert found[first.id][1].result == SoloResult(20, "tichu", call_made=True, place=1)
    assert found[first.id][1].ended_at == NOON


async def test_ends_when_one_person_is_erased_and_is_deleted_with_both(store: Store) -> None:
    challenge = await accepted(store)
    await play(store, challenge, ANN, 1)
    await play(store, challenge, BEN, 1)
    assert await store.people.known(BEN) is not None
    assert await store.people.forget(BEN, Rewriting()) is not None
    assert await store.people.known(BEN) is None
    (after,) = await store.challenges.of(ANN)
    assert (after.status, after.challenger) == ("left", ANN)
    assert is_pseudonym(after.challenged)
    assert after.ended_by == after.challenged
    assert await store.challenges.pending() == [after], "its message still names Ben"
    rounds = await store.challenges.rounds([challenge.id])
    assert [each.user_id for each in rounds[challenge.id]] == [ANN]
    assert await store.people.forget(ANN, Rewriting()) is not None
    assert await store.challenges.get(challenge.id) is None
    assert await store.boards.of_challenge(challenge.id) == ()


async def test_erasing_somebody_keeps_the_end_of_other_challenges(store: Store) -> None:
    challenge = await accepted(store)
    finished = challenge._replace(status="finished", ended_at=NOON + timedelta(days=1))
    assert await store.challenges.replace(challenge, finished)
    assert await store.people.forget(ANN, Rewriting()) is not None
    (after,) = await store.challenges.of(BEN)
    assert (after.status, after.ended_by) == ("finished", None)


async def test_an_erased_server_is_removed(store: Store) -> None:
    challenge = await accepted(store)
    other = await store.challenges.add(OFFER._replace(guild_id=GuildId(8), challenged=CAI), SECRETS)
    await store.people.forget_server(SERVER)
    assert await store.challenges.of(ANN) == [
        other,
        challenge._replace(guild_id=NOWHERE, channel_id=ChannelId(0), message_id=None),
    ]
    assert await store.people.users_of_erased_servers(9) == [BEN]
