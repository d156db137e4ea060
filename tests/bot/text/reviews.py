"""Pages of reviews in their worst cases, and those of solo rounds."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import date
from itertools import product

from bot.boards.board import Board
from bot.history.replay import Replay
from bot.ids import BoardId, TableId, UserId
from bot.table.options import TableOptions
from bot.table.private_game import Attempt, new_private_game
from bot.text.cards import Speaker
from cogs.pages.controls import Notice, Page
from cogs.pages.daily.reminder import reminder_notice
from cogs.pages.hand.page import hand_page, match_over_page
from cogs.pages.history.replay import replay_page, solo_rounds_page
from cogs.pages.history.review import (
    NOBODY_AGREES,
    Consent,
    OpenReview,
    choice_page,
    place_of,
    progress_page,
    review_page,
    unmade_page,
)
from cogs.pages.history.review_mark import mark_page
from cogs.pages.history.verify import verify_page
from cogs.pages.replay_query import ReplayQuery
from engine import PassCards, write_action
from players.coach.decisions import KINDS, Decision, Kind
from players.coach.estimates import Estimate
from players.coach.review import Judged, Progress, Review
from tests.bot.games import MATCHES
from tests.bot.made_reviews import made_review, random_replay
from tests.bot.states import NOON
from tests.bot.text.pages import with_computers

LARGE = Estimate(1234.4, 999.9, 1400.1)


def review_pages(names: Sequence[str], to: Speaker) -> Iterator[tuple[str, Page | Notice]]:
    """Yield all pages of reviews of the longest choices, in Tichu for four and three."""
    for seed, options in MATCHES[:2]:
        yield from _pages(seed, options, names, to)
    yield from _solo_pages(names, to)


def _solo_pages(names: Sequence[str], to: Speaker) -> Iterator[tuple[str, Page | Notice]]:
    """Yield the pages of a round on the deal of a day, and on one of a challenge."""
    yield "reminder", reminder_notice(NOON, to)
    seed, options = MATCHES[0]
    table_replay = random_replay(seed, options, names)
    secret, last = "ab" * 32, len(table_replay.played_round.positions) - 1
    for board in (
        Board(BoardId(1), date(2031, 5, 4), None, 9999, secret),
        Board(BoardId(2), None, 10**9, 4, secret),
    ):
        proof = replace(table_replay.proof, deal=board.fair_deal, board=board)
        replay = replace(table_replay, proof=proof)
        opened = OpenReview(replay, 0, True, replay.table.user_ids()[0], NOBODY_AGREES)
        review = _longest(made_review(replay, 0, _of_kind("lead")))
        yield "proof of a solo round", verify_page(proof, None, to)
        yield "solo rounds", solo_rounds_page({TableId(n): board for n in range(5)}, "9", to)
        for alt in (None, "A" * 1000):
            for place in (0, last):
                query = ReplayQuery(1, place)
                yield "replay of a solo round", replay_page(replay, query, to, alt=alt)
            yield "review of a solo round", review_page(opened, review, to, alt)
            yield "mark of a solo round", mark_page(opened, review, 0, to, alt)


def _pages(
    seed: int, options: TableOptions, names: Sequence[str], to: Speaker
) -> Iterator[tuple[str, Page | Notice]]:
    replay = random_replay(seed, options, names)
    people = frozenset(UserId(user) for user in range(10, 16)) | set(replay.table.user_ids())
    reader = replay.table.user_ids()[0]
    reviews = {kind: _longest(made_review(replay, 0, _of_kind(kind))) for kind in KINDS}
    emptied = _emptied(replay)
    yield "choice of a review", choice_page(replay, range(3), to)
    for agreed, asker in product((frozenset[UserId](), people), (reader, UserId(9))):
        others = (1, 2) if agreed else ()
        own, consent = asker == reader, Consent(people, agreed)
        opened = OpenReview(replay, 0, own, asker, consent, others)
        for progress in (None, Progress(10**3, 10**3)):
            yield "progress", progress_page(opened, progress, to)
        yield "no review", unmade_page(opened, "9", to)
        yield "nothing to review", review_page(opened, emptied, to)
        for kind, review in reviews.items():
            for alt in (None, "A" * 1000):
                yield f"review, {kind}", review_page(opened, review, to, alt)
                for index in range(len(review.marks)):
                    yield f"mark, {kind}", mark_page(opened, review, index, to, alt)
    review = made_review(replay, 0, lambda each: isinstance(each.action, PassCards))
    past = replay.at(place_of(replay, review.marks[0]))
    then = replay.played_round.result
    over = replay.at(len(replay.played_round.positions) - 1)
    for state, more in ((past, 0), (over, 0), (over, 1), (over, -1)):
        other = then._replace(score=tuple(points + more for points in then.score))
        attempt = Attempt("9" * 40, other)
        private = new_private_game(
            with_computers(state), state.chairs[0], state.channel_id, "9", attempt
        )
        yield "another try", hand_page(private, 0, to)
        yield "another try, over", match_over_page(private, to)


def _emptied(replay: Replay) -> Review:
    """Return a review without decisions."""
    return made_review(replay, 0, lambda _: False)._replace(judged=(), unlucky=())


def _of_kind(kind: Kind) -> Callable[[Decision], bool]:
    return lambda decision: decision.kind == kind


def _longest(review: Review) -> Review:
    """Return the review with the longest choices as marks and as bad luck, and large costs."""

    def length(judged: Judged) -> int:
        return len(write_action(judged.own)) + len(write_action(judged.better))

    longest = sorted(review.judged, key=length, reverse=True)
    kinds = {mark.kind for mark in review.marks}
    marks = [each._replace(cost=LARGE) for each in longest if each.kind in kinds][:3]
    others = [each.at for each in longest if each.at not in {mark.at for mark in marks}]
    return review._replace(marks=tuple(marks), unlucky=tuple(sorted(others[:3])))
