"""The options of a table in one line, as lobby and table show them."""

from __future__ import annotations

from bot.table import TableOptions
from bot.text.cards import Speaker


def options_line(options: TableOptions, to: Speaker) -> str:
    """Everything that was chosen, the important first; the usual is left out."""
    say = to.say
    parts = [say("to {target} points", target=say.number(options.target))]
    if options.direction == "clockwise":
        parts.append(say("clockwise"))
    if options.wish_policy == "penalty":
        parts.append(say("a missed wish costs 200"))
    parts.append(say("bomb window {seconds} s", seconds=say.decimal(options.bomb_window_ms / 1000)))
    parts.append(say("{seconds} s for a turn", seconds=options.turn_limit_s))
    if options.pace == "quick":
        parts.append(say("quick computer players"))
    return " · ".join(parts)
