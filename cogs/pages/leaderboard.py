"""The leaderboard: who is good at a game, by rating or otherwise, ever or in a season."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import get_args

import discord

from bot.errors import Refused
from bot.rating.tallies import FEWEST_CALLS, FEWEST_MATCHES, FEWEST_ROUNDS
from bot.storage import EVER, LATELY, WORLD, Board, Leaders, Order, Place, Tally, Wanted
from bot.text import Say
from bot.text.cards import Speaker
from cogs.pages.controls import Controls, Page, Part, line, number, option, row, text
from cogs.pages.names import safe
from cogs.pages.verbs import Verb
from engine.variants import VARIANTS

LINES = 10
"""So many people stand on a page."""
SEASONS = 6
"""So many seasons can be chosen, with the present one."""
_CONTROLS = Controls()


@dataclass(frozen=True, slots=True)
class Asked:
    """Which part of which leaderboard somebody looks at; `everywhere` is all servers together."""

    variant: str
    period: str
    order: Order
    everywhere: bool = False
    page: int = 0

    def board(self, guild_id: int) -> Board:
        """The leaderboard, asked for on this server."""
        scope = WORLD if self.everywhere else guild_id
        return Board(scope, self.variant, self.period, self.order)

    @property
    def args(self) -> str:
        """As it stands in a control."""
        where = "all" if self.everywhere else "here"
        return f"{self.variant}.{self.period}.{self.order}.{where}.{self.page}"


def read_asked(args: str, seasons: list[str]) -> Asked:
    """What a control asks for. Raises `Refused` (or `NotationError`) for a forged one."""
    parts = args.split(".")
    if len(parts) != 5:
        raise Refused("unknown-button")
    variant, period, order, where, page = parts
    known = (EVER, LATELY, *seasons)
    if variant not in VARIANTS or order not in get_args(Order) or where not in ("all", "here"):
        raise Refused("unknown-button")
    period = period if period in known else EVER  # a season that is long past
    return Asked(variant, period, order, where == "all", number(page))  # type: ignore[arg-type]


def last_seasons(season: str) -> list[str]:
    """The present season, such as ``2026-11``, and those before it."""
    year, month = map(int, season.split("-"))
    months = (12 * year + month - 1 - back for back in range(SEASONS))
    return [f"{one // 12:04}-{one % 12 + 1:02}" for one in months]


def last_page(size: int) -> int:
    """The number of the last page, from 0, of a leaderboard with so many people."""
    return max(0, (size - 1) // LINES)


def leaderboard_page(
    asked: Asked,
    found: Leaders,
    own: Place | None,
    wanted: Wanted,
    seasons: list[str],
    to: Speaker,
) -> Page:
    """A part of a leaderboard, the reader's own line, and the ways to all others.

    `own` and `wanted` are the reader's: his line, if there is any, and what he has chosen.
    """
    say = to.say
    head = [
        "## 🏆 " + say("Leaderboard: {game}", game=to.variant(asked.variant)),
        "-# " + _subtitle(asked, found.size, seasons, say),
    ]
    lines = [_line(place, asked, to) for place in found.places]
    return Page(
        text("\n".join(head)),
        text("\n".join(lines) if lines else _nobody(asked, say)),
        line(),
        text(_own(own, wanted, asked, to.say)),
        _games(asked, to),
        _orders(asked, say),
        _periods(asked, seasons, say),
        _buttons(asked, found.size, say),
        accent=discord.Colour(0xC8963E),
    )


def _subtitle(asked: Asked, size: int, seasons: list[str], say: Say) -> str:
    where = say("all servers") if asked.everywhere else say("this server")
    people = say.many("{n} player", "{n} players", size)
    parts = [_order_name(asked.order, say), period_name(asked.period, seasons, say), where, people]
    return " · ".join(parts)


def _line(place: Place, asked: Asked, to: Speaker) -> str:
    medal = {1: "🥇", 2: "🥈", 3: "🥉"}.get(place.place, f"**{to.say.number(place.place)}.**")
    name = safe(place.name) or f"<@{place.user_id}>"
    return f"{medal} **{name}** · {worth(place, asked, to.say)}"


def worth(place: Place, asked: Asked, say: Say) -> str:
    """What decides somebody's place, and on how much it rests."""
    tally, value = place.tally, place.value or 0.0
    rounds = say.many("{n} round", "{n} rounds", tally.rounds)
    matches = say.many("{n} match", "{n} matches", tally.matches)
    if asked.order == "rating":
        return f"**{say.number(round(value))}** · {rounds}"
    if asked.order == "wins":
        wins = say.many("{n} win", "{n} wins", tally.wins)
        return f"**{wins}** · {matches}"
    if asked.order == "win_rate":
        return f"**{say.percent(value)}** · {matches}"
    if asked.order == "calls":
        made = say(
            "{made} of {calls} made",
            made=say.number(tally.calls_made),
            calls=say.number(tally.calls),
        )
        return f"**{say.percent(value)}** · {made}"
    return f"**{points_a_round(value, asked.variant, say)}** · {rounds}"


