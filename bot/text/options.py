"""The options of a table in one line, as lobby and table show them."""

from __future__ import annotations

from bot.table import TableOptions
from bot.text import Say
from bot.text.cards import Speaker
from engine.options import Options


def options_line(options: TableOptions, to: Speaker) -> str:
    """Everything that was chosen, the important first; the usual is left out."""
    say, rules = to.say, options.rules()
    parts = [length(rules, say)]
    if rules.decks:
        parts.append(say("two decks"))
    if rules.clockwise:
        parts.append(say("clockwise"))
    if rules.wish_penalty:
        parts.append(say("a missed wish costs 200"))
    parts.append(say("bomb window {seconds} s", seconds=say.decimal(options.bomb_window_ms / 1000)))
    parts.append(say("{seconds} s for a turn", seconds=options.turn_limit_s))
    if options.pace == "quick":
        parts.append(say("quick computer players"))
    return " · ".join(parts)


def length(rules: Options, say: Say) -> str:
    """How long a match is: points, rounds, or as long as people like."""
    if rules.target is not None:
        return say("to {target} points", target=say.number(rules.target))
    if not rules.rounds:
        return say("until a vote ends it")
    return say.many("{n} round", "{n} rounds", rules.rounds)
