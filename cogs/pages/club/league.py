"""Pages of a league: the public one of a season, and the reader's own fixtures."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import discord

from bot.club import league as rules
from bot.club.competition import EntrantNumber
from bot.club.event import ClubEvent, EventEntrant, EventMatch
from bot.club.formats import league
from bot.ids import UserId
from bot.text.cards import Speaker
from cogs.pages.club.event import (
    CONTROLS,
    ShownEvent,
    listed,
    more_button,
    round_label,
    watch_button,
)
from cogs.pages.club.matches import (
    entrant_label,
    entrant_name,
    fitting,
    long_select,
    match_sides,
    match_state,
    round_name,
    time_text,
)
from cogs.pages.club.standings import (
    division_head,
    outsider_page,
    own_buttons,
    own_results,
    placed,
    rounds_select,
    standings_button,
    tables,
    values,
)
from cogs.pages.controls import (
    GOLD,
    MOST_CHOSEN,
    Page,
    Part,
    button_rows,
    length,
    option,
    pictures,
    row,
    text,
)
from cogs.pages.names import safe
from cogs.pages.verbs import Verb

_LONGEST: Final = 3800
"""Largest number of characters of the public page, with room for separators."""
_LONGEST_TABLES: Final = 1500
"""Largest number of characters of the tables while the season runs."""
_LONGEST_LIST: Final = 1800
"""Largest number of characters of the open fixtures, and of the results, on the own page."""
_TOP: Final = 3
"""Number of places of each of several divisions on the public page."""
_TOP_OF_ONE: Final = 8
"""Number of places of the only division on the public page."""


# --- the public page -----------------------------------------------------------------------------


def season_page(shown: ShownEvent, head: str, words: Speaker) -> Page:
    """Return the public page of a season below its head: fixtures of the week, and tables."""
    event, say = shown.event, words.say
    items = [text(head)]
    left = _LONGEST - length(head)
    top = fitting(_tops(event, words), left if event.is_over else _LONGEST_TABLES)
    if not event.is_over:
        items.append(text(fitting(_fixtures(shown, words), left - length(top))))
    if shown.pictures:
        items.append(pictures(shown.pictures))
    elif top:
        items.append(text(f"**{say('Standings')}**\n{top}"))
    buttons = list[Part]()
    if event.status == "over":
        items.append(rounds_select(event, 0, words))
        label = say("Next season")
        buttons.append(CONTROLS.button(Verb.EVENT_NEXT, label, str(event.id), emoji="📅"))
    if not event.is_over:
        start, own = say("Start my match"), say("My matches")
        style = discord.ButtonStyle.success
        args = str(event.id)
        buttons += [
            CONTROLS.button(Verb.EVENT_START, start, args, emoji="▶️", style=style),
            CONTROLS.button(Verb.EVENT_OWN, own, args, emoji="🃏"),
        ]
    buttons.append(standings_button(event, words))
    if not event.is_over:
        buttons += [watch_button(event, words), more_button(event, words)]
    return Page(*items, *button_rows(buttons), accent=GOLD)


def champion_lines(event: ClubEvent, words: Speaker) -> Iterator[str]:
    """Yield the winners of each division of a season that is over."""
    say, champions = words.say, league.champions(event.competition)
    for number, entrant in enumerate(champions, start=1):
        names = entrant_name(event, entrant, words)
        if len(champions) == 1:
            yield f"🏆 **{say('Champions: {names}', names=names)}**"
        else:
            division = say("Division {number}", number=say.number(number))
            yield f"🏆 **{say.labelled(division, names)}**"


def _fixtures(shown: ShownEvent, words: Speaker) -> Iterator[str]:
    """Yield the fixtures of the week by division, then what is still open of earlier weeks."""
    event, week = shown.event, shown.event.week
    for number, division in enumerate(league.divisions_of(event.competition), start=1):
        members = {each.number for each in division.entrants}
        yield from division_head(event, number, words)
        for position, match in enumerate(event.rounds[week - 1].matches):
            if len(match.sides) == 2 and match.sides[0][0] in members:
                yield fixture_line(shown, week, position, words)
    earlier = [each for each in league.open_fixtures(event.competition) if each.round + 1 < week]
    if earlier:
        yield f"**{words.say('Still open')}**"
    for fixture in earlier:
        yield fixture_line(shown, fixture.round + 1, fixture.match, words)


def fixture_line(shown: ShownEvent, round_: int, position: int, words: Speaker) -> str:
    """Return the pairs of a fixture, and its result, its table or the week in which it is due."""
    match = shown.event.rounds[round_ - 1].matches[position]
    parts = [match_sides(shown.event, match, words), *_state(shown, round_, match, words)]
    return " · ".join(parts)


def _state(
    shown: ShownEvent, round_: int, match: EventMatch, words: Speaker, side: int | None = None
) -> list[str]:
    """Return the result, the table or the week of a fixture, and a wish to postpone it.

    `side` is that of the reader, if they have one.
    """
    event, say = shown.event, words.say
    if found := match_state(shown, match, say):
        return found
    due, asked = max(round_, min(match.until)), max(match.until)
    parts = list[str]()
    if due < event.week:
        # Translators: of a match whose week is over
        parts.append(f"⚠️ {say('overdue')}")
    elif due > round_:
        parts.append(f"⏳ {say('postponed to week {week}', week=say.number(due))}")
    if asked > max(due, event.week):
        week, is_own = say.number(asked), side is not None and match.until[side] == asked
        parts.append(
            say("your opponents have not agreed to week {week} yet", week=week)
            if is_own
            else say("one pair asks for week {week}", week=week)
        )
    return parts


def _tops(event: ClubEvent, words: Speaker) -> Iterator[str]:
    """Yield the first places of each division; after the season, who is promoted or relegated."""
    if not any(each.result for round_ in event.rounds for each in round_.matches):
        return
    say, every = words.say, tables(event)
    most = _TOP if len(every) > 1 else _TOP_OF_ONE
    rankings = [[line.entrant for line in table] for table in every]
    moves = list(league.moves(rankings, event.settings.exchanged))
    for number, table in enumerate(every, start=1):
        yield from division_head(event, number, words)
        for line in table[:most]:
            yield f"{placed(event, line, words)} · {values(event, line, say)[0]}"
        if event.status != "over":
            continue
        promoted = moves[number - 2][1] if number > 1 else ()
        relegated = moves[number - 1][0] if number <= len(moves) else ()
        # Translators: pairs that play in a higher division in the next season
        ways = ("⬆️", say("Promoted"), promoted), ("⬇️", say("Relegated"), relegated)
        for emoji, label, pairs in ways:
            if pairs:
                names = listed([entrant_name(event, each, words) for each in pairs], words)
                yield f"{emoji} {say.labelled(label, names)}"


# --- the reader's own fixtures -------------------------------------------------------------------


def fixtures_page(
    shown: ShownEvent,
    reader: UserId,
    words: Speaker,
    chosen: tuple[int, int] | None = None,
    page: int = 0,
) -> Page:
    """Return the reader's open fixtures and results, with the buttons of one open fixture.

    It is the `chosen` one, by round and position, or the one that is due first. `page` is the page
    of the select of fixtures.
    """
    event, say, number = shown.event, words.say, shown.event.number_of(reader)
    entrant, title = event.entrant_of(number), f"### 🏆 {safe(event.settings.title)}"
    if entrant is None:
        return outsider_page(event, number, title, words)
    week = " · ".join(filter(None, (f"**{round_name(event, words)}**", time_text(event, words))))
    items = [text(title if event.is_over else f"{title}\n{week}")]
    fixtures = [] if event.is_over else list(rules.fixtures_of(event, entrant.number))
    selected = next((each for each in fixtures if (each.round + 1, each.match) == chosen), None)
    selected = selected or next(iter(fixtures), None)
    if fixtures:
        lines = [_own_line(shown, entrant, each, words) for each in fixtures]
        items.append(text(f"**{say('Open matches')}**\n{fitting(lines, _LONGEST_LIST)}"))
    elif not event.is_over:
        items.append(text(say("You have no open match.")))
    if len(fixtures) > 1:
        options = [
            option(
                _opponents_label(event, entrant, each, words),
                f"{each.round + 1},{each.match}",
                description=round_label(event, each.week, words),
                default=each == selected,
            )
            for each in fixtures
        ]
        placeholder = say("Choose a match")
        items.append(
            long_select(Verb.EVENT_FIXTURE, placeholder, options, str(event.id), page, words)
        )
    if selected is not None:
        items += _controls(shown, entrant, selected, words)
    if results := list(own_results(event, entrant, words)):
        items.append(text(fitting(results, _LONGEST_LIST)))
    return Page(*items, row(*own_buttons(event, entrant, words)), accent=GOLD)


def _own_line(
    shown: ShownEvent, entrant: EventEntrant, fixture: league.Fixture, words: Speaker
) -> str:
    """Return the week of a fixture, the opponents, and its table or postponement."""
    event, match = shown.event, shown.event.rounds[fixture.round].matches[fixture.match]
    opponents = entrant_name(event, _opponent(entrant, fixture), words)
    side = fixture.sides.index((entrant.number,))
    state = _state(shown, fixture.round + 1, match, words, side)
    return " · ".join((round_label(event, fixture.round + 1, words), opponents, *state))


def _controls(
    shown: ShownEvent, entrant: EventEntrant, fixture: league.Fixture, words: Speaker
) -> Iterator[Part]:
    """Yield the buttons to start or to postpone a fixture, and what the opponents agree to."""
    event, say = shown.event, words.say
    match = event.rounds[fixture.round].matches[fixture.match]
    args = f"{event.id},{fixture.round + 1},{fixture.match}"
    side = fixture.sides.index((entrant.number,))
    own, theirs = match.until[side], match.until[1 - side]
    weeks = range(max(fixture.round + 1, event.week) + 1, len(event.rounds) + 1)
    buttons = list[Part]()
    if match.table_id not in shown.places:
        name = _opponents_label(event, entrant, fixture, words)
        label, style = say("Start: {names}", names=name), discord.ButtonStyle.success
        buttons.append(CONTROLS.button(Verb.EVENT_START, label, args, emoji="▶️", style=style))
    if theirs in weeks and theirs > own:
        label = say("Agree to week {week}", week=say.number(theirs))
        buttons.append(CONTROLS.button(Verb.EVENT_POSTPONE, label, f"{args},{theirs}", emoji="🤝"))
    if buttons:
        yield row(*buttons)
    options = [
        option(
            round_label(event, week, words),
            str(week),
            description=say("your opponents agree") if week <= theirs else None,
            default=week == own,
        )
        for week in weeks[:MOST_CHOSEN]
    ]
    if options:
        placeholder = say("Postpone until…")
        yield CONTROLS.select(Verb.EVENT_POSTPONE, placeholder, options, args)


def _opponent(entrant: EventEntrant, fixture: league.Fixture) -> EntrantNumber:
    return next(number for (number,) in fixture.sides if number != entrant.number)


def _opponents_label(
    event: ClubEvent, entrant: EventEntrant, fixture: league.Fixture, words: Speaker
) -> str:
    return entrant_label(event, _opponent(entrant, fixture), words)
