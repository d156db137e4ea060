"""The leaderboard of a game: ratings and other orders, by period."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import get_args

from bot.errors import Reason, Refused
from bot.ids import GuildId, UserId
from bot.rating.tallies import FEWEST_CALLS, FEWEST_MATCHES, FEWEST_ROUNDS
from bot.score_records import (
    EVER,
    LATELY,
    WORLD,
    Board,
    BoardPage,
    LeaderboardLine,
    Leaders,
    Order,
    Period,
    Preferences,
    Tally,
    Variant,
)
from bot.text import Say, capital
from bot.text.cards import Speaker
from cogs.pages.controls import GOLD, Controls, Page, Part, line, option, read_number, row, text
from cogs.pages.names import name_or_mention, shared_by
from cogs.pages.verbs import Verb
from engine import VARIANTS

PEOPLE_PER_PAGE = 10
"""The number of people on a page."""
SEASON_COUNT = 6
"""The number of seasons that can be chosen, including the current one."""
_CONTROLS = Controls()


@dataclass(frozen=True, slots=True)
class BoardQuery:
    """A page of a leaderboard."""

    variant: Variant
    """The game."""
    period: Period
    """All time, the last thirty days, or a season."""
    order: Order
    """The value by which people are ranked."""
    everywhere: bool = False
    """True for the board of all servers together."""
    page: int = 0
    """The number of the page, from 0."""

    def board(self, guild_id: GuildId) -> Board:
        """Return the leaderboard for this server, or for all servers."""
        scope = WORLD if self.everywhere else guild_id
        return Board(scope, self.variant, self.period, self.order)

    def to_args(self) -> str:
        """Return the query as arguments of a control; `read_board_query` parses them."""
        where = "all" if self.everywhere else "here"
        return f"{self.variant}.{self.period}.{self.order}.{where}.{self.page}"


def read_board_query(text: str, seasons: list[Period]) -> BoardQuery:
    """Parse the arguments of a control; raise `Refused` or `NotationError` for forged ones."""
    parts = text.split(".")
    if len(parts) != 5:
        raise Refused(Reason.UNKNOWN_BUTTON)
    variant, period, order, scope, page = parts
    offered_periods = (EVER, LATELY, *seasons)
    if variant not in VARIANTS or order not in get_args(Order) or scope not in ("all", "here"):
        raise Refused(Reason.UNKNOWN_BUTTON)
    period = period if period in offered_periods else EVER  # an old button's season
    return BoardQuery(variant, period, order, scope == "all", read_number(page))  # type: ignore[arg-type]


def last_seasons(season: str) -> list[str]:
    """Return the last `SEASON_COUNT` seasons, newest first; `season` is the current one.

    Seasons are months, such as ``2026-11``.
    """
    year, month = map(int, season.split("-"))
    newest = 12 * year + month - 1  # counted in months, with January as 0
    months = range(newest, newest - SEASON_COUNT, -1)
    return [f"{each // 12:04}-{each % 12 + 1:02}" for each in months]


def last_page(size: int) -> int:
    """Return the number of the last page, from 0, for `size` people."""
    return max(0, (size - 1) // PEOPLE_PER_PAGE)


def leaderboard_page(
    query: BoardQuery, page: BoardPage, seasons: list[Period], words: Speaker
) -> Page:
    """Return a page of a leaderboard, with the reader's line marked.

    If the reader is not among these people, the page ends with their place or the reason why they
    have none.
    """
    say, size, own_line = words.say, page.leaders.size, page.own
    query = replace(query, page=page.number)
    reader = own_line.user_id if own_line is not None else None
    blocks = _board_blocks(query, page.leaders, seasons, words, reader)
    if all(entry.user_id != reader for entry in page.leaders.lines):
        blocks += [line(), text(_own_place_text(own_line, page.preferences, query, say))]
    return Page(
        *blocks,
        _game_select(query, words),
        _order_select(query, say),
        _period_select(query, seasons, say),
        _page_buttons(query, size, say),
        accent=GOLD,
    )


def shared_leaderboard_page(
    query: BoardQuery, page: BoardPage, seasons: list[Period], words: Speaker, by: UserId
) -> Page:
    """Return a public page of a leaderboard, shared by the user `by`.

    Its button opens the leaderboard privately for the user who clicks it.
    """
    query = replace(query, page=page.number)
    blocks = _board_blocks(query, page.leaders, seasons, words)
    open_button = _CONTROLS.button(Verb.LEADERS, words.say("Open for me"), query.to_args())
    return Page(*blocks, shared_by(by, words), row(open_button), accent=GOLD)


def _board_blocks(
    query: BoardQuery,
    leaders: Leaders,
    seasons: list[Period],
    words: Speaker,
    reader: UserId | None = None,
) -> list[Part]:
    """Return the blocks with the heading and with the people on the page."""
    say = words.say
    head = "## 🏆 " + say("Leaderboard: {game}", game=words.variant(query.variant))
    lines = [
        _entry_line(entry, query, words, is_reader=entry.user_id == reader)
        for entry in leaders.lines
    ]
    return [
        text(f"{head}\n-# {_subtitle(query, leaders.size, seasons, say)}"),
        text("\n".join(lines) if lines else _empty_text(query, say)),
    ]


def _subtitle(query: BoardQuery, size: int, seasons: list[str], say: Say) -> str:
    """Return the line with order, period, scope and number of people."""
    scope = say("all servers") if query.everywhere else say("this server")
    player_count = say.many("{n} player", "{n} players", size)
    parts = [
        _order_name(query.order, say),
        period_name(query.period, seasons, say),
        scope,
        player_count,
    ]
    return " · ".join(parts)


def _entry_line(
    line: LeaderboardLine, query: BoardQuery, words: Speaker, *, is_reader: bool
) -> str:
    """Return a person's line: medal or place, name, and value; the reader's is marked."""
    medal = {1: "🥇", 2: "🥈", 3: "🥉"}.get(line.place, f"**{words.say.number(line.place)}.**")
    name = name_or_mention(line.name, line.user_id)
    entry = f"{medal} **{name}** · {value_text(line, query, words.say)}"
    return f"{words.art.icon('turn')} {entry}" if is_reader else entry


def value_text(line: LeaderboardLine, query: BoardQuery, say: Say) -> str:
    """Return the value by which a person is ranked, with the number of games behind it."""
    tally, value = line.tally, line.value or 0.0
    rounds = say.many("{n} round", "{n} rounds", tally.rounds)
    matches = say.many("{n} match", "{n} matches", tally.matches)
    if query.order == "rating":
        return f"**{say.number(round(value))}** · {rounds}"
    if query.order == "wins":
        wins = say.many("{n} win", "{n} wins", tally.wins)
        return f"**{wins}** · {matches}"
    if query.order == "win_rate":
        return f"**{say.percent(value)}** · {matches}"
    if query.order == "calls":
        made = say(
            "{made} of {calls} made",
            made=say.number(tally.calls_made),
            calls=say.number(tally.calls),
        )
        return f"**{say.percent(value)}** · {made}"
    return f"**{points_per_round(value, query.variant, say)}** · {rounds}"


def points_per_round(points: float, variant: str, say: Say) -> str:
    """Return the text of a person's average lead over the opponents in a round.

    In a game of places `points` are the percentage of other players who went out later.
    """
    if not VARIANTS[variant].scored:
        return say("ahead of {share} of the others", share=say.percent(points / 100))
    return say.signed(points)


def _own_place_text(
    line: LeaderboardLine | None, preferences: Preferences, query: BoardQuery, say: Say
) -> str:
    """Return the sentence with the reader's place, or with the reason why they have none."""
    if line is not None and line.place:
        heading = say("You're #{place}", place=say.number(line.place))
        return f"{heading} · {value_text(line, query, say)}"
    if query.everywhere and not preferences.hidden and not preferences.worldwide:
        return say("You're not on this board. Join it in /tichu settings.")
    tally = line.tally if line is not None else Tally()
    missing = "" if preferences.hidden else _missing_text(query.order, tally, say)
    return missing or say("You're hidden (see /tichu settings).")


