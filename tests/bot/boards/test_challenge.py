"""Rules of challenges: offers, answers, ends, and who may see which results."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

import pytest

from bot.board_records import SoloResult
from bot.boards.challenge import (
    MOST_OPEN,
    ChallengeComparison,
    OpenChallenge,
    accept,
    check_offer,
    check_room,
    decline,
    leave,
    see,
    settle,
)
from bot.challenge_records import DEAL_NUMBERS, TIME_LIMIT, Challenge, ChallengeRound
from bot.errors import Reason, Refused
from bot.ids import ChallengeId, ChannelId, GuildId, UserId
from tests.bot.states import NOON

ANN, BEN, CAI = UserId(1), UserId(2), UserId(3)
OFFERED = Challenge(ChallengeId(1), ANN, BEN, GuildId(5), ChannelId(6), "offered", NOON)
ACCEPTED = OFFERED._replace(status="accepted", accepted_at=NOON)
SECOND = timedelta(seconds=1)


def played(user_id: UserId, points: Sequence[int | None], version: int = 1) -> list[ChallengeRound]:
    """Return the rounds of a person, with the points of each; `None` for one in play."""
    return [
        ChallengeRound(number, user_id, number, version, None, None)
        if each is None
        else ChallengeRound(
            number,
            user_id,
            number,
            version,
            NOON + number * SECOND,
            SoloResult(each, None, None, 1),
        )
        for number, each in enumerate(points, start=1)
    ]


def refused(reason: Reason) -> pytest.RaisesExc[Refused]:
    return pytest.raises(Refused, check=lambda error: error.code is reason)


def test_an_offer_is_answered_once_and_only_by_the_other() -> None:
    accepted = accept(OFFERED, BEN, NOON)
    assert (accepted.status, accepted.accepted_at) == ("accepted", NOON)
    declined = decline(OFFERED, BEN, NOON)
    assert (declined.status, declined.ended_by, declined.ended_at) == ("declined", BEN, NOON)
    for answer in (accept, decline):
        for user_id in (ANN, CAI):
            with refused(Reason.NOT_YOUR_CHALLENGE):
                answer(OFFERED, user_id, NOON)
        with refused(Reason.CHALLENGE_ANSWERED):
            answer(accepted, BEN, NOON)
        with refused(Reason.CHALLENGE_OVER):
            answer(declined, BEN, NOON)


def test_both_may_leave_an_open_challenge() -> None:
    for before in (OFFERED, ACCEPTED):
        for user_id in (ANN, BEN):
            left = leave(before, user_id, NOON)
            assert (left.status, left.ended_by) == ("left", user_id)
            with refused(Reason.CHALLENGE_OVER):
                leave(left, user_id, NOON)
        with refused(Reason.NOT_YOUR_CHALLENGE):
            leave(before, CAI, NOON)


def test_a_pair_has_one_open_challenge_and_a_pause_after_a_decline() -> None:
    for pair in ((ANN, BEN), (BEN, ANN)):
        with refused(Reason.CHALLENGED_ALREADY):
            check_offer([OFFERED], *pair, NOON)
    check_offer([OFFERED], ANN, CAI, NOON)
    declined = decline(OFFERED, BEN, NOON)
    with refused(Reason.CHALLENGE_DECLINED):
        check_offer([declined], ANN, BEN, NOON + TIME_LIMIT - SECOND)
    check_offer([declined], ANN, BEN, NOON + TIME_LIMIT)
    check_offer([declined], BEN, ANN, NOON)
    check_offer([leave(ACCEPTED, ANN, NOON)], ANN, BEN, NOON)


def test_unanswered_offers_do_not_count_for_the_person_who_got_them() -> None:
    offers = [
        OFFERED._replace(id=ChallengeId(number), challenged=UserId(number))
        for number in range(10, 10 + MOST_OPEN)
    ]
    with refused(Reason.MANY_CHALLENGES):
        check_offer(offers, ANN, BEN, NOON)
    got = [each._replace(challenger=each.challenged, challenged=ANN) for each in offers]
    check_room(got, ANN)
    with refused(Reason.MANY_CHALLENGES):
        check_room([accept(each, ANN, NOON) for each in got], ANN)
    check_room([decline(each, ANN, NOON) for each in got], ANN)


@pytest.mark.parametrize("before", [OFFERED, ACCEPTED])
def test_expires_after_the_time_limit(before: Challenge) -> None:
    rounds = played(ANN, (10, 20, 30, 40)) if before is ACCEPTED else []
    assert settle(before, rounds, 1, before.until - SECOND) is before
    expired = settle(before, rounds, 1, before.until + timedelta(days=3))
    assert (expired.status, expired.ended_at) == ("expired", before.until)
    assert settle(expired, rounds, 1, before.until + timedelta(days=4)) is expired


def test_ends_when_both_are_through() -> None:
    own, other = played(ANN, (10, 20, 30, 40)), played(BEN, (1, 2, 3, None))
    assert settle(ACCEPTED, [*own, *other], 1, NOON) is ACCEPTED
    other = played(BEN, (1, 2, 3, 4))
    assert settle(ACCEPTED, [*own, *other], 1, NOON).status == "finished"
    assert settle(ACCEPTED, [*own, *other], 2, NOON).status == "finished", "no deal is left"


def test_all_deals_count_if_the_clock_of_another_process_is_behind() -> None:
    rounds = [*played(ANN, (10, 20, 30, 40)), *played(BEN, (1, 2, 3, 4))]
    seen = see(settle(ACCEPTED, rounds, 1, NOON + SECOND), rounds, ANN)
    assert isinstance(seen, ChallengeComparison)
    assert seen.number == len(DEAL_NUMBERS)


def test_ends_with_a_new_version_of_the_computers() -> None:
    assert settle(ACCEPTED, [], 2, NOON) is ACCEPTED, "nobody has begun"
    assert settle(ACCEPTED, played(ANN, (None,)), 2, NOON).status == "updated"


def test_goes_on_if_another_process_has_newer_computers() -> None:
    assert settle(ACCEPTED, played(ANN, (10, None), version=2), 1, NOON) is ACCEPTED


def test_nothing_of_the_other_is_seen_before_the_end() -> None:
    own, other = played(ANN, (10, 20, None)), played(BEN, (1, 2, 3, 4))
    seen = see(ACCEPTED, [*own, *other], ANN)
    assert isinstance(seen, OpenChallenge)
    assert {each.user_id for each in seen.own} == {ANN}
    assert (seen.next_number, seen.other) == (3, "through")
    seen = see(ACCEPTED, [*own, *other], BEN)
    assert isinstance(seen, OpenChallenge)
    assert (seen.next_number, seen.other) == (None, "begun")
    seen = see(ACCEPTED, own, BEN)
    assert isinstance(seen, OpenChallenge)
    assert (seen.next_number, seen.other) == (1, "begun")
    assert not seen.own


def test_compares_the_deals_that_both_have_finished() -> None:
    own, other = played(ANN, (150, -20, 30)), played(BEN, (50, 80))
    left = leave(ACCEPTED, BEN, NOON + timedelta(minutes=1))
    seen = see(left, [*own, *other], ANN)
    assert isinstance(seen, ChallengeComparison)
    assert [each.difference for each in seen.deals] == [100, -100, None, None]
    assert (seen.number, seen.totals, seen.difference) == (2, (130, 130), 0)
    mirrored = see(left, [*own, *other], BEN)
    assert isinstance(mirrored, ChallengeComparison)
    assert [each.difference for each in mirrored.deals] == [-100, 100, None, None]


def test_results_after_the_end_do_not_count() -> None:
    """After the end everybody may see the secrets and the other's results."""
    rounds = [*played(ANN, (10, 20)), *played(BEN, (1, 300))]
    left = leave(ACCEPTED, BEN, NOON + SECOND)
    seen = see(left, rounds, ANN)
    assert isinstance(seen, ChallengeComparison)
    assert [each.difference for each in seen.deals] == [9, None, None, None]
    late = [each._replace(ended_at=ACCEPTED.until + SECOND) for each in played(BEN, (1,) * 4)]
    through = [*played(ANN, (2,) * 4), *late]
    assert settle(ACCEPTED, through, 1, ACCEPTED.until + 2 * SECOND).status == "expired"


def test_a_small_difference_is_within_chance() -> None:
    finished = ACCEPTED._replace(status="finished", ended_at=NOON + timedelta(days=1))
    limits = {}
    for points in (5, 2000):
        rounds = [*played(ANN, (points,) * 4), *played(BEN, (0,) * 4)]
        seen = see(finished, rounds, ANN)
        assert isinstance(seen, ChallengeComparison)
        limits[points] = seen.within_chance
    assert limits == {5: True, 2000: False}
    assert len(DEAL_NUMBERS) == 4
