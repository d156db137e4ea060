"""Seat offers to members: one notification each, and limits for many."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from bot.errors import Refused
from bot.ids import UserId
from bot.records import PersonalSettings
from bot.table import seats
from bot.table.commands import OfferSeat
from bot.table.commands.base import Context
from bot.table.posts import OfferPost, posts_caused
from bot.table.seats import NOTIFY_AGAIN_AFTER, OFFERS_A_MINUTE
from bot.table.state import Game
from tests.bot.states import HOST, NOON, state
from tests.engine.positions import table

BEN, EVE, FINN = UserId(102), UserId(105), UserId(106)
TURN = table("TURN B", trick="A S8")


def offered(
    game: Game, member: UserId, at: datetime, user: UserId = BEN
) -> tuple[Game, bool | None]:
    """Return the table after an offer, and whether it notifies; `None` without a post."""
    after = seats.offer(game, user, member, "x", at)
    posts = posts_caused(game, after, (), user)
    notified = [not post.quiet for post in posts if isinstance(post, OfferPost)]
    assert len(notified) <= 1
    return after, notified[0] if notified else None


def seconds(number: float) -> datetime:
    return NOON + timedelta(seconds=number)


def test_second_offer_does_not_notify_again() -> None:
    game, notified = offered(state(TURN), EVE, NOON)
    assert notified
    game, notified = offered(seats.withdraw_offer(game, BEN), EVE, seconds(30))
    assert notified is False
    game, notified = offered(game, FINN, seconds(90))
    assert notified
    game, notified = offered(game, EVE, seconds(120))
    assert notified is False
    game = seats.decline(game, EVE, 1)
    later = NOON + NOTIFY_AGAIN_AFTER
    assert offered(game, EVE, later - timedelta(seconds=1))[1] is False
    assert offered(game, EVE, later)[1]


def test_offer_does_not_notify_against_the_settings() -> None:
    """The member can still accept, for example when somebody has mentioned the offer."""
    settings = {EVE: PersonalSettings(invitations=False), FINN: PersonalSettings(quiet=(0, 1439))}
    context = Context(seconds(1), bytes, settings=settings)
    for member in (EVE, FINN):
        after = OfferSeat(UserId(member), "x").carry_out(state(TURN), BEN, context)
        assert after is not None
        assert isinstance(after.after, Game)
        assert not seats.offer_notifies(after.after, 1)
        assert (
            seats.accept(after.after, UserId(member), "x", 1, seconds(2)).seat_of(UserId(member))
            == 1
        )


def test_pending_offer_is_not_posted_again() -> None:
    game, _ = offered(state(TURN), EVE, NOON)
    assert offered(game, EVE, seconds(1)) == (game, None)
    command = OfferSeat(EVE, "Eve")
    context = Context(seconds(1), bytes)
    assert command.carry_out(game, BEN, context) is None


def test_offers_of_different_seats_are_separate() -> None:
    game, _ = offered(state(TURN), EVE, NOON)
    game, notified = offered(game, EVE, NOON, user=HOST)
    assert notified
    assert game.notes.offers == {0: EVE, 1: EVE}


def test_new_owner_of_a_seat_notifies_nobody_again() -> None:
    game, _ = offered(state(TURN), EVE, NOON)
    game = seats.accept(game, EVE, "Eve", 1, seconds(1))
    game, notified = offered(game, FINN, seconds(2), user=EVE)
    assert notified
    game = seats.accept(game, FINN, "Finn", 1, seconds(70))
    assert offered(game, EVE, seconds(71), user=FINN)[1] is False


def test_limits_offers_of_a_seat_in_a_minute() -> None:
    game = state(TURN)
    for number in range(OFFERS_A_MINUTE):
        game, notified = offered(game, UserId(500 + number), seconds(10 * number))
        assert notified
    with pytest.raises(Refused) as refused:
        seats.offer(game, BEN, UserId(600), "x", seconds(45))
    assert (refused.value.code, refused.value.details) == ("asked-just-now", {"seconds": 15})
    game, _ = offered(game, UserId(600), seconds(60))
    with pytest.raises(Refused, match="asked-just-now"):
        seats.offer(game, BEN, UserId(601), "x", seconds(69))
    offered(game, UserId(601), seconds(70))
    offered(game, EVE, seconds(0), user=HOST)


def test_stored_offers_stay_small() -> None:
    game = state(TURN)
    for number in range(200):
        game, _ = offered(game, UserId(500 + number), seconds(25 * number))
    most = NOTIFY_AGAIN_AFTER.total_seconds() / 25 + 1
    assert len(game.notes.asked) <= most
    assert (
        type(game.details()).model_validate_json(game.details().model_dump_json()) == game.details()
    )
