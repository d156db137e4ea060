"""Full garbage collections once a minute, and pages without cycles."""

from __future__ import annotations

import gc
from datetime import timedelta

import discord
import pytest

from bot.runtime.gc_schedule import GarbageSchedule
from bot.text import speech
from bot.text.cards import Speaker
from cogs.pages.controls import Page
from cogs.pages.hand.page import hand_page
from cogs.pages.table.page import table_page
from tests.bot.states import NOON, state
from tests.bot.text.pages import pictures
from tests.engine.positions import table


@pytest.fixture
def collector(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Record calls to Python's collector, which is left unchanged."""
    asked: list[str] = []
    monkeypatch.setattr("bot.runtime.gc_schedule.gc.collect", lambda: asked.append("collect"))
    monkeypatch.setattr("bot.runtime.gc_schedule.gc.freeze", lambda: asked.append("freeze"))
    monkeypatch.setattr(
        "bot.runtime.gc_schedule.gc.set_threshold", lambda *_: asked.append("limit")
    )
    return asked


def test_garbage_is_collected_every_minute(collector: list[str]) -> None:
    garbage = GarbageSchedule()
    garbage.begin(NOON)
    assert collector == ["collect", "freeze", "limit"]
    assert not garbage.collect_if_due(NOON + timedelta(seconds=59))
    assert garbage.collect_if_due(NOON + timedelta(seconds=60))
    assert not garbage.collect_if_due(NOON + timedelta(seconds=90))
    assert garbage.collect_if_due(NOON + timedelta(seconds=120))
    assert collector[3:] == ["collect", "collect"]


def test_collector_is_unchanged_before_the_start(collector: list[str]) -> None:
    assert not GarbageSchedule().collect_if_due(NOON)
    assert collector == []


def test_pages_leave_nothing_to_the_collector() -> None:
    at = state(table("TURN B", trick="A S8", hands={"B": "S9 +5"}))
    to = Speaker(speech("en"), pictures())
    gc.collect()
    gc.disable()
    try:
        pages = [table_page(at, to), hand_page(at, 1, to)]
        kept = [part for part in gc.get_objects() if isinstance(part, discord.ui.Item | Page)]
    finally:
        gc.enable()
    assert [type(part) for part in kept] == [Page, Page]
    assert pages[0].has_components_v2()
    assert pages[0].to_components()[0]["components"]
