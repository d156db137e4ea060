"""Changes of a running tournament by its organiser, and the history of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from itertools import chain
from typing import Final, Literal

import discord

from bot.club import actions as a
from bot.club import tournament
from bot.club.competition import EntrantNumber, Pairing
from bot.club.event import ClubEvent, EventMatch
from bot.club.formats import league
from bot.club_records import PersonNumber, StoredAction
from bot.ids import UserId, is_pseudonym
from bot.text.cards import Speaker
from bot.text.people import mention, unnamed
from cogs.pages.club.event import CONTROLS, ShownEvent, person_name, round_label, table_name
from cogs.pages.club.matches import (
    Place,
    entrant_label,
    entrant_name,
    fitting,
    long_select,
    match_label,
    match_lines,
    match_sides,
    page_rows,
    person_label,
    result_text,
    round_name,
    time_text,
)
from cogs.pages.club.standings import history_button, standings_button
from cogs.pages.controls import GOLD, Page, Part, option, row, text
from cogs.pages.names import safe
from cogs.pages.verbs import Verb

Tool = Literal["replace", "swap", "void", "award", "withdraw"]
"""Change by the organiser for which something is chosen from lists."""
CHOICES: Final[dict[Tool, int]] = {"replace": 2, "swap": 2, "void": 3, "award": 3, "withdraw": 2}
"""Number of numbers to choose: people, entrants, or a match and a confirmation or its winner.

