"""The leaderboard of the deal of the day: mean match points of a week or month."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date
from typing import Literal, cast, get_args

from bot.errors import Reason, Refused
from bot.score_records import Period
from bot.standings.daily_standings import (
    FEWEST_DAYS,
    DailyLeaders,
    DailyLine,
    Span,
    last_day_before,
    period_of,
)
from bot.text import Say, capital
from bot.text.boards import daily_value, lead_text
from bot.text.cards import Speaker
from cogs.pages.controls import GOLD, Controls, Page, Part, line, option, read_number, row, text
from cogs.pages.names import name_or_mention
from cogs.pages.verbs import Verb

PEOPLE_PER_PAGE = 10
"""The number of people on a page."""
FileForm = Literal["csv", "json"]
"""Format of an exported leaderboard."""
_PeriodName = Literal["week", "last-week", "month", "last-month"]
_CONTROLS = Controls()
_CONFIDENCE = 0.95


@dataclass(frozen=True, slots=True)
class DailyQuery:
    """A page of a leaderboard."""

    period: _PeriodName = "month"
    """The current week or month, or the previous one."""
    everywhere: bool = False
    """True for the leaderboard of all servers together."""
    page: int = 0
    """The number of the page, from 0."""

    def stored_period(self, today: date) -> Period:
        """Return the period at this day."""
        span = cast(Span, self.period.removeprefix("last-"))
        day = last_day_before(today, span) if self.period.startswith("last") else today
        return period_of(day, span)

    def to_args(self) -> str:
        """Return the query as arguments of a control; `read_daily_query` parses them."""
        return f"{self.period}.{'all' if self.everywhere else 'here'}.{self.page}"


def read_daily_query(text: str) -> DailyQuery:
    """Parse the arguments of a control; raise `Refused` or `NotationError` for forged ones."""
    parts = text.split(".")
    if len(parts) != 3:
        raise Refused(Reason.UNKNOWN_BUTTON)
    period, scope, page = parts
    if period not in get_args(_PeriodName) or scope not in ("all", "here"):
        raise Refused(Reason.UNKNOWN_BUTTON)
    return DailyQuery(cast(_PeriodName, period), scope == "all", read_number(page))


def read_export(text: str) -> tuple[DailyQuery, FileForm]:
    """Parse the arguments of **CSV** or **JSON**; raise `Refused` for forged ones."""
    args, _, form = text.rpartition(".")
    if form not in get_args(FileForm):
        raise Refused(Reason.UNKNOWN_BUTTON)
    return read_daily_query(args), cast(FileForm, form)


def daily_leaderboard_page(
    query: DailyQuery, today: date, leaders: DailyLeaders, words: Speaker, *, in_server: bool
) -> Page:
    """Return a page of a leaderboard, with the reader's line marked.

    If the reader is not among these people, the page ends with their place or the reason why they
    have none. Outside of servers (not `in_server`) there is only the leaderboard of all.
    """
    say = words.say
    query = replace(query, page=leaders.number)
    reader = leaders.own.user_id if leaders.own is not None else None
    parts = [
        say("match points"),
        _period_name(query.period, today, say),
        say("all servers") if query.everywhere else say("this server"),
        say.many("{n} player", "{n} players", leaders.size),
    ]
    head = "## 🏆 " + say("Leaderboard: {game}", game=say("Deal of the day"))
    lines = [_line_text(each, words, is_reader=each.user_id == reader) for each in leaders.lines]
    blocks = [
        text(f"{head}\n-# {' · '.join(parts)}"),
        text("\n".join(lines) or say("Nobody is ranked for this period.")),
    ]
    if all(each.user_id != reader for each in leaders.lines):
        blocks += [line(), text(_own_text(query, leaders, say))]
    return Page(
        *blocks,
        text(_method_text(say)),
        _period_select(query, today, say),
        row(*_page_buttons(query, leaders.size, say, in_server=in_server)),
        row(*_other_buttons(query, leaders.size, say)),
        accent=GOLD,
    )


def _line_text(each: DailyLine, words: Speaker, *, is_reader: bool) -> str:
    """Return a person's line: medal or place, name, and value; the reader's is marked."""
    say = words.say
    medal = {1: "🥇", 2: "🥈", 3: "🥉"}.get(each.place, f"**{say.number(each.place)}.**")
    name = name_or_mention(each.name, each.user_id)
    entry = f"{medal} **{name}** · {daily_value(each.standing, say)}"
    if each.within_chance:
        entry += " · " + lead_text(say)
    return f"{words.art.icon('turn')} {entry}" if is_reader else entry


def _own_text(query: DailyQuery, leaders: DailyLeaders, say: Say) -> str:
    """Return the sentence with the reader's place, or with the reason why they have none."""
    own, preferences = leaders.own, leaders.preferences
    if own is not None and own.place:
        heading = say("You're #{place}", place=say.number(own.place))
        return f"{heading} · {daily_value(own.standing, say)}"
    if preferences.hidden:
        return say("You're hidden (see /tichu settings).")
    if query.everywhere and not preferences.worldwide:
        return say("You're not on this board. Join it in /tichu settings.")
    missing = FEWEST_DAYS - (0 if own is None else own.standing.days)
    return say.many(
        "{n} more deal that others play too, and you're ranked.",
        "{n} more deals that others play too, and you're ranked.",
        max(1, missing),
    )


