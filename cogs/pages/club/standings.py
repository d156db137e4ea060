"""Standings of a tournament: the first places, all places, rounds, and the reader's own matches."""

from __future__ import annotations

from collections.abc import Iterator
from math import floor
from typing import Final, Literal, get_args

import discord

from bot.club.actions import Answer
from bot.club.competition import Line, Result, TieBreak
from bot.club.event import ClubEvent, EventEntrant, EventMatch
from bot.club.formats import FORMATS, league
from bot.club_records import PersonNumber
from bot.ids import UserId
from bot.text import Say
from bot.text.cards import Speaker
from cogs.pages.club.event import CONTROLS, ShownEvent, answer_buttons, round_label
from cogs.pages.club.matches import (
    Place,
    entrant_name,
    long_select,
    match_label,
    match_lines,
    page_rows,
    result_text,
    round_name,
    time_text,
)
from cogs.pages.controls import GOLD, Page, Part, line, option, row, text
from cogs.pages.names import safe
from cogs.pages.verbs import Verb

FileForm = Literal["csv", "json"]
"""Format of a file with the standings."""
_LINES: Final = 16
"""Number of lines on a page."""
_FIRST: Final = 8
"""Number of lines on the public page."""
_LONGEST_MATCHES: Final = 3600
"""Largest number of characters of the matches on the page of a round."""
_MOST_OWN: Final = 15
"""Largest number of the reader's own matches on a page."""
_MEDALS: Final = {1: "🥇", 2: "🥈", 3: "🥉"}


# --- lines ---------------------------------------------------------------------------------------


def standings(event: ClubEvent) -> tuple[Line, ...]:
    """Return the standings of a tournament whose entrants are known."""
    return FORMATS[event.settings.format].standings(event.competition)


def tables(event: ClubEvent) -> tuple[tuple[Line, ...], ...]:
    """Return the table of each division of a league, or the only one of another tournament."""
    if event.settings.format == "league":
        return league.tables(event.competition)
    return (standings(event),)


def division_head(event: ClubEvent, number: int, words: Speaker) -> list[str]:
    """Return the name of a division as a line; nothing if there is only one."""
    if league.division_count(event.competition) == 1:
        return []
    return [f"**{words.say('Division {number}', number=words.say.number(number))}**"]


def values(event: ClubEvent, each: Line, say: Say) -> list[str]:
    """Return the score and the tie-breaks of a line; of a knock-out only the rounds survived."""
    tie_breaks = FORMATS[event.settings.format].tie_breaks
    if "reached" in tie_breaks:
        return [say.number(floor(each.tie_breaks[0]))]
    score = say.percent if event.settings.format == "duplicate" else say.decimal
    shown = [score(float(each.score))]
    for name, value in zip(tie_breaks, each.tie_breaks, strict=True):
        form = say.signed if name == "points" else say.decimal
        shown.append(form(float(value)))
    return shown


def first_places(event: ClubEvent, words: Speaker) -> Iterator[str]:
    """Yield the first places; none before a match is over."""
    if not any(each.result for round_ in event.rounds for each in round_.matches):
        return
    for each in standings(event)[:_FIRST]:
        yield f"{placed(event, each, words)} · {values(event, each, words.say)[0]}"


def placed(event: ClubEvent, each: Line, words: Speaker) -> str:
    """Return the place of an entrant, as a medal at the end, and its names."""
    place = f"**{words.say.number(each.place)}.**"
    if event.status == "over" and event.was_played:
        place = _MEDALS.get(each.place, place)
    return f"{place} {entrant_name(event, each.entrant, words)}"


# --- the page of the standings -------------------------------------------------------------------


