"""Names of people, seats, teams and boards as messages show them."""

from __future__ import annotations

from bot.boards.board import Board
from bot.ids import UserId
from bot.table.solo_game import SoloGame
from bot.table.state import Game, TableState
from bot.text import Say
from bot.text.cards import Speaker
from bot.text.labels import title
from bot.text.people import isolated, mention, person_name, visible
from cogs.pages.controls import Part, text
from engine import Column, Seat

_ESCAPED = str.maketrans({sign: f"\\{sign}" for sign in "\\`*_~|[]()<>@#:-"})
"""Characters with which markdown, a link, a mention or an emoji begins or ends."""


def safe(name: str) -> str:
    """Escape a name so that Discord shows no markdown, link or mention in it.

    It has no control characters, and cannot reorder the text around it.
    """
    return isolated(visible(name)).translate(_ESCAPED)


def board_name(board: Board | SoloGame, words: Speaker) -> str:
    """Return the name of a board: the deal of a day, or a deal of a challenge."""
    say, number = words.say, words.say.number(board.number)
    if board.kind == "daily":
        return say("Deal of the day {number}", number=number)
    return f"{say('Challenge')} · {say('Deal {number}', number=number)}"


def name_or_mention(name: str, user_id: UserId) -> str:
    """Return a name for a text, or a mention if the name is unknown or would not show."""
    return safe(name) or mention(user_id)


def plain_name(state: TableState, seat: Seat, words: Speaker) -> str:
    """Return a seat's name for a file or picture: its player, or Trichu's Table."""
    if seat >= len(state.chairs):
        # Translators: the fourth hand of Trichu, as the name of a player
        return words.say("The Table")
    chair = state.chairs[seat]
    if chair.kind == "person":
        return person_name(words.say, chair.name, chair.user_id, seat)
    return chair.name


def label_name(state: TableState, seat: Seat, words: Speaker) -> str:
    """Return a seat's name for a button or an option."""
    return isolated(plain_name(state, seat, words))


def short_name(state: TableState, seat: Seat, words: Speaker) -> str:
    """Return a seat's name for a narrow place; only Trichu's Table has a shorter one."""
    if seat >= len(state.chairs):
        # Translators: Trichu's Table as a heading, at most 7 letters, the first 4 of which say it
        return words.say("Table")
    return plain_name(state, seat, words)


def seat_name(state: TableState, seat: Seat, words: Speaker) -> str:
    """Return the name of a seat for a text, escaped for markdown."""
    return safe(plain_name(state, seat, words))


def column_name(state: Game, column: Column, words: Speaker) -> str:
    """Return the names of a column's seats, such as “Ada & Ben”."""
    return " & ".join(seat_name(state, seat, words) for seat in seats_of_column(state, column))


_LONGEST_HEADING = 12
"""Largest number of characters of a name in the heading of a column."""


def plain_column(state: Game, column: Column, words: Speaker) -> str:
    """Return a heading for a column: the beginnings of its seats' names, joined by “+”."""
    seats = seats_of_column(state, column)
    names = [short_name(state, seat, words).replace("`", "'") for seat in seats]
    return "+".join(name.replace("+", " ")[:_LONGEST_HEADING] for name in names)


def seats_of_column(state: Game, column: Column) -> list[Seat]:
    """Return the seats whose points of this round go to a column."""
    round_, match = state.round, state.match
    seats = range(len(round_.hands))
    return [seat for seat in seats if match.variant.column(round_, seat) == column]


def titled_name(state: TableState, seat: Seat, hierarchy: tuple[Seat, ...], words: Speaker) -> str:
    """Return a seat's bold name, with its title in a `hierarchy` (G13)."""
    name = f"**{seat_name(state, seat, words)}**"
    if not hierarchy:
        return name
    return f"{name}, {title(words.say, hierarchy.index(seat), len(hierarchy))}"


def ordinal(place: int, words: Speaker) -> str:
    """Return a place (from 1) for a sentence, such as “1st” in “out 1st”."""
    say = words.say
    # Translators: {place} in “out {place}”, “You're out {place}” and “{name} is out {place}”; no
    # gender: “1.”, “1º” or “n° 1” will do
    known = {1: say("1st"), 2: say("2nd"), 3: say("3rd")}
    return known.get(place) or say("{place}th", place=place)


def listed_place(place: int, words: Speaker) -> str:
    """Return a place in front of a name, such as “1st” in “1st Ada”.

    Places count from 1.
    """
    say = words.say
    known = {
        # Translators: in front of a name, as in “1st Ada · 2nd Ben”; no gender: “1.” will do
        1: say.sense("in front of a name", "1st"),
        2: say.sense("in front of a name", "2nd"),
        3: say.sense("in front of a name", "3rd"),
    }
    return known.get(place) or say.sense("in front of a name", "{place}th", place=place)


def copy_offer(line: str, say: Say) -> str:
    """Return the text that offers a line to copy, where it cannot be shared."""
    return say("I can't post here. You can copy it:") + f"\n```\n{line}\n```"


def shared_by(user_id: UserId, words: Speaker) -> Part:
    """Return the small line on a shared page; send it with no allowed mentions."""
    return text("-# " + words.say("Shared by {name}", name=mention(user_id)))
