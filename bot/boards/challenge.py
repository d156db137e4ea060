"""Rules of challenges: offers, answers, ends, and the comparison of their deals.

Pure functions from one challenge to the next; they raise `Refused` if the action is not possible.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Final, Literal, NamedTuple, TypeAlias

from discord.utils import format_dt

from bot.board_records import SoloResult
from bot.boards.board import Board
from bot.challenge_records import (
    DEAL_NUMBERS,
    DEALS,
    TIME_LIMIT,
    Challenge,
    ChallengeRound,
    ChallengeStatus,
)
from bot.errors import Reason, Refused
from bot.ids import UserId
from bot.records import Count, Points

MOST_OPEN: Final = 5
"""Largest number of open challenges of one person, without offers that they have not answered."""
DEAL_DEVIATION: Final = 225
"""Standard deviation of the difference of two equal players on one deal, in points.

`bench.daily report` measures it.
"""

Progress: TypeAlias = Literal["waiting", "begun", "through"]
"""Progress of a person: nothing played, a deal begun, or all deals played."""


def check_offer(
    challenges: Collection[Challenge], challenger: UserId, challenged: UserId, now: datetime
) -> None:
    """Raise `Refused` unless this offer is possible; `challenges` are those of both people."""
    for each in challenges:
        if each.is_open and {*each.people} == {challenger, challenged}:
            raise Refused(Reason.CHALLENGED_ALREADY)
        if each.people == (challenger, challenged) and each.status == "declined":
            again_at = (each.ended_at or now) + TIME_LIMIT
            if now < again_at:
                raise Refused(Reason.CHALLENGE_DECLINED, when=format_dt(again_at, "R"))
    check_room(challenges, challenger)


def check_room(challenges: Collection[Challenge], user_id: UserId) -> None:
    """Raise `Refused` if this person has as many open challenges as allowed."""
    own = [
        each
        for each in challenges
        if each.challenger == user_id or (each.challenged == user_id and each.was_played)
    ]
    if sum(each.is_open for each in own) >= MOST_OPEN:
        raise Refused(Reason.MANY_CHALLENGES, limit=MOST_OPEN)


def accept(challenge: Challenge, user_id: UserId, now: datetime) -> Challenge:
    """Return the challenge accepted by the person who was challenged."""
    _check_offered(challenge, user_id)
    return challenge._replace(status="accepted", accepted_at=now)


def decline(challenge: Challenge, user_id: UserId, now: datetime) -> Challenge:
    """Return the challenge declined by the person who was challenged."""
    _check_offered(challenge, user_id)
    return _ended(challenge, "declined", now)._replace(ended_by=user_id)


def _check_offered(challenge: Challenge, user_id: UserId) -> None:
    if user_id != challenge.challenged:
        raise Refused(Reason.NOT_YOUR_CHALLENGE)
    if challenge.status != "offered":
        over = not challenge.is_open
        raise Refused(Reason.CHALLENGE_OVER if over else Reason.CHALLENGE_ANSWERED)


def leave(challenge: Challenge, user_id: UserId, now: datetime) -> Challenge:
    """Return the challenge left by this person, or withdrawn if it is not accepted yet."""
    if user_id not in challenge.people:
        raise Refused(Reason.NOT_YOUR_CHALLENGE)
    if not challenge.is_open:
        raise Refused(Reason.CHALLENGE_OVER)
    return _ended(challenge, "left", now)._replace(ended_by=user_id)


def settle(
    challenge: Challenge, rounds: Sequence[ChallengeRound], version: int, now: datetime
) -> Challenge:
    """Return the challenge with the end that it has reached by now, if any.

    `version` is that of the computers. During an update another process may have a newer one.
    """
    if not challenge.is_open:
        return challenge
    counting = _counting(challenge, rounds)
    if all(_progress(counting, each) == "through" for each in challenge.people):
        last = max(each.ended_at for each in counting if each.ended_at is not None)
        return _ended(challenge, "finished", last)
    if any(each.version < version for each in rounds):
        return _ended(challenge, "updated", now)
    return _ended(challenge, "expired", challenge.until) if now >= challenge.until else challenge


def _counting(challenge: Challenge, rounds: Sequence[ChallengeRound]) -> list[ChallengeRound]:
    """Return the rounds, without results from after the end of the challenge."""
    end = challenge.counts_until
    return [
        each if each.ended_at is None or each.ended_at <= end else each._replace(result=None)
        for each in rounds
    ]


def _ended(challenge: Challenge, status: ChallengeStatus, at: datetime) -> Challenge:
    return challenge._replace(status=status, ended_at=at)


def _progress(rounds: Sequence[ChallengeRound], user_id: UserId) -> Progress:
    """Return the progress of a person."""
    own = [each for each in rounds if each.user_id == user_id]
    if sum(each.result is not None for each in own) == DEALS:
        return "through"
    return "begun" if own else "waiting"


class OpenChallenge(NamedTuple):
    """An open challenge as one of its people may see it: nothing of the other's results."""

    challenge: Challenge
    """The challenge."""
    own: tuple[ChallengeRound, ...]
    """Own finished rounds."""
    other: Progress
    """Progress of the other person."""

    @property
    def next_number(self) -> int | None:
        """Number of the first deal that is not finished; `None` after the last one."""
        played = {each.number for each in self.own}
        return next((number for number in DEAL_NUMBERS if number not in played), None)