def _missing_text(order: Order, tally: Tally, say: Say) -> str:
    """Return the sentence on what a person still needs to be ranked; empty if nothing."""
    if order == "calls":
        missing = FEWEST_CALLS - tally.calls
        sentence = say.many("{n} more call to be ranked.", "{n} more calls to be ranked.", missing)
    elif order == "win_rate":
        missing = FEWEST_MATCHES - tally.matches
        sentence = say.many(
            "{n} more match to be ranked.", "{n} more matches to be ranked.", missing
        )
    elif order == "wins" and tally.rounds >= FEWEST_ROUNDS:
        missing = 1 - tally.wins
        sentence = say("Win a match to be ranked.")
    else:
        missing = FEWEST_ROUNDS - tally.rounds
        sentence = say.many(
            "{n} more round with another person to be ranked.",
            "{n} more rounds with another person to be ranked.",
            missing,
        )
    return sentence if missing > 0 else ""


def _empty_text(query: BoardQuery, say: Say) -> str:
    if query.period == EVER:
        return say("Nobody is ranked yet. Play with someone and be the first.")
    return say("Nobody is ranked for this period.")


def _order_name(order: Order, say: Say) -> str:
    return {
        "rating": say("Rating"),
        "wins": say("Matches won"),
        "win_rate": say("Win rate"),
        "points": say("Points per round"),
        "calls": say("Tichus made"),
    }[order]


