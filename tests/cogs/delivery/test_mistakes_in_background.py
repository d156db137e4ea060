"""Unhandled exceptions beside a table: logged, and the table continues."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from cogs.delivery.private_messages import PrivateMessage
from cogs.delivery.table_pictures import TablePictures
from engine import Phase
from tests.cogs.conftest import ErrorRecords
from tests.cogs.fast_forward import fast_forward, reached
from tests.cogs.table_play import seat_all
from tests.cogs.turn_based_people import MENTION, NONE, game_of, seated
from tests.cogs.worlds import World

CARDS = "S2 DRAGON"


def mistake(*_: object) -> Callable[..., Coroutine[Any, Any, None]]:
    """Return a stand-in for any method that raises."""

    async def work(*_: object) -> None:
        raise ValueError(CARDS)

    return work


def assert_logged(errors: ErrorRecords, name: str) -> None:
    assert errors.allowed
    assert all(name in line and line.endswith("ValueError") for line in errors.allowed)
    assert not any(CARDS in line for line in errors.allowed)


async def test_exception_while_a_late_picture_is_shown(
    world: World, errors: ErrorRecords, monkeypatch: pytest.MonkeyPatch
) -> None:
    errors.allow("unhandled exception in task late picture")
    monkeypatch.setattr(TablePictures, "_wait_and_call", mistake())
    await seat_all(world, world.people("Ada", "Ben", "Cai", "Dan"))
    await fast_forward(world, reached(Phase.TURN))
    assert_logged(errors, "unhandled exception in task late picture")


async def test_exception_while_a_closed_thread_is_checked(
    world: World, errors: ErrorRecords, monkeypatch: pytest.MonkeyPatch
) -> None:
    errors.allow("unhandled exception in task lost thread")
    monkeypatch.setattr("cogs.delivery.table_channel.pause_if_lost", mistake())
    people = await seated(world, MENTION, NONE, NONE, NONE)
    path = f"/channels/{people[0].channel.id}/messages*"
    for method in ("POST", "PATCH"):
        world.env.inject_error(method, path, status=400, code=160005, times=None)
    await world.env.advance_time(62)
    assert_logged(errors, "unhandled exception in task lost thread")
    assert game_of(world, people).running


async def test_exception_while_an_old_hand_is_deleted(
    world: World, errors: ErrorRecords, monkeypatch: pytest.MonkeyPatch
) -> None:
    errors.allow("remove-")
    monkeypatch.setattr(PrivateMessage, "delete", mistake())
    ada, *_ = await seat_all(world, world.people("Ada", "Ben", "Cai", "Dan"))
    before = ada.hand.id
    await ada.open()
    await world.env.settle()
    assert_logged(errors, "remove-")
    assert ada.hand.id != before
