"""The private page of ``/tichu settings`` about one's game and scores, and **Forget me**.

Nudges have a page of their own (`nudges.py`), and so have managers of the server (`server.py`).
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
from cogs.pages.settings.nudges import refused_reminder
from cogs.pages.settings.sections import section_buttons
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
        *section_buttons("", speaker.say, manages=manages),
        *map(text, refused_reminder(personal, speaker.say)),
        *_own_game_parts(personal, speaker),
        line(),
        *_accuracy_parts(personal, speaker),
        line(),
        *_visibility_parts(preferences, speaker),
        line(),
        row(forget),
    )


def forget_page(table_count: int, speaker: Speaker) -> Page:
    """Return the question before an erasure, with lists of erased and kept data.

    `table_count` is the number of open tables at which the person sits.
    """
    say = speaker.say
    erased = [
        say("your name and your Discord id, wherever I keep them"),
        say("your ratings, leaderboard places, profile and achievements"),
        say("your rounds of deals of the day and challenges, with their results"),
        say("your sign-ups for events that haven't begun"),
        say("your settings, and how far you are in the lessons"),
    ]
    kept_data = [
        say("the rounds you played, as a “Former player”: other people's results need them"),
        say("your places in events that have begun, as a “Former player”"),
        say("words you added to a shuffle, without your name"),
        say("messages already in Discord"),
        say("backups, until whoever runs me deletes them"),
    ]
    seats = say.many(
        "You'll leave {n} table. In a match with others, a computer takes over your seat.",
        "You'll leave {n} tables. In a match with others, a computer takes over your seat.",
        table_count,
    )
    warning = say("**There's no way back.** If you play again, you start as someone new.")
    return Page(
        text(
            "\n".join(["## " + say("Forget me?"), "### " + say("What goes"), *_list_lines(erased)])
        ),
        text("\n".join(["### " + say("What stays"), *_list_lines(kept_data)])),
        line(),
        text("\n".join(filter(None, (seats if table_count else "", warning)))),
        row(
            _CONTROLS.button(
                Verb.FORGET_ME_NOW,
                say("Forget me for good"),
                style=discord.ButtonStyle.danger,
            ),
            _CONTROLS.button(Verb.SETTINGS, say("Keep everything")),
        ),
    )


def _list_lines(entries: Iterable[str]) -> Iterator[str]:
    """Yield these entries as lines of a list."""
    return (f"- {entry}" for entry in entries)


def forgotten_page(speaker: Speaker, *, had_data: bool) -> Page:
    """Return the page after an erasure; `had_data` is false if nothing was stored."""
    say = speaker.say
    if not had_data:
        return Page(text(say("I know nothing about you. There was nothing to forget.")))
    return Page(text(say("Done – I've forgotten you. Thanks for playing!")))


def _own_game_parts(personal: PersonalSettings, speaker: Speaker) -> list[Part]:
    """Return the text and controls of settings for cards, comfort and language."""
    say = speaker.say
    lines = [
        "### " + say("Your game"),
        say("**Cards**: your hand as a picture, as emojis, or as text."),
        say(
            "**Auto-pass**: I pass for you when nothing you hold beats the trick and you have no "
            "bomb, and play for you when you have only one choice."
        ),
        say("**More time**: your turns may take twice as long – 180 s where others have 90 s."),
        say("**Sorting**: the order of your hand."),
        say("**Language** of your private messages."),
    ]
    return [
        text("\n".join(lines)),
        row(
            _CONTROLS.switch(Verb.ALWAYS_PASS, say("Auto-pass"), on=personal.auto_pass),
            _CONTROLS.switch(Verb.MORE_TIME, say("More time"), on=personal.more_time),
        ),
        card_select(
            Verb.CARD_STYLE,
            say,
            {AS_SERVER: say("Cards as on this server"), **card_styles(say)},
            personal.cards or AS_SERVER,
        ),
        _CONTROLS.select(
            Verb.SORTING,
            say("Sorting…"),
            [
                option(name, sorting, default=sorting == personal.sorting)
                for sorting, name in _sorting_names(say).items()
            ],
        ),
        language_select(Verb.LANGUAGE, personal.language, say),
    ]


def _sorting_names(say: Say) -> dict[Sorting, str]:
    """Return the name of each order in which a hand can be sorted."""
    return {
        "dog_first": say("Dog, Mah Jong, 2–A, Phoenix, Dragon"),
        "rank_high_first": say("Dragon, Phoenix, A–2, Mah Jong, Dog"),
        "combination": say("By combination: bombs, straights, pairs…"),
    }


def _visibility_parts(preferences: Preferences, speaker: Speaker) -> list[Part]:
    """Return the text and switches of settings for leaderboards and the profile."""
    say = speaker.say
    server_line = (
        say("You're hidden: no leaderboards, private profile, no name in past matches.")
        if preferences.hidden
        else say("You're on this server's leaderboards, and others can see your profile.")
    )
    world_line = (
        say("You're on the leaderboard of all servers.")
        if preferences.listed(WORLD)
        else say("You're not on the leaderboard of all servers.")
    )
    return [
        text("\n".join(("### " + say("Leaderboards and profile"), server_line, world_line))),
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


def _accuracy_parts(personal: PersonalSettings, speaker: Speaker) -> list[Part]:
    """Return the text and switches of settings for the accuracy."""
    say = speaker.say
    lines = [
        "### " + say("Accuracy"),
        say(
            "**Show**: your profile tells you what your decisions cost, from your reviewed rounds. "
            "Only you see it."
        ),
        say(
            "**Compare**: people on the same server who allow it too see your average and its "
            "chart, and you see theirs."
        ),
    ]
    return [
        text("\n".join(lines)),
        row(
            _CONTROLS.switch(Verb.SHOW_ACCURACY, say("Show my accuracy"), on=personal.accuracy),
            _CONTROLS.switch(
                Verb.COMPARE_ACCURACY,
                say("Compare my accuracy"),
                on=personal.accuracy and personal.accuracy_compared,
                disabled=not personal.accuracy,
            ),
        ),
    ]
