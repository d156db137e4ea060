"""The page of `/tichu daily`: today's deal and the reader's result, and yesterday's deal."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import NamedTuple

import discord

from bot.board_records import Comparison, SoloRound, Streak
from bot.boards.board import Board
from bot.text import capital
from bot.text.boards import result_text
from bot.text.cards import Speaker
from cogs.pages.controls import GOLD, Controls, Page, Part, line, row, text
from cogs.pages.daily.leaderboard import DailyQuery
from cogs.pages.daily.lines import comparison_text, streak_line
from cogs.pages.names import board_name
from cogs.pages.verbs import Verb

_CONTROLS = Controls()
"""Controls without a table: a button names its board by its number."""


class OwnBoard(NamedTuple):
    """A daily board with the reader's rounds."""

    board: Board
    """The board."""
    counted: SoloRound | None = None
    """The round that counts, which may have just begun."""
    practice: SoloRound | None = None
    """The latest round that counts for nobody."""
    comparison: Comparison | None = None
    """Comparison of a finished round that counts."""

    @property
    def is_finished(self) -> bool:
        """Return whether the round that counts is over."""
        return self.counted is not None and self.counted.ended_at is not None


class Daily(NamedTuple):
    """Facts of the start page."""

    today: OwnBoard
    """Today's deal."""
    yesterday: OwnBoard | None
    """Yesterday's deal, unless today's is the first one."""
    streak: Streak
    """Days in a row of the reader."""
    ends_at: datetime
    """End of the day."""
    playable: bool
    """False if the computers have been updated since the deal was begun."""


def start_page(daily: Daily, words: Speaker, note: str = "") -> Page:
    """Return the page of `/tichu daily`; `note` is why something was refused."""
    say, today = words.say, daily.today
    # Translators: {time} is such as “in 8 hours”
    ends = say("ends {time}", time=discord.utils.format_dt(daily.ends_at, "R"))
    head = [f"### 🗓️ {board_name(today.board, words)}", f"-# {ends}"]
    items = [text(note)] if note else []
    items += [text("\n".join((*head, *_task(daily, words)))), *_today_buttons(daily, words)]
    if daily.yesterday is not None:
        items += [line(), *_yesterday(daily.yesterday, words)]
    items += [line(), row(*_more_buttons(words))]
    return Page(*items, accent=GOLD)


def _task(daily: Daily, words: Speaker) -> Iterator[str]:
    """Yield what the reader can do today, or their result, and their streak."""
    say, today = words.say, daily.today
    if today.is_finished:
        assert today.counted is not None
        result = say.labelled(say("Your result"), result_text(today.counted, words))
        yield f"**{result}**"
        if today.comparison is not None:
            yield capital(comparison_text(today.comparison, words, over=False))
    elif not daily.playable:
        yield say(
            "The computers have been updated today. The next deal begins {time}.",
            time=discord.utils.format_dt(daily.ends_at, "R"),
        )
    elif today.counted is not None:
        yield say("Your round has begun. It waits for you until the day is over.")
    else:
        yield say(
            "Everyone gets the same hand today. Play one round alone with three computers: two "
            "minutes, no clock."
        )
        yield say("**You have one try.** You can stop and go on later today.")
    if daily.streak.days:
        yield streak_line(daily.streak, words)


def _today_buttons(daily: Daily, words: Speaker) -> Iterator[Part]:
    """Yield the row with **Play** or **Go on**, or with the result."""
    say, today = words.say, daily.today
    args = str(today.board.number)
    colours = discord.ButtonStyle
    if today.is_finished:
        yield row(
            _CONTROLS.button(Verb.DAILY_RESULT, say("Result"), args, style=colours.primary),
            _CONTROLS.button(Verb.DAILY_SHARE, say("Share"), args),
        )
    elif daily.playable:
        label = say("Play") if today.counted is None else say("Go on")
        yield row(_CONTROLS.button(Verb.DAILY_PLAY, label, args, style=colours.success))


def _yesterday(yesterday: OwnBoard, words: Speaker) -> Iterator[Part]:
    """Yield the reader's result of yesterday, with buttons to look at that deal or to play it."""
    say, args = words.say, str(yesterday.board.number)
    name = say("Yesterday ({number})", number=say.number(yesterday.board.number))
    if yesterday.is_finished:
        assert yesterday.counted is not None
        result = result_text(yesterday.counted, words)
        if yesterday.comparison is not None:
            result += f" · {comparison_text(yesterday.comparison, words, over=True)}"
    else:
        result = say("not played")
    yield text(say.labelled(f"**{name}**", result))
    played = [each for each in (yesterday.counted, yesterday.practice) if each is not None]
    buttons = []
    if any(each.ended_at is not None for each in played):
        buttons.append(_CONTROLS.button(Verb.DAILY_RESULT, say("Result and replay"), args))
    buttons.append(_CONTROLS.button(Verb.DAILY_PRACTICE, say("Play yesterday's deal"), args))
    yield row(*buttons)
    yield text("-# " + say("Playing yesterday's deal counts for nobody."))


def _more_buttons(words: Speaker) -> Iterator[Part]:
    """Yield the buttons to pages about all daily deals."""
    leaderboard = DailyQuery().to_args()
    yield _CONTROLS.button(Verb.DAILY_BOARD, words.say("Leaderboard"), leaderboard, emoji="🏆")
    yield _CONTROLS.button(Verb.DAILY_FAIR, words.say("Fair deal"))
