"""Posts caused by a change of a table: their kinds, order and secrecy."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from bot.ids import ChannelId, MessageId, UserId
from bot.records import OutboxEntry
from bot.table.deadlines import reschedule
from bot.table.details import Newcomer
from bot.table.forgetting import erase_in_post, erase_person
from bot.table.options import TURN_BASED_S, TableOptions
from bot.table.posts import (
    AwayLine,
    AwayPost,
    BombLine,
    CallLine,
    InvitationPost,
    LinesPost,
    LobbyPost,
    LostThreadPost,
    NewOwnerLine,
    NudgePost,
    OfferPost,
    Post,
    ResultPost,
    StoppedPost,
    TablePost,
    VotePost,
    new_nonce,
    outbox_entries,
    posts_caused,
    read_post,
)
from bot.table.state import Chair, Game
from bot.table.turn_based import QUIET, mark_nudged
from engine import Call, Called, Event, MatchEnded, Passed, Played, RoundDealt
from tests.bot.states import HOST, chairs, state
from tests.engine.positions import dealt, table, top_of

NOW = datetime(2031, 5, 4, tzinfo=UTC)


def running() -> Game:
    """Return a game in a trick."""
    return state(table("TURN B", trick="A S8,P8"))


def test_quiet_change_causes_no_post() -> None:
    at = running()
    assert posts_caused(at, at, [Passed(1)], UserId(7)) == ()


def test_calls_and_bombs_are_posted_in_order() -> None:
    at = running()
    bomb = top_of(table("TURN B", trick="A J8,S8,P8,T8"))
    events: list[Event] = [Called(1, Call.TICHU, reopened=True), Passed(2), Played(0, bomb)]
    (post,) = posts_caused(at, at, events, UserId(7))
    assert isinstance(post, LinesPost)
    call, thrown = post.lines
    assert call == CallLine(seat=1, grand=False, reopened=True)
    assert isinstance(thrown, BombLine)
    assert thrown.seat == 0
    assert sorted(thrown.cards.split()) == ["J8", "P8", "S8", "T8"]


def test_deal_posts_a_table() -> None:
    at = running()
    assert posts_caused(state(), at, [RoundDealt(3, 0)], None) == (TablePost(round=3),)


def test_end_is_posted_once() -> None:
    at = running()
    over = replace(at, status="finished", seq=at.seq + 1)
    assert posts_caused(at, over, [MatchEnded(())], UserId(7)) == (ResultPost(seq=at.seq + 1),)


@pytest.mark.parametrize("paused, actor, forgotten", [(True, None, True), (True, 7, False)])
def test_stopped_match_is_posted(paused: bool, actor: UserId | None, forgotten: bool) -> None:
    at = running()
    before = at.with_timers(paused=paused)
    after = replace(before, status="stopped")
    assert posts_caused(before, after, [], actor) == (StoppedPost(forgotten=forgotten),)
    lobby = state()
    assert posts_caused(lobby, replace(lobby, status="stopped"), [], actor) == ()


def test_only_a_new_offer_is_posted() -> None:
    at = running()
    one = at.with_notes(offers={0: UserId(9)})
    two = at.with_notes(offers={0: UserId(9), 1: UserId(8)})
    assert posts_caused(at, one, [], UserId(7)) == (OfferPost(seat=0, member_id=UserId(9)),)
    assert posts_caused(one, two, [], UserId(7)) == (OfferPost(seat=1, member_id=UserId(8)),)
    assert posts_caused(two, one, [], UserId(7)) == ()


def test_vote_is_posted_once_and_again_without_its_message() -> None:
    at = running()
    one, two = at.with_notes(votes=(UserId(101),)), at.with_notes(votes=(UserId(101), UserId(102)))
    assert posts_caused(at, one, [], UserId(101)) == (VotePost(),)
    assert posts_caused(one, two, [], UserId(102)) == (VotePost(),), (
        "the message is gone, or never came"
    )
    assert posts_caused(two, one, [], UserId(102)) == ()
    asked = one.with_messages(vote=MessageId(5)), two.with_messages(vote=MessageId(5))
    assert posts_caused(*asked, [], UserId(102)) == ()


def test_new_owners_and_absences_are_posted() -> None:
    at = running()
    chairs = (Chair(seat=0, kind="computer", name="Robot"), *at.chairs[1:])
    after = replace(at.with_notes(away=(2,)), chairs=chairs)
    line = NewOwnerLine(seat=0, before=at.chairs[0].name)
    assert posts_caused(at, after, [], UserId(7)) == (
        LinesPost(lines=(line,)),
        AwayPost(seats=(2,)),
    )
    both = after.with_notes(away=(1, 2))
    assert posts_caused(after, both, [], None) == (AwayPost(seats=(1,)),)
    assert posts_caused(both, after, [], UserId(7)) == ()


def test_mentions_a_newcomer_who_waited_for_the_seat() -> None:
    at = replace(running(), chairs=chairs(computers=(0, 1)))
    expected = at.with_notes(coming={0: Newcomer(user_id=UserId(9), name="Eve")})
    taken = (
        Chair(seat=0, kind="person", user_id=UserId(9), name="Eve"),
        Chair(seat=1, kind="person", user_id=UserId(8), name="Finn"),
    )
    after = replace(at, chairs=(*taken, *at.chairs[2:]))
    waited = NewOwnerLine(seat=0, before="Ada", waited=UserId(9))
    others = NewOwnerLine(seat=1, before="Ben")
    assert posts_caused(expected, after, [], None) == (LinesPost(lines=(waited, others)),)


def test_turn_based_nudge_names_its_recipients() -> None:
    day = TURN_BASED_S[1]
    at = state(dealt(), options=TableOptions(turn_limit_s=day))
    at = reschedule(at, at, NOW)
    nudged_, *_ = mark_nudged(at, {HOST: NOW}, NOW)
    others = (UserId(HOST + 1), UserId(HOST + 2), UserId(HOST + 3))
    assert posts_caused(at, nudged_, (), None) == (NudgePost(user_ids=others, turn="1.GRAND"),)
    all_, *_ = mark_nudged(nudged_, {}, NOW + QUIET)
    assert posts_caused(nudged_, all_, (), None) == (NudgePost(user_ids=(HOST,), turn="1.GRAND"),)
    reminded, *_ = mark_nudged(all_, {}, NOW + timedelta(seconds=0.75 * day))
    (post,) = posts_caused(all_, reminded, (), None)
    assert post == NudgePost(user_ids=(UserId(HOST), *others), turn="1.GRAND")
    assert posts_caused(reminded, reminded, (), None) == ()
    sent = {"direct": {HOST: (1, 2), HOST + 1: (3, 4)}, "unreached": (HOST, HOST + 2)}
    data = erase_in_post(post.model_copy(update=sent).model_dump_json(), HOST, ())
    assert data is not None
    assert NudgePost.model_validate_json(data) == NudgePost(
        user_ids=others,
        turn="1.GRAND",
        direct={UserId(HOST + 1): (ChannelId(3), MessageId(4))},
        unreached=(UserId(HOST + 2),),
    )
    alone = NudgePost(user_ids=(HOST,), turn="1.GRAND")
    assert erase_in_post(alone.model_dump_json(), HOST, ()) is None
    written = at.with_messages(
        direct={
            HOST: (ChannelId(1), MessageId(2)),
            UserId(HOST + 1): (ChannelId(3), MessageId(4)),
        },
        added=(UserId(HOST), UserId(HOST + 1)),
    )
    left = erase_person(written, HOST, UserId(-2)).messages
    assert (left.direct, left.added) == ({HOST + 1: (3, 4)}, (HOST + 1,))


def test_entries_are_numbered_and_read_back() -> None:
    posts: list[Post] = [
        LobbyPost(),
        TablePost(round=2),
        LinesPost(lines=(CallLine(seat=0, grand=True), BombLine(seat=1, cards="S8 J8 P8 T8"))),
        ResultPost(seq=12),
        StoppedPost(forgotten=True),
        OfferPost(seat=1, member_id=UserId(2**62)),
        AwayPost(seats=(0, 3)),
        InvitationPost(members=(UserId(1), UserId(2**62)), by=UserId(3)),
        NudgePost(user_ids=(UserId(2**62), UserId(7)), turn="1.4"),
        LostThreadPost(
            lost="gone",
            user_ids=(UserId(2**62),),
            first=True,
            direct={UserId(2**62): (ChannelId(2**61), MessageId(8))},
        ),
        LinesPost(
            lines=(AwayLine(seat=2), NewOwnerLine(seat=1, before="Ben", waited=UserId(2**62)))
        ),
    ]
    nonces = [f"nonce-{number}" for number in range(len(posts))]
    entries = outbox_entries(posts, 5, NOW, iter(nonces).__next__)
    assert [entry.number for entry in entries] == [*range(5, 5 + len(posts))]
    assert [read_post(entry) for entry in entries] == posts
    assert [entry.nonce for entry in entries] == nonces


def test_nonce_is_new_and_short_enough_for_discord() -> None:
    nonces = {new_nonce() for _ in range(100)}
    assert len(nonces) == 100
    assert max(map(len, nonces)) <= 25


def test_refuses_an_entry_of_a_later_version_without_its_text() -> None:
    entry = OutboxEntry(
        number=1, kind="poem", data='{"kind": "poem", "x": "S8"}', nonce="n", created_at=NOW
    )
    with pytest.raises(ValueError, match="poem") as refused:
        read_post(entry)
    assert "S8" not in str(refused.value)
