"""Parts of tournament pages: formats, names of entrants, matches, and long lists."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

import discord

from bot.club.competition import EntrantNumber
from bot.club.event import ClubEvent, EventMatch
from bot.club.formats import FORMATS
from bot.club.settings import EventSettings, FormatName
from bot.club_records import COMPUTER, PersonNumber
from bot.text import Say
from bot.text import people as names
from bot.text.cards import Speaker
from bot.text.people import channel_mention, isolated
from cogs.pages.club.event import (
    COMPUTER_NAME,
    CONTROLS,
    ShownEvent,
    match_name,
    person_name,
)
from cogs.pages.controls import MOST_CHOSEN, Part, button_rows, length, option
from cogs.pages.verbs import Verb

PAGE_SIGN: Final = ">"
"""First character of the value of an option that leads to other options, before their page."""
_PER_SELECT: Final = MOST_CHOSEN - 2


# --- format --------------------------------------------------------------------------------------


def format_name(name: FormatName, say: Say) -> str:
    """Return the name of a format."""
    names: dict[FormatName, str] = {
        "game-night": say("Tichu night"),
        "swiss": say.sense("format of a tournament", "Swiss"),
        "round-robin": say("Round robin"),
        "knock-out": say("Knock-out"),
        "duplicate": say("Duplicate"),
        "teams": say("Same cards at two tables"),
        "league": say("League"),
    }
    return names[name]


def pace_text(hours: int | None, say: Say) -> str:
    """Return the time for the rounds: one evening, or hours for each of them."""
    if not hours:
        return say("one evening")
    return say.many("{n} day per round", "{n} days per round", max(1, hours // 24))


def rounds_text(rounds: int, say: Say) -> str:
    """Return a number of rounds."""
    return say.many("{n} round", "{n} rounds", rounds)


def format_line(settings: EventSettings, say: Say) -> str:
    """Return the format, the length of matches and the pace."""
    is_league = settings.format == "league"
    parts = [format_name(settings.format, say)]
    if settings.divisions > 1:
        parts.append(say.many("{n} division", "{n} divisions", settings.divisions))
    if settings.twice:
        parts.append(say("everybody meets twice"))
    if settings.rounds is not None and settings.format != "knock-out":
        parts.append(rounds_text(settings.rounds, say))
    if settings.match_rounds is None:
        target = say.number(settings.options.rules.target or 0)
        parts.append(say("matches to {target} points", target=target))
    else:
        number = settings.match_rounds
        parts.append(say.many("matches of {n} round", "matches of {n} rounds", number))
    parts.append(say("one match a week") if is_league else pace_text(settings.round_hours, say))
    if settings.no_show == "forfeit":
        parts.append(say("who doesn't come loses the match"))
    return " · ".join(parts)


def round_name(event: ClubEvent, words: Speaker) -> str:
    """Return the number of the last round and of all rounds, or of the week of a league."""
    say, last = words.say, len(event.rounds)
    if event.settings.format == "league":
        return say("Week {week} of {weeks}", week=say.number(event.week), weeks=say.number(last))
    planned = max(last, FORMATS[event.settings.format].length(event.competition))
    return say("Round {round} of {rounds}", round=say.number(last), rounds=say.number(planned))


# --- entrants and matches ------------------------------------------------------------------------


def entrant_name(event: ClubEvent, number: EntrantNumber, words: Speaker) -> str:
    """Return the people of an entrant; a computer plays with a lone one."""
    places = event.entrants[number - 1].places
    return " & ".join(person_name(event, each, words) for each in places)


def entrant_label(event: ClubEvent, number: EntrantNumber, words: Speaker) -> str:
    """Return the people of an entrant for an option or a file, without markdown."""
    places = event.entrants[number - 1].places
    return " & ".join(person_label(event, each, words) for each in places)


def person_label(event: ClubEvent, number: PersonNumber, words: Speaker) -> str:
    """Return the name of a person or `COMPUTER` for a button, an option or a file."""
    if number == COMPUTER:
        return COMPUTER_NAME
    person = event.people[number]
    return isolated(names.person_name(words.say, person.name, person.user_id, number - 1))


def match_label(event: ClubEvent, position: int, match: EventMatch, words: Speaker) -> str:
    """Return a match for an option."""
    sides = " – ".join(entrant_label(event, side[0], words) for side in match.sides)
    return f"{match_name(event, position, words)} · {sides}"


def match_sides(event: ClubEvent, match: EventMatch, words: Speaker) -> str:
    """Return the people of a match, the winners in bold."""
    sides = [entrant_name(event, side[0], words) for side in match.sides]
    if len(sides) == 2 and match.result is not None and match.result.winner is not None:
        sides[match.result.winner] = f"**{sides[match.result.winner]}**"
    return " – ".join(sides)


def match_lines(
    shown: ShownEvent, number: int, matches: range, most: int, words: Speaker
) -> Iterator[str]:
    """Yield matches of a round, by position, in at most this number of characters.

    The last ones have no names if there are many.
    """
    event, every = shown.event, shown.event.rounds[number - 1].matches
    heads = {each: match_head(shown, each, every[each], words) for each in matches}
    left = most - sum(length(each) + 1 for each in heads.values())
    for position, head in heads.items():
        is_bye = len(every[position].sides) == 1
        sides = (" · " if is_bye else "\n") + match_sides(event, every[position], words)
        left -= length(sides)
        yield head + sides if left >= 0 else head


def match_head(shown: ShownEvent, position: int, match: EventMatch, words: Speaker) -> str:
    """Return the number of a table with its result or its link."""
    say = words.say
    if match.result is not None and match.result.ending == "bye":
        return f"**{say('Bye')}**"
    parts = [f"**{match_name(shown.event, position, words)}**"]
    return " · ".join((*parts, *match_state(shown, match, say)))


def result_text(match: EventMatch, say: Say, side: int = 0) -> str:
    """Return the result of a match, with the points of this side first."""
    result = match.result
    if result is None:
        # Translators: of a match that is not over
        return say("still open")
    if result.ending == "played":
        own, others = result.totals[side], result.totals[1 - side]
        return f"{say.number(own)} : {say.number(others)}"
    return {
        # Translators: a round of a tournament without an opponent
        "bye": say("Bye"),
        # Translators: a match that is lost because somebody did not come
        "forfeit": say("forfeit"),
        # Translators: a match that does not count
        "void": say("void"),
    }[result.ending]


def match_state(shown: ShownEvent, match: EventMatch, say: Say) -> list[str]:
    """Return the result of a match, or the link to its table with the points so far."""
    if match.result is not None:
        return [result_text(match, say)]
    if match.table_id is None or match.table_id not in shown.places:
        return []
    parts = [channel_mention(shown.places[match.table_id])]
    rounds, totals = shown.scores.get(match.table_id, (0, ()))
    if rounds:
        points = " : ".join(map(say.number, totals))
        parts.append(
            say.many("{points} after {n} round", "{points} after {n} rounds", rounds, points=points)
        )
    return parts


# --- long lists ----------------------------------------------------------------------------------


def fitting(lines: Iterable[str], most: int) -> str:
    """Return lines in at most this number of characters; the last ones are left out."""
    shown = list[str]()
    for each in lines:
        most -= length(each) + 1
        if most < 2:
            shown.append("…")
            break
        shown.append(each)
    return "\n".join(shown)


class Place(NamedTuple):
    """Page of a list that is shown in parts."""

    page: int
    """Number of the page, from 0; a number beyond the last page means the last one."""
    size: int
    """Number of entries on a page."""

    def last(self, count: int) -> int:
        """Return the number of the last page of a list of this many entries."""
        return max(0, (count - 1) // self.size)

    def start(self, count: int) -> int:
        """Return the position of the first entry on the page."""
        return min(self.page, self.last(count)) * self.size


def page_rows(verb: Verb, args: str, place: Place, count: int, words: Speaker) -> list[Part]:
    """Return a row of buttons to other pages of a list; none if it has one page."""
    say, last = words.say, place.last(count)
    page = min(place.page, last)
    if not last:
        return []
    label = say("Page {page}/{pages}", page=say.number(page + 1), pages=say.number(last + 1))
    before, after = f"{args},{max(0, page - 1)}", f"{args},{page + 1}"
    return button_rows(
        [
            CONTROLS.button(verb, say("Previous"), before, emoji="◀️", disabled=page == 0),
            CONTROLS.button(Verb.LEADERS_PAGE, label, disabled=True),
            CONTROLS.button(verb, say("Next"), after, emoji="▶️", disabled=page == last),
        ]
    )


def long_select(
    verb: Verb, placeholder: str, options: Sequence[Part], args: str, page: int, words: Speaker
) -> Part:
    """Return a select of any number of options, of which it has a page.

    The others are behind options whose values are `PAGE_SIGN` and a page.
    """
    if len(options) <= MOST_CHOSEN:
        return CONTROLS.select(verb, placeholder, options, args)
    place = Place(page, _PER_SELECT)
    start, page = place.start(len(options)), min(page, place.last(len(options)))
    shown = list(options[start : start + _PER_SELECT])
    if page:
        shown.insert(0, option(words.say("Previous"), f"{PAGE_SIGN}{page - 1}", emoji="◀️"))
    if start + _PER_SELECT < len(options):
        shown.append(option(words.say("Next"), f"{PAGE_SIGN}{page + 1}", emoji="▶️"))
    return CONTROLS.select(verb, placeholder, shown, args)


def time_text(event: ClubEvent, words: Speaker) -> str:
    """Return when the last round begins, or its deadline; empty without either.

    In a pause it is not known when the round begins. In a league it is the end of the week.
    """
    is_league = event.settings.format == "league"
    round_ = event.rounds[event.week - 1 if is_league else -1]
    if (
        not is_league
        and all(match.table_id is None for match in round_.matches)
        and not round_.is_over
    ):
        if event.paused_at is not None:
            return words.say("tables open when it continues")
        begins = discord.utils.format_dt(round_.begins_at, "R")
        return words.say("tables open {time}", time=begins)
    if round_.deadline is not None:
        return words.say("until {time}", time=discord.utils.format_dt(round_.deadline, "F"))
    return ""
