"""The options of a table in one line, as the lobby and the table message show them."""

from __future__ import annotations

from bot.table.options import TableOptions
from bot.text import Say
from bot.text.cards import Speaker
from engine import DECK_SIZE, Options


def options_line(options: TableOptions, words: Speaker) -> str:
    """All options that somebody could have chosen otherwise, the most important first."""
    say, rules = words.say, options.rules
    game = options.game
    parts = [length(rules, say)]
    if len(game.deck(rules)) > DECK_SIZE:
        parts.append(say("two decks"))
    parts.append(say("clockwise") if rules.clockwise else say("anticlockwise"))
    if game.grand_cards:
        parts.append(
            say("drawn card by card") if rules.dealing == "drawn" else say("dealt in two parts")
        )
    if rules.wish_penalty:
        parts.append(say("a missed wish costs 200"))
    elif game.scored:
        parts.append(say("wishes are enforced"))
    parts.append(say("bomb window {seconds} s", seconds=say.decimal(rules.bomb_window_ms / 1000)))
    parts.append(say("{seconds} s for a turn", seconds=options.turn_limit_s))
    if options.computers == "expert":
        parts.append(say("expert computer players"))
    else:
        parts.append(say("novice computer players"))
    if options.pace == "quick":
        parts.append(say("quick computer players"))
    if options.hints:
        parts.append(say("with hints"))
    return " · ".join(parts)


def length(rules: Options, say: Say) -> str:
    """How long a match lasts: up to a number of points or rounds, or until a vote ends it."""
    if rules.target is not None:
        return say("to {target} points", target=say.number(rules.target))
    if not rules.rounds:
        return say("until a vote ends it")
    return say.many("{n} round", "{n} rounds", rules.rounds)
