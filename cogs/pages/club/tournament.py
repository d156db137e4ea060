"""The public page of a tournament, and the private page on which people choose their partner."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import discord

from bot.club.actions import Answer
from bot.club.event import ClubEvent
from bot.club.formats import FORMATS, league
from bot.club.formats.teams import TEAMS
from bot.club_records import PersonNumber
from bot.ids import UserId
from bot.text.cards import Speaker
from cogs.pages.club.event import (
    CONTROLS,
    EMOJIS,
    ShownEvent,
    answer_buttons,
    answer_label,
    listed,
    more_button,
    name_of_organiser,
    person_name,
    thread_warning,
    watch_button,
    when,
)
from cogs.pages.club.league import champion_lines, season_page
from cogs.pages.club.matches import (
    entrant_name,
    format_line,
    long_select,
    match_lines,
    person_label,
    round_name,
    time_text,
)
from cogs.pages.club.standings import first_places, rounds_select, standings, standings_button
from cogs.pages.controls import GOLD, Page, Part, button_rows, length, option, pictures, row, text
from cogs.pages.names import safe
from cogs.pages.verbs import Verb

SIGN_UP: Final[tuple[Answer, ...]] = ("yes", "substitute", "no")
"""Answers for a tournament."""
_MOST_PAIRS: Final = 16
"""Largest number of pairs in the list of those who are in."""
_MOST_OFFERS: Final = 3
"""Largest number of buttons with people who want to play with the reader."""
_LONGEST: Final = 3800
"""Largest number of characters of the public page, with room for separators."""


# --- the public page -----------------------------------------------------------------------------


def tournament_page(shown: ShownEvent, words: Speaker) -> Page:
    """Return the public page of a tournament."""
    event = shown.event
    head = "\n".join(_head(event, words))
    if event.settings.format == "league" and event.rounds:
        return season_page(shown, head, words)
    if event.rounds:
        head = "\n".join((head, *thread_warning(shown, words)))
    items = [text(head)]
    buttons = list[Part]()
    if event.status == "open":
        items.append(text("\n".join(_sign_ups(shown, words))))
        buttons += answer_buttons(event, SIGN_UP, words)
    elif event.rounds:
        places = "\n".join(first_places(event, words))
        if not event.is_over:
            number, matches = len(event.rounds), range(len(event.rounds[-1].matches))
            most = _LONGEST - length(head) - length(places)
            items.append(text("\n".join(match_lines(shown, number, matches, most, words))))
        if shown.pictures:
            items.append(pictures(shown.pictures))
        elif places:
            items.append(
                text(places if event.is_over else f"**{words.say('Standings')}**\n{places}")
            )
        if event.is_over:
            items.append(rounds_select(event, 0, words))
        buttons.append(standings_button(event, words))
        if not event.is_over:
            label = words.say("My match")
            buttons.append(CONTROLS.button(Verb.EVENT_OWN, label, str(event.id), emoji="🃏"))
            buttons.append(watch_button(event, words))
    if not event.is_over:
        buttons.append(more_button(event, words))
    return Page(*items, *button_rows(buttons), accent=GOLD)


def _head(event: ClubEvent, words: Speaker) -> Iterator[str]:
    """Yield the title, the time or the round, and the format."""
    say, settings = words.say, event.settings
    yield f"### 📅 {safe(settings.title)}"
    if event.status == "cancelled":
        yield f"**{say('Cancelled')}**"
        if event.too_few:
            yield _least(event, words)
    elif event.status == "over" and not event.rounds:
        yield say("I was offline when it began.")
    elif event.status == "over" and not event.was_played:
        yield say("Nobody played.")
    elif event.status == "over" and event.settings.format == "league":
        yield from champion_lines(event, words)
    elif event.status == "over":
        winners = [
            entrant_name(event, each.entrant, words) for each in standings(event) if each.place == 1
        ]
        if len(winners) < len(event.entrants):
            yield f"🏆 **{say('Won by {names}', names=listed(winners, words))}**"
    elif event.rounds:
        yield " · ".join(filter(None, (f"**{round_name(event, words)}**", time_text(event, words))))
    if event.rounds and settings.format == "teams":
        teams = (" + ".join(entrant_name(event, each, words) for each in team) for team in TEAMS)
        yield f"🤝 {' – '.join(teams)}"
    if event.paused_at is not None and not event.is_over:
        yield "⏸️ " + say("Paused: no tables open and no round is drawn until it goes on.")
    if event.status != "running":
        yield when(event)
    if event.rounds:
        divisions = league.division_count(event.competition)
        settings = settings.model_copy(update={"divisions": divisions})
    organiser = say("by {name}", name=name_of_organiser(event, words))
    yield f"-# {format_line(settings, say)} · {organiser}"


def _least(event: ClubEvent, words: Speaker) -> str:
    """Return how many pairs it takes."""
    least = FORMATS[event.settings.format].entrants[0]
    return words.say("It takes at least {n} pairs.", n=words.say.number(least))


def _sign_ups(shown: ShownEvent, words: Speaker) -> Iterator[str]:
    """Yield the pairs, those who are in without a partner, the substitutes, and what comes next."""
    event, say = shown.event, words.say
    pairs = list(event.pairs())
    names = [" & ".join(person_name(event, each, words) for each in pair) for pair in pairs]
    paired = {person for pair in pairs for person in pair}
    alone = [each for each in event.answered("yes") if each not in paired]
    yield f"{EMOJIS['yes']} **{say('Pairs')}** · {say.number(len(pairs))}"
    if names:
        yield listed(names, words, _MOST_PAIRS)
    lists = (
        ("🔎", say("Looking for a partner"), alone),
        (
            EMOJIS["substitute"],
            answer_label("substitute", words),
            event.answered("substitute"),
        ),
    )
    for emoji, label, people in lists:
        if people:
            yield f"{emoji} **{label}** · {say.number(len(people))}"
            yield listed([person_name(event, each, words) for each in people], words)
    yield "-# " + pairing_note(event, words)
    if len(pairs) + (len(alone) + 1) // 2 < FORMATS[event.settings.format].entrants[0]:
        yield f"-# {_least(event, words)}"
    yield from thread_warning(shown, words)


def pairing_note(event: ClubEvent, words: Speaker) -> str:
    """Return how people find a partner."""
    if event.settings.draw_by == "lot":
        return words.say(
            "Both press I'm in and choose each other. Anyone without a partner gets one by lot at "
            "the start."
        )
    return words.say(
        "Both press I'm in and choose each other. Anyone without a partner gets one at the start, "
        "the strongest with the weakest."
    )


# --- the sign-up page ----------------------------------------------------------------------------


def sign_up_page(event: ClubEvent, reader: UserId, page: int, words: Speaker) -> Page:
    """Return the reader's answer and partner, and the people whom they can choose.

    Those who have chosen the reader come first. `page` is the page of the select.
    """
    say, number = words.say, event.number_of(reader)
    items = [text("\n".join(_own_sign_up(event, number, words)))]
    buttons = list[Part]()
    if number in event.answered("yes"):
        paired = {person for pair in event.pairs() for person in pair}
        free = [each for each in event.answered("yes") if each not in paired and each != number]
        asking = [each for each in free if event.partners.get(each) == number]
        named = event.partners.get(number)
        for each in asking[:_MOST_OFFERS] if number not in paired else ():
            label = say("Play with {name}", name=person_label(event, each, words))
            buttons.append(
                CONTROLS.button(
                    Verb.EVENT_PARTNER,
                    label,
                    f"{event.id},{each}",
                    emoji="🤝",
                    style=discord.ButtonStyle.success,
                )
            )
        in_order = asking + [each for each in free if each not in asking]
        options = [
            option(
                person_label(event, each, words),
                str(each),
                description=say("wants to play with you") if each in asking else None,
                default=each == named,
            )
            for each in in_order
        ]
        if options:
            args = str(event.id)
            select = long_select(
                Verb.EVENT_PARTNER, say("Choose your partner"), options, args, page, words
            )
            items.append(select)
        if named is not None:
            buttons.append(
                CONTROLS.button(Verb.EVENT_PARTNER, say("Without this partner"), f"{event.id},0")
            )
    others = [each for each in SIGN_UP if number is None or number not in event.answered(each)]
    rows = button_rows(buttons)
    return Page(
        items[0], *rows, *items[1:], row(*answer_buttons(event, others, words)), accent=GOLD
    )


def _own_sign_up(event: ClubEvent, number: PersonNumber | None, words: Speaker) -> Iterator[str]:
    """Yield the reader's answer and partner."""
    say = words.say
    yield f"### 📅 {safe(event.settings.title)}"
    partner = event.partners.get(number) if number is not None else None
    if number in event.answered("substitute"):
        yield f"🔁 {say('You help out if somebody is missing.')}"
    elif number not in event.answered("yes"):
        yield say("You're not in.")
    elif partner is None:
        yield f"✅ {say('You are in.')}"
        yield "-# " + pairing_note(event, words)
        yield "-# " + say(
            "If your partner isn't in yet, press **I'm in** again later to choose them from the "
            "list."
        )
    else:
        name = person_name(event, partner, words)
        is_pair = any(number in pair for pair in event.pairs())
        if is_pair:
            yield f"✅ **{say('You play with {name}.', name=name)}**"
        else:
            yield "✅ " + say(
                "You're in, and chose {name}. When they press I'm in and choose you, you are a "
                "pair.",
                name=name,
            )