def _method_text(say: Say) -> str:
    """Return the meaning of the numbers, and how far they can be trusted."""
    sentences = (
        say(
            "Match points: the share of the others who did worse with the same cards, ties half; "
            "the mean of at least {n} days that are over, with its {share} interval. A lead could "
            "be chance if the interval of the difference reaches 0.",
            n=say.number(FEWEST_DAYS),
            share=say.percent(_CONFIDENCE),
        ),
        say(
            "A second account could look at the deal first, so take these places as play among "
            "friends."
        ),
    )
    return "\n".join(f"-# {each}" for each in sentences)


def _period_name(period: _PeriodName, today: date, say: Say) -> str:
    """Return the name of a period for a sentence, such as “this week”."""
    stored = DailyQuery(period).stored_period(today)
    if period == "week":
        return say("this week")
    if period == "last-week":
        return say("last week")
    if period == "month":
        return say("this month ({month})", month=say.month(stored))
    return say.month(stored)


def _period_select(query: DailyQuery, today: date, say: Say) -> Part:
    """Return the select of the period."""
    options = [
        option(
            capital(_period_name(period, today, say)),
            replace(query, period=period, page=0).to_args(),
            default=period == query.period,
        )
        for period in get_args(_PeriodName)
    ]
    return _CONTROLS.select(Verb.DAILY_BOARD, say("Period"), options, "time")


def _page_buttons(query: DailyQuery, size: int, say: Say, *, in_server: bool) -> list[Part]:
    """Return the buttons to other pages, and to the other scope."""
    page, last = query.page, max(0, (size - 1) // PEOPLE_PER_PAGE)

    def to_page(label: str, number: int, emoji: str, *, disabled: bool) -> Part:
        args = replace(query, page=number).to_args()
        return _CONTROLS.button(Verb.DAILY_BOARD, label, args, emoji=emoji, disabled=disabled)

    buttons = [
        to_page(say("Previous"), max(0, page - 1), "◀️", disabled=page == 0),
        _CONTROLS.button(
            Verb.LEADERS_PAGE,
            say("Page {page}/{pages}", page=say.number(page + 1), pages=say.number(last + 1)),
            disabled=True,
        ),
        to_page(say("Next"), page + 1, "▶️", disabled=page == last),
    ]
    if in_server:
        other = replace(query, everywhere=not query.everywhere, page=0)
        label = say("This server") if query.everywhere else say("All servers")
        buttons.append(_CONTROLS.button(Verb.DAILY_BOARD, label, other.to_args()))
    return buttons


def _other_buttons(query: DailyQuery, size: int, say: Say) -> list[Part]:
    """Return the buttons to the files with all lines, and to the start page."""
    exports = [
        _CONTROLS.button(
            Verb.DAILY_EXPORT,
            say("Export as {form}", form=form.upper()),
            f"{query.to_args()}.{form}",
            disabled=not size,
        )
        for form in get_args(FileForm)
    ]
    return [*exports, _CONTROLS.button(Verb.DAILY, say("Back"), emoji="↩️")]
