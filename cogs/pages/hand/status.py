"""Two small lines on every hand: the score, and all players.

They let a player with a small screen play without looking at the table. They are made from the view
of a spectator, so they contain nothing that only one player may know.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from bot.table.solo_game import SoloGame
from bot.table.state import Game, TableState
from bot.text import Say
from bot.text.cards import Speaker
from bot.text.labels import seat_emoji, title
from bot.text.options import round_name
from cogs.pages.names import safe, seats_of_column, short_name
from engine import PLAY_PHASES, Column, Phase, Seat, SeatView, View

_OVER = (Phase.ROUND_END, Phase.MATCH_END)
_ROOM_FOR_NAMES = 40
"""Characters that all names in the second line share on a phone."""
_SHORTEST, _LONGEST = 4, 10
"""The characters of one name in that line, at least and at most."""
_NO_BREAK_SPACE = "\u00a0"
"""A space without a line break."""
ARROW = "➤"
"""The sign of a player who is awaited."""


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
        public.top,
        public.wish,
        state.holder,
        _calls_made(public),
        tuple(chair.name for chair in state.chairs),
    )


def status_lines(state: Game, chair: Seat, words: Speaker, *, shows_table: bool = False) -> str:
    """Return both lines for this chair's player, who comes first.

    They are called “you”. If the table is in the picture above the hand, the players are left out.
    """
    public = state.views.public
    first = []
    if not isinstance(state, SoloGame):  # it has one round, which begins at 0 : 0
        name = round_name(state.options, public.number, words.say)
        first = [name, *_scores(state, public, chair, words)]
    second = [] if shows_table else _trick_line(state, chair, words)
    if state.holder is not None:
        name = _names(state, public, chair, words)[state.holder]
        own = state.holder == chair
        second.append(
            words.say("✋ you're holding") if own else words.say("✋ {name} is holding", name=name)
        )
    return "\n".join(f"-# {' · '.join(parts)}" for parts in (first, second) if parts)


def _trick_line(state: Game, chair: Seat, words: Speaker) -> list[str]:
    """Return the parts of the second line: all players, the trick's points, and the wish."""
    public = state.views.public
    parts = [" · ".join(_players(state, public, chair, words))]
    if public.trick_points and public.phase not in _OVER:
        points = words.say.number(public.trick_points)
        parts.append(words.say("trick worth {points}", points=points))
    if public.wish is not None and public.phase in PLAY_PHASES:
        wish = words.say("Wish: {rank}", rank=words.rank(public.wish))
        parts.append(f"{words.art.icon('wish')} **{wish}**")
    return parts


def awaited_seats(view: View) -> tuple[Seat, ...]:
    """Return the awaited seats, else the one whose turn it is; none when the round is over."""
    if view.phase in _OVER:
        return ()
    asked = tuple(seat.seat for seat in view.seats if seat.waited_for)
    return asked or ((view.turn,) if view.phase in PLAY_PHASES else ())


def _scores(state: Game, view: View, chair: Seat, words: Speaker) -> Iterator[str]:
    """Yield each column's total, the reader's own in bold, or the rank of the reader."""
    own = state.match.variant.column(state.round, chair) if view.totals else None
    for column, total in enumerate(view.totals):
        score = f"{_column(state, view, column, chair, words)} {words.say.number(total)}"
        yield f"**{score}**" if column == own else score
    if view.hierarchy:
        rank = title(words.say, view.hierarchy.index(chair), len(view.hierarchy))
        yield words.say("your rank: {title}", title=rank)


def _column(state: Game, view: View, column: Column, chair: Seat, words: Speaker) -> str:
    """Return the sign of a column's team, or its player's name."""
    seats = seats_of_column(state, column)
    if len(seats) > 1:
        return seat_emoji(view, seats[0])
    return _names(state, view, chair, words)[seats[0]]


def _players(state: Game, view: View, chair: Seat, words: Speaker) -> list[str]:
    """Return every player in turn order, with cards and call.

    The reader comes first. A player who is out has a place instead of cards.
    """
    asked, names = awaited_seats(view), _names(state, view, chair, words)
    made = _calls_made(view)
    players = []
    for seat in (chair, *view.seating.after(chair)[:-1]):
        public = view.seats[seat]
        parts = [seat_emoji(view, seat) + names[seat], _cards(public, words)]
        if public.call is not None:
            mark = {True: " ✓", False: " ✗", None: ""}[made.get(seat)]
            parts.append(words.call(public.call) + mark)
        player = _NO_BREAK_SPACE.join(parts)
        if asked == (seat,):
            player = f"**{ARROW}{_NO_BREAK_SPACE}{player}**"
        elif seat in asked:  # arrows between several players would read as a chain
            player += f"{_NO_BREAK_SPACE}⏳"
        players.append(player)
    return players


def _cards(public: SeatView, words: Speaker) -> str:
    """Return a seat's number of cards, or its place if out."""
    if public.place is None:
        return str(public.cards)
    return words.art.icon("out") + str(public.place)


def _calls_made(view: View) -> dict[Seat, bool]:
    """Return whether each call was made, by seat; nothing as long as nobody is out.

    The first player to go out decides all calls.
    """
    if view.phase in _OVER and view.results:
        return {seat: made for seat, _, made in view.results[-1].calls}
    if not view.out:
        return {}
    callers = (public.seat for public in view.seats if public.call is not None)
    return {seat: seat == view.out[0] for seat in callers}


def _names(state: TableState, view: View, chair: Seat, words: Speaker) -> dict[Seat, str]:
    """Return the names of all seats, shortened but different; the reader is “you”."""
    full = tuple(short_name(state, seat, words) for seat in range(len(view.seats)))
    return {**dict(enumerate(_shortened(full, words.say))), chair: words.say("you")}


@lru_cache(maxsize=256)
def _shortened(full: tuple[str, ...], say: Say) -> tuple[str, ...]:
    """Return these names, shortened but different from each other."""
    most = min(_LONGEST, max(_SHORTEST, _ROOM_FOR_NAMES // len(full)))
    short = [name if len(name) <= most else _cut(name, most) for name in full]
    # Equal names keep their last letter, too. If they are still equal, they get their seat number.
    taken = short.copy()
    for seat, name in enumerate(full):
        if taken.count(short[seat]) > 1:
            short[seat] = f"{name[: most - 2]}…{name[-1]}" if len(name) > most else name
    taken = short.copy()
    for seat, name in enumerate(full):
        if taken.count(short[seat]) > 1:
            short[seat] = f"{name[: most - 2]}({say.number(seat + 1)})"
    return tuple(map(safe, short))


def _cut(name: str, most: int) -> str:
    """Return the beginning of a name, in whole words if possible.

    It has at most `most` characters.
    """
    beginning = name[: most - 1]
    return (beginning.rpartition(" ")[0] or beginning).rstrip() + "…"
