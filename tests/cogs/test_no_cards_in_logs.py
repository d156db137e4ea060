"""Errors and reprs of the Discord layer without cards, because they may be logged."""

from __future__ import annotations

import asyncio
import io
import logging
from collections.abc import Iterator
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

import pytest

from bot.history.highlights import MatchFacts
from bot.ids import Revision, TableId
from bot.runtime.clock import Clock
from bot.runtime.logs import TextLines
from bot.table.state import Game
from cogs.clicks.click import Click
from cogs.delivery.coalescing_writer import CoalescingWriter
from cogs.delivery.open_hand import OpenHand
from cogs.delivery.result_pictures import ResultPictures
from cogs.pages.controls import Controls
from cogs.pages.hand.choices import Draft
from cogs.pages.hand.page import HandFingerprint
from cogs.pages.verbs import Verb
from engine import read_cards
from tests.cases import each
from tests.cogs.conftest import ErrorRecords
from tests.cogs.delivery.test_replies import answer_grand
from tests.cogs.table_play import seat_all
from tests.cogs.worlds import World

ANYTHING: Any = None
"""Placeholder for fields that a test does not use."""
CARDS = "JA.S2,DRAGON,P10"


@pytest.fixture
def lines() -> Iterator[io.StringIO]:
    """Yield everything logged, with tracebacks, as written."""
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(TextLines())
    root = logging.getLogger()
    root.addHandler(handler)
    yield stream
    root.removeHandler(handler)


@each("args", [CARDS + ",SA" * 20, CARDS + "!"])
def test_invalid_custom_id_is_reported_by_verb_and_length(args: str) -> None:
    length = len(f"b:1:2:give:{args}")
    with pytest.raises(ValueError, match=rf"^no id of a control: give, {length} characters$"):
        Controls(TableId(1), Revision(2)).button(Verb.GIVE, "Give", args)


def test_reprs_hide_choices() -> None:
    aces = read_cards("SA JA")
    draft = Draft(note=CARDS, chosen=aces, picks={1: aces}, do="play>1", wish_for=(aces, (14,)))
    click = Click(Verb.GIVE, CARDS, TableId(7), values=(CARDS,))
    at = datetime(2026, 1, 1, tzinfo=UTC)
    fingerprint = HandFingerprint(CARDS, CARDS, CARDS, hold=False)
    hand = OpenHand(1, ANYTHING, ANYTHING, 0, ANYTHING, at, draft, fingerprint=fingerprint)
    shown = f"{draft} {click} {hand}"
    assert str(aces) not in shown
    assert CARDS not in shown
    assert "table_id=7" in shown


async def test_unhandled_exception_is_logged_without_its_text(
    world: World, errors: ErrorRecords, lines: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    errors.allow("unhandled exception")
    errors.allow("unhandled exception while showing a hand")
    ada, *_ = await seat_all(world, world.people("Ada", "Ben", "Cai", "Dan"))

    def names_cards(*_: object) -> None:
        raise ValueError(CARDS)

    with monkeypatch.context() as broken:
        for place in ("table_actions", "errors"):
            broken.setattr(f"cogs.clicks.{place}.hand_page", names_cards)
        await answer_grand(ada)
    written = lines.getvalue()
    assert "unhandled exception" in written
    assert "unhandled exception while showing a hand" in written
    assert "in names_cards" in written
    assert CARDS not in written


async def test_failing_timer_is_logged_without_the_text(
    errors: ErrorRecords, lines: io.StringIO
) -> None:
    """Timers compute moves from all hands."""
    errors.allow("unhandled exception in timer 7")
    rung = asyncio.Event()

    async def names_cards() -> None:
        rung.set()
        raise ValueError(CARDS)

    now = datetime(2026, 1, 1, tzinfo=UTC)
    Clock(lambda: now).set(7, now, names_cards)
    await rung.wait()
    assert "unhandled exception in timer 7" in lines.getvalue()
    assert "in names_cards" in lines.getvalue()
    assert CARDS not in lines.getvalue()


async def test_failing_picture_is_logged_without_the_text(
    errors: ErrorRecords, lines: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    errors.allow("unhandled exception while drawing")

    def names_cards(*_: object) -> None:
        raise ValueError(CARDS)

    async def no_facts(_: Game) -> MatchFacts:
        return MatchFacts()

    monkeypatch.setattr("cogs.delivery.result_pictures.result_card", names_cards)
    clock = Clock(lambda: datetime(2026, 1, 1, tzinfo=UTC))
    pictures = ResultPictures(ANYTHING, clock, ANYTHING, no_facts)
    match = SimpleNamespace(id=7)
    assert await pictures.draw_in_time(match, ANYTHING) is None  # type: ignore[arg-type]
    assert "table 7: unhandled exception while drawing" in lines.getvalue()
    assert "in names_cards" in lines.getvalue()
    assert CARDS not in lines.getvalue()


async def test_failing_writer_is_logged_without_the_text(
    errors: ErrorRecords, lines: io.StringIO
) -> None:
    errors.allow("unhandled exception in a writer")
    begun = asyncio.Event()

    async def names_cards() -> None:
        begun.set()
        raise ValueError(CARDS)

    writer = CoalescingWriter(names_cards, "a writer", set())
    writer.schedule()
    await begun.wait()
    assert "unhandled exception in a writer" in lines.getvalue()
    assert "in names_cards" in lines.getvalue()
    assert CARDS not in lines.getvalue()