def period_name(period: str, seasons: list[str], say: Say) -> str:
    """Return the name of a period for a sentence, such as “all time”."""
    if period == EVER:
        return say("all time")
    if period == LATELY:
        return say("last 30 days")
    if period == seasons[0]:
        return say("this season ({month})", month=say.month(period))
    return say.month(period)


def _game_select(query: BoardQuery, words: Speaker) -> Part:
    """Return the select of the game."""
    options = [
        option(
            words.variant(game),
            replace(query, variant=game, page=0).to_args(),
            default=game == query.variant,
        )
        for game in VARIANTS
    ]
    # Translators: one of the four games
    return _CONTROLS.select(Verb.LEADERS, words.say("Game"), options, "game")


def _order_select(query: BoardQuery, say: Say) -> Part:
    """Return the select of the value by which people are ranked."""
    orders: tuple[Order, ...] = get_args(Order)
    options = [
        option(
            _order_name(order, say),
            replace(query, order=order, page=0).to_args(),
            default=order == query.order,
        )
        for order in orders
    ]
    # Translators: by what the leaderboard is sorted
    return _CONTROLS.select(Verb.LEADERS, say("Sort by"), options, "order")


def _period_select(query: BoardQuery, seasons: list[str], say: Say) -> Part:
    """Return the select of the period."""
    periods = (EVER, seasons[0], LATELY, *seasons[1:])
    options = [
        option(
            capital(period_name(period, seasons, say)),
            replace(query, period=period, page=0).to_args(),
            default=period == query.period,
        )
        for period in periods
    ]
    # Translators: the period: all time, a month
    return _CONTROLS.select(Verb.LEADERS, say("Period"), options, "time")


def _page_buttons(query: BoardQuery, size: int, say: Say) -> Part:
    """Return the row of buttons to other pages, to the other scope, and to share."""
    page, last = query.page, last_page(size)
    other_scope = replace(query, everywhere=not query.everywhere, page=0)
    return row(
        _CONTROLS.button(
            Verb.LEADERS,
            say("Previous"),
            replace(query, page=max(0, page - 1)).to_args(),
            emoji="◀️",
            disabled=page == 0,
        ),
        _CONTROLS.button(
            Verb.LEADERS_PAGE,
            say("Page {page}/{pages}", page=say.number(page + 1), pages=say.number(last + 1)),
            disabled=True,
        ),
        _CONTROLS.button(
            Verb.LEADERS,
            say("Next"),
            replace(query, page=page + 1).to_args(),
            emoji="▶️",
            disabled=page == last,
        ),
        _CONTROLS.button(
            Verb.LEADERS,
            say("This server") if query.everywhere else say("All servers"),
            other_scope.to_args(),
        ),
        _CONTROLS.button(Verb.SHARE_LEADERS, say("Share"), query.to_args(), emoji="📣"),
    )
