"""Private pages of events: answers for several dates, the organiser's page, and the list."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Final

import discord
from babel.dates import format_date, format_time

from bot.club.event import ClubEvent
from bot.club.settings import FormatName
from bot.ids import UserId
from bot.runtime.zones import place
from bot.table.quiet_hours import zone_of
from bot.text.cards import Speaker
from bot.text.people import channel_mention
from cogs.pages.club.event import (
    ANSWERS,
    CONTROLS,
    EMOJIS,
    ShownEvent,
    answer_label,
    date_line,
    tables_text,
    when,
)
from cogs.pages.club.organiser import running_buttons, running_head
from cogs.pages.controls import GOLD, Page, Part, button_rows, option, row, text
from cogs.pages.names import safe
from cogs.pages.verbs import Verb

MOST_LISTED: Final = 10
"""Largest number of events in the list."""


def written_date(at: datetime, zone: str, language: str) -> str:
    """Return a time in a time zone in words, such as "Freitag, 4. Dezember 2026, 20:00"."""
    local, locale = at.astimezone(zone_of(zone)), language.replace("-", "_")
    day = format_date(local, "full", locale=locale)
    return f"{day}, {format_time(local.time(), 'short', locale=locale)}"


def usual_title(format_: FormatName, words: Speaker) -> str:
    """Return the title of an event whose organiser gives it none."""
    if format_ == "league":
        return words.say("Tichu league")
    return words.say("Tichu night") if format_ == "game-night" else words.say("Tichu tournament")


def with_place(at: datetime, zone: str, language: str) -> str:
    """Return a time in words with the place of its time zone."""
    return f"{written_date(at, zone, language)} · {place(zone, language)}"


def announced_page(event: ClubEvent, words: Speaker, *, soon: bool = False) -> Page:
    """Return how the dates of a new event were read, and how to correct them.

    One that begins `soon` has no date to correct, but can begin at once.
    """
    say, settings = words.say, event.settings
    lines = [f"### 📅 {say('Announced in {channel}', channel=channel_mention(event.channel_id))}"]
    for date in settings.dates:
        lines.append(f"**{with_place(date, settings.zone, say.language)}**")
        time = discord.utils.format_dt(date, "F")
        lines.append("-# " + say("Your Discord shows it as {time}.", time=time))
    if soon:
        note = say("It begins then, or as soon as eight people are in and you press Begin now.")
    else:
        note = say(
            "Not the time you meant? Cancel the event, choose your time zone with `/tichu settings "
            "zone:`, and announce it again."
        )
    buttons = [_begin(event, words)] if soon else []
    text_ = text("\n".join((*lines, note)))
    return Page(text_, row(*buttons, _cancel(event, words)), accent=GOLD)


def dates_page(event: ClubEvent, reader: UserId, words: Speaker) -> Page:
    """Return the reader's answers for each of several dates."""
    say, number = words.say, event.number_of(reader)
    items = [text(f"### 📅 {safe(event.settings.title)}\n{say('When can you play?')}")]
    for date in range(len(event.settings.dates)):
        given = None if number is None else event.answers.get((number, date))
        options = [
            option(answer_label(each, words), each, emoji=EMOJIS[each], default=each == given)
            for each in ANSWERS
        ]
        items.append(text(date_line(event, date, words)))
        args = f"{event.id},{date}"
        items.append(CONTROLS.select(Verb.EVENT_ANSWER, say("Your answer"), options, args))
    return Page(*items, accent=GOLD)


def manage_page(event: ClubEvent, words: Speaker) -> Page:
    """Return what the organiser can do with an event now."""
    say, args, dates = words.say, str(event.id), event.settings.dates
    head = [f"### 📅 {safe(event.settings.title)}"]
    if event.status == "cancelled":
        head.append(f"**{say('Cancelled')}**")
    if event.date is not None and event.status != "running":
        head.append(when(event))
    items = [text("\n".join(head))]
    buttons = list[Part]()
    if event.status == "open":
        if len(dates) > 1:
            items.append(
                text("\n".join(date_line(event, each, words) for each in range(len(dates))))
            )
            options = [
                option(
                    f"{each + 1}. {with_place(date, event.settings.zone, say.language)}",
                    str(each),
                    default=each == event.date,
                )
                for each, date in enumerate(dates)
            ]
            items.append(CONTROLS.select(Verb.EVENT_DATE, say("Choose the date"), options, args))
        buttons.append(_begin(event, words))
    elif event.settings.is_tournament and event.status == "running":
        items.append(text("\n".join(running_head(event, words))))
        buttons += running_buttons(event, words)
    elif event.status == "running":
        note = say("As long as no match has begun, the tables can be drawn again, by lot.")
        items.append(text(f"{tables_text(ShownEvent(event), words)}\n-# {note}"))
        buttons.append(CONTROLS.button(Verb.EVENT_DRAW, say("Draw again"), args, emoji="🎲"))
    if not event.is_over:
        buttons.append(_cancel(event, words))
    return Page(*items, *button_rows(buttons), accent=GOLD)


def _begin(event: ClubEvent, words: Speaker) -> Part:
    label = words.say("Begin now")
    return CONTROLS.button(Verb.EVENT_BEGIN, label, str(event.id), emoji="▶️")


def _cancel(event: ClubEvent, words: Speaker) -> Part:
    label = words.say("Cancel the event")
    return CONTROLS.button(Verb.EVENT_CANCEL, label, str(event.id), emoji="🗑️")


def cancel_page(event: ClubEvent, words: Speaker) -> Page:
    """Return the page that asks whether to cancel an event."""
    say, args = words.say, str(event.id)
    danger = discord.ButtonStyle.danger
    lines = [f"### {say('Cancel {title}?', title=safe(event.settings.title))}"]
    if event.status == "running":
        lines.append(say("Its lobbies are closed. Matches that have begun go on."))
    if event.settings.weekly:
        lines.append(say("This also ends the weekly series."))
    return Page(
        text("\n".join(lines)),
        row(CONTROLS.button(Verb.EVENT_CANCEL_NOW, say("Cancel the event"), args, style=danger)),
        accent=GOLD,
    )


def list_page(events: Sequence[ClubEvent], words: Speaker) -> Page:
    """Return the events of a server that are not over, soonest first, and the last ones."""
    say = words.say
    in_order = sorted(events[:MOST_LISTED], key=lambda each: (each.is_over, each.begins_at))
    lines = [f"### 📅 {say('Events')}"]
    if not in_order:
        lines.append(
            say(
                "None yet. Announce a Tichu night here with `/tichu event when:`, a tournament "
                "with `/tichu tournament when:`, or a league with `/tichu league when:`."
            )
        )
    for event in in_order:
        lines += _listed(event, words)
    items = [text("\n".join(lines))]
    if in_order:
        options = [
            option(
                each.settings.title,
                str(each.id),
                description=with_place(each.begins_at, each.settings.zone, say.language),
            )
            for each in in_order
        ]
        items.append(CONTROLS.select(Verb.EVENT, say("Open an event"), options))
    hall = CONTROLS.button(Verb.EVENT_HALL, say("Hall of fame"), emoji="🏆")
    return Page(*items, row(hall), accent=GOLD)


def _listed(event: ClubEvent, words: Speaker) -> Iterator[str]:
    """Yield the lines of an event in the list."""
    yield f"**{safe(event.settings.title)}** · {channel_mention(event.channel_id)}"
    if event.status == "cancelled":
        yield f"-# {words.say('Cancelled')} · {when(event)}"
    else:
        yield f"-# {when(event)}"
