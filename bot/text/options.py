"""Names of games, and the options of a table in words."""

from __future__ import annotations

from collections.abc import Iterator

from bot.table.options import TURN_BASED_S, TableOptions
from bot.table.state import TableState
from bot.text import Say
from bot.text.cards import Speaker
from engine import DECK_SIZE, VARIANTS
from players.levels import Level

DEFAULTS = TableOptions()
"""Default options, which are not mentioned."""


def game_title(say: Say, variant: str, players: int | None = None) -> str:
    """Return a game and its number of players, such as “Tichu · 4 players”.

    If the number varies in a game, it is given by `players`. Without `players`, all possible
    numbers are named.
    """
    if players is not None and len(VARIANTS[variant].people) > 1:
        return say("Grand Seigneur · {number} players", number=players)
    return {
        "nanjing": say("Tichu · 4 players"),
        "trichu": say("Tichu · 3 players"),
        "tientsin": say("Tichu · 6 players"),
        "grandseigneur": say("Grand Seigneur · 5–12 players"),
    }[variant]


def length(options: TableOptions, say: Say) -> str:
    """Return the length of a match: points, rounds, or until a vote ends it."""
    if options.target is not None:
        return say("first to {target}", target=say.number(options.target))
    if not options.rounds:
        return say("until a vote ends it")
    return say.many("{n} round", "{n} rounds", options.rounds)


def round_name(options: TableOptions, number: int, say: Say) -> str:
    """Return the name of a round: its number, and the number of all rounds if that is fixed."""
    if options.rounds:
        return say("Round {number} of {rounds}", number=number, rounds=options.rounds)
    return say("Round {number}", number=number)


def unusual_options(options: TableOptions, words: Speaker) -> Iterator[str]:
    """Yield the options that differ from the defaults, except the length of the match.

    Hints are left out because `rating_line` mentions them.
    """
    say, rules = words.say, options.rules
    if len(options.game.deck(rules)) > DECK_SIZE:
        yield say("two decks")
    if rules.clockwise:
        yield say("clockwise")
    if rules.dealing == "drawn" and options.game.grand_cards:
        yield say("cards dealt one by one")
    if rules.wish_penalty:
        yield missed_wish(options, say)
    if rules.bomb_window_ms != DEFAULTS.rules.bomb_window_ms and not options.turn_based:
        yield bomb_window(rules.bomb_window_ms, say)
    if options.turn_limit_s != DEFAULTS.turn_limit_s:
        yield turn_limit(options.turn_limit_s, say)
    if (options.computers, options.pace) != (DEFAULTS.computers, DEFAULTS.pace):
        yield computers(options, say)
    if options.auto_start:
        yield auto_start(say)


def all_options(options: TableOptions, words: Speaker) -> Iterator[str]:
    """Yield all options, including the defaults."""
    say, rules, game = words.say, options.rules, options.game
    yield f"{game_title(say, options.variant)} · {length(options, say)}"
    yield turn_limit(options.turn_limit_s, say)
    if options.turn_based:
        yield say("bomb window until the next player ends it")
    else:
        yield bomb_window(rules.bomb_window_ms, say)
    if "decks" in game.choices:
        yield say("two decks") if rules.decks else say("two decks with seven players or more")
    yield say("play goes clockwise") if rules.clockwise else say("play goes anticlockwise")
    if game.grand_cards:
        yield (
            say("cards dealt one by one")
            if rules.dealing == "drawn"
            else say("cards dealt in two parts")
        )
    if game.scored:
        yield missed_wish(options, say) if rules.wish_penalty else say("wishes must be met")
    yield computers(options, say)
    yield say("hints") if options.hints else say("no hints")
    yield auto_start(say) if options.auto_start else say("the host starts the match")


def missed_wish(options: TableOptions, say: Say) -> str:
    """Return the text of the option that a missed wish costs points."""
    return say("missed wish: {points} penalty", points=say.number(options.game.penalty_points))


def bomb_window(length_ms: int, say: Say) -> str:
    """Return the text of the length of bomb windows, given in milliseconds."""
    return say("bomb window {seconds} s", seconds=say.decimal(length_ms / 1000))


def turn_limit(seconds: int, say: Say) -> str:
    """Return the text of the time limit of a turn, and of turn-based pace."""
    if seconds not in TURN_BASED_S:
        return say("{seconds} s per turn", seconds=seconds)
    hours = seconds // 3600
    if hours < 24:
        return say.many("turn-based, {n} hour per turn", "turn-based, {n} hours per turn", hours)
    return say.many("turn-based, {n} day per turn", "turn-based, {n} days per turn", hours // 24)


def auto_start(say: Say) -> str:
    """Return the text of the option to start when all seats are taken."""
    return say("starts by itself when full")


def computers(options: TableOptions, say: Say) -> str:
    """Return the text of the level of computer players, and whether they play fast."""
    if options.pace != "quick":
        return level(options.computers, say)
    return {
        "novice": say("computers: Novice, fast"),
        "regular": say("computers: Regular, fast"),
        "expert": say("computers: Expert, fast"),
    }[options.computers]


def level(chosen: Level, say: Say) -> str:
    """Return the text of a level of computer players."""
    return {
        "novice": say("computers: Novice"),
        "regular": say("computers: Regular"),
        "expert": say("computers: Expert"),
    }[chosen]


def needs_experts(table: TableState) -> bool:
    """Return whether computer players at this table need the Expert's code."""
    has_computer = any(chair.kind == "computer" for chair in table.chairs)
    return has_computer and table.options.computers != "novice"


def novice_note(table: TableState, words: Speaker) -> Iterator[str]:
    """Yield a note while Novices replace the Experts of this table, which are not ready."""
    if words.novices_sit_in and needs_experts(table):
        yield words.say("Novices sit in until the Experts are ready")


def rating_line(options: TableOptions, weight: float, say: Say) -> str:
    """Return the text on ratings: none, partial or full.

    `weight` is the share of a rating's change that counts (`bot.rating.ratings.weight_of_round`).
    """
    if not options.rated:
        return say("not rated: hints are on")
    if weight < 1:
        return say("counts {percent} towards ratings (computers play)", percent=say.percent(weight))
    return say("counts towards ratings")