def points_a_round(points: float, variant: str, say: Say) -> str:
    """By how much somebody's side is ahead of its opponents in a round, on average.

    In a game of places `points` are the percent of the others who came in behind him.
    """
    if not VARIANTS[variant].scored:
        return say("ahead of {share} of the others", share=say.percent(points / 100))
    sign = "+" if points > 0 else "−" if points < 0 else ""
    return sign + say.decimal(abs(round(points, 1)))


def _own(own: Place | None, wanted: Wanted, asked: Asked, say: Say) -> str:
    """The reader's place, or why he has none: not enough played, or so he has chosen."""
    if own is not None and own.place:
        place = say("You are number {place}:", place=say.number(own.place))
        return f"{place} {worth(own, asked, say)}"
    if asked.everywhere and not wanted.hidden and not wanted.worldwide:
        return say("You are not listed here: /tichu settings lets you join.")
    tally = own.tally if own is not None else Tally()
    missing = "" if wanted.hidden else _missing(asked.order, tally, say)
    return missing or say("You are not listed: you have chosen that in /tichu settings.")


def _missing(order: Order, tally: Tally, say: Say) -> str:
    """What somebody still has to do to be listed; empty if he has done enough."""
    if order == "calls":
        left = FEWEST_CALLS - tally.calls
        told = say.many(
            "You are listed after {n} more call.", "You are listed after {n} more calls.", left
        )
    elif order == "win_rate":
        left = FEWEST_MATCHES - tally.matches
        told = say.many(
            "You are listed after {n} more match.", "You are listed after {n} more matches.", left
        )
    elif order == "wins" and tally.rounds >= FEWEST_ROUNDS:
        left = 1 - tally.wins
        told = say("You are listed after your first win.")
    else:
        left = FEWEST_ROUNDS - tally.rounds
        told = say.many(
            "You are listed after {n} more round with at least one other person.",
            "You are listed after {n} more rounds with at least one other person.",
            left,
        )
    return told if left > 0 else ""


def _nobody(asked: Asked, say: Say) -> str:
    if asked.period == EVER:
        return say("Nobody is listed yet: play with somebody, and you will be the first.")
    return say("Nobody is listed in this time.")


def _order_name(order: Order, say: Say) -> str:
    return {
        "rating": say("by rating"),
        "wins": say("by matches won"),
        "win_rate": say("by share of matches won"),
        "points": say("by points a round"),
        "calls": say("by Tichus made"),
    }[order]


def period_name(period: str, seasons: list[str], say: Say) -> str:
    """A period as it stands in a sentence: all time, this season, a month."""
    if period == EVER:
        return say("all time")
    if period == LATELY:
        return say("last 30 days")
    if period == seasons[0]:
        return say("this season ({month})", month=say.month(period))
    return say.month(period)


def _games(asked: Asked, to: Speaker) -> Part:
    options = [
        option(
            to.variant(game),
            replace(asked, variant=game, page=0).args,
            default=game == asked.variant,
        )
        for game in VARIANTS
    ]
    return _CONTROLS.select(Verb.LEADERS, to.say("Game"), options, "game")


def _orders(asked: Asked, say: Say) -> Part:
    orders: tuple[Order, ...] = get_args(Order)
    options = [
        option(
            _order_name(order, say),
            replace(asked, order=order, page=0).args,
            default=order == asked.order,
        )
        for order in orders
    ]
    return _CONTROLS.select(Verb.LEADERS, say("Order"), options, "order")


def _periods(asked: Asked, seasons: list[str], say: Say) -> Part:
    periods = (EVER, seasons[0], LATELY, *seasons[1:])
    options = [
        option(
            period_name(period, seasons, say),
            replace(asked, period=period, page=0).args,
            default=period == asked.period,
        )
        for period in periods
    ]
    return _CONTROLS.select(Verb.LEADERS, say("Time"), options, "time")


def _buttons(asked: Asked, size: int, say: Say) -> Part:
    """Back and forth, and to the other scope."""
    page, last = asked.page, last_page(size)
    other = replace(asked, everywhere=not asked.everywhere, page=0)
    return row(
        _CONTROLS.button(
            Verb.LEADERS, "◀", replace(asked, page=max(0, page - 1)).args, disabled=page == 0
        ),
        _CONTROLS.button(
            Verb.LEADERS_PAGE,
            say("{page} of {pages}", page=say.number(page + 1), pages=say.number(last + 1)),
            disabled=True,
        ),
        _CONTROLS.button(
            Verb.LEADERS, "▶", replace(asked, page=page + 1).args, disabled=page == last
        ),
        _CONTROLS.button(
            Verb.LEADERS,
            say("This server") if asked.everywhere else say("All servers"),
            other.args,
        ),
    )