class FairDeals(NamedTuple):
    """Commitments of a challenge, and its secrets once it is over."""

    commitments: tuple[str, ...]
    """Commitments, in order."""
    boards: tuple[Board, ...]
    """Boards with the secrets, in order; empty while they are secret."""


class ComparedDeal(NamedTuple):
    """A deal of a challenge that is over; `None` for a person who did not finish it."""

    number: int
    """Number of the deal, from 1."""
    own: SoloResult | None
    """Own result."""
    other: SoloResult | None
    """Result of the other person."""
    round_id: int | None
    """Number of the own stored round, if it is finished."""

    @property
    def difference(self) -> Points | None:
        """Own points minus the other's, if both have finished the deal."""
        if self.own is None or self.other is None:
            return None
        return self.own.points - self.other.points


class ChallengeComparison(NamedTuple):
    """The results of both people in a challenge that is over."""

    challenge: Challenge
    """The challenge."""
    deals: tuple[ComparedDeal, ...]
    """The deals, in order."""

    @property
    def _compared(self) -> list[ComparedDeal]:
        return [deal for deal in self.deals if deal.difference is not None]

    @property
    def number(self) -> Count:
        """Number of deals that both have finished; only these count."""
        return len(self._compared)

    @property
    def totals(self) -> tuple[Points, Points]:
        """Own points and the other's."""
        own = sum(deal.own.points for deal in self._compared if deal.own is not None)
        return own, own - self.difference

    @property
    def chance_limit(self) -> Points:
        """Difference that two equal players exceed in one of twenty such challenges."""
        return round(1.96 * DEAL_DEVIATION * math.sqrt(self.number))

    @property
    def difference(self) -> Points:
        """Own points minus the other's."""
        return sum(deal.difference or 0 for deal in self.deals)

    @property
    def within_chance(self) -> bool:
        """True if the difference says little about who is the better player."""
        return abs(self.difference) <= self.chance_limit


Seen: TypeAlias = OpenChallenge | ChallengeComparison
"""View of a challenge for one of its people, with both results only when it is over."""


def see(challenge: Challenge, rounds: Sequence[ChallengeRound], user_id: UserId) -> Seen:
    """Return what this person may see of a challenge."""
    other, counting = challenge.other(user_id), _counting(challenge, rounds)
    if challenge.is_open:
        own = (each for each in counting if each.user_id == user_id and each.result is not None)
        return OpenChallenge(challenge, tuple(own), _progress(counting, other))
    ended = {(each.number, each.user_id): each for each in counting if each.result is not None}
    deals = []
    for number in DEAL_NUMBERS:
        first, second = ended.get((number, user_id)), ended.get((number, other))
        deals.append(
            ComparedDeal(
                number,
                first and first.result,
                second and second.result,
                first and first.round_id,
            )
        )
    return ChallengeComparison(challenge, tuple(deals))