def standings_page(event: ClubEvent, page: int, words: Speaker) -> Page:
    """Return all places, with tie-breaks and what they mean; each division has its pages."""
    say, tie_breaks = words.say, FORMATS[event.settings.format].tie_breaks
    sections = [
        (number, table[start : start + _LINES])
        for number, table in enumerate(tables(event), start=1)
        for start in range(0, len(table), _LINES)
    ]
    place = Place(page, 1)
    division, section = sections[place.start(len(sections))]
    lines = division_head(event, division, words)
    for each in section:
        score, *others = values(event, each, say)
        parts = [f"{placed(event, each, words)} · **{score}**", *others]
        if event.entrants[each.entrant - 1].withdrawn:
            # Translators: of a pair that plays no further rounds
            parts.append(say("withdrawn"))
        lines.append(" · ".join(parts))
    head = [say.many("{n} pair", "{n} pairs", len(event.entrants)), round_name(event, words)]
    files = [
        CONTROLS.button(
            Verb.EVENT_EXPORT, say("Export as {form}", form=form.upper()), f"{event.id},{form}"
        )
        for form in get_args(FileForm)
    ]
    columns, *meanings = _legend(tie_breaks, say)
    return Page(
        text(f"### 🏆 {safe(event.settings.title)}\n-# {' · '.join(head)}\n-# {columns}"),
        text("\n".join(lines)),
        *([line(), text("\n".join(f"-# {each}" for each in meanings))] if meanings else ()),
        rounds_select(event, 0, words),
        *page_rows(Verb.EVENT_STANDINGS, str(event.id), place, len(sections), words),
        row(*files, history_button(event, words)),
        accent=GOLD,
    )


def _legend(tie_breaks: tuple[TieBreak, ...], say: Say) -> Iterator[str]:
    """Yield the names of the columns, then a line on each tie-break."""
    names: dict[TieBreak, str] = {
        "direct": say("direct encounter"),
        "buchholz": say("Buchholz"),
        "points": say("points"),
        "reached": say("rounds survived"),
    }
    meanings: dict[TieBreak, str] = {
        "direct": say("score in the matches among those who are equal, if all have met"),
        "buchholz": say("the scores of all opponents together"),
        "points": say("points in all matches, less those of the opponents"),
        "reached": say("only the match for the third place separates equal pairs"),
    }
    # Translators: the wins and half the draws, in the standings of a tournament
    score = () if "reached" in tie_breaks else (say("score"),)
    yield " · ".join((say("pair"), *score, *(names[each] for each in tie_breaks)))
    for each in tie_breaks:
        yield say.labelled(names[each], meanings[each])


def rounds_select(event: ClubEvent, page: int, words: Speaker) -> Part:
    """Return the select of a round, whose matches are shown."""
    say = words.say
    options = [
        option(round_label(event, number, words), str(number))
        for number in range(1, len(event.rounds) + 1)
    ]
    is_league = event.settings.format == "league"
    placeholder = say("Matches of a week") if is_league else say("Matches of a round")
    return long_select(Verb.EVENT_ROUND, placeholder, options, str(event.id), page, words)


def round_page(
    shown: ShownEvent, number: int, page: int, words: Speaker, *, rounds: int = 0
) -> Page:
    """Return a page of the matches of a round, and a select of their replays.

    `rounds` is the page of the select of rounds.
    """
    event, say, place = shown.event, words.say, Place(page, _LINES)
    matches = event.rounds[number - 1].matches
    start = place.start(len(matches))
    here = range(start, min(start + _LINES, len(matches)))
    head = f"### 🏆 {safe(event.settings.title)}\n**{round_label(event, number, words)}**"
    items = [
        text(head),
        text("\n".join(match_lines(shown, number, here, _LONGEST_MATCHES, words))),
    ]
    replays = [
        option(match_label(event, each, matches[each], words), str(matches[each].table_id))
        for each in here
        if (result := matches[each].result) is not None and result.ending == "played"
    ]
    if replays:
        items.append(CONTROLS.select(Verb.MATCH, say("Open a match"), replays, "0"))
    items += page_rows(Verb.EVENT_ROUND, f"{event.id},{number}", place, len(matches), words)
    items += [rounds_select(event, rounds, words), row(standings_button(event, words))]
    return Page(*items, accent=GOLD)


def standings_button(event: ClubEvent, words: Speaker) -> Part:
    """Return the button that opens the standings."""
    label = words.say("Standings")
    return CONTROLS.button(Verb.EVENT_STANDINGS, label, f"{event.id},0", emoji="📊")


def history_button(event: ClubEvent, words: Speaker) -> Part:
    """Return the button that opens the history."""
    return CONTROLS.button(Verb.EVENT_HISTORY, words.say("History"), f"{event.id},0", emoji="📜")


# --- the reader's own matches --------------------------------------------------------------------


