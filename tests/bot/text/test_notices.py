"""Notifications: their first line says who is to do what, and where."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from bot.art.emojis import Emojis
from bot.ids import UserId
from bot.runtime.settings import languages
from bot.text import speech
from bot.text.cards import Speaker
from bot.text.people import channel_mention, mention
from cogs.pages.controls import Notice
from cogs.pages.daily.reminder import reminder_notice
from cogs.pages.table.nudge import Nudged, direct_notice, nudge_text
from tests.bot.states import HOST, NOON, chairs, state
from tests.bot.text.nudges import nudging_pages
from tests.bot.text.pages import lobby_pages, seat_pages
from tests.bot.text.samples import lobbies, moments
from tests.engine.positions import dealt, table

NAMES = ("Ada", "Ben", "Cleo", "Dan")
LOCK_SCREEN = 100
"""Characters of a message that a phone shows on its lock screen."""


def english() -> Speaker:
    return Speaker(speech("en"), Emojis.plain())


def notices(to: Speaker) -> Iterator[tuple[str, Notice]]:
    """Yield every notification: at a table, to it, and by a direct message."""
    pages = [*nudging_pages(NAMES, to)]
    for lobby in lobbies(NAMES):
        pages += lobby_pages(lobby, to)
    for at in moments(NAMES):
        pages += seat_pages(at, to)
        playing = at.with_timers(paused=False)
        pages.append(("nudge by a direct message", direct_notice(playing, HOST, to)))
    for name, page in pages:
        if isinstance(page, Notice) and not name.startswith(("restarted", "stopped")):
            yield name, page


@pytest.mark.parametrize("language", languages())
async def test_lock_screen_shows_the_subject(language: str) -> None:
    seen = set()
    for name, notice in notices(Speaker(speech(language), Emojis.plain())):
        first = re.sub(r"<#\d+>", "#tichu", notice.content.splitlines()[0])
        first = re.sub(r"<@&?\d+>", "@Ada", first)
        seen.add(name.split()[0])
        assert "#tichu" in first[:LOCK_SCREEN], first
        assert ("@" in first) is (name != "nudge by a direct message") or "thread" in name, first
    assert seen == {"nudge", "thread:", "invitation", "offer", "lobby"}


@pytest.mark.parametrize("language", languages())
def test_lock_screen_shows_the_reminder_without_markup(language: str) -> None:
    first, _ = reminder_notice(NOON, Speaker(speech(language), Emojis.plain())).content.splitlines()
    assert len(first) <= LOCK_SCREEN
    assert not {"<", "`", "*"} & set(first)


def test_nudge_names_the_last_play_and_shows_no_hand(subtests: pytest.Subtests) -> None:
    hands = {"A": "S2 S4", "B": "S5 P5 J5", "C": "S6 S7"}
    told = {
        table("TURN B", trick="A S9,P9", hands=hands): "Ada played: pair of 9s.",
        table("LEAD B", hands=hands): "Your lead.",
        table("CLOSING B", trick="B SA | C pass | D pass | A pass", hands=hands): (
            "All passed – Ben takes it."
        ),
        table("GIFT B", trick="B DRAGON | C pass | D pass | A pass", hands=hands): (
            "Your Dragon won – give the trick away."
        ),
        dealt(): "First 8 cards dealt – **Grand Tichu**?",
    }
    for match, news in told.items():
        with subtests.test(news):
            at = state(match, chairs=chairs(NAMES))
            first = f"Your turn in {channel_mention(at.channel_id)}! {news}"
            assert (
                nudge_text(at, Nudged((UserId(HOST + 1),)), english())
                == f"{first} {mention(HOST + 1)}"
            )
            assert direct_notice(at, UserId(HOST + 1), english()).content == first
