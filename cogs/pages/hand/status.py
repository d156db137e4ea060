"""Two small lines on every hand: the score, and all players.

They let a player with a small screen play without looking at the table. They are made from the view
of a spectator, so they contain nothing that only one player may know.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from bot.table.state import Game, TableState
from bot.text import Say
from bot.text.cards import Speaker
from bot.text.labels import seat_emoji, title
from bot.text.options import round_name
from cogs.pages.names import safe, seats_of_column, short_name
from engine import PLAY_PHASES, Column, Phase, Seat, SeatView, View

_OVER = (Phase.ROUND_END, Phase.MATCH_END)
_WIDTH_OF_NAMES = 40
"""Characters that all names in the second line share on a phone."""
_SHORTEST_NAME, _LONGEST_NAME = 4, 10
"""Limits for the characters of one name in the second line."""
_NO_BREAK_SPACE = "\u00a0"
"""A space without a line break."""
ARROW = "➤"
"""The mark of a player who is awaited."""


def status_fingerprint(state: Game) -> object:
    """Return a value that is equal for two states with the same status lines."""
    public = state.views.public
    return (
        public.number,
        public.totals,
        public.hierarchy,
        public.seats,
        awaited_seats(public),
        public.trick_points,
        public.wish,
        state.holder,
        _decided_calls(public),
        tuple(chair.name for chair in state.chairs),
    )


def status_lines(state: Game, chair: Seat, words: Speaker) -> str:
    """Return both status lines for this chair's player.

    The player comes first and is called “you”.
    """
    public = state.views.public
    first_line = [
        round_name(state.options.rules, public.number, words.say),
        *_score_texts(state, public, chair, words),
    ]
    has_team_emojis = set(public.seating.teams) == {0, 1}  # emojis separate players well enough
    second_line = [
        (" " if has_team_emojis else " · ").join(_player_texts(state, public, chair, words))
    ]
    if public.trick_points and public.phase not in _OVER:
        points = words.say.number(public.trick_points)
        second_line.append(words.say("trick worth {points}", points=points))
    if public.wish is not None and public.phase in PLAY_PHASES:
        wish = words.say("Wish: {rank}", rank=words.rank(public.wish))
        second_line.append(f"{words.art.icon('wish')} **{wish}**")
    if state.holder is not None:
        name = _names(state, public, chair, words)[state.holder]
        is_own = state.holder == chair
        second_line.append(
            words.say("✋ you're holding")
            if is_own
            else words.say("✋ {name} is holding", name=name)
        )
    return "\n".join(f"-# {' · '.join(parts)}" for parts in (first_line, second_line))


def awaited_seats(view: View) -> tuple[Seat, ...]:
    """Return the seats that the table waits for; if none, the one on turn."""
    if view.phase in _OVER:
        return ()
    awaited = tuple(seat.seat for seat in view.seats if seat.waited_for)
    return awaited or ((view.turn,) if view.phase in PLAY_PHASES else ())


def _score_texts(state: Game, view: View, chair: Seat, words: Speaker) -> Iterator[str]:
    """Yield each column's total, the player's own in bold, or the player's rank without totals."""
    own_column = state.match.variant.column(state.round, chair) if view.totals else None
    for column, total in enumerate(view.totals):
        score = f"{_column_label(state, view, column, chair, words)} {words.say.number(total)}"
        yield f"**{score}**" if column == own_column else score
    if view.hierarchy:
        rank = title(words.say, view.hierarchy.index(chair), len(view.hierarchy))
        yield words.say("your rank: {title}", title=rank)


def _column_label(state: Game, view: View, column: Column, chair: Seat, words: Speaker) -> str:
    """Return the emoji of a column's team, or its only player's name."""
    seats = seats_of_column(state, column)
    if len(seats) > 1:
        return seat_emoji(view, seats[0])
    return _names(state, view, chair, words)[seats[0]]


def _player_texts(state: Game, view: View, chair: Seat, words: Speaker) -> list[str]:
    """Return the text of each player, in turn order from this chair: cards and call."""
    awaited, names = awaited_seats(view), _names(state, view, chair, words)
    decided = _decided_calls(view)
    players = []
    for seat in (chair, *view.seating.after(chair)[:-1]):
        public = view.seats[seat]
        parts = [seat_emoji(view, seat) + names[seat], _card_count_or_place(public, words)]
        if public.call is not None:
            mark = {True: " ✓", False: " ✗", None: ""}[decided.get(seat)]
            parts.append(words.call(public.call) + mark)
        player = _NO_BREAK_SPACE.join(parts)
        players.append(f"**{ARROW}{_NO_BREAK_SPACE}{player}**" if seat in awaited else player)
    return players


def _card_count_or_place(public: SeatView, words: Speaker) -> str:
    """Return a seat's number of cards, or its place if out."""
    if public.place is None:
        return str(public.cards)
    return words.art.icon("out") + str(public.place)


def _decided_calls(view: View) -> dict[Seat, bool]:
    """Return whether each decided call was made, by seat.

    All calls are decided when the first player goes out.
    """
    if view.phase in _OVER and view.results:
        return {seat: made for seat, _, made in view.results[-1].calls}
    if not view.out:
        return {}
    callers = (public.seat for public in view.seats if public.call is not None)
    return {seat: seat == view.out[0] for seat in callers}


def _names(state: TableState, view: View, chair: Seat, words: Speaker) -> dict[Seat, str]:
    """Return the short names of all seats, which differ from each other."""
    full = tuple(short_name(state, seat, words) for seat in range(len(view.seats)))
    return {**dict(enumerate(_shortened_names(full, words.say))), chair: words.say("you")}


@lru_cache(maxsize=256)
def _shortened_names(full: tuple[str, ...], say: Say) -> tuple[str, ...]:
    """Return these names, shortened so that they still differ from each other.

    Equal short names get their last letter and, if still equal, the number of their seat.
    """
    limit = min(_LONGEST_NAME, max(_SHORTEST_NAME, _WIDTH_OF_NAMES // len(full)))
    short = [name if len(name) <= limit else _shorten_by_words(name, limit) for name in full]
    used = short.copy()
    for seat, name in enumerate(full):
        if used.count(short[seat]) > 1:
            short[seat] = f"{name[: limit - 2]}…{name[-1]}" if len(name) > limit else name
    used = short.copy()
    for seat, name in enumerate(full):
        if used.count(short[seat]) > 1:
            short[seat] = f"{name[: limit - 2]}({say.number(seat + 1)})"
    return tuple(map(safe, short))


def _shorten_by_words(name: str, limit: int) -> str:
    """Return at most `limit` characters of a name, in whole words if possible."""
    beginning = name[: limit - 1]
    return (beginning.rpartition(" ")[0] or beginning).rstrip() + "…"
