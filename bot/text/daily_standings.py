"""Sentences about standings in the deal of the day."""

from __future__ import annotations

from bot.standings.daily_standings import Standing
from bot.text import Say


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
