"""The public page of a game night: who is in, the tables that were drawn, and the results.

Discord accepts 4,000 characters of text on a page, so long lists of names are cut.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple, get_args

import discord

from bot.club.actions import Answer
from bot.club.event import ClubEvent, EventMatch
from bot.club_records import COMPUTER, PersonNumber
from bot.ids import ChannelId, TableId, UserId, is_pseudonym
from bot.text.cards import Speaker
from bot.text.people import channel_mention, mention, unnamed
from cogs.pages.controls import (
    GOLD,
    MOST_CHOSEN,
    Controls,
    Page,
    Part,
    length,
    option,
    row,
    text,
)
from cogs.pages.names import name_or_mention, safe
from cogs.pages.table.blocked import permission_names
from cogs.pages.verbs import Verb

CONTROLS: Final = Controls()
ANSWERS: Final = get_args(Answer)
"""All answers, the best first."""
EMOJIS: Final[dict[Answer, str]] = {"yes": "✅", "maybe": "❔", "substitute": "🔁", "no": "✖️"}
COMPUTER_NAME: Final = "🤖"
_MOST_NAMES: Final = 10
"""Largest number of names in a list of people with the same answer."""
_MOST_NAMES_PER_DATE: Final = 6
"""Largest number of names for one of several dates."""
_MOST_TABLES: Final = 60
"""Largest number of tables in the list."""
_LONGEST_TABLES: Final = 3400
"""Largest number of characters of the list of tables."""
_LONGEST_LINKS: Final = 50
"""Largest number of characters of a table's line without names."""


class ShownEvent(NamedTuple):
    """An event, and what its page shows of the server."""

    event: ClubEvent
    """The event."""
    places: Mapping[TableId, ChannelId] = {}
    """Channels or threads of its open tables."""
    missing: Sequence[str] | None = None
    """Permissions that the bot lacks to open threads for its tables, `None` if it can.

    Empty if the channel has no threads.
    """
    scores: Mapping[TableId, tuple[int, Sequence[int]]] = {}
    """Numbers of rounds and totals of the matches that are played now."""
    pictures: Sequence[tuple[str, str]] = ()
    """Names and alternative texts of attached pictures of the standings, instead of their text."""


def night_page(shown: ShownEvent, words: Speaker) -> Page:
    """Return the public page of a game night."""
    event, say = shown.event, words.say
    items = [text("\n".join(_head(event, words)))]
    if event.rounds:
        items.append(text("\n".join((tables_text(shown, words), *thread_warning(shown, words)))))
    elif event.status == "open":
        lines = _answers(event, words) if event.date is not None else _dates(event, words)
        items.append(text("\n".join((*lines, *_notes(shown, words)))))
    if event.status == "open" and event.date is not None:
        items.append(row(*answer_buttons(event, ANSWERS, words), more_button(event, words)))
    elif event.status == "open":
        label, primary = say("When can you play?"), discord.ButtonStyle.primary
        dates = CONTROLS.button(Verb.EVENT_DATES, label, str(event.id), emoji="📅", style=primary)
        items.append(row(dates, more_button(event, words)))
    elif event.status == "running":
        items.append(row(watch_button(event, words), more_button(event, words)))
    elif replays := _replays(event, words):
        items.append(CONTROLS.select(Verb.MATCH, say("Open a match"), replays, "0"))
    return Page(*items, accent=GOLD)


_PLAIN: Final = discord.ButtonStyle.secondary


def answer_buttons(event: ClubEvent, answers: Iterable[Answer], words: Speaker) -> list[Part]:
    """Return the buttons of answers for the chosen date."""
    return [
        CONTROLS.button(
            Verb.EVENT_ANSWER,
            answer_label(each, words),
            f"{event.id},{event.date},{each}",
            emoji=EMOJIS[each],
            style=discord.ButtonStyle.success if each == "yes" else _PLAIN,
        )
        for each in answers
    ]


def more_button(event: ClubEvent, words: Speaker) -> Part:
    """Return the button that opens the organiser's page."""
    return CONTROLS.button(Verb.EVENT_MORE, words.say("More…"), str(event.id))


def watch_button(event: ClubEvent, words: Speaker) -> Part:
    """Return the button that opens the page for watching."""
    return CONTROLS.button(Verb.EVENT_WATCH, words.say("Watch"), str(event.id), emoji="👀")