The winner is the first or the second pair, or 0 for neither. To withdraw takes the entrant, and 1
to withdraw or 0 to play again.
"""
_MOST_OUTCOME: Final = 2
"""Largest number for the outcome of a match."""
_LONGER: Final = (1, 3)
"""Days by which a deadline can be moved."""
_ENTRIES: Final = 12
"""Number of entries on a page of the history."""
_LONGEST: Final = 3200
"""Largest number of characters of the matches."""


# --- what can be done ----------------------------------------------------------------------------


def running_head(event: ClubEvent, words: Speaker) -> Iterator[str]:
    """Yield the round of a running tournament, its time, and its matches.

    Of a league it is the week, and the fixtures that the organiser can decide.
    """
    yield " · ".join(filter(None, (f"**{round_name(event, words)}**", time_text(event, words))))
    if event.paused_at is not None:
        yield f"⏸️ {words.say('Paused')}"
    if event.settings.format == "league":
        if overdue := overdue_fixtures(event):
            yield words.say.many("{n} match is overdue:", "{n} matches are overdue:", len(overdue))
            lines = (match_sides(event, match, words) for _, _, match in overdue)
            yield fitting(lines, _LONGEST)
        return
    matches = range(len(event.rounds[-1].matches))
    yield from match_lines(ShownEvent(event), len(event.rounds), matches, _LONGEST, words)


def running_buttons(event: ClubEvent, words: Speaker) -> Iterator[Part]:
    """Yield the buttons for a running tournament, without the last one, to cancel it."""
    say, args, round_ = words.say, str(event.id), event.rounds[-1]
    if event.settings.format == "league":
        if overdue_fixtures(event):
            yield tool_button(event, "award", say("Decide a match"), "⚖️")
        yield from _usual_buttons(event, words)
        return
    is_waiting = not round_.is_over and all(each.table_id is None for each in round_.matches)
    if is_waiting and event.paused_at is None:
        begun = f"{args},{len(event.rounds)}"
        yield CONTROLS.button(Verb.EVENT_BEGIN, say("Begin now"), begun, emoji="▶️")
    if is_waiting and (event.paused_at is None or event.paused_at < round_.begins_at):
        yield tool_button(event, "swap", say("Correct pairings"), "🔀")
    label, emoji = (say("Continue"), "▶️") if event.paused_at else (say("Pause"), "⏸️")
    yield CONTROLS.button(
        Verb.EVENT_PAUSE, label, f"{args},{int(event.paused_at is None)}", emoji=emoji
    )
    if round_.deadline is not None and not round_.is_over:
        for days in _LONGER:
            later = round_.deadline + timedelta(days=days)
            yield CONTROLS.button(
                Verb.EVENT_DEADLINE,
                say.many("Deadline: {n} day later", "Deadline: {n} days later", days),
                f"{args},{int(later.timestamp())}",
                emoji="⏳",
            )
    yield from _usual_buttons(event, words)


def _usual_buttons(event: ClubEvent, words: Speaker) -> Iterator[Part]:
    """Yield the buttons that any tournament has."""
    say = words.say
    yield tool_button(event, "replace", say("Replace a person"), "🔁")
    if tournament.voidable(event):
        yield tool_button(event, "void", say("Void a match"), "🚫")
    yield tool_button(event, "withdraw", say("Withdraw a pair"), "🚪")
    yield history_button(event, words)


def overdue_fixtures(event: ClubEvent) -> list[tuple[int, int, EventMatch]]:
    """Return the round, the position and the match of each overdue fixture of a league."""
    return [
        (each.round + 1, each.match, event.rounds[each.round].matches[each.match])
        for each in league.open_fixtures(event.competition)
        if each.week < event.week
    ]


def tool_button(event: ClubEvent, tool: Tool, label: str, emoji: str) -> Part:
    """Return the button that opens the lists of a tool."""
    return CONTROLS.button(Verb.EVENT_TOOL, label, f"{event.id},{tool}", emoji=emoji)


# --- tools ---------------------------------------------------------------------------------------


def tool_page(
    event: ClubEvent, tool: Tool, chosen: Sequence[int], page: int, words: Speaker
) -> Page:
    """Return the next choice of a tool, after those that were `chosen`.

    `page` is the page of the select.
    """
    say = words.say
    question, options = _choice(event, tool, chosen, words)
    args = ",".join((str(event.id), tool, *map(str, chosen)))
    lines = [f"### 📅 {safe(event.settings.title)}", question]
    items = list[Part]()
    if tool == "void" and chosen:
        style = discord.ButtonStyle.danger
        label = say("Void the match")
        items.append(row(CONTROLS.button(Verb.EVENT_TOOL, label, f"{args},1", style=style)))
    elif options:
        items.append(long_select(Verb.EVENT_TOOL, say("Choose"), options, args, page, words))
    elif tool == "replace" and chosen:
        lines.append(say("Nobody has offered to substitute."))
    else:
        lines.append(say("There is nothing to choose."))
    back = CONTROLS.button(Verb.EVENT_MORE, say("Back"), str(event.id), emoji="↩️")
    return Page(text("\n".join(lines)), *items, row(back), accent=GOLD)


def _choice(
    event: ClubEvent, tool: Tool, chosen: Sequence[int], words: Speaker
) -> tuple[str, list[Part]]:
    """Return the question of the next choice, and its options."""
    say = words.say
    if tool == "withdraw":
        question = say("Which pair plays no further rounds, or plays again?")
        return question, [
            option(
                entrant_label(event, each.number, words),
                f"{each.number},{int(not each.withdrawn)}",
                description=say("withdrawn: plays again") if each.withdrawn else None,
            )
            for each in event.entrants
        ]
    if tool == "void":
        return _matches(event, chosen, words)
    if tool == "award":
        return _overdue(event, chosen, words)
    if tool == "swap":
        paired = {side[0] for match in event.rounds[-1].matches for side in match.sides}
        options = [
            option(entrant_label(event, each, words), str(each))
            for each in sorted(paired)
            if each not in chosen
        ]
        if not chosen:
            return say("Which pair changes its place?"), options
        name = entrant_name(event, EntrantNumber(chosen[0]), words)
        return say("Which pair changes places with {name}?", name=name), options
    playing = [each for entrant in event.entrants for each in entrant.places]
    if not chosen:
        return say("Who is replaced?"), _people(event, playing, words)
    name = person_name(event, PersonNumber(chosen[0]), words)
    return say("Who plays instead of {name}?", name=name), _people(
        event, event.substitutes(), words
    )


def _overdue(event: ClubEvent, chosen: Sequence[int], words: Speaker) -> tuple[str, list[Part]]:
    """Return the question which overdue fixture is decided, or for whom, and the answers."""
    say = words.say
    if not chosen:
        return say("Which match do you decide?"), [
            option(
                match_label(event, position, match, words),
                f"{number},{position}",
                description=round_label(event, number, words),
            )
            for number, position, match in overdue_fixtures(event)
        ]
    match = event.rounds[chosen[0] - 1].matches[chosen[1]]
    names = [entrant_label(event, side[0], words) for side in match.sides]
    wins = [
        option(say("{names} win", names=each), str(number))
        for number, each in enumerate(names, start=1)
    ]
    question = say("Who wins without playing? {names}", names=match_sides(event, match, words))
    return question, [*wins, option(say("Both lose"), "0")]


def _people(event: ClubEvent, people: Sequence[PersonNumber], words: Speaker) -> list[Part]:
    return [option(person_label(event, each, words), str(each)) for each in people]


def _matches(event: ClubEvent, chosen: Sequence[int], words: Speaker) -> tuple[str, list[Part]]:
    """Return the question which match becomes void, or whether it does, and the matches."""
    say = words.say
    if chosen:
        sides = match_sides(event, event.rounds[chosen[0] - 1].matches[chosen[1]], words)
        return say("This match will count for nobody, for good: {names}", names=sides), []
    matches = (
        (*place, event.rounds[place[0] - 1].matches[place[1]])
        for place in tournament.voidable(event)
    )
    return say("Which match counts for nobody?"), [
        option(
            match_label(event, position, match, words),
            f"{number},{position}",
            description=f"{round_label(event, number, words)} · {result_text(match, say)}",
        )
        for number, position, match in matches
    ]


def has_choices(event: ClubEvent, tool: Tool, chosen: Sequence[int]) -> bool:
    """Return whether the event has these numbers; others are forged or out of date."""
    is_match = tool in ("void", "award")
    if len(chosen) > CHOICES[tool] or (is_match and len(chosen) == 1):
        return False
    if tool == "void" and chosen:
        return tuple(chosen[:2]) in tournament.voidable(event)
    if is_match:
        number, position, winner = (*chosen, 0)[:3] if chosen else (1, 0, 0)
        if winner > _MOST_OUTCOME:
            return False
        return 1 <= number <= len(event.rounds) and position < len(event.rounds[number - 1].matches)
    most = len(event.people) if tool == "replace" else len(event.entrants)
    return (tool == "replace" or 0 not in chosen[:1]) and all(each <= most for each in chosen)


# --- history -------------------------------------------------------------------------------------


def history_page(
    event: ClubEvent, stored: Sequence[StoredAction], page: int, words: Speaker
) -> Page:
    """Return what was done at a tournament, by whom and when; the last first."""
    say, place = words.say, Place(page, _ENTRIES)
    entries = list(_entries(event, stored, words))[::-1]
    start = place.start(len(entries))
    lines = entries[start : start + _ENTRIES] or [say("Nothing yet.")]
    head = f"### 📜 {safe(event.settings.title)}\n{say('History')}"
    return Page(
        text(head),
        text("\n".join(lines)),
        *page_rows(Verb.EVENT_HISTORY, str(event.id), place, len(entries), words),
        row(standings_button(event, words)),
        accent=GOLD,
    )


def _entries(event: ClubEvent, stored: Sequence[StoredAction], words: Speaker) -> Iterator[str]:
    """Yield an entry for each action that people may ask about, in order."""
    pairings = dict[int, tuple[Pairing, ...]]()
    for each in stored:
        action = a.read_action(each.body)
        if isinstance(action, a.Drawn):
            entry = _draw_entry(event, action, pairings.get(action.round), words)
            pairings[action.round] = action.pairings
        else:
            entry = _entry(event, action, words)
        if entry:
            parts = [_time(each.at)]
            if each.actor_id is not None:
                parts.append(_actor(each.actor_id, words))
            yield " · ".join((*parts, entry))


def _draw_entry(
    event: ClubEvent, action: a.Drawn, before: tuple[Pairing, ...] | None, words: Speaker
) -> str:
    """Return what a draw of a round did after an earlier one, if there was one.

    All weeks of a league are drawn at once, which is one entry.
    """
    say, name = words.say, round_label(event, action.round, words)
    if event.settings.format == "league":
        return say("season drawn") if action.round == 1 else ""
    if before is None:
        return say.labelled(name, say("drawn"))
    if {*chain(*chain(*before))} != {*chain(*chain(*action.pairings))}:
        return say.labelled(name, say("drawn again"))
    if before == action.pairings:
        return say.labelled(name, say("begun at once"))
    return say.labelled(name, say("new pairings"))


def _time(at: datetime) -> str:
    return discord.utils.format_dt(at, "f")


def _actor(actor_id: UserId, words: Speaker) -> str:
    """Return a mention of a person, or the placeholder for an erased one."""
    return unnamed(words.say, actor_id) if is_pseudonym(actor_id) else mention(actor_id)


def _entry(event: ClubEvent, action: a.Action, words: Speaker) -> str:
    """Return what an action did; empty for one that is not in the history."""
    say = words.say
    match action:
        case a.Ended(result=result) if result.ending in ("forfeit", "void"):
            found = event.rounds[action.round - 1].matches[action.match]
            found = found._replace(result=result)
            round_, ending = round_label(event, action.round, words), result_text(found, say)
            if event.settings.format == "league":
                return f"{round_}, {say.labelled(match_sides(event, found, words), ending)}"
            return f"{round_}, {say.labelled(table_name(action.match, words), ending)}"
        case a.Postponed():
            side = event.rounds[action.round - 1].matches[action.match].sides[action.side]
            names, week = entrant_name(event, side[0], words), say.number(action.week)
            round_ = round_label(event, action.round, words)
            return f"{round_}, {say('{names}: agree to week {week}', names=names, week=week)}"
        case a.Paused():
            return say("paused") if action.paused else say("continued")
        case a.DeadlineMoved():
            return say("deadline moved to {time}", time=_time(action.deadline))
        case a.Withdrew():
            names = entrant_name(event, action.entrant, words)
            if action.withdrawn:
                return say("{names}: withdrawn", names=names)
            return say("{names}: play again", names=names)
        case a.Substituted():
            old, new = (person_name(event, each, words) for each in (action.old, action.new))
            return say("{new} plays instead of {old}", new=new, old=old)
        case a.Finished(cancelled=True):
            return say("cancelled")
    return ""