def own_page(shown: ShownEvent, reader: UserId, words: Speaker) -> Page:
    """Return the reader's match of this round, and their results."""
    event, say = shown.event, words.say
    number = event.number_of(reader)
    entrant = event.entrant_of(number)
    head = [f"### 🏆 {safe(event.settings.title)}"]
    if entrant is None:
        return outsider_page(event, number, head[0], words)
    head.append(
        " · ".join(filter(None, (f"**{round_name(event, words)}**", time_text(event, words))))
    )
    found = _match_of(event, len(event.rounds), entrant)
    if found is None:
        head.append(say("You have no match in this round."))
    else:
        position, *_ = found
        here = range(position, position + 1)
        head += match_lines(shown, len(event.rounds), here, _LONGEST_MATCHES, words)
    items = [text("\n".join(head))]
    if lines := list(own_results(event, entrant, words)):
        items.append(text("\n".join(lines[:_MOST_OWN])))
    return Page(*items, row(*own_buttons(event, entrant, words)), accent=GOLD)


def own_buttons(event: ClubEvent, entrant: EventEntrant, words: Speaker) -> Iterator[Part]:
    """Yield the buttons of the page of an entrant."""
    say = words.say
    yield standings_button(event, words)
    if not event.is_over and entrant.withdrawn:
        label = say("Play again")
        yield CONTROLS.button(Verb.EVENT_WITHDRAW_NOW, label, f"{event.id},0", emoji="▶️")
    elif not event.is_over:
        yield CONTROLS.button(Verb.EVENT_WITHDRAW, say("Withdraw"), str(event.id), emoji="🚪")


def outsider_page(event: ClubEvent, number: PersonNumber | None, head: str, words: Speaker) -> Page:
    """Return the page of somebody who plays for no pair, but can offer to be a substitute."""
    say, is_substitute = words.say, number in event.substitutes()
    sentence = say("You don't play in this event.")
    if is_substitute:
        sentence = say("You're a substitute. The organiser can put you into a pair.")
    buttons = [standings_button(event, words)]
    if not event.is_over:
        other: Answer = "no" if is_substitute else "substitute"
        buttons += answer_buttons(event, [other], words)
    return Page(text(f"{head}\n{sentence}"), row(*buttons), accent=GOLD)


def _match_of(
    event: ClubEvent, number: int, entrant: EventEntrant
) -> tuple[int, EventMatch, int] | None:
    """Return an entrant's match of a round with its position, and the entrant's side."""
    for position, match in enumerate(event.rounds[number - 1].matches):
        for side, entrants in enumerate(match.sides):
            if entrant.number in entrants:
                return position, match, side
    return None


def own_results(event: ClubEvent, entrant: EventEntrant, words: Speaker) -> Iterator[str]:
    """Yield the results of an entrant, the last one first."""
    say = words.say
    for number in range(len(event.rounds), 0, -1):
        found = _match_of(event, number, entrant)
        if found is None or found[1].result is None:
            continue
        if event.settings.format == "league" and len(found[1].sides) == 1:
            continue  # a free week
        _, match, side = found
        parts = [round_label(event, number, words)]
        parts += [
            entrant_name(event, other[0], words)
            for position, other in enumerate(match.sides)
            if position != side
        ]
        parts.append(result_text(match, say, side))
        result = match.result
        if len(match.sides) == 2 and result is not None and result.ending != "void":
            parts.append(_outcome(result, side, say))
        yield " · ".join(parts)


def _outcome(result: Result, side: int, say: Say) -> str:
    """Return whether a side has won; both have lost a match to which nobody came."""
    if result.winner is None and result.ending == "played":
        # Translators: result of a match
        return say("draw")
    # Translators: result of a match
    return say("won") if result.winner == side else say("lost")


def withdraw_page(event: ClubEvent, words: Speaker) -> Page:
    """Return the page that asks whether to withdraw."""
    say = words.say
    if event.settings.format == "league":
        consequence = say(
            "You lose all matches that are still open. If you have played less than half, none of "
            "yours counts. You can come back before the season ends."
        )
    else:
        consequence = say(
            "You and your partner play no further rounds. If your table is open and the match "
            "hasn't begun, you lose it. You can come back before a later round."
        )
    lines = f"### {say('Withdraw from {title}?', title=safe(event.settings.title))}", consequence
    button = CONTROLS.button(
        Verb.EVENT_WITHDRAW_NOW,
        say("Withdraw"),
        f"{event.id},1",
        style=discord.ButtonStyle.danger,
    )
    return Page(text("\n".join(lines)), row(button), accent=GOLD)