def answer_label(answer: Answer, words: Speaker) -> str:
    """Return an answer as its button and the list of its people name it."""
    say = words.say
    labels: dict[Answer, str] = {
        "yes": say("I'm in"),
        # Translators: an answer to an invitation
        "maybe": say("Maybe"),
        # Translators: an answer to an invitation: I play if somebody is missing
        "substitute": say("Substitute"),
        # Translators: an answer to an invitation: I cannot come
        "no": say("Can't"),
    }
    return labels[answer]


def _head(event: ClubEvent, words: Speaker) -> Iterator[str]:
    """Yield the title, the time, and what is special."""
    say, settings = words.say, event.settings
    yield f"### 📅 {safe(settings.title)}"
    if event.status == "cancelled":
        yield f"**{say('Cancelled')}**"
        if event.date is not None and not event.answered("yes"):
            yield say("Nobody was in.")
    elif event.status == "over" and not event.rounds:
        yield say("I was offline when it began.")
    if event.date is not None:
        yield when(event)
    organiser = say("by {name}", name=name_of_organiser(event, words))
    facts = [words.variant(settings.options.variant), organiser]
    if settings.weekly:
        facts.append(say("every week"))
    yield "-# " + " · ".join(facts)


def when(event: ClubEvent) -> str:
    """Return the time of an event, as each reader's Discord shows it."""
    date = discord.utils.format_dt(event.began_at, "F")
    if event.status != "open":
        return date
    return f"{date} · {discord.utils.format_dt(event.begins_at, 'R')}"


def name_of_organiser(event: ClubEvent, words: Speaker) -> str:
    """Return a mention of the organiser, or the placeholder for an erased one."""
    organiser_id = event.organiser_id
    return unnamed(words.say, organiser_id) if is_pseudonym(organiser_id) else mention(organiser_id)


def _answers(event: ClubEvent, words: Speaker) -> Iterator[str]:
    """Yield the people by their answers."""
    for answer in ANSWERS:
        people = event.answered(answer)
        line = (
            f"{EMOJIS[answer]} **{answer_label(answer, words)}** · {words.say.number(len(people))}"
        )
        yield f"{line}\n{_names(event, people, words)}" if people else line


def _dates(event: ClubEvent, words: Speaker) -> Iterator[str]:
    """Yield the dates to choose from, with the number of each answer, and with who is in."""
    for date in range(len(event.settings.dates)):
        yield date_line(event, date, words)
        if people := event.answered("yes", date):
            yield _names(event, people, words, _MOST_NAMES_PER_DATE)
    yield "-# " + words.say(
        "The date for which most people are in is chosen 15 minutes before the first one, unless "
        "{name} chooses earlier.",
        name=name_of_organiser(event, words),
    )


def date_line(event: ClubEvent, date: int, words: Speaker) -> str:
    """Return one of several dates with its number of answers."""
    counts = (
        f"{EMOJIS[each]} {words.say.number(len(event.answered(each, date)))}" for each in ANSWERS
    )
    day = discord.utils.format_dt(event.settings.dates[date], "F")
    return f"**{date + 1}.** {day} · {' · '.join(counts)}"


def _notes(shown: ShownEvent, words: Speaker) -> Iterator[str]:
    """Yield what happens next, and what is missing for it."""
    say = words.say
    yield "-# " + say(
        "Tables are drawn at the start, and computers take empty seats. 15 minutes before, I "
        "remind everyone on this list who can come."
    )
    yield from thread_warning(shown, words)


def thread_warning(shown: ShownEvent, words: Speaker) -> Iterator[str]:
    """Yield that there can be no threads for tables, and why."""
    say, event = words.say, shown.event
    matches = event.rounds[-1].matches if event.rounds else ()
    are_open = event.rounds and all(each.table_id or each.result for each in matches)
    if shown.missing is None or event.is_over or are_open:
        return
    yield "⚠️ " + say("I can't open threads here, so there is room for one table only.")
    if shown.missing:
        names = say.join(permission_names(say)[each] for each in shown.missing)
        yield "-# " + say.labelled(say("Missing"), names)


def _names(
    event: ClubEvent, people: Sequence[PersonNumber], words: Speaker, most: int = _MOST_NAMES
) -> str:
    """Return the names of people as a list; of many only the first ones."""
    return listed([person_name(event, each, words) for each in people], words, most)


