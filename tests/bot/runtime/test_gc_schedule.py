"""Full garbage collections wait until nobody plays; pages leave nothing for them to find."""

from __future__ import annotations

import gc
from datetime import timedelta

import discord
import pytest

from bot.runtime.gc_schedule import Garbage
from bot.text import speech
from bot.text.cards import Speaker
from cogs.pages.controls import Page
from cogs.pages.hand import hand_page
from cogs.pages.table import table_page
from tests.bot.states import NOON, state
from tests.bot.text.pages import pictures
from tests.engine.positions import table


@pytest.fixture
def collector(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What is asked of Python's collector; the collector itself is left as it was."""
    asked: list[str] = []
    monkeypatch.setattr("bot.runtime.gc_schedule.gc.collect", lambda: asked.append("collect"))
    monkeypatch.setattr("bot.runtime.gc_schedule.gc.freeze", lambda: asked.append("freeze"))
    monkeypatch.setattr(
        "bot.runtime.gc_schedule.gc.set_threshold", lambda *_: asked.append("limit")
    )
    monkeypatch.setattr("bot.runtime.gc_schedule.gc.get_count", lambda: (1, 1, 50))
    return asked


def test_nothing_is_collected_while_people_play(collector: list[str]) -> None:
    garbage = Garbage()
    assert garbage.tidy(NOON, playing=True)
    assert collector == ["collect", "freeze", "limit"], "at the start"
    assert not garbage.tidy(NOON + timedelta(hours=23), playing=True)
    assert garbage.tidy(NOON + timedelta(hours=23), playing=False)
    assert collector[3:] == ["collect"]
    assert not garbage.tidy(NOON + timedelta(hours=46), playing=True)
    assert garbage.tidy(NOON + timedelta(hours=47), playing=True), "once a day all the same"
    assert collector[4:] == ["collect"]


def test_nothing_is_collected_where_there_is_nothing(
    collector: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.runtime.gc_schedule.gc.get_count", lambda: (1, 1, 2))
    garbage = Garbage()
    garbage.tidy(NOON, playing=False)
    assert not garbage.tidy(NOON + timedelta(minutes=1), playing=False)


def test_a_page_that_is_under_way_keeps_no_parts() -> None:
    at = state(table("TURN B", trick="A S8", hands={"B": "S9 +5"}))
    to = Speaker(speech("en"), pictures())
    gc.collect()
    pages = [table_page(at, to), hand_page(at, 1, to)]
    gc.collect()
    kept = [part for part in gc.get_objects() if isinstance(part, discord.ui.Item | Page)]
    assert [type(part) for part in kept] == [Page, Page]
    assert pages[0].has_components_v2()
    assert pages[0].to_components()[0]["components"]
