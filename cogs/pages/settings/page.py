"""The private page of ``/tichu settings`` about one's game and scores, and **Forget me**.

Nudges have a page of their own (`calls.py`), as have the managers of the server (`server.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import discord

from bot.records import PersonalSettings, Sorting
from bot.score_records import WORLD, Preferences
from bot.text import Say
from bot.text.cards import Speaker
from cogs.pages.controls import Controls, Page, Part, line, option, row, text
from cogs.pages.settings.card_styles import AS_SERVER, card_select, card_styles
from cogs.pages.settings.languages import language_select
from cogs.pages.settings.sections import sections
from cogs.pages.verbs import Verb

_CONTROLS = Controls()
"""Controls without a table; settings are never out of date."""


def settings_page(
    personal: PersonalSettings, preferences: Preferences, speaker: Speaker, *, manages: bool
) -> Page:
    """Return the page of a person's settings; `manages` is true for a server manager."""
    forget = _CONTROLS.button(Verb.FORGET_ME, speaker.say("Forget me…"))
    return Page(
        text("## " + speaker.say("Settings")),
        *sections("", speaker.say, manages=manages),
        *_own_game(personal, speaker),
        line(),
        *_scores(preferences, speaker),
        line(),
        row(forget),
    )


def forget_page(tables: int, speaker: Speaker) -> Page:
    """Return the list of erased and kept data, with the button that erases.

    `tables` is the number of open tables at which they sit.
    """
    say = speaker.say
    goes = [
        say("your name and your Discord id, wherever I keep them"),
        say("your ratings, leaderboard places, profile and achievements"),
        say("your settings, and how far you are in the lessons"),
    ]
    stays = [
        say("the rounds you played, as a “Former player”: other people's results need them"),
        say("words you added to a shuffle, without your name"),
        say("messages already in Discord"),
        say("backups, until whoever runs me deletes them"),
    ]
    seats = say.many(
        "You'll leave {n} table. In a match with others, a computer takes over your seat.",
        "You'll leave {n} tables. In a match with others, a computer takes over your seat.",
        tables,
    )
    end = say("**There's no way back.** If you play again, you start as someone new.")
    return Page(
        text("\n".join(["## " + say("Forget me?"), "### " + say("What goes"), *_items(goes)])),
        text("\n".join(["### " + say("What stays"), *_items(stays)])),
        line(),
        text("\n".join(filter(None, (seats if tables else "", end)))),
        row(
            _CONTROLS.button(
                Verb.FORGET_ME_NOW,
                say("Forget me for good"),
                style=discord.ButtonStyle.danger,
            ),
            _CONTROLS.button(Verb.SETTINGS, say("Keep everything")),
        ),
    )


def _items(entries: Iterable[str]) -> Iterator[str]:
    """Return the lines of a list."""
    return (f"- {entry}" for entry in entries)


def forgotten_page(speaker: Speaker, *, known: bool) -> Page:
    """Return the page after an erasure; `known` is whether there was any data."""
    say = speaker.say
    if not known:
        return Page(text(say("I know nothing about you. There was nothing to forget.")))
    return Page(text(say("Done – I've forgotten you. Thanks for playing!")))


def _own_game(personal: PersonalSettings, speaker: Speaker) -> list[Part]:
    """Return the settings for reading cards and for an easier game."""
    say = speaker.say
    words = [
        "### " + say("Your game"),
        say("**Cards**: your hand as a picture, as emojis, or as text."),
        say("**Auto-pass**: pass when nothing you hold beats the trick and you have no bomb."),
        say("**More time**: your turns may take twice as long – 180 s where others have 90 s."),
        say("**Sorting**: the order of your hand."),
        say("**Language** of your private messages."),
    ]
    return [
        text("\n".join(words)),
        row(
            _CONTROLS.switch(Verb.ALWAYS_PASS, say("Auto-pass"), on=personal.auto_pass),
            _CONTROLS.switch(Verb.MORE_TIME, say("More time"), on=personal.more_time),
        ),
        card_select(
            Verb.CARD_STYLE,
            say,
            {AS_SERVER: say("As this server has it"), **card_styles(say)},
            personal.cards or AS_SERVER,
        ),
        _CONTROLS.select(
            Verb.SORTING,
            say("Sorting…"),
            [
                option(name, sorting, default=sorting == personal.sorting)
                for sorting, name in _sortings(say).items()
            ],
        ),
        language_select(Verb.LANGUAGE, personal.language, say),
    ]


def _sortings(say: Say) -> dict[Sorting, str]:
    """Return the names of the ways to sort a hand."""
    return {
        "dog_first": say("Dog, Mah Jong, 2–A, Phoenix, Dragon"),
        "rank_high_first": say("Dragon, Phoenix, A–2, Mah Jong, Dog"),
        "combination": say("By combination: bombs, straights, pairs…"),
    }


def _scores(preferences: Preferences, speaker: Speaker) -> list[Part]:
    """Return the settings for leaderboards and the visibility of the profile."""
    say = speaker.say
    here = (
        say("You're hidden: no leaderboards, private profile, no name in past matches.")
        if preferences.hidden
        else say("You're on this server's leaderboards, and others can see your profile.")
    )
    world = (
        say("You're on the leaderboard of all servers.")
        if preferences.listed(WORLD)
        else say("You're not on the leaderboard of all servers.")
    )
    return [
        text("\n".join(("### " + say("Leaderboards and profile"), here, world))),
        row(
            _CONTROLS.switch(
                Verb.LISTED,
                say("Show me on leaderboards and let others see my profile"),
                on=not preferences.hidden,
            )
        ),
        row(
            _CONTROLS.switch(
                Verb.WORLDWIDE,
                say("Show me on the leaderboard of all servers"),
                on=preferences.listed(WORLD),
                disabled=preferences.hidden,
            )
        ),
    ]
