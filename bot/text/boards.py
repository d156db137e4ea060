"""Sentences about results on boards, and about standings in the deal of the day."""

from __future__ import annotations

from bot.board_records import MemberResult, SoloResult, SoloRound
from bot.standings.daily_standings import Standing
from bot.text import Say
from bot.text.cards import Speaker
from engine import Call

_CALLS = {"tichu": Call.TICHU, "grand": Call.GRAND}


def result_text(result: SoloRound | SoloResult | MemberResult, words: Speaker) -> str:
    """Return points and call of a finished round, such as “+185 · Tichu ✓”."""
    assert result.points is not None, "the round is over"
    parts = [words.say.signed(result.points)]
    if result.call is not None:
        parts.append(f"{words.call(_CALLS[result.call])} {'✓' if result.call_made else '✗'}")
    return " · ".join(parts)


def daily_value(standing: Standing, say: Say) -> str:
    """Return the mean match points with their interval, and the number of deals."""
    low, high = (say.percent(end / 100) for end in standing.interval)
    interval = say("{low} to {high}", low=low, high=high)
    deals = say.many("{n} deal", "{n} deals", standing.days)
    return f"**{say.percent(standing.mean / 100)}** ({interval}) · {deals}"


def lead_text(say: Say) -> str:
    """Return the mark of a line whose lead over the next one may be chance."""
    # Translators: on a leaderboard, after a person: they may be no better than the next one
    return say("lead could be chance")
