"""Pages and public messages of challenges in all states."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import get_args

from bot.board_records import BoardRecord, SoloResult
from bot.boards.board import Board
from bot.boards.challenge import ChallengeComparison, FairDeals, Seen, see
from bot.challenge_records import DEAL_NUMBERS, Challenge, ChallengeRound, ChallengeStatus
from bot.ids import BoardId, ChallengeId, ChannelId, GuildId, UserId
from bot.text.cards import Speaker
from cogs.pages.challenges.notice import challenge_notice
from cogs.pages.challenges.page import (
    comparison_page,
    deals_page,
    leave_page,
    list_page,
)
from cogs.pages.controls import Notice, Page
from tests.bot.states import NOON

OWN, OTHER, ERASED = UserId(2**62), UserId(2**62 + 1), UserId(-5)
_OFFER = Challenge(ChallengeId(10**9), OWN, OTHER, GuildId(5), ChannelId(6), "offered", NOON)
_BOARDS = tuple(
    Board.of(BoardRecord(BoardId(number), None, _OFFER.id, number, f"{number:064x}"))
    for number in DEAL_NUMBERS
)
_COMMITMENTS = tuple(each.commitment for each in _BOARDS)
_CALLED = SoloResult(-1000, "grand", call_made=False, place=None)
_QUIET = SoloResult(1000, None, call_made=None, place=1)


def _rounds(own: int, other: int, *, level: bool = False) -> list[ChallengeRound]:
    """Return rounds: so many finished by each person."""
    results = ((OWN, own, _CALLED), (OTHER, other, _CALLED if level else _QUIET))
    return [
        ChallengeRound(number, user_id, number, 1, NOON, result)
        for user_id, finished, result in results
        for number in DEAL_NUMBERS[:finished]
    ]


def _states() -> Iterator[tuple[Challenge, list[ChallengeRound]]]:
    """Yield challenges in all states, with rounds."""
    end = NOON + timedelta(days=1)
    yield _OFFER, []
    accepted = _OFFER._replace(status="accepted", accepted_at=NOON)
    begun = ChallengeRound(1, OTHER, 9, 1, None, None)
    for rounds in ([], [begun], _rounds(1, 4), _rounds(4, 3)):
        yield accepted, rounds
    for status in get_args(ChallengeStatus)[2:]:
        if status != "finished":
            yield _OFFER._replace(status=status, ended_at=end, ended_by=OTHER), []
        over = accepted._replace(status=status, ended_at=end, ended_by=OTHER)
        through = _rounds(4, 4), _rounds(4, 4, level=True)
        early = ([], _rounds(2, 3), _rounds(1, 4)) if status != "finished" else ()
        for rounds in (*early, *through):
            yield over, rounds
    erased = accepted._replace(challenged=ERASED, status="left", ended_by=ERASED)
    yield erased, _rounds(3, 0)


def challenge_pages(to: Speaker) -> Iterator[tuple[str, Page | Notice]]:
    """Yield the pages of challenges, and their public messages."""
    yield "challenges: none", list_page([], 0, OWN, to)
    everything = list[Seen]()
    for challenge, rounds in _states():
        name = f"challenges: {challenge.status}"
        for reader in challenge.people:
            number = ChallengeId(challenge.id - len(everything))
            everything.append(see(challenge._replace(id=number), rounds, reader))
            seen = see(challenge, rounds, reader)
            yield name, list_page([seen], 0, reader, to)
            if isinstance(seen, ChallengeComparison):
                yield name, comparison_page(seen, reader, to)
            else:
                yield name, leave_page(challenge, reader, to)
        seen = see(challenge, rounds, challenge.challenger)
        yield name, challenge_notice(seen, _COMMITMENTS, to)
    for page in range(len(everything) // 4):
        yield "challenges", list_page(everything, page, OWN, to)
    for boards in ((), _BOARDS):
        yield "challenges: deals", deals_page(FairDeals(_COMMITMENTS, boards), to)