def listed(names: Sequence[str], words: Speaker, most: int = _MOST_NAMES) -> str:
    """Return names as a list; of many only the first ones."""
    say, names = words.say, list(names)
    if len(names) > most:
        others = len(names) - most
        names[most:] = [say.many("{n} other", "{n} others", others)]
    return say.join(names)


def person_name(event: ClubEvent, number: PersonNumber, words: Speaker) -> str:
    """Return the name of a person or `COMPUTER`, or the placeholder for an erased person."""
    if number == COMPUTER:
        return COMPUTER_NAME
    person = event.people[number]
    if is_pseudonym(person.user_id):
        return unnamed(words.say, person.user_id)
    return name_or_mention(person.name, UserId(person.user_id))


# --- tables --------------------------------------------------------------------------------------


def tables_text(shown: ShownEvent, words: Speaker) -> str:
    """Return the tables of the last round: links, people and results.

    The last ones have no names if there are many.
    """
    event = shown.event
    matches = event.rounds[-1].matches
    shown_matches = matches[:_MOST_TABLES]
    lines, left = list[str](), _LONGEST_TABLES - _LONGEST_LINKS * len(shown_matches)
    for position, match in enumerate(shown_matches):
        line = _table_line(shown, position, match, words)
        names = "\n" + match_names(event, match, words)
        if length(names) <= left:
            left -= length(names)
            line += names
        lines.append(line)
    if len(matches) > _MOST_TABLES:
        lines.append("…")
    return "\n".join(lines)


def _table_line(shown: ShownEvent, position: int, match: EventMatch, words: Speaker) -> str:
    """Return the number of a table with its link or its result."""
    say, parts = words.say, [f"**{table_name(position, words)}**"]
    result = match.result
    if result is not None and result.ending != "played":
        # Translators: a match without a result
        parts.append(say("not finished"))
    elif result is not None and shown.event.settings.options.teams:
        parts.append(" : ".join(map(say.number, result.totals)))
    elif match.table_id is not None and match.table_id in shown.places:
        parts.append(channel_mention(shown.places[match.table_id]))
    return " · ".join(parts)


def table_name(position: int, words: Speaker) -> str:
    """Return the name of a table by its position from 0."""
    return words.say("Table {table}", table=words.say.number(position + 1))


def match_name(event: ClubEvent, position: int, words: Speaker) -> str:
    """Return the name of a match by its position in its round; a league has no tables."""
    if event.settings.format != "league":
        return table_name(position, words)
    return words.say("Match {number}", number=words.say.number(position + 1))


def round_label(event: ClubEvent, number: int, words: Speaker) -> str:
    """Return the name of a round, which is a week of a league."""
    say = words.say
    if event.settings.format == "league":
        return say("Week {number}", number=say.number(number))
    return say("Round {number}", number=say.number(number))


def thread_name(event: ClubEvent, round_: int, match: int, words: Speaker) -> str:
    """Return the name of the thread of a match, of at most 100 characters."""
    parts = [event.settings.title[:_LONGEST_THREAD_TITLE], match_name(event, match, words)]
    if event.settings.is_tournament:
        parts.insert(1, round_label(event, round_, words))
    return " · ".join(parts)


_LONGEST_THREAD_TITLE: Final = 65
"""Largest number of characters of a title in the name of a thread."""


def match_names(event: ClubEvent, match: EventMatch, words: Speaker) -> str:
    """Return the people of a match, by team if the game has teams."""
    sides = [
        [
            person_name(event, COMPUTER if person in match.absent else person, words)
            for entrant in side
            for person in event.entrants[entrant - 1].people
        ]
        for side in match.sides
    ]
    if event.settings.options.teams:
        return " – ".join(" & ".join(side) for side in sides if side)
    return ", ".join(name for side in sides for name in side)


def _replays(event: ClubEvent, words: Speaker) -> list[Part]:
    """Return options for the matches that were played to their end."""
    matches = event.rounds[-1].matches if event.rounds else ()
    played = [
        option(table_name(position, words), str(match.table_id))
        for position, match in enumerate(matches)
        if match.table_id is not None and match.result is not None
        if match.result.ending == "played"
    ]
    return played[:MOST_CHOSEN]
